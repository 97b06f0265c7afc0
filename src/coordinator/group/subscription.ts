// The one thing a coordinator reads of what consumers tell each other: which topics they subscribe to (wire G-40). All
// versions share a prefix; what follows it, and assignments, are never looked at.
import { DecodeError, Reader } from '../../base/field-reader.ts';

/** Topics in the metadata of a consumer's protocol; undefined if it cannot be read: it may be subscribed to anything. */
export function subscribedTopics(metadata: Buffer): readonly string[] | undefined {
  try {
    const reader = new Reader(metadata, false);
    if (reader.int16() < 0) return undefined;
    const topics = reader.array(() => reader.string());
    reader.nullableBytes();
    return topics;
  } catch (error) {
    if (error instanceof DecodeError || error instanceof RangeError) return undefined;
    throw error;
  }
}
