// Lays the logs of replicas side by side: stretch by stretch of offsets, what each holds there and whether it is the same.
// Batches are the same if offsets, leader epoch and checksum are; each checksum is held against its bytes. Where a topic is
// compacted every replica cleans by itself, so there the records that both still have are compared (repl R-3, I-7).
import type { Offset } from '../../base/units.ts';
import { decodeBatch, hasValidCrc, type LogRecord } from '../../log/decode-batch.ts';
import type { BatchCursor, StoredBatch } from './batch-cursor.ts';

export type Likeness =
  | 'same'
  /** Those that hold something hold the same; the logs of the others end before it. */
  | 'behind'
  | 'differs';

/** Offsets that no batch of any replica crosses the ends of. */
export interface Stretch {
  readonly firstOffset: Offset;
  readonly lastOffset: Offset;
  /** What each replica holds there, in the order of the cursors. */
  readonly held: readonly (readonly StoredBatch[])[];
  readonly likeness: Likeness;
}

/** Goes through all logs to the end of the longest. */
export async function* stretches(
  cursors: readonly BatchCursor[],
  { compacted }: { readonly compacted: boolean },
): AsyncGenerator<Stretch> {
  for (;;) {
    const bases = cursors.flatMap(({ current }) => (current === undefined ? [] : [current.header.baseOffset]));
    if (bases.length === 0) return;
    const firstOffset = Math.min(...bases);
    const { held, lastOffset } = await take(cursors, firstOffset);
    const ended = cursors.map(({ current }, at) => held[at]!.length === 0 && current === undefined);
    yield { firstOffset, lastOffset, held, likeness: likenessOf(held, ended, compacted) };
  }
}

/** All batches from `first` on that hang together by a batch of some replica. */
async function take(
  cursors: readonly BatchCursor[],
  first: Offset,
): Promise<{ held: StoredBatch[][]; lastOffset: Offset }> {
  const held: StoredBatch[][] = cursors.map(() => []);
  let lastOffset = first;
  for (let more = true; more;) {
    more = false;
    for (const [at, cursor] of cursors.entries()) {
      while (cursor.current !== undefined && cursor.current.header.baseOffset <= lastOffset) {
        held[at]!.push(cursor.current);
        lastOffset = Math.max(lastOffset, cursor.current.header.lastOffset);
        more = true;
        await cursor.next();
      }
    }
  }
  return { held, lastOffset };
}

function likenessOf(
  held: readonly (readonly StoredBatch[])[],
  ended: readonly boolean[],
  compacted: boolean,
): Likeness {
  if (held.some((batches) => batches.some(isDamaged))) return 'differs';
  const there = held.filter((_, at) => ended[at] !== true);
  const alike = there.every((batches) => sameBatches(batches, there[0]!)) || (compacted && sameRecords(there));
  if (!alike) return 'differs';
  return there.length === held.length ? 'same' : 'behind';
}

/** The bytes are not those that the checksum was made of. */
export function isDamaged({ header, bytes }: StoredBatch): boolean {
  return !hasValidCrc(bytes, header);
}

function sameBatches(some: readonly StoredBatch[], others: readonly StoredBatch[]): boolean {
  if (some.length !== others.length) return false;
  return some.every(({ header }, at) => {
    const other = others[at]!.header;
    return (
      header.baseOffset === other.baseOffset &&
      header.lastOffset === other.lastOffset &&
      header.leaderEpoch === other.leaderEpoch &&
      header.crc === other.crc
    );
  });
}

/** No offset holds one record here and another there; one that is missing has been cleaned away. */
function sameRecords(held: readonly (readonly StoredBatch[])[]): boolean {
  const seen = new Map<Offset, string>();
  for (const batches of held) {
    for (const batch of batches) {
      for (const [offset, record] of recordsOf(batch)) {
        const before = seen.get(offset);
        if (before !== undefined && before !== record) return false;
        seen.set(offset, record);
      }
    }
  }
  return true;
}

/** What must be the same of each record; of a batch that cannot be opened, the whole. */
function recordsOf({ header, bytes }: StoredBatch): [Offset, string][] {
  const decoded = decodeBatch(bytes);
  const { leaderEpoch, producerId, producerEpoch } = header;
  const common = `${leaderEpoch}/${producerId}/${producerEpoch}`;
  if (decoded.kind !== 'records') return [[header.baseOffset, `${common}/${header.crc}`]];
  return decoded.records.map((record) => [record.offset, `${common}/${contentOf(record)}`]);
}

function contentOf({ timestamp, key, value, headers }: LogRecord): string {
  const text = (bytes: Buffer | null): string | null => bytes?.toString('base64') ?? null;
  return JSON.stringify([timestamp, text(key), text(value), headers.map((each) => [each.key, text(each.value)])]);
}
