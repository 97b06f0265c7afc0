// What a follower takes of the bytes it fetched (repl ). Decides only; partition-log.ts appends.
import type { LeaderEpoch, Offset } from '../base/units.ts';
import { BATCH_HEADER_BYTES, readBatchHeader } from '../protocol/batch-header.ts';
import type { BatchHeader } from '../protocol/batch-header.ts';
import type { FollowerAppend } from './api.ts';
import { frameProblem, hasValidCrc } from './decode-batch.ts';

export interface FetchedRecords {
  /** Whole batches back to back; an incomplete one at the end is ignored. */
  readonly records: Buffer;
  readonly fetchOffset: Offset;
  /** The leader epoch the fetch was sent with. */
  readonly leaderEpoch: LeaderEpoch;
}

/** The ends of the follower's log, appends under way included. */
export interface FollowerEnds {
  readonly logStartOffset: Offset;
  readonly endOffset: Offset;
}

export interface Taken {
  readonly kind: 'taken';
  /** The bytes of all `batches`, still a view of what was fetched. */
  readonly bytes: Buffer;
  readonly batches: readonly BatchHeader[];
  /** Repl R-7: wipe the empty log and start it here first. */
  readonly restartAt: Offset | undefined;
}

export type FollowerDecision = Taken | Exclude<FollowerAppend, { readonly kind: 'appending' }>;

/** Decides about one partition's records of one fetch answer. */
export function decideFollowerAppend(fetched: FetchedRecords, log: FollowerEnds): FollowerDecision {
  const { records, fetchOffset, leaderEpoch } = fetched;
  if (fetchOffset !== log.endOffset) {
    return failed(`records fetched from ${fetchOffset} came to a log that ends at ${log.endOffset}`);
  }
  const batches: BatchHeader[] = [];
  let at = 0;
  let last = -1;
  for (;;) {
    const header = readBatchHeader(records, at);
    if (header === undefined || isCutShort(records, header, at)) break;
    // From the first batch of a newer epoch on, nothing is taken: not even what follows it (trap T-37).
    if (header.leaderEpoch > leaderEpoch) break;
    const problem = batchProblem(records, header, at);
    if (problem !== undefined) return { kind: 'corrupt', reason: problem };
    if (header.lastOffset <= last) {
      return failed(`a batch ends at offset ${header.lastOffset}, and the one before it at ${last}`);
    }
    last = header.lastOffset;
    batches.push(header);
    at += header.sizeBytes;
  }
  const first = batches[0];
  if (first === undefined) return { kind: 'nothing' };
  const taken = (restartAt: Offset | undefined): Taken => ({
    kind: 'taken',
    bytes: records.subarray(0, at),
    batches,
    restartAt,
  });
  if (first.baseOffset >= log.endOffset) return taken(undefined);
  const straddles = log.logStartOffset === log.endOffset && first.lastOffset >= log.endOffset;
  if (straddles) return taken(first.baseOffset);
  return failed(`the first batch starts at offset ${first.baseOffset}; the log ends at ${log.endOffset}`);
}

/** The usual incomplete tail of a capped response (repl R-29). */
function isCutShort(records: Buffer, header: BatchHeader, at: number): boolean {
  return header.sizeBytes >= BATCH_HEADER_BYTES && header.sizeBytes > records.length - at;
}

function batchProblem(records: Buffer, header: BatchHeader, at: number): string | undefined {
  const problem = frameProblem(records, header, at);
  if (problem !== undefined) return problem;
  return hasValidCrc(records, header, at) ? undefined : `the CRC of the batch at offset ${header.baseOffset} is wrong`;
}

function failed(reason: string): FollowerDecision {
  return { kind: 'failed', reason };
}
