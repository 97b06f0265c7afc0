// Zigzag varints of record batches (wire W-91): 32-bit varints and 64-bit varlongs. Not the unsigned varints of the
// protocol (wire W-25). Varlongs are limited to safe integers; whatever lies beyond is treated as malformed.

/** Seven bits a byte, low group first; exact for any non-negative safe integer. */
function writeGroups(buffer: Uint8Array, at: number, value: number): number {
  let rest = value;
  while (rest > 0x7fffffff) {
    buffer[at++] = (rest % 128) | 0x80;
    rest = Math.floor(rest / 128);
  }
  while (rest > 0x7f) {
    buffer[at++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  buffer[at++] = rest;
  return at;
}

function sizeOfGroups(value: number): number {
  let sizeBytes = 1;
  for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) sizeBytes++;
  return sizeBytes;
}

/** 0, -1, 1, -2, … become 0, 1, 2, 3, …; exact while the result is a safe integer. */
function zigzag(value: number): number {
  return value >= 0 ? value * 2 : -value * 2 - 1;
}

/** Bytes that `writeVarint` or `writeVarlong` needs for `value`. */
export function sizeOfVarint(value: number): number {
  return sizeOfGroups(zigzag(value));
}

/**
 * Writes a varint (of a 32-bit number) or varlong (|value| below 2^52) at `at`; the encodings agree. Returns the place
 * behind it.
 */
export function writeVarint(buffer: Uint8Array, at: number, value: number): number {
  return writeGroups(buffer, at, zigzag(value));
}

/** Reads varints front to back from bytes nobody vouches for. Once `broken`, every further read answers 0. */
export class VarintReader {
  readonly #buffer: Uint8Array;
  /** Place of the next byte. */
  at: number;
  /** Exclusive end: nothing is read beyond. */
  end: number;
  /** True after a read that ran over the end or found no number of its kind. */
  broken = false;

  constructor(buffer: Uint8Array, at: number, end: number) {
    this.#buffer = buffer;
    this.at = at;
    this.end = end;
  }

  /** A 32-bit number: at most five bytes, the last with four bits. */
  varint(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      if (this.at >= this.end) break;
      const byte = this.#buffer[this.at++]!;
      if (shift === 28 && byte > 0x0f) break;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return (value >>> 1) ^ -(value & 1);
    }
    this.broken = true;
    return 0;
  }

  /** A 64-bit number that is a safe integer. */
  varlong(): number {
    let value = 0;
    for (let factor = 1, bytes = 0; bytes < 10; factor *= 128, bytes++) {
      if (this.at >= this.end) break;
      const byte = this.#buffer[this.at++]!;
      value += (byte & 0x7f) * factor;
      if (value > Number.MAX_SAFE_INTEGER) break;
      if (byte < 0x80) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    }
    this.broken = true;
    return 0;
  }
}
