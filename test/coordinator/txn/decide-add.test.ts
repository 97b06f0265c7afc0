// Partitions are registered or asked about (txn T-56 to T-60), and what operators are told (txn T-176, T-177).
import { describe, expect, test } from 'vitest';
import { decideAdd, decideVerify } from '../../../src/coordinator/txn/decide-add.ts';
import type { AddRequest } from '../../../src/coordinator/txn/decide-add.ts';
import type { TransactionMetadata } from '../../../src/coordinator/txn/metadata.ts';
import { A0, B1, P, at, circumstances, entry, metadata, summary, written } from './support.ts';

const ask = (over: Partial<AddRequest> = {}): AddRequest => ({
  ...at(5),
  partitions: [B1],
  transactionVersion: 0,
  point: 'txn.add-partitions',
  ...over,
});
const add = (stored: Partial<TransactionMetadata>, over: Partial<AddRequest> = {}, given = circumstances()) =>
  decideAdd(entry(stored), ask(over), given);

describe('txn T-56: first match wins', () => {
  test('an unknown id', () => {
    expect(summary(decideAdd(undefined, ask(), circumstances()))).toBe('INVALID_PRODUCER_ID_MAPPING');
  });

  test('what is pending comes before the identity', () => {
    const busy = { ...entry(), pendingState: 'CompleteCommit' } as const;
    expect(summary(decideAdd(busy, ask(at(9, 99)), circumstances()))).toBe('CONCURRENT_TRANSACTIONS');
  });

  test('another producer id, then another epoch, either way', () => {
    expect(summary(add({}, at(4, 99)))).toBe('INVALID_PRODUCER_ID_MAPPING');
    expect([summary(add({}, at(4))), summary(add({}, at(6)))]).toEqual(['PRODUCER_FENCED', 'PRODUCER_FENCED']);
  });

  test.each(['PrepareCommit', 'PrepareAbort'] as const)('%s', (state) => {
    expect(summary(add({ state }))).toBe('CONCURRENT_TRANSACTIONS');
    expect(summary(add({ state }, at(4)))).toBe('PRODUCER_FENCED');
  });

  test('all present in Ongoing: no record (T-17); one that is not: the union', () => {
    expect(summary(add({ state: 'Ongoing' }, { partitions: [A0, A0] }))).toBe('NONE');
    for (const partitions of [[B1, A0], [A0]]) {
      const { target } = written(add({ state: 'Ongoing', partitions: [B1] }, { partitions }));
      expect(target.partitions).toEqual([A0, B1]);
    }
  });

  test.each(['Empty', 'CompleteCommit', 'CompleteAbort'] as const)(
    '%s: a record even if it is of one known',
    (state) => {
      expect(summary(add({ state, partitions: [B1] }))).toBe(`Ongoing (${P}, 5)`);
    },
  );
});

describe('txn T-57: a transaction starts with its first partition', () => {
  test.each(['Empty', 'CompleteCommit', 'CompleteAbort'] as const)('from %s it starts now', (state) => {
    const stored = { state, lastProducerEpoch: 4, startTimeMs: 7, previousProducerId: 39 };
    const { target, point, reply } = written(add(stored));
    expect(point).toBe('txn.add-partitions');
    expect(reply.error).toBe('NONE');
    expect(target).toEqual({
      ...metadata(stored),
      previousProducerId: P,
      state: 'Ongoing',
      partitions: [B1],
      startTimeMs: 1000,
      lastUpdateMs: 1000,
    });
  });

  test('in Ongoing its start is kept', () => {
    expect(written(add({ state: 'Ongoing' })).target).toMatchObject({ startTimeMs: 900, lastUpdateMs: 1000 });
  });
});

describe('txn T-190: the request says which variant', () => {
  const version = (transactionVersion: number, over = {}) =>
    written(add({ clientTransactionVersion: 2 }, { transactionVersion }, circumstances(over))).target
      .clientTransactionVersion;

  test('a leader marks the transaction 2, a client 0', () => {
    expect([version(0), version(1), version(2)]).toEqual([0, 0, 2]);
  });

  test('safeguard epoch.perTxn off: 0', () => {
    expect(version(2, { off: ['epoch.perTxn'] })).toBe(0);
  });

  test('[D] below level 2 the version is not served', () => {
    expect(summary(add({}, { transactionVersion: 2 }, circumstances({ level: 1 })))).toBe('UNSUPPORTED_VERSION');
  });
});

test('txn T-60: offsets are one more partition, with points of their own', () => {
  const offsets = { topic: '__consumer_offsets', partition: 12 };
  expect(written(add({}, { partitions: [offsets], point: 'txn.add-offsets' }))).toMatchObject({
    point: 'txn.add-offsets',
    target: { partitions: [offsets], clientTransactionVersion: 0 },
  });
});

describe('txn T-58: asked only', () => {
  const verify = (stored: Partial<TransactionMetadata>, identity = at(5)) =>
    decideVerify(entry(stored), { ...identity, partitions: [A0, B1] });
  const both = (error: string) => [error, error];

  test('an unknown id, another producer id, another epoch', () => {
    const unknown = decideVerify(undefined, { ...at(5), partitions: [A0] });
    expect(unknown).toEqual(['INVALID_PRODUCER_ID_MAPPING']);
    expect(verify({}, at(5, 99))).toEqual(both('INVALID_PRODUCER_ID_MAPPING'));
    expect(verify({ state: 'Ongoing' }, at(4))).toEqual(both('PRODUCER_FENCED'));
    expect(verify({ state: 'Ongoing' }, at(6))).toEqual(both('PRODUCER_FENCED'));
  });

  test('each partition by itself', () => {
    expect(verify({ state: 'Ongoing' })).toEqual(['NONE', 'TRANSACTION_ABORTABLE']);
  });

  test.each(['PrepareCommit', 'PrepareAbort'] as const)('%s', (state) => {
    expect(verify({ state })).toEqual(both('CONCURRENT_TRANSACTIONS'));
  });

  test.each(['Empty', 'CompleteCommit', 'CompleteAbort'] as const)('%s has no partition', (state) => {
    expect(verify({ state })).toEqual(both('TRANSACTION_ABORTABLE'));
  });

  test('what is pending does not matter', () => {
    const busy = { ...entry({ state: 'Ongoing' }), pendingState: 'PrepareCommit' } as const;
    expect(decideVerify(busy, { ...at(5), partitions: [A0] })).toEqual(['NONE']);
  });
});
