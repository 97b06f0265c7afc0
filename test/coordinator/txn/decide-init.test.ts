// InitProducerId, branch by branch (txn T-38 to T-53), and what its fence comes to (txn T-48, T-49).
import { describe, expect, test } from 'vitest';
import { decideFence, decideFencedAbort } from '../../../src/coordinator/txn/decide-fence.ts';
import { decideInit, precheckInit } from '../../../src/coordinator/txn/decide-init.ts';
import { newEntry } from '../../../src/coordinator/txn/metadata.ts';
import type { TransactionMetadata } from '../../../src/coordinator/txn/metadata.ts';
import { beginFence } from '../../../src/coordinator/txn/transitions.ts';
import { ID, MAX_EPOCH, OneId, P, at, circumstances, entry, summary, written } from './support.ts';

const init = (stored: Partial<TransactionMetadata>, expected?: { producerId: number; producerEpoch: number }) =>
  decideInit(entry(stored), { timeoutMs: 30_000, expected }, circumstances());

describe('txn T-38, T-40, T-41: before the state is looked at', () => {
  const ask = (over: object) =>
    precheckInit({ transactionalId: ID, transactionTimeoutMs: 1, producerId: -1, producerEpoch: -1, ...over }, 900_000);

  test('txn T-38: half an identity', () => {
    expect(ask({ producerId: 4 })).toBe('INVALID_REQUEST');
    expect(ask({ producerEpoch: 4 })).toBe('INVALID_REQUEST');
    expect(ask({ producerId: 4, producerEpoch: 4 })).toBe('NONE');
  });

  test('txn T-40: the empty id', () => {
    expect(ask({ transactionalId: '', transactionTimeoutMs: 0 })).toBe('INVALID_REQUEST');
  });

  test('txn T-41: a timeout above 0, and at most transaction.max.timeout.ms', () => {
    const timeouts = [-1, 0, 1, 900_000, 900_001].map((transactionTimeoutMs) => ask({ transactionTimeoutMs }));
    const invalid = 'INVALID_TRANSACTION_TIMEOUT';
    expect(timeouts).toEqual([invalid, invalid, 'NONE', 'NONE', invalid]);
  });
});

test('txn T-42: a new id is Empty at epoch -1 and becomes epoch 0; if that fails, the retry has the same id', () => {
  const fresh = newEntry({ transactionalId: ID, producerId: 9, timeoutMs: 30_000, nowMs: 1000 });
  expect(fresh.metadata).toMatchObject({ state: 'Empty', producerId: 9, producerEpoch: -1, previousProducerId: -1 });
  const decide = () => decideInit(fresh, { timeoutMs: 30_000, expected: undefined }, circumstances());
  expect(summary(decide())).toBe('Empty (9, 0)');
  const id = new OneId();
  id.appendFails = true;
  expect(id.init().error).toBe('COORDINATOR_NOT_AVAILABLE');
  id.appendFails = false;
  expect(id.init()).toEqual({ error: 'NONE', ...at(0) });
});

test('txn T-43: while anything is pending', () => {
  for (const pendingState of ['Empty', 'Ongoing', 'CompleteAbort', 'Dead', 'PrepareEpochFence'] as const) {
    const busy = { ...entry(), pendingState };
    // Also with an identity that would be fenced: pending is looked at first.
    const decision = decideInit(busy, { timeoutMs: 1, expected: at(5, 99) }, circumstances());
    expect(summary(decision), pendingState).toBe('CONCURRENT_TRANSACTIONS');
  }
});

describe('txn T-44: the expected identity', () => {
  test('another producer id is fenced in every state, before the state is looked at', () => {
    for (const state of ['Empty', 'Ongoing', 'PrepareCommit', 'PrepareAbort', 'CompleteAbort'] as const) {
      expect(summary(init({ state }, at(5, 99))), state).toBe('PRODUCER_FENCED');
    }
  });

  test('a new id takes whatever is expected (txn T-33, W-21)', () => {
    expect(summary(init({ producerEpoch: -1 }, at(7, 99)))).toBe(`Empty (${P}, 0)`);
  });

  test('the id before only if its epochs were used up', () => {
    const rotated = { producerId: 41, previousProducerId: P, producerEpoch: 0, lastProducerEpoch: MAX_EPOCH };
    expect(summary(init(rotated, at(MAX_EPOCH)))).toBe('Empty (41, 0)');
    expect(summary(init(rotated, at(MAX_EPOCH - 1)))).toBe('PRODUCER_FENCED');
    expect(summary(init(rotated, at(32767)))).toBe('PRODUCER_FENCED');
    expect(summary(init(rotated, at(0)))).toBe('PRODUCER_FENCED'); // That the new id has this epoch too means nothing.
  });
});

test.each(['PrepareCommit', 'PrepareAbort'] as const)('txn T-45: %s', (state) => {
  expect(summary(init({ state }))).toBe('CONCURRENT_TRANSACTIONS');
});

describe.each(['Empty', 'CompleteCommit', 'CompleteAbort'] as const)('txn T-46: from %s', (state) => {
  const row = (stored: Partial<TransactionMetadata>, expected?: number) => {
    const decision = init({ state, ...stored }, expected === undefined ? undefined : at(expected));
    if (decision.kind !== 'write') return summary(decision);
    const { producerId, producerEpoch, lastProducerEpoch } = decision.target;
    return `(${producerId}, ${producerEpoch}) last ${lastProducerEpoch}`;
  };

  test.each<[string, Partial<TransactionMetadata>, number | undefined, string]>([
    ['below 32766, none expected', { lastProducerEpoch: 4 }, undefined, `(${P}, 6) last -1`],
    ['new, none expected', { producerEpoch: -1 }, undefined, `(${P}, 0) last -1`],
    ['new, any expected', { producerEpoch: -1 }, 3, `(${P}, 0) last -1`],
    ['below 32766, its own expected', { lastProducerEpoch: 3 }, 5, `(${P}, 6) last 5`],
    ['below 32766, the last expected: a retry', { lastProducerEpoch: 4 }, 4, `(${P}, 5) last 4`],
    ['below 32766, a lower one expected', { lastProducerEpoch: 4 }, 3, 'PRODUCER_FENCED'],
    ['below 32766, a higher one expected', { lastProducerEpoch: 4 }, 6, 'PRODUCER_FENCED'],
    ['32765 is not used up', { producerEpoch: 32765 }, undefined, `(${P}, 32766) last -1`],
    ['32766, none expected', { producerEpoch: MAX_EPOCH }, undefined, '(100, 0) last -1'],
    ['32766, its own expected', { producerEpoch: MAX_EPOCH }, MAX_EPOCH, '(100, 0) last 32766'],
    ['32767, none expected', { producerEpoch: 32767 }, undefined, '(100, 0) last -1'],
    ['32767, its own expected', { producerEpoch: 32767 }, 32767, '(100, 0) last 32767'],
    [
      'W-18 [D]: 32766, the last expected',
      { producerEpoch: MAX_EPOCH, lastProducerEpoch: 9 },
      9,
      `(${P}, 32766) last 9`,
    ],
    ['W-18 [D]: 32766, another expected', { producerEpoch: MAX_EPOCH, lastProducerEpoch: 9 }, 8, 'PRODUCER_FENCED'],
    ['T-47: 32767 is never given out', { producerEpoch: 32767, lastProducerEpoch: 9 }, 9, 'PRODUCER_FENCED'],
  ])('%s', (_, stored, expected, result) => {
    expect(row(stored, expected)).toBe(result);
  });

  test('everything else of the record', () => {
    const stored = { state, clientTransactionVersion: 2, timeoutMs: 5, previousProducerId: 39 };
    const { target, point, reply } = written(init(stored));
    expect(point).toBe('txn.init');
    expect(target).toEqual({
      ...entry(stored).metadata,
      ...at(6),
      previousProducerId: P,
      timeoutMs: 30_000,
      state: 'Empty',
      partitions: [],
      startTimeMs: -1,
      lastUpdateMs: 1000,
    });
    expect(reply).toEqual({ error: 'NONE', ...at(6) });
  });

  test('a rotation remembers the id before it, and is refused if no id is at hand (txn T-37)', () => {
    const { target } = written(init({ state, producerEpoch: MAX_EPOCH }));
    expect(target).toMatchObject({ producerId: 100, previousProducerId: P });
    const none = circumstances({ takeProducerId: () => undefined });
    const refused = decideInit(entry({ state, producerEpoch: MAX_EPOCH }), { timeoutMs: 1, expected: undefined }, none);
    expect(summary(refused)).toBe('COORDINATOR_LOAD_IN_PROGRESS');
  });

  test('safeguard epoch.bumpOnInit off: the same epoch again', () => {
    const off = circumstances({ off: ['epoch.bumpOnInit'] });
    const ask = (stored: Partial<TransactionMetadata>) =>
      summary(decideInit(entry({ state, ...stored }), { timeoutMs: 1, expected: undefined }, off));
    expect([ask({}), ask({ producerEpoch: -1 })]).toEqual([`Empty (${P}, 5)`, `Empty (${P}, 0)`]);
  });
});

test('safeguard epoch.bumpOnInit off: an open transaction is shared instead of fenced', () => {
  const off = circumstances({ off: ['epoch.bumpOnInit'] });
  const decision = decideInit(entry({ state: 'Ongoing' }), { timeoutMs: 1, expected: undefined }, off);
  expect(decision).toEqual({ kind: 'answer', reply: { error: 'NONE', ...at(5) } });
});

test.each(['Dead', 'PrepareEpochFence'] as const)('txn T-50: %s as the current state is our own mistake', (state) => {
  expect(() => init({ state })).toThrow('txn T-50');
});

describe('txn T-48, T-49: the fence of an open transaction', () => {
  const fenced = (level: number, stored: Partial<TransactionMetadata>, reason: 'init' | 'timeout' = 'init') => {
    const open = entry({ state: 'Ongoing', ...stored });
    const fence = decideFence(open, reason);
    beginFence(open);
    return { fence, abort: decideFencedAbort(open, fence, circumstances({ level })) };
  };

  test('from epoch e it runs at e+1; at e if it was raised before in vain, or is 32767', () => {
    expect(summary(init({ state: 'Ongoing' }))).toBe('fence at 6');
    expect(decideFence({ ...entry({ state: 'Ongoing' }), hasFailedEpochFence: true }, 'init').epoch).toBe(5);
    expect(decideFence(entry({ state: 'Ongoing', producerEpoch: 32767 }), 'init').epoch).toBe(32767);
  });

  test.each([0, 1])('level %i: e+1 is in force at once, last -1, and stays in the record', (level) => {
    const abort = written(fenced(level, { lastProducerEpoch: 3 }).abort);
    expect(abort.inForceNow).toMatchObject({ state: 'Ongoing', producerEpoch: 6, lastProducerEpoch: -1 });
    expect(abort.target).toMatchObject({ state: 'PrepareAbort', producerEpoch: 6, lastProducerEpoch: -1 });
    expect(abort.target).toMatchObject({ clientTransactionVersion: 0, nextProducerId: -1, startTimeMs: 900 });
  });

  test('level 2: one bump, by EndTxn; nothing is in force before', () => {
    const abort = written(fenced(2, { lastProducerEpoch: 3 }).abort);
    expect(abort.inForceNow).toBeUndefined();
    expect(abort.target).toMatchObject({ state: 'PrepareAbort', producerEpoch: 6, lastProducerEpoch: 5 });
    expect(abort.target).toMatchObject({ clientTransactionVersion: 2, nextProducerId: -1, startTimeMs: 900 });
  });

  test('a successor is told to come again; a scan is told nothing', () => {
    expect(written(fenced(2, {}).abort)).toMatchObject({
      point: 'txn.prepare-abort',
      prepare: { outcome: 'abort', reason: 'init', by: at(6), variant: 2 },
      reply: { error: 'CONCURRENT_TRANSACTIONS', ...at(-1, -1) },
    });
    expect(written(fenced(1, {}, 'timeout').abort)).toMatchObject({
      prepare: { reason: 'timeout', by: at(6), variant: 0 },
      reply: { error: 'NONE' },
    });
  });

  test.each([
    [1, MAX_EPOCH, 32767, -1, -1],
    [1, 32767, 32767, -1, -1],
    [2, 32765, 32766, 32765, -1],
    [2, MAX_EPOCH, 32767, MAX_EPOCH, 100],
    [2, 32767, 32767, 32767, 100],
  ])('level %i at epoch %i: epoch %i, last %i, next id %i', (level, stored, producerEpoch, lastProducerEpoch, next) => {
    const { target } = written(fenced(level, { producerEpoch: stored }).abort);
    expect(target).toMatchObject({ producerId: P, producerEpoch, lastProducerEpoch, nextProducerId: next });
  });

  test('txn T-77: without an id at hand nothing is written, and the transaction stays open', () => {
    const open = entry({ state: 'Ongoing', producerEpoch: MAX_EPOCH });
    const fence = decideFence(open, 'init');
    beginFence(open);
    const abort = decideFencedAbort(open, fence, circumstances({ takeProducerId: () => undefined }));
    expect(summary(abort)).toBe('COORDINATOR_LOAD_IN_PROGRESS');
  });

  test('safeguard epoch.perTxn off: as below level 2', () => {
    const open = entry({ state: 'Ongoing' });
    beginFence(open);
    const abort = decideFencedAbort(
      open,
      { kind: 'fence', epoch: 6, reason: 'init' },
      circumstances({ off: ['epoch.perTxn'] }),
    );
    expect(written(abort)).toMatchObject({ inForceNow: { producerEpoch: 6 }, target: { clientTransactionVersion: 0 } });
  });
});
