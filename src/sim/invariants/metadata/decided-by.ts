// What a committed record of the metadata log decides about, and how a rule that it breaks is told. Shared by the invariants of
// this folder, judges nothing.
import { formatPartition } from '../../../base/units.ts';
import type { MetadataRecord } from '../../../protocol/generated/index.ts';
import type { TraceEvent } from '../../../trace/events.ts';
import type { Violation } from '../invariant.ts';
import type { Decided } from '../view/metadata-fold.ts';
import type { TraceView } from '../view/trace-view.ts';

/** The partition that a committed record is about. */
export function decidedBy(view: TraceView, event: TraceEvent): Decided | undefined {
  if (event.type !== 'metadata.committed') return undefined;
  const record = event.record as MetadataRecord;
  const place = record.partitionChange ?? record.partition;
  return place ? view.metadata.partition(place.topicId, place.partition) : undefined;
}

/** A rule that is broken in a partition. */
export function violation(invariant: string, { topic, partition }: Decided, detail: string): Violation {
  return { invariant, subject: formatPartition(topic, partition), detail };
}
