// Which partition owns an id (txn T-1, T-2, T-4). The table is the specification's, every row of it.
import { describe, expect, test } from 'vitest';
import { coordinatorPartition, javaHashCode, kafkaAbs } from '../../src/base/java-hash.ts';

const ROWS: readonly (readonly [id: string, units: number, hash: number, partition: number, masked: number])[] = [
  ['', 0, 0, 0, 0],
  ['1', 1, 49, 49, 49],
  ['billing-1', 9, 1828025695, 45, 45],
  ['orders-projector-0', 18, -1823309193, 43, 5],
  ['enricher-task-3', 15, -1969783898, 48, 0],
  ['transfer-producer', 17, -1440525516, 16, 32],
  ['polygenelubricants', 18, -2147483648, 0, 0],
  ['DESIGNING WORKHOUSES', 20, -2147483648, 0, 0],
  ['事务-1', 4, 619337114, 14, 14],
  ['orders-é', 8, 1234322433, 33, 33],
  ['pay-😀', 6, -993499992, 42, 6],
  ['my-transactional-id', 19, -959806496, 46, 2],
  ['Aa', 2, 2112, 12, 12],
  ['BB', 2, 2112, 12, 12],
];

describe('txn T-1, T-2: the owner of an id among 50 partitions', () => {
  test.each(ROWS)('%j: %i units, hash %i, partition %i', (id, units, hash, partition) => {
    expect(id.length).toBe(units);
    expect(javaHashCode(id)).toBe(hash);
    expect(coordinatorPartition(id, 50)).toBe(partition);
  });

  test.each(ROWS)('%j is not placed by masking the sign bit, which gives something else below 0', (...row) => {
    const [, , hash, partition, masked] = row;
    expect((hash & 0x7fffffff) % 50).toBe(masked);
    expect(partition === masked).toBe(hash >= 0 || hash === -2147483648);
  });
});

test('txn T-1: the hash wraps at every step, not at the end: a long id keeps its low bits', () => {
  const id = 'x'.repeat(10_000);
  let exact = 0n;
  for (const _ of id) exact = BigInt.asIntN(32, 31n * exact + 120n);
  expect(javaHashCode(id)).toBe(Number(exact));
});

test('txn T-1: a character beyond the BMP is two units, and lone surrogates count as they are', () => {
  expect(javaHashCode('😀')).toBe((31 * 0xd83d + 0xde00) | 0);
  expect(javaHashCode('\ud83d')).toBe(0xd83d);
});

test('txn T-2: the one number without a magnitude is 0', () => {
  expect(kafkaAbs(-2147483648)).toBe(0);
  expect(kafkaAbs(-2147483647)).toBe(2147483647);
  expect(coordinatorPartition('polygenelubricants', 7)).toBe(0);
});
