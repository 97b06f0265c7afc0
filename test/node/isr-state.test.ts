// The ISR as its leader holds it, and what answers do to it.
import { describe, expect, test } from 'vitest';
import type { IsrAnswer, Proposal } from '../../src/node/isr-state.ts';
import { afterMetadata, committed, maximalIsr, onIsrAnswer, pending } from '../../src/node/isr-state.ts';
import { ERRORS } from '../../src/protocol/errors.ts';
import type { ErrorName } from '../../src/protocol/errors.ts';

const members = (...ids: number[]) => ids.map((brokerId) => ({ brokerId, brokerEpoch: 1 }));
const at = { leaderEpoch: 5, partitionEpoch: 9 };
const larger: Proposal = { ...at, newIsr: members(1, 2, 3) };
const smaller: Proposal = { ...at, newIsr: members(1) };
const expanding = pending('pending-expand', [1, 2], larger);
const shrinking = pending('pending-shrink', [1, 2], smaller);

describe('repl R-43, R-60: the maximal ISR', () => {
  test('committed: the committed set', () => expect(maximalIsr(committed([1, 2]))).toEqual([1, 2]));
  test('expanding: with the candidate', () => expect(maximalIsr(expanding)).toEqual([1, 2, 3]));
  test('shrinking: still the larger set', () => expect(maximalIsr(shrinking)).toEqual([1, 2]));
  test('T-1: min-ISR checks use the committed set', () => expect(expanding.isr).toEqual([1, 2]));
});

const answer = (error: ErrorName, more: Partial<IsrAnswer> = {}): IsrAnswer => ({
  ...{ error, leaderEpoch: 5, partitionEpoch: 10, isr: [1, 2, 3] },
  ...more,
});

describe('repl R-63: the leader on the answer', () => {
  test('success: committed as returned', () => {
    const reaction = onIsrAnswer(expanding, at, larger, answer('NONE'));
    expect(reaction).toEqual({ kind: 'become', state: committed([1, 2, 3]), partitionEpoch: 10 });
  });
  test('success without a change: the same partition epoch', () => {
    const reaction = onIsrAnswer(expanding, at, larger, answer('NONE', { partitionEpoch: 9 }));
    expect(reaction).toMatchObject({ kind: 'become', partitionEpoch: 9 });
  });
  test.each([{ leaderEpoch: 6 }, { leaderEpoch: 4 }, { partitionEpoch: 8 }])('success with %o: ignored', (more) => {
    expect(onIsrAnswer(expanding, at, larger, answer('NONE', more)).kind).toBe('ignore');
  });

  const rollBack: ErrorName[] = ['INELIGIBLE_REPLICA', 'OPERATION_NOT_ATTEMPTED'];
  const stayPending: ErrorName[] = [
    ...(['UNKNOWN_TOPIC_OR_PARTITION', 'UNKNOWN_TOPIC_ID', 'FENCED_LEADER_EPOCH'] as const),
    ...(['INVALID_UPDATE_VERSION', 'INVALID_REQUEST', 'NEW_LEADER_ELECTED'] as const),
  ];
  test.each(rollBack)('%s: back to the last committed', (error) => {
    const reaction = onIsrAnswer(expanding, at, larger, answer(error));
    expect(reaction).toEqual({ kind: 'become', state: committed([1, 2]), partitionEpoch: 9 });
  });
  test.each(stayPending)('%s: stays pending', (error) => {
    expect(onIsrAnswer(expanding, at, larger, answer(error)).kind).toBe('ignore');
  });
  const others = (Object.keys(ERRORS) as ErrorName[]).filter(
    (error) => error !== 'NONE' && !rollBack.includes(error) && !stayPending.includes(error),
  );
  test.each(others)('T-17: %s: sent again', (error) => {
    expect(onIsrAnswer(shrinking, at, smaller, answer(error)).kind).toBe('resend');
  });
  test('an answer to a proposal that is not pending any more is ignored', () => {
    expect(onIsrAnswer(committed([1, 2]), at, larger, answer('NONE')).kind).toBe('ignore');
    expect(onIsrAnswer(expanding, at, { ...larger }, answer('NONE')).kind).toBe('ignore');
    expect(onIsrAnswer(expanding, at, smaller, answer('INELIGIBLE_REPLICA')).kind).toBe('ignore');
  });
});

describe('repl R-64: metadata of the same leader epoch', () => {
  test('a higher partition epoch commits what it says', () => {
    expect(afterMetadata(expanding, 9, { partitionEpoch: 10, isr: [1, 2] })).toEqual(committed([1, 2]));
  });
  test('an equal one keeps a pending proposal: the controller may still accept it', () => {
    expect(afterMetadata(expanding, 9, { partitionEpoch: 9, isr: [1, 2] })).toBe(expanding);
  });
  test('a lower one never gets here', () => {
    expect(() => afterMetadata(expanding, 9, { partitionEpoch: 8, isr: [1, 2] })).toThrow('repl R-64');
  });
});
