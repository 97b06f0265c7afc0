// The window of batches that are known again, found in the log: a snapshot holds the newest batch of a producer alone (txn
// T-110), and a retry of one before it would be out of order after a restart (txn T-111). The log has them, so it is asked.
import type { Offset } from '../base/units.ts';
import { isControl } from './attributes.ts';
import type { BatchIndex } from './batch-index.ts';
import { WINDOW_BATCHES, isBatchBefore, withOlderBatch } from './producer-entry.ts';
import type { ProducerEntry } from './producer-entry.ts';

/**
 * The producers of a snapshot taken at `offset`, in their order, each with as many batches as `index` has of it below that, up
 * to WINDOW_BATCHES. Reads the index backwards until nobody lacks any; producers without batches lack none.
 */
export function withWholeWindows(
  producers: ReadonlyMap<number, ProducerEntry>,
  index: BatchIndex,
  offset: Offset,
): Map<number, ProducerEntry> {
  const whole = new Map(producers);
  const lacking = new Set([...whole].flatMap(([id, { batches }]) => (batches.length > 0 ? [id] : [])));
  for (let place = index.find(offset) - 1; place >= 0 && lacking.size > 0; place--) {
    const batch = index.at(place)!;
    const { producerId } = batch;
    if (!lacking.has(producerId) || isControl(batch.attributes)) continue;
    const known = whole.get(producerId)!;
    if (known.batches[0]!.lastOffset <= batch.lastOffset) continue;
    const wider = isBatchBefore(known, batch) ? withOlderBatch(known, batch) : known;
    whole.set(producerId, wider);
    if (wider === known || wider.batches.length === WINDOW_BATCHES) lacking.delete(producerId);
  }
  return whole;
}
