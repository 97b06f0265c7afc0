// repl I-23: epochs of broker registrations are unique and increase; and once a newer registration of an id is committed, nothing of
// an older process is taken any more: no record of it, no request, and no place in an ISR that a leader proposes. Nor does any process
// say that it has another epoch than its id was ever given. No exceptions.
import type { BrokerEpoch, NodeId } from '../../../base/units.ts';
import type { MetadataRecord } from '../../../protocol/generated/index.ts';
import type { TraceEvent } from '../../../trace/events.ts';
import type { Invariant, Violation } from '../invariant.ts';

type EventOf<T extends TraceEvent['type']> = Extract<TraceEvent, { type: T }>;

/** I-23. */
export function brokerEpochsIncrease(): Invariant {
  const given = new GivenEpochs();
  return {
    name: 'repl I-23',
    on: ['metadata.committed', 'broker.heard', 'isr.taken', 'broker.state'],
    momentary: true,
    onEvent({ node, event }) {
      switch (event.type) {
        case 'metadata.committed':
          return given.commit(event);
        case 'broker.heard':
          return given.judge(event.broker, event.brokerEpoch, 'was taken a request of');
        case 'isr.taken':
          return firstOf(event.members, ([id, epoch]) =>
            // A leader that does not know says so.
            epoch < 0 ? undefined : given.judge(id, epoch, `was taken into the ISR of ${event.topic} as`),
          );
        case 'broker.state':
          return given.judgeState(node, event);
        default:
          return undefined;
      }
    },
    sweep: () => [],
  };
}

/** The registrations that were committed. */
class GivenEpochs {
  /** All epochs that an id was given, the newest last. */
  readonly #given = new Map<NodeId, BrokerEpoch[]>();
  #newest = -1;
  /** First offset of the metadata log that was not heard yet: a restarted controller repeats itself. */
  #heardTo = 0;

  commit({ offset, record }: EventOf<'metadata.committed'>): Violation | undefined {
    if (offset < this.#heardTo) return undefined;
    this.#heardTo = offset + 1;
    const { registerBroker, brokerRegistrationChange } = record as MetadataRecord;
    if (brokerRegistrationChange) {
      const { brokerId, brokerEpoch } = brokerRegistrationChange;
      return this.judge(brokerId, brokerEpoch, 'was changed as of');
    }
    if (!registerBroker) return undefined;
    const { brokerId, brokerEpoch } = registerBroker;
    const before = this.#newest;
    this.#newest = Math.max(before, brokerEpoch);
    this.#given.set(brokerId, [...(this.#given.get(brokerId) ?? []), brokerEpoch]);
    if (brokerEpoch > before) return undefined;
    return violation(brokerId, `was registered in epoch ${brokerEpoch}, after ${before} was given`);
  }

  /** Something of an id in this epoch was taken, which must not be older than its registration. */
  judge(broker: NodeId, epoch: BrokerEpoch, what: string): Violation | undefined {
    const current = this.#given.get(broker)?.at(-1);
    // What was decided on a registration that is not committed yet may be told before it.
    if (current === undefined || epoch >= current) return undefined;
    return violation(broker, `${what} epoch ${epoch}, though it is registered in ${current}`);
  }

  judgeState(node: NodeId, { brokerEpoch, state }: EventOf<'broker.state'>): Violation | undefined {
    if (brokerEpoch < 0 || this.#given.get(node)?.includes(brokerEpoch) === true) return undefined;
    return violation(node, `is ${state} in epoch ${brokerEpoch}, which it was not given`);
  }
}

function firstOf<T>(items: readonly T[], judge: (item: T) => Violation | undefined): Violation | undefined {
  for (const item of items) {
    const found = judge(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function violation(broker: NodeId, what: string): Violation {
  return { invariant: 'repl I-23', subject: `broker ${broker}`, detail: `broker ${broker} ${what}` };
}
