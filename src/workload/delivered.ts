// What a history says of something that a consumer was given.
import type { Delivery } from '../client/core/consumer-record.ts';
import type { PollOp } from '../history/operations.ts';
import { recordText } from '../history/record-text.ts';

type Given = Pick<PollOp, 'from' | 'to' | 'records' | 'highWatermark' | 'leaderEpoch'>;

/** Where it went on, what it was given, and how far the partition went as its leader told, if a leader did. */
export function deliveredBy({ from, to, highWatermark, highWatermarkEpoch, ...given }: Delivery): Given {
  const records = given.records.map(({ offset, key, value }) => ({ offset, value: recordText(key, value) }));
  const told = highWatermarkEpoch < 0 ? {} : { highWatermark, leaderEpoch: highWatermarkEpoch };
  return { from, to, records, ...told };
}
