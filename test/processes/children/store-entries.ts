// What the writer of the store test writes under each number, so that the reader can tell whether all of it is there.
import type { StoreOp } from '../../../src/runtime/ports.ts';

/** Keys of one batch, all or nothing. */
const KEYS_A_BATCH = 3;

export function keyOf(number: number, part: number): Buffer {
  const key = Buffer.alloc(5);
  key.writeUInt32BE(number, 0);
  key.writeUInt8(part, 4);
  return key;
}

export function entryOf(number: number): { readonly ops: StoreOp[]; readonly value: Buffer } {
  const value = Buffer.alloc(1 + ((number * 7919) % 20_000), number % 251);
  const ops = Array.from({ length: KEYS_A_BATCH }, (_, part): StoreOp => ({
    type: 'put',
    key: keyOf(number, part),
    value,
  }));
  return { ops, value };
}
