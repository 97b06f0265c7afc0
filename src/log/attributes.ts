// The attribute bits of a record batch (repl R-2).

/** Bits 0-2: compression codec. */
const CODEC_MASK = 0x07;
/** Bit 3: records carry the time of the append. */
export const LOG_APPEND_TIME = 0x08;
/** Bit 4. */
export const TRANSACTIONAL = 0x10;
/** Bit 5: a transaction marker (wire W-93). */
export const CONTROL = 0x20;

/** Codecs by number; 5 to 7 mean nothing. */
export const CODECS = ['none', 'gzip', 'snappy', 'lz4', 'zstd'] as const;
export type Codec = (typeof CODECS)[number];

/** The codec's number, 0 to 7, known or not. */
export function codecNumber(attributes: number): number {
  return attributes & CODEC_MASK;
}

/** True if the records are one compressed blob, which we keep opaque (wire W-98). */
export function isCompressed(attributes: number): boolean {
  return codecNumber(attributes) !== 0;
}

export function isLogAppendTime(attributes: number): boolean {
  return (attributes & LOG_APPEND_TIME) !== 0;
}

export function isTransactional(attributes: number): boolean {
  return (attributes & TRANSACTIONAL) !== 0;
}

export function isControl(attributes: number): boolean {
  return (attributes & CONTROL) !== 0;
}
