// How long a string of Kafka's protocol may be. Requests in Kafka's own form cannot say more (wire W-22); requests over gRPC
// can, and what coordinators write down in Kafka's form must be told so before it is written.

/** Longest string, bytes of UTF-8: its length is an int16 (wire W-22). */
export const STRING_BYTES_MAX = 0x7fff;

/** A UTF-16 unit takes at most as many bytes. */
const UNIT_BYTES_MAX = 3;

/** Whether a string has no form in Kafka's protocol, with room for `moreBytes` behind it. */
export function isTooLong(text: string, moreBytes = 0): boolean {
  const maxBytes = STRING_BYTES_MAX - moreBytes;
  return text.length * UNIT_BYTES_MAX > maxBytes && Buffer.byteLength(text) > maxBytes;
}
