// The first look at the records of a produce request, before any leader check (repl R-4a, R-117 (3); rows [a] of
// wire 6.3).
import type { ErrorName } from '../protocol/errors.ts';
import { BATCH_PREFIX_BYTES } from '../protocol/batch-header.ts';
import { CODECS, codecNumber } from './attributes.ts';

export type Unpacked =
  /** The one batch, a view of the records; a broken rest behind it is cut off. */
  { readonly batch: Buffer; readonly error?: undefined } | { readonly error: ErrorName; readonly message: string };

/** How many bytes from the start tell size and magic. */
const TELLING_BYTES = 17;
/** The smallest length field that Kafka's reader accepts, of any magic. */
const LENGTH_MIN = 14;
const ZSTD = CODECS.indexOf('zstd');

type Frame = { readonly kind: 'whole'; readonly sizeBytes: number; readonly magic: number } | Broken;
interface Broken {
  readonly kind: 'incomplete' | 'corrupt';
  readonly reason: string;
}

/** Size and magic of the batch at the start of `bytes`, of whatever format. */
function frame(bytes: Buffer): Frame {
  const incomplete = { kind: 'incomplete', reason: 'the records hold no complete batch' } as const;
  if (bytes.length < BATCH_PREFIX_BYTES) return incomplete;
  const length = bytes.readInt32BE(8);
  if (length < LENGTH_MIN) return { kind: 'corrupt', reason: `a batch length of ${length} is too small` };
  if (bytes.length < TELLING_BYTES) return incomplete;
  const magic = bytes.readInt8(16);
  if (magic < 0 || magic > 2) return { kind: 'corrupt', reason: `magic ${magic} is not known` };
  if (length > bytes.length - BATCH_PREFIX_BYTES) return incomplete;
  return { kind: 'whole', sizeBytes: length + BATCH_PREFIX_BYTES, magic };
}

/**
 * The one batch in the records of one partition of a produce request (null: none were sent), or why it is refused.
 * `zstdAllowed` is false for Produce below v7. CRC and contents are checked later, by the log.
 */
export function unpackProduce(records: Buffer | null, options: { readonly zstdAllowed: boolean }): Unpacked {
  const bytes = records ?? Buffer.alloc(0);
  const first = frame(bytes);
  switch (first.kind) {
    case 'incomplete':
      return { error: 'INVALID_RECORD', message: first.reason };
    case 'corrupt':
      return { error: 'CORRUPT_MESSAGE', message: first.reason };
    case 'whole':
      break;
  }
  if (first.magic !== 2) {
    return { error: 'INVALID_RECORD', message: `the batch has magic ${first.magic}; only magic 2 is taken` };
  }
  if (!options.zstdAllowed && codecNumber(bytes.readInt16BE(21)) === ZSTD) {
    return { error: 'UNSUPPORTED_COMPRESSION_TYPE', message: 'zstd needs Produce version 7 or newer' };
  }
  if (frame(bytes.subarray(first.sizeBytes)).kind === 'whole') {
    return { error: 'INVALID_RECORD', message: 'more than one batch was sent to one partition' };
  }
  return { batch: bytes.subarray(0, first.sizeBytes) };
}
