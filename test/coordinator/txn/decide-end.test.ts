// EndTxn, every cell of both tables (txn T-72 to T-79, T-189), and the end of it (txn T-88).
import { describe, expect, test } from 'vitest';
import { decideEnd } from '../../../src/coordinator/txn/decide-end.ts';
import type { Outcome, TransactionMetadata, TransactionState } from '../../../src/coordinator/txn/metadata.ts';
import { decideComplete, recheckPrepared } from '../../../src/coordinator/txn/prepare.ts';
import { A0, MAX_EPOCH, P, at, circumstances, entry, metadata, summary, written } from './support.ts';

const STORED = 5;

interface Ask {
  readonly outcome?: Outcome;
  readonly version?: number;
  readonly epoch?: number;
  readonly producerId?: number;
}

function end(stored: Partial<TransactionMetadata>, ask: Ask = {}, given = circumstances()) {
  const { outcome = 'commit', version = 2, epoch = STORED, producerId = P } = ask;
  const request = { ...at(epoch, producerId), committed: outcome === 'commit', transactionVersion: version };
  return decideEnd(entry(stored), request, given);
}

const INVALID = 'INVALID_TXN_STATE';
const BUSY = 'CONCURRENT_TRANSACTIONS';
const FENCED = 'PRODUCER_FENCED';
const STATES = ['Ongoing', 'PrepareCommit', 'PrepareAbort', 'CompleteCommit', 'CompleteAbort', 'Empty'] as const;

describe('txn T-72: what is checked before the state', () => {
  test.each([0, 2])('variant %i: an unknown id', (version) => {
    const request = { ...at(5), committed: true, transactionVersion: version };
    expect(summary(decideEnd(undefined, request, circumstances()))).toBe('INVALID_PRODUCER_ID_MAPPING');
  });

  const busy = (version: number, epoch: number, producerId: number, pendingState: TransactionState) => {
    const request = { ...at(epoch, producerId), committed: true, transactionVersion: version };
    return summary(decideEnd({ ...entry({ state: 'Ongoing' }), pendingState }, request, circumstances()));
  };

  test('variant 0: producer id, then epoch, then what is pending', () => {
    expect(busy(0, 4, 99, 'Ongoing')).toBe('INVALID_PRODUCER_ID_MAPPING');
    expect(busy(0, 4, P, 'Ongoing')).toBe(FENCED);
    expect(busy(0, 6, P, 'Ongoing')).toBe(FENCED);
    expect(busy(0, 5, P, 'Ongoing')).toBe(BUSY);
  });

  test('variant 2: what is pending comes first', () => {
    expect(busy(2, 4, 99, 'Ongoing')).toBe(BUSY);
    expect(summary(end({ state: 'Ongoing' }, { producerId: 99 }))).toBe('INVALID_PRODUCER_ID_MAPPING');
  });

  test('[D] a pending fence lets only the internal EndTxn pass', () => {
    expect([busy(0, 5, P, 'PrepareEpochFence'), busy(2, 5, P, 'PrepareEpochFence')]).toEqual([BUSY, BUSY]);
  });

  test.each(['Dead', 'PrepareEpochFence'] as const)('txn T-13: %s as the current state is our own mistake', (state) => {
    expect(() => end({ state })).toThrow('txn T-13');
    expect(() => end({ state }, { version: 0 })).toThrow('txn T-13');
  });
});

describe('txn T-73: variant 0, where the epoch is the stored one', () => {
  const cells: Record<(typeof STATES)[number], readonly [commit: string, abort: string]> = {
    Ongoing: [`PrepareCommit (${P}, 5)`, `PrepareAbort (${P}, 5)`],
    PrepareCommit: [BUSY, INVALID],
    PrepareAbort: [INVALID, BUSY],
    CompleteCommit: ['NONE', INVALID],
    CompleteAbort: [INVALID, 'NONE'],
    Empty: [INVALID, INVALID],
  };
  for (const state of STATES) {
    test(`${state}: COMMIT ${cells[state][0]}, ABORT ${cells[state][1]}`, () => {
      expect(summary(end({ state }, { version: 0, outcome: 'commit' }))).toBe(cells[state][0]);
      expect(summary(end({ state }, { version: 0, outcome: 'abort' }))).toBe(cells[state][1]);
    });

    test(`${state}: any other epoch is fenced`, () => {
      for (const epoch of [4, 6]) expect(summary(end({ state }, { version: 0, epoch }))).toBe(FENCED);
    });
  }

  test('the record: identity, start and partitions as they were', () => {
    const stored = { state: 'Ongoing', lastProducerEpoch: 3, clientTransactionVersion: 2 } as const;
    const write = written(end(stored, { version: 0 }));
    expect(write.target).toEqual({
      ...metadata(stored),
      state: 'PrepareCommit',
      lastUpdateMs: 1000,
      clientTransactionVersion: 0,
    });
    expect(write).toMatchObject({ point: 'txn.prepare-commit', reply: { error: 'NONE', ...at(-1, -1) } });
  });

  test('an answer gives no identity, nor does an idempotent one', () => {
    expect(end({ state: 'CompleteCommit' }, { version: 0 })).toMatchObject({ reply: at(-1, -1) });
  });

  test('txn T-190: a client of version 1 on a cluster of level 2 whose transaction timed out is fenced', () => {
    const aborted = { state: 'CompleteAbort', producerEpoch: 6, lastProducerEpoch: 5 } as const;
    expect(summary(end(aborted, { version: 0, outcome: 'abort' }))).toBe(FENCED);
  });
});

describe('txn T-75, T-76: variant 2', () => {
  type Row = readonly [abortRetry: string, abortCurrent: string, commitRetry: string, commitCurrent: string];
  const bumped = (state: string) => `${state} (${P}, 6)`;
  const rows: Record<(typeof STATES)[number], Row> = {
    Ongoing: [FENCED, bumped('PrepareAbort'), FENCED, bumped('PrepareCommit')],
    PrepareAbort: [BUSY, FENCED, INVALID, FENCED],
    PrepareCommit: [INVALID, FENCED, BUSY, FENCED],
    Empty: [FENCED, bumped('PrepareAbort'), FENCED, INVALID],
    CompleteAbort: ['NONE', bumped('PrepareAbort'), FENCED, INVALID],
    CompleteCommit: [INVALID, bumped('PrepareAbort'), 'NONE', INVALID],
  };
  const COLUMNS = [
    ['ABORT retry', 'abort', 4],
    ['ABORT current', 'abort', 5],
    ['COMMIT retry', 'commit', 4],
    ['COMMIT current', 'commit', 5],
  ] as const;
  for (const state of STATES) {
    COLUMNS.forEach(([name, outcome, epoch], column) => {
      test(`${state}: ${name}: ${rows[state][column]}`, () => {
        expect(summary(end({ state }, { outcome, epoch }))).toBe(rows[state][column]);
      });
    });

    test(`${state}: any other epoch, lower or higher, is fenced`, () => {
      for (const epoch of [3, 6]) {
        for (const outcome of ['commit', 'abort'] as const) {
          expect(summary(end({ state }, { outcome, epoch }))).toBe(FENCED);
        }
      }
    });
  }

  test('the record of a commit: one bump, the epoch before it remembered', () => {
    const write = written(end({ state: 'Ongoing', lastProducerEpoch: 3 }));
    expect(write.target).toEqual({
      ...metadata({ state: 'Ongoing' }),
      state: 'PrepareCommit',
      producerEpoch: 6,
      lastProducerEpoch: 5,
      lastUpdateMs: 1000,
      clientTransactionVersion: 2,
    });
    expect(write.reply).toEqual({ error: 'NONE', ...at(6) });
    expect(write.prepare).toEqual({ outcome: 'commit', by: at(5), variant: 2 });
  });

  test.each(['Empty', 'CompleteAbort', 'CompleteCommit'] as const)(
    'the abort of nothing from %s starts now (T-15)',
    (state) => {
      const write = written(end({ state }, { outcome: 'abort' }));
      expect(write.target).toMatchObject({ partitions: [], startTimeMs: 1000, producerEpoch: 6, lastProducerEpoch: 5 });
      expect(write).toMatchObject({ point: 'txn.prepare-abort', prepare: { reason: 'client' } });
    },
  );

  test('an idempotent retry is answered the stored identity', () => {
    expect(end({ state: 'CompleteCommit' }, { epoch: 4 })).toEqual({
      kind: 'answer',
      reply: { error: 'NONE', ...at(5) },
    });
  });

  test('txn T-190 [D]: below level 2 the version is not served', () => {
    for (const level of [0, 1]) {
      expect(summary(end({ state: 'Ongoing' }, {}, circumstances({ level })))).toBe('UNSUPPORTED_VERSION');
      expect(summary(end({ state: 'Ongoing' }, { version: 1 }, circumstances({ level })))).toBe(
        `PrepareCommit (${P}, 5)`,
      );
    }
  });

  test('safeguard epoch.perTxn off: judged and answered as variant 0', () => {
    const off = circumstances({ off: ['epoch.perTxn'] });
    const write = written(end({ state: 'Ongoing' }, {}, off));
    expect(write).toMatchObject({ target: { producerEpoch: 5, clientTransactionVersion: 0 }, reply: at(-1, -1) });
    expect(summary(end({ state: 'CompleteCommit' }, {}, off))).toBe('NONE');
    expect(summary(end({ state: 'CompleteCommit' }, { epoch: 4 }, off))).toBe(FENCED);
  });
});

describe('txn T-77: the epoch is used up', () => {
  const open = { state: 'Ongoing', producerEpoch: MAX_EPOCH } as const;

  test.each(['commit', 'abort'] as const)('%s: the next id is taken, the answer is already (q, 0)', (outcome) => {
    const write = written(end(open, { epoch: MAX_EPOCH, outcome }));
    expect(write.target).toMatchObject({
      producerId: P,
      producerEpoch: 32767,
      lastProducerEpoch: MAX_EPOCH,
      nextProducerId: 100,
    });
    expect(write.reply).toEqual({ error: 'NONE', ...at(0, 100) });
    const completed = decideComplete(write.target, 1100);
    expect(completed.target).toMatchObject({
      state: outcome === 'commit' ? 'CompleteCommit' : 'CompleteAbort',
      producerId: 100,
      producerEpoch: 0,
      previousProducerId: P,
      nextProducerId: -1,
      lastProducerEpoch: MAX_EPOCH,
    });
  });

  test('below 32766 nothing is taken', () => {
    const none = circumstances({ takeProducerId: () => expect.fail('no id is needed') });
    expect(summary(end({ ...open, producerEpoch: 32765 }, { epoch: 32765 }, none))).toBe(`PrepareCommit (${P}, 32766)`);
  });

  test('without an id at hand nothing is written', () => {
    const none = circumstances({ takeProducerId: () => undefined });
    expect(summary(end(open, { epoch: MAX_EPOCH }, none))).toBe('COORDINATOR_LOAD_IN_PROGRESS');
  });

  test('an abort of nothing rotates alike', () => {
    const write = written(end({ producerEpoch: MAX_EPOCH }, { epoch: MAX_EPOCH, outcome: 'abort' }));
    expect(write.target).toMatchObject({ producerEpoch: 32767, nextProducerId: 100 });
  });

  describe('a retry at (p, 32766) against (q, 0)', () => {
    const rotated = { producerId: 100, previousProducerId: P, producerEpoch: 0, lastProducerEpoch: MAX_EPOCH };
    const retry = (state: (typeof STATES)[number], outcome: Outcome, over: Partial<TransactionMetadata> = {}) =>
      end({ state, ...rotated, ...over }, { outcome, epoch: MAX_EPOCH });

    test('is a retry in CompleteX', () => {
      expect(retry('CompleteCommit', 'commit')).toEqual({ kind: 'answer', reply: { error: 'NONE', ...at(0, 100) } });
      expect(retry('CompleteAbort', 'abort')).toEqual({ kind: 'answer', reply: { error: 'NONE', ...at(0, 100) } });
      expect(summary(retry('CompleteCommit', 'abort'))).toBe(INVALID);
      expect(summary(retry('CompleteAbort', 'commit'))).toBe(FENCED);
    });

    test('is fenced where InitProducerId has rotated', () => {
      expect(summary(retry('Empty', 'commit'))).toBe(FENCED);
    });

    test('is another id once the next transition has forgotten p (T-12)', () => {
      expect(summary(retry('CompleteCommit', 'commit', { previousProducerId: 100 }))).toBe(
        'INVALID_PRODUCER_ID_MAPPING',
      );
    });

    test('takes no other epoch', () => {
      const other = end({ state: 'CompleteCommit', ...rotated }, { epoch: MAX_EPOCH - 1 });
      expect(summary(other)).toBe('INVALID_PRODUCER_ID_MAPPING');
    });
  });

  test('an id broken at 32767 is aborted without a bump and rotates; nobody commits it', () => {
    const broken = { state: 'Ongoing', producerEpoch: 32767 } as const;
    const write = written(end(broken, { epoch: 32767, outcome: 'abort' }));
    expect(write.target).toMatchObject({ producerEpoch: 32767, nextProducerId: 100 });
    expect(summary(end(broken, { epoch: 32767 }))).toBe(FENCED);
  });
});

describe('txn T-79: the look after the append', () => {
  const by = (epoch = 5, variant: 0 | 2 = 2) => ({ outcome: 'commit', by: at(epoch), variant }) as const;
  const prepared = { state: 'PrepareCommit', producerEpoch: 6 } as const;

  test('variant 2 finds its own epoch or one more, variant 0 its own', () => {
    expect(recheckPrepared(entry(prepared), by(5))).toBe('NONE');
    expect(recheckPrepared(entry(prepared), by(6))).toBe('NONE');
    expect(recheckPrepared(entry(prepared), by(6, 0))).toBe('NONE');
    expect(recheckPrepared(entry(prepared), by(5, 0))).toBe(FENCED);
    expect(recheckPrepared(entry(prepared), by(4))).toBe(FENCED);
    expect(recheckPrepared(entry(prepared), by(7))).toBe(FENCED);
  });

  test('each mismatch has its error', () => {
    expect(recheckPrepared(undefined, by())).toBe('NOT_COORDINATOR');
    expect(recheckPrepared(entry({ ...prepared, producerId: 41 }), by())).toBe('INVALID_PRODUCER_ID_MAPPING');
    expect(recheckPrepared({ ...entry(prepared), pendingState: 'CompleteCommit' }, by())).toBe(BUSY);
    for (const state of ['Empty', 'Ongoing', 'PrepareAbort', 'CompleteCommit', 'CompleteAbort'] as const) {
      expect(recheckPrepared(entry({ ...prepared, state }), by()), state).toBe(INVALID);
    }
  });
});

test.each([
  ['PrepareCommit', 'CompleteCommit'],
  ['PrepareAbort', 'CompleteAbort'],
] as const)('txn T-88: %s completes as %s with the identity of the decision', (state, complete) => {
  const prepared = metadata({ state, producerEpoch: 6, lastProducerEpoch: 5, clientTransactionVersion: 2 });
  const write = decideComplete({ ...prepared, partitions: [A0] }, 1100);
  expect(write.point).toBe('txn.complete');
  expect(write.target).toEqual({ ...prepared, state: complete, partitions: [], lastUpdateMs: 1100 });
});
