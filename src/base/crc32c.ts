// CRC-32C, Castagnoli (wire W-90). Not zlib's crc32. Long inputs go to the native implementation; below a few hundred
// bytes its call costs more than the table walk here.
import { crc32c as nativeCrc32c } from '@node-rs/crc32';

/** Where the native call begins to pay (measured; see the design's measurements). */
const NATIVE_FROM_BYTES = 256;
const REFLECTED_POLYNOMIAL = 0x82f63b78;

/** Table k advances a byte that still has k bytes behind it in the group of eight. */
function tables(): readonly Uint32Array[] {
  const first = new Uint32Array(256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ REFLECTED_POLYNOMIAL : crc >>> 1;
    first[byte] = crc >>> 0;
  }
  const all = [first];
  for (let k = 1; k < 8; k++) {
    const before = all[k - 1]!;
    all.push(Uint32Array.from(before, (crc) => (crc >>> 8) ^ first[crc & 0xff]!));
  }
  return all;
}

const [T0, T1, T2, T3, T4, T5, T6, T7] = tables() as [
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
];

/** CRC-32C of `buffer[start, end)` by tables, eight bytes a step. An unsigned 32-bit number. */
export function tableCrc32c(buffer: Uint8Array, start = 0, end = buffer.length): number {
  let crc = 0xffffffff;
  let at = start;
  for (; at + 8 <= end; at += 8) {
    crc =
      T7[(crc ^ buffer[at]!) & 0xff]! ^
      T6[((crc >>> 8) ^ buffer[at + 1]!) & 0xff]! ^
      T5[((crc >>> 16) ^ buffer[at + 2]!) & 0xff]! ^
      T4[((crc >>> 24) ^ buffer[at + 3]!) & 0xff]! ^
      T3[buffer[at + 4]!]! ^
      T2[buffer[at + 5]!]! ^
      T1[buffer[at + 6]!]! ^
      T0[buffer[at + 7]!]!;
  }
  for (; at < end; at++) crc = (crc >>> 8) ^ T0[(crc ^ buffer[at]!) & 0xff]!;
  return (crc ^ 0xffffffff) >>> 0;
}

/** CRC-32C of `buffer[start, end)`. An unsigned 32-bit number: "123456789" gives 0xE3069283. */
export function crc32c(buffer: Uint8Array, start = 0, end = buffer.length): number {
  if (end - start < NATIVE_FROM_BYTES) return tableCrc32c(buffer, start, end);
  return nativeCrc32c(buffer.subarray(start, end)) >>> 0;
}
