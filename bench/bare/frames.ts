// Messages of the bare pipeline: a number and bytes. Equal to the product: one copy of the payload on encoding, views of
// the network's buffer on decoding. Left out: protobuf, topics, epochs, Lamport time.

/** Path under which the leader takes batches, and under which followers fetch. */
export const APPEND_PATH = '/bare.Pipeline/Append';
export const FETCH_PATH = '/bare.Pipeline/Fetch';
export const ECHO_PATH = '/bare.Pipeline/Echo';

const NUMBER_BYTES = 4;
const EMPTY = Buffer.alloc(0);

/** A batch with its number, or an acknowledgement without bytes. */
export interface Numbered {
  readonly number: number;
  readonly bytes: Buffer;
}

export function encodeNumbered(number: number, bytes: Buffer = EMPTY): Buffer {
  const frame = Buffer.allocUnsafe(NUMBER_BYTES + bytes.length);
  frame.writeUInt32BE(number, 0);
  bytes.copy(frame, NUMBER_BYTES);
  return frame;
}

export function decodeNumbered(frame: Buffer): Numbered {
  return { number: frame.readUInt32BE(0), bytes: frame.subarray(NUMBER_BYTES) };
}

/** Batches back to back, each behind its length. */
export function encodeBatches(batches: readonly Buffer[]): Buffer {
  const frame = Buffer.allocUnsafe(batches.reduce((sum, { length }) => sum + NUMBER_BYTES + length, 0));
  let at = 0;
  for (const batch of batches) {
    at = frame.writeUInt32BE(batch.length, at);
    at += batch.copy(frame, at);
  }
  return frame;
}

export function decodeBatches(frame: Buffer): Buffer[] {
  const batches: Buffer[] = [];
  for (let at = 0; at < frame.length;) {
    const end = at + NUMBER_BYTES + frame.readUInt32BE(at);
    batches.push(frame.subarray(at + NUMBER_BYTES, end));
    at = end;
  }
  return batches;
}
