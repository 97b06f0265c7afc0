// What a recorded record is called: by its key and value, by a hash of key and value, or, if its batch is compressed, by the checksum of
// the batch and its place there. The same record has the same name where it is sent and where it is read.
import { createHash } from 'node:crypto';
import { recordText } from '../history/record-text.ts';
import { decodeBatch } from '../log/decode-batch.ts';
import type { BatchHeader } from '../protocol/batch-header.ts';

/** plain: as text (history/record-text.ts). hashed: nothing of what they say. */
export type RecordedValues = 'plain' | 'hashed';

export interface NamedRecord {
  /** Behind the batch's base offset. */
  readonly delta: number;
  readonly name: string;
}

/** Names of the records of the batch at `header.at`, in order. */
export function nameValues(
  batches: Buffer,
  header: BatchHeader & { readonly at: number },
  values: RecordedValues,
): readonly NamedRecord[] {
  const decoded = decodeBatch(batches, header.at);
  if (decoded.kind === 'malformed') return [];
  if (decoded.kind === 'compressed') {
    // The leader leaves compressed batches as they are (wire W-98), so their checksum follows them.
    const { crc, recordCount } = header;
    return Array.from({ length: recordCount }, (_, delta) => ({ delta, name: `${crc.toString(16)}:${delta}` }));
  }
  const { records } = decoded;
  return records.map(({ offset, key, value }) => {
    const delta = offset - header.baseOffset;
    const isNothing = key === null && value === null;
    return { delta, name: values === 'plain' && !isNothing ? recordText(key, value) : hashOf(key, value) };
  });
}

function hashOf(key: Buffer | null, value: Buffer | null): string {
  const hash = createHash('sha256').update(`${key?.length ?? -1} ${value?.length ?? -1} `);
  for (const bytes of [key, value]) if (bytes !== null) hash.update(bytes);
  return hash.digest('hex').slice(0, 16);
}
