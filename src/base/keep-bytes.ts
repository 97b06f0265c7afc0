// Bytes that outlive the message they came in.

/**
 * Bytes to keep: themselves if they are most of the memory they lie in, else a copy, so that little keeps little alive. For
 * bytes that nobody changes any more, such as those the network handed over.
 */
export function keepBytes(bytes: Buffer): Buffer {
  return bytes.length * 2 >= bytes.buffer.byteLength ? bytes : Buffer.from(bytes);
}
