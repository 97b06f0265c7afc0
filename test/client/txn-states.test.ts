// The states of a transactional producer: every move, legal and illegal (txn T-150, T-151).
import { describe, expect, test } from 'vitest';
import {
  IllegalStateError,
  PRODUCER_STATES,
  ProducerStates,
  mayMove,
  type ProducerState,
} from '../../src/client/core/txn/states.ts';

/** The rule's text: target from sources. */
const LEGAL: Readonly<Record<ProducerState, string>> = {
  UNINITIALIZED: 'READY ABORTABLE_ERROR',
  INITIALIZING: 'UNINITIALIZED COMMITTING_TRANSACTION ABORTING_TRANSACTION',
  READY: 'INITIALIZING COMMITTING_TRANSACTION ABORTING_TRANSACTION',
  IN_TRANSACTION: 'READY',
  COMMITTING_TRANSACTION: 'IN_TRANSACTION',
  ABORTING_TRANSACTION: 'IN_TRANSACTION ABORTABLE_ERROR',
  ABORTABLE_ERROR: 'IN_TRANSACTION COMMITTING_TRANSACTION ABORTABLE_ERROR INITIALIZING',
  FATAL_ERROR: PRODUCER_STATES.join(' '),
};

/** How to get there by legal moves of a call. */
const ROUTES: Readonly<Record<ProducerState, readonly ProducerState[]>> = {
  UNINITIALIZED: [],
  INITIALIZING: ['INITIALIZING'],
  READY: ['INITIALIZING', 'READY'],
  IN_TRANSACTION: ['INITIALIZING', 'READY', 'IN_TRANSACTION'],
  COMMITTING_TRANSACTION: ['INITIALIZING', 'READY', 'IN_TRANSACTION', 'COMMITTING_TRANSACTION'],
  ABORTING_TRANSACTION: ['INITIALIZING', 'READY', 'IN_TRANSACTION', 'ABORTING_TRANSACTION'],
  ABORTABLE_ERROR: ['INITIALIZING', 'READY', 'IN_TRANSACTION', 'ABORTABLE_ERROR'],
  FATAL_ERROR: ['FATAL_ERROR'],
};

function at(state: ProducerState): ProducerStates {
  const states = new ProducerStates();
  for (const next of ROUTES[state]) {
    if (next === 'ABORTABLE_ERROR') states.abortable({ error: 'TRANSACTION_ABORTABLE', message: 'first' });
    else if (next === 'FATAL_ERROR') states.fatal({ error: 'PRODUCER_FENCED', message: 'first' });
    else states.call(next, 'a call');
  }
  return states;
}

const MOVES = PRODUCER_STATES.flatMap((from) => PRODUCER_STATES.map((to) => [from, to] as const));

describe('txn T-150', () => {
  test.each(MOVES)('%s to %s', (from, to) => {
    const legal = LEGAL[to].split(' ').includes(from);
    expect(mayMove(from, to)).toBe(legal);
    const states = at(from);
    expect(states.current).toBe(from);
    if (to === 'FATAL_ERROR') {
      states.fatal({ error: 'UNKNOWN_SERVER_ERROR', message: 'second' });
      expect(states.current).toBe('FATAL_ERROR');
    } else if (legal && to !== 'ABORTABLE_ERROR') {
      states.call(to, 'a call');
      expect([states.current, states.cause]).toEqual([to, undefined]);
    }
  });
});

describe('txn T-151', () => {
  const calls = MOVES.filter(([from, to]) => !mayMove(from, to) && to !== 'FATAL_ERROR' && to !== 'ABORTABLE_ERROR');

  test.each(calls)('an illegal call in %s that would lead to %s throws and changes nothing', (from, to) => {
    const states = at(from);
    const { cause } = states;
    expect(() => states.call(to, 'a call')).toThrow(IllegalStateError);
    expect([states.current, states.cause]).toEqual([from, cause]);
  });

  test.each(calls.filter(([, to]) => to === 'READY' || to === 'INITIALIZING' || to === 'UNINITIALIZED'))(
    'an answer in %s that asks for %s ends the producer',
    (from, to) => {
      const states = at(from);
      states.answered(to as 'READY');
      expect(states.current).toBe('FATAL_ERROR');
    },
  );

  test.each(['UNINITIALIZED', 'READY'] as const)(
    'a failure in %s, where nothing can fail, ends the producer',
    (from) => {
      const states = at(from);
      states.abortable({ error: 'TRANSACTION_ABORTABLE', message: 'm' });
      expect(states.current).toBe('FATAL_ERROR');
    },
  );
});

test('txn T-150: an abortable error while aborting changes nothing', () => {
  const states = at('ABORTING_TRANSACTION');
  states.abortable({ error: 'TRANSACTION_ABORTABLE', message: 'm' });
  expect([states.current, states.failure]).toEqual(['ABORTING_TRANSACTION', undefined]);
});

test('the first cause stays', () => {
  const abortable = at('ABORTABLE_ERROR');
  abortable.abortable({ error: 'INVALID_TXN_STATE', message: 'second' });
  expect(abortable.failure).toMatchObject({ message: 'first', errorClass: 'abortable', definite: true });
  const fatal = at('FATAL_ERROR');
  fatal.fatal({ error: 'INVALID_TXN_STATE', message: 'second' });
  expect(fatal.failure).toMatchObject({ message: 'first', errorClass: 'fatal' });
});
