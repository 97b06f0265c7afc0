// What operators are told (txn T-176, T-177), when scans act (txn T-32, T-34), and what failed appends are answered (txn T-21,
// T-22).
import { describe, expect, test } from 'vitest';
import { appendError, failedCompletion } from '../../../src/coordinator/txn/append-error.ts';
import { NO_TIMEOUT_MS, hasTimedOut, isExpired } from '../../../src/coordinator/txn/deadlines.ts';
import { describeTransaction, listTransactions, undescribed } from '../../../src/coordinator/txn/inspect.ts';
import type { TransactionState } from '../../../src/coordinator/txn/metadata.ts';
import { ERRORS } from '../../../src/protocol/errors.ts';
import type { ErrorName } from '../../../src/protocol/errors.ts';
import type { RequestOf } from '../../../src/protocol/apis.ts';
import { A0, B1, P, entry } from './support.ts';

const IDS = [
  entry({ transactionalId: 'shop-2', producerId: 2, state: 'Ongoing', startTimeMs: 400 }),
  entry({ transactionalId: 'shop-1', producerId: 1, state: 'Ongoing', startTimeMs: 900 }),
  entry({ transactionalId: 'bank', producerId: 3 }),
  entry({ transactionalId: 'a)(b', producerId: 4, state: 'CompleteCommit', startTimeMs: 999 }),
];

function list(over: Partial<RequestOf<'ListTransactions'>> = {}, entries = IDS) {
  const request = { states: [], producerIds: [], minDurationMs: -1, idPattern: '', ...over };
  return listTransactions(entries, request, 1000);
}
const ids = (over?: Partial<RequestOf<'ListTransactions'>>) =>
  list(over).transactions.map((one) => one.transactionalId);

describe('txn T-176: lists', () => {
  test('without filters: all, by id', () => {
    expect(list()).toEqual({
      error: 'NONE',
      unknownStates: [],
      transactions: [
        { transactionalId: 'a)(b', producerId: 4, state: 'CompleteCommit' },
        { transactionalId: 'bank', producerId: 3, state: 'Empty' },
        { transactionalId: 'shop-1', producerId: 1, state: 'Ongoing' },
        { transactionalId: 'shop-2', producerId: 2, state: 'Ongoing' },
      ],
    });
  });

  test('filters are conjunctive', () => {
    expect(ids({ states: ['Ongoing', 'Empty'] })).toEqual(['bank', 'shop-1', 'shop-2']);
    expect(ids({ producerIds: [1, 3, 9] })).toEqual(['bank', 'shop-1']);
    expect(ids({ states: ['Ongoing'], producerIds: [1, 3], idPattern: 'shop-.' })).toEqual(['shop-1']);
  });

  test('unknown states are told and match nothing', () => {
    expect(list({ states: ['Open'] })).toEqual({ error: 'NONE', unknownStates: ['Open'], transactions: [] });
    expect(list({ states: ['Open', 'Empty'] })).toMatchObject({
      unknownStates: ['Open'],
      transactions: [{ producerId: 3 }],
    });
  });

  test('an id that is being expired is listed in its old state; Dead is a state that nothing is in', () => {
    const dying = { ...entry({ state: 'CompleteAbort' }), pendingState: 'Dead' as const };
    expect(list({}, [dying]).transactions).toMatchObject([{ state: 'CompleteAbort' }]);
    expect(list({ states: ['Dead'] }, [dying])).toMatchObject({ unknownStates: [], transactions: [] });
  });

  test('a duration is exceeded strictly, in any state, so that ids without a start always pass', () => {
    expect(ids({ minDurationMs: 99 })).toEqual(['bank', 'shop-1', 'shop-2']);
    expect(ids({ minDurationMs: 100 })).toEqual(['bank', 'shop-2']);
    expect(ids({ minDurationMs: 0 })).toHaveLength(4);
  });

  test('a pattern matches the whole id, or is refused', () => {
    expect(ids({ idPattern: 'shop' })).toEqual([]);
    expect(ids({ idPattern: 'shop.*|ban' })).toEqual(['shop-1', 'shop-2']);
    expect(ids({ idPattern: 'ban|k|bank' })).toEqual(['bank']);
    for (const idPattern of ['(', 'a)(b', '[z-a]', '*']) {
      expect(list({ idPattern }), idPattern).toMatchObject({ error: 'INVALID_REGULAR_EXPRESSION', transactions: [] });
    }
  });
});

describe('txn T-177: descriptions', () => {
  const shard = { partition: 7, coordinatorEpoch: 3 };

  test('an id', () => {
    const partitions = [A0, { topic: 'a', partition: 4 }, B1];
    expect(describeTransaction('t', entry({ state: 'PrepareAbort', partitions }), shard)).toEqual({
      transactionalId: 't',
      error: 'NONE',
      producerId: P,
      producerEpoch: 5,
      state: 'PrepareAbort',
      transactionTimeoutMs: 60_000,
      startTimeMs: 900,
      topics: [
        { topic: 'a', partitions: [0, 4] },
        { topic: 'b', partitions: [1] },
      ],
      partition: 7,
      coordinatorEpoch: 3,
    });
  });

  test('one that is being expired is shown as it was', () => {
    const dying = { ...entry(), pendingState: 'Dead' as const };
    expect(describeTransaction('t', dying, shard)).toMatchObject({ error: 'NONE', state: 'Empty' });
  });

  test('one that is not there', () => {
    expect(describeTransaction('t', undefined, shard)).toEqual(undescribed('t', 'TRANSACTIONAL_ID_NOT_FOUND'));
  });
});

describe('txn T-34: a transaction times out', () => {
  const at = (nowMs: number, over = {}) => hasTimedOut(entry({ state: 'Ongoing', timeoutMs: 100, ...over }), nowMs);

  test('strictly later than its timeout after its start, whatever it did since', () => {
    expect([at(1000), at(1001), at(1001, { lastUpdateMs: 1001 })]).toEqual([false, true, true]);
  });

  test('only if it is open, nothing is pending, and its timeout is not reserved', () => {
    const others: TransactionState[] = ['Empty', 'PrepareCommit', 'PrepareAbort', 'CompleteCommit', 'CompleteAbort'];
    expect(others.filter((state) => at(99_999, { state }))).toEqual([]);
    expect(hasTimedOut({ ...entry({ state: 'Ongoing' }), pendingState: 'Ongoing' }, 999_999)).toBe(false);
    expect(at(2 ** 40, { timeoutMs: NO_TIMEOUT_MS })).toBe(false);
    expect(at(2 ** 40, { timeoutMs: NO_TIMEOUT_MS - 1 })).toBe(true);
  });
});

describe('txn T-32: an id expires', () => {
  test.each([
    ['Empty', true],
    ['CompleteCommit', true],
    ['CompleteAbort', true],
    ['Ongoing', false],
    ['PrepareCommit', false],
    ['PrepareAbort', false],
  ] as const)('%s: %s', (state, expires) => {
    expect(isExpired(entry({ state, lastUpdateMs: 900 }), 1000, 100)).toBe(expires);
  });

  test('from the moment on, not before, and not while anything is pending', () => {
    expect(isExpired(entry({ lastUpdateMs: 901 }), 1000, 100)).toBe(false);
    expect(isExpired({ ...entry({ lastUpdateMs: 1 }), pendingState: 'Ongoing' }, 1000, 100)).toBe(false);
  });
});

test('txn T-21: every error of an append has its answer', () => {
  const mapped: Partial<Record<ErrorName, ErrorName>> = {
    UNKNOWN_TOPIC_OR_PARTITION: 'COORDINATOR_NOT_AVAILABLE',
    NOT_ENOUGH_REPLICAS: 'COORDINATOR_NOT_AVAILABLE',
    NOT_ENOUGH_REPLICAS_AFTER_APPEND: 'COORDINATOR_NOT_AVAILABLE',
    REQUEST_TIMED_OUT: 'COORDINATOR_NOT_AVAILABLE',
    NOT_LEADER_OR_FOLLOWER: 'NOT_COORDINATOR',
    KAFKA_STORAGE_ERROR: 'NOT_COORDINATOR',
    MESSAGE_TOO_LARGE: 'UNKNOWN_SERVER_ERROR',
    RECORD_LIST_TOO_LARGE: 'UNKNOWN_SERVER_ERROR',
  };
  for (const error of Object.keys(ERRORS) as ErrorName[]) expect(appendError(error)).toBe(mapped[error] ?? error);
});

test('txn T-22: a completion that cannot be written is tried again, left to the next owner, or a mistake', () => {
  expect(failedCompletion(appendError('NOT_ENOUGH_REPLICAS'))).toBe('retry');
  expect(failedCompletion(appendError('NOT_LEADER_OR_FOLLOWER'))).toBe('drop');
  expect(failedCompletion('COORDINATOR_LOAD_IN_PROGRESS')).toBe('drop');
  expect(failedCompletion(appendError('MESSAGE_TOO_LARGE'))).toBe('fatal');
});
