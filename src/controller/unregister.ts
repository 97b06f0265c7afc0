// Forgetting a broker for good (repl R-119): out of every ISR, then out of the cluster. It keeps its replicas on paper until
// they are reassigned; a process of it that still runs is refused from then on, as stale.
import { unregisterBrokerRecord } from '../metadata/records.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import type { Draft } from './draft.ts';
import { removeFromIsrs } from './replica-changes.ts';

/** Decides UnregisterBroker. Answers `BROKER_ID_NOT_REGISTERED` if there is no such broker. A live one may be forgotten. */
export function decideUnregisterBroker(
  draft: Draft,
  { brokerId }: RequestOf<'UnregisterBroker'>,
): ResponseOf<'UnregisterBroker'> {
  const broker = draft.image.brokers.get(brokerId);
  if (broker === undefined) {
    const ids = [...draft.image.brokers.keys()].sort((a, b) => a - b).join(', ') || 'none';
    return { error: 'BROKER_ID_NOT_REGISTERED', errorMessage: `no broker ${brokerId} is registered. Brokers: ${ids}` };
  }
  removeFromIsrs(draft, brokerId, 'unregistered', true);
  draft.add(unregisterBrokerRecord(broker));
  return { error: 'NONE', errorMessage: '' };
}
