// repl I-23: epochs of broker registrations are unique and increase; what the metadata log takes from a broker after a newer
// registration of its id carries the newer epoch, and no process says that it has another epoch than its id was ever given.
// No exceptions.
import type { BrokerEpoch, NodeId } from '../../../base/units.ts';
import type { MetadataRecord } from '../../../protocol/generated/index.ts';
import type { Stamped } from '../../../trace/events.ts';
import type { Invariant, Violation } from '../invariant.ts';
import type { TraceView } from '../view/trace-view.ts';

/** I-23. */
export function brokerEpochsIncrease(_view: TraceView): Invariant {
  /** All epochs that an id was given, the newest last. */
  const given = new Map<NodeId, BrokerEpoch[]>();
  let newest = -1;
  /** First offset of the metadata log that was not heard yet: a restarted controller repeats itself. */
  let heardTo = 0;
  const committed = ({ event }: Stamped): Violation | undefined => {
    if (event.type !== 'metadata.committed' || event.offset < heardTo) return undefined;
    heardTo = event.offset + 1;
    const { registerBroker, brokerRegistrationChange } = event.record as MetadataRecord;
    if (registerBroker) {
      const { brokerId, brokerEpoch } = registerBroker;
      const before = newest;
      newest = Math.max(newest, brokerEpoch);
      const epochs = given.get(brokerId) ?? [];
      given.set(brokerId, [...epochs, brokerEpoch]);
      if (brokerEpoch <= before)
        return violation(brokerId, `was registered in epoch ${brokerEpoch}, after ${before} was given`);
    } else if (brokerRegistrationChange) {
      const { brokerId, brokerEpoch } = brokerRegistrationChange;
      const current = given.get(brokerId)?.at(-1);
      if (current !== undefined && brokerEpoch !== current)
        return violation(brokerId, `was changed as of epoch ${brokerEpoch}, though it is registered in ${current}`);
    }
    return undefined;
  };
  return {
    name: 'repl I-23',
    on: ['metadata.committed', 'broker.state'],
    momentary: true,
    onEvent(stamped) {
      const { event, node } = stamped;
      if (event.type !== 'broker.state') return committed(stamped);
      const { brokerEpoch, state } = event;
      if (brokerEpoch < 0 || given.get(node)?.includes(brokerEpoch) === true) return undefined;
      return violation(node, `is ${state} in epoch ${brokerEpoch}, which it was not given`);
    },
    sweep: () => [],
  };
}

function violation(broker: NodeId, what: string): Violation {
  return { invariant: 'repl I-23', subject: `broker ${broker}`, detail: `broker ${broker} ${what}` };
}
