// Keys and values of a batch as text, for fault filters. Compressed and damaged batches have none.
import { decodeBatch } from './decode-batch.ts';

/** Longest text of a key or value that is compared: a filter names no megabyte. */
const TEXT_MAX_BYTES = 4096;

/** Keys and values of the records of the batch at `at`; undefined if they cannot be read. */
export function batchContents(
  batches: Buffer,
  at: number,
): readonly { readonly key: string | undefined; readonly value: string | undefined }[] | undefined {
  const decoded = decodeBatch(batches, at);
  if (decoded.kind !== 'records') return undefined;
  return decoded.records.map(({ key, value }) => ({ key: text(key), value: text(value) }));
}

function text(bytes: Buffer | null): string | undefined {
  return bytes === null || bytes.length > TEXT_MAX_BYTES ? undefined : bytes.toString('utf8');
}
