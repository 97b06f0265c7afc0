// Tells the trace and the fault points what a committed record means. Only committed records are told, so that no event
// speaks of what a crash could undo.
import type { Offset } from '../base/units.ts';
import type { MetadataImage } from '../metadata/image.ts';
import { isUnclean } from '../metadata/records.ts';
import type { MetadataRecord } from '../protocol/generated/index.ts';
import type { Runtime } from '../runtime/ports.ts';
import type { DraftedRecord } from './draft.ts';

/** Traces a record as committed. A restarted controller does so again for those its trace may lack. */
export function traceCommitted(runtime: Runtime, offset: Offset, record: MetadataRecord): void {
  runtime.trace({ type: 'metadata.committed', offset, record, ...(isUnclean(record) ? { unclean: true } : {}) });
}

/**
 * Applies the records of one write to the committed image and tells everything that they mean. All are traced before any
 * point is reached, so that a controller which dies at one has told of whole decisions only.
 */
export function announce(runtime: Runtime, image: MetadataImage, written: readonly DraftedRecord[]): void {
  for (const [at, { record }] of written.entries()) traceCommitted(runtime, image.endOffset + at, record);
  for (const drafted of written) announceOne(runtime, image, drafted);
}

function announceOne(runtime: Runtime, image: MetadataImage, { record, why }: DraftedRecord): void {
  const broker = (record.registerBroker ?? record.brokerRegistrationChange)?.brokerId;
  const wasFenced = broker === undefined || isFenced(image, broker);
  image.apply(image.endOffset, record);
  if (broker !== undefined && isFenced(image, broker) !== wasFenced) tellFencing(runtime, broker, wasFenced, why ?? '');
  tellPartition(runtime, image, record);
}

/** An unknown broker counts as fenced: its registration changes nothing. */
function isFenced(image: MetadataImage, broker: number): boolean {
  return image.brokers.get(broker)?.fenced ?? true;
}

function tellFencing(runtime: Runtime, broker: number, wasFenced: boolean, why: string): void {
  runtime.trace(wasFenced ? { type: 'broker.unfenced', broker } : { type: 'broker.fenced', broker, why });
  runtime.faults.observe(wasFenced ? 'controller.broker.unfenced' : 'controller.broker.fenced', { broker });
}

/** Elections, a partition's first leader among them, and ISR changes. */
function tellPartition(runtime: Runtime, image: MetadataImage, record: MetadataRecord): void {
  const place = record.partition ?? record.partitionChange;
  const state = place ? image.partition(place.topicId, place.partition) : undefined;
  if (state === undefined) return;
  const { topic, topicId, partition, leaderEpoch, leader, isr } = state;
  const where = { topic, partition, leaderEpoch };
  if (record.partition || record.partitionChange?.hasLeader) {
    const reason = record.partitionChange?.reason ?? 'created';
    const unclean = isUnclean(record);
    runtime.trace({ type: 'elected', ...where, topicId, leader, isr, reason, unclean });
    runtime.faults.observe('controller.elected', { ...where, leader, reason });
    if (unclean) runtime.faults.observe('controller.leader.unclean', { ...where, leader });
  }
  if (record.partitionChange?.isr) {
    runtime.faults.observe('controller.isr.committed', { ...where, isr: isr.join(',') });
  }
}
