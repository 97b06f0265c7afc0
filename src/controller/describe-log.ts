// The committed metadata log as it is kept, for people: its records, or those of its newest snapshot. Decides nothing.
import { NO_OFFSET } from '../base/units.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import type { MetadataLog } from './metadata-log.ts';

/** Records in one answer at most. */
const RECORDS_MAX = 500;

/** A stretch of the log or of its newest snapshot; what does not exist is answered with no records. */
export function describeMetadataLog(
  log: MetadataLog,
  { fromOffset, snapshot: ofSnapshot, maxRecords }: RequestOf<'DescribeMetadataLog'>,
): ResponseOf<'DescribeMetadataLog'> {
  const { startOffset, snapshot } = log;
  const { endOffset } = log.committed;
  const baseOffset = Math.max(fromOffset, ofSnapshot ? 0 : startOffset);
  const to = baseOffset + Math.min(Math.max(maxRecords, 0), RECORDS_MAX);
  const records = ofSnapshot
    ? (snapshot?.records.slice(baseOffset, to) ?? [])
    : log.slice(baseOffset, Math.min(to, endOffset));
  return {
    ...{ startOffset, endOffset, baseOffset, records },
    ...{ snapshotOffset: snapshot?.endOffset ?? NO_OFFSET, snapshotCount: snapshot?.records.length ?? 0 },
  };
}
