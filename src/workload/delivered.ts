// What a history says of something that a consumer was given.
import type { Delivery } from '../client/core/consumer-record.ts';
import type { PollOp } from '../history/operations.ts';
import { recordText } from '../history/record-text.ts';

type Given = Pick<PollOp, 'from' | 'to' | 'records' | 'highWatermark' | 'leaderEpoch'>;

/** Where it went on, what it was given, and how far the partition went as its leader told, if a leader did. */
export function deliveredBy(delivery: Delivery): Given {
  const { from, to, highWatermark, highWatermarkEpoch: leaderEpoch } = delivery;
  const records = delivery.records.map(({ offset, key, value }) => ({ offset, value: recordText(key, value) }));
  return leaderEpoch < 0 ? { from, to, records } : { from, to, records, highWatermark, leaderEpoch };
}
