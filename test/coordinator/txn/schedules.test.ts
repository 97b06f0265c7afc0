// Schedules of requests, failovers and timeouts against one id: the weaknesses of transaction coordinators, each shown with
// its defence off and on (txn section 13), and crash points of the requests (txn section 10).
import { describe, expect, test } from 'vitest';
import { IDENTITY_FIELDS } from '../../../src/coordinator/txn/record-codec.ts';
import { A0, B1, MAX_EPOCH, OneId, P, at } from './support.ts';

/** An id whose owner has epoch `epoch`, with an open transaction. */
function open(of: ConstructorParameters<typeof OneId>[0] = {}, epoch = 0): OneId {
  const id = new OneId(of);
  id.init();
  id.entry!.metadata = { ...id.stored, producerEpoch: epoch };
  id.log[0] = id.stored;
  expect(id.add(at(epoch)).error).toBe('NONE');
  return id;
}

const state = ({ stored }: OneId): string => `${stored.state} (${stored.producerId}, ${stored.producerEpoch})`;

describe('txn W-1: a delayed EndTxn decides the next transaction', () => {
  const schedule = (id: OneId): { error: string; state: string } => {
    const first = at(id.stored.producerEpoch);
    const done = id.end(first, 'commit');
    const second = done.producerId === -1 ? first : at(done.producerEpoch, done.producerId);
    expect(id.add(second, B1).error).toBe('NONE');
    const { error } = id.end(first, 'commit');
    return { error, state: state(id) };
  };

  test('level 1: the second transaction is committed by a request of the first', () => {
    expect(schedule(open({ level: 1 }))).toEqual({ error: 'NONE', state: `CompleteCommit (${P}, 0)` });
  });

  test('level 2: the request is fenced by its epoch', () => {
    expect(schedule(open())).toEqual({ error: 'PRODUCER_FENCED', state: `Ongoing (${P}, 1)` });
  });

  test('level 2, safeguard epoch.perTxn off: as level 1', () => {
    expect(schedule(open({ off: ['epoch.perTxn'] }))).toEqual({ error: 'NONE', state: `CompleteCommit (${P}, 0)` });
  });
});

describe('txn W-7: identities that are not written down', () => {
  const lost = { without: IDENTITY_FIELDS };

  test.each([
    ['off', lost, 'PRODUCER_FENCED'],
    ['on', {}, 'NONE'],
  ])('(a) a retried init with its expected identity after a failover: defence %s', (_, of, error) => {
    const id = new OneId(of);
    id.init();
    expect(id.init(at(0))).toMatchObject(at(1));
    id.failover();
    const retried = id.init(at(0));
    expect(retried.error).toBe(error);
    // The same epoch again, not another (CP-2, CP-3).
    if (error === 'NONE') expect(retried).toMatchObject(at(1));
  });

  test.each([
    ['off', { without: ['nextProducerId'] } as const, at(32767)],
    ['on', {}, at(0, P + 1)],
  ])('(b) a failover between PrepareCommit and CompleteCommit of the last epoch: defence %s', (_, of, identity) => {
    const id = open(of, MAX_EPOCH);
    id.markersHeld = true;
    expect(id.end(at(MAX_EPOCH), 'commit')).toMatchObject(at(0, P + 1));
    id.markersHeld = false;
    id.failover();
    expect(id.stored).toMatchObject({ state: 'CompleteCommit', ...identity });
  });

  test.each([
    ['off', lost, ['INVALID_PRODUCER_ID_MAPPING', 'PRODUCER_FENCED']],
    ['on', {}, ['NONE', 'NONE']],
  ])('(c) the retries of a rotation by EndTxn after a failover: defence %s', (_, of, errors) => {
    const id = open(of, MAX_EPOCH);
    id.end(at(MAX_EPOCH), 'commit');
    id.failover();
    expect([id.end(at(MAX_EPOCH), 'commit').error, id.init(at(MAX_EPOCH)).error]).toEqual(errors);
  });

  test.each([
    ['off', { without: ['lastProducerEpoch'] } as const, 'PRODUCER_FENCED'],
    ['on', {}, 'NONE'],
  ])('(d) the retry of a rotation by InitProducerId after a failover: defence %s', (_, of, error) => {
    const id = new OneId(of);
    id.init();
    id.entry!.metadata = { ...id.stored, producerEpoch: MAX_EPOCH };
    expect(id.init(at(MAX_EPOCH))).toMatchObject(at(0, P + 1));
    id.failover();
    const retried = id.init(at(MAX_EPOCH));
    expect(retried.error).toBe(error);
    if (error === 'NONE') expect(retried).toMatchObject(at(0, P + 1));
  });

  test('level 0: records cannot hold them', () => {
    const id = new OneId({ level: 0 });
    id.init();
    id.init(at(0));
    id.failover();
    expect(id.init(at(0)).error).toBe('PRODUCER_FENCED');
  });
});

test('txn W-8 [D], CP-69: the commit of a transaction that timed out is fenced, its abort takes up the new epoch (T-189)', () => {
  const id = open();
  id.markersHeld = true;
  id.timeOut();
  expect([id.end(at(0), 'commit').error, id.end(at(0), 'abort').error]).toEqual([
    'CONCURRENT_TRANSACTIONS',
    'CONCURRENT_TRANSACTIONS',
  ]);
  id.complete();
  expect(state(id)).toBe(`CompleteAbort (${P}, 1)`);
  expect(id.end(at(0), 'commit').error).toBe('PRODUCER_FENCED');
  expect(id.end(at(0), 'abort')).toEqual({ error: 'NONE', ...at(1) });
  expect(id.init()).toMatchObject(at(2));
  expect([id.end(at(0), 'commit').error, id.end(at(0), 'abort').error]).toEqual(['PRODUCER_FENCED', 'PRODUCER_FENCED']);
});

test('txn T-189: the rotated form behaves alike', () => {
  const id = open({}, MAX_EPOCH);
  id.timeOut();
  expect(state(id)).toBe(`CompleteAbort (${P + 1}, 0)`);
  expect(id.end(at(MAX_EPOCH), 'commit').error).toBe('PRODUCER_FENCED');
  expect(id.end(at(MAX_EPOCH), 'abort')).toEqual({ error: 'NONE', ...at(0, P + 1) });
});

test('txn T-35, CP-69: below level 2 a producer that timed out is fenced for good', () => {
  const id = open({ level: 1 });
  id.timeOut();
  expect([id.end(at(0), 'commit').error, id.end(at(0), 'abort').error, id.add(at(0)).error]).toEqual(
    Array.from({ length: 3 }, () => 'PRODUCER_FENCED'),
  );
});

test('txn W-9: the answer to the last epoch is the identity to go on with, and it goes on', () => {
  const id = open({}, MAX_EPOCH);
  const next = id.end(at(MAX_EPOCH), 'commit');
  expect(next).toEqual({ error: 'NONE', ...at(0, P + 1) });
  expect(id.add(next).error).toBe('NONE');
  expect(id.end(next, 'commit')).toMatchObject(at(1, P + 1));
});

describe('txn W-10: an open transaction at 32766 is fenced', () => {
  test('level 2: aborted, and the id rotates', () => {
    const id = open({}, MAX_EPOCH);
    expect(id.init().error).toBe('CONCURRENT_TRANSACTIONS');
    expect(id.log.at(-2)).toMatchObject({ state: 'PrepareAbort', producerEpoch: 32767, nextProducerId: P + 1 });
    expect(state(id)).toBe(`CompleteAbort (${P + 1}, 0)`);
    expect(id.init()).toMatchObject(at(1, P + 1));
  });

  test('level 2: a successor that expected (p, 32766) gets (q, 0) (T-49)', () => {
    const id = open({}, MAX_EPOCH);
    id.init(at(MAX_EPOCH));
    expect(id.init(at(MAX_EPOCH))).toMatchObject({ error: 'NONE', ...at(0, P + 1) });
  });

  test('level 1: fenced at 32767, and the retry rotates', () => {
    const id = open({ level: 1 }, MAX_EPOCH);
    id.init();
    expect(state(id)).toBe(`CompleteAbort (${P}, 32767)`);
    expect(id.init()).toMatchObject({ error: 'NONE', ...at(0, P + 1) });
  });

  test('an id broken at 32767 recovers by a timeout', () => {
    const id = open({}, 32767);
    id.timeOut();
    expect(id.log.at(-2)).toMatchObject({ state: 'PrepareAbort', producerEpoch: 32767, nextProducerId: P + 1 });
    expect(id.init()).toMatchObject(at(1, P + 1));
  });
});

test('txn W-18 [D]: an exhausted epoch and another expectation is an answer, not an exception', () => {
  const id = open({}, MAX_EPOCH);
  id.entry!.metadata = { ...id.stored, state: 'CompleteCommit', partitions: [], lastProducerEpoch: 3 };
  expect(id.init(at(9)).error).toBe('PRODUCER_FENCED');
  expect(id.init(at(3))).toEqual({ error: 'NONE', ...at(MAX_EPOCH) });
});

test('txn W-21, T-33: a zombie recovers an id that was forgotten', () => {
  const id = new OneId();
  const zombie = id.init();
  id.init();
  expect(id.add(zombie).error).toBe('PRODUCER_FENCED');
  id.expire();
  expect(id.add(zombie).error).toBe('INVALID_PRODUCER_ID_MAPPING');
  expect(id.end(zombie, 'commit').error).toBe('INVALID_PRODUCER_ID_MAPPING');
  expect(id.init(zombie)).toMatchObject({ error: 'NONE', ...at(0, P + 1) });
});

test('txn W-24, CP-7: level 2: a fenced owner that aborts first holds off its successor; what succeeds ends it', () => {
  const id = open();
  expect(id.init().error).toBe('CONCURRENT_TRANSACTIONS');
  const adopted = id.end(at(0), 'abort');
  expect(adopted).toEqual({ error: 'NONE', ...at(1) });
  expect(id.add(adopted).error).toBe('NONE');
  expect(id.init().error).toBe('CONCURRENT_TRANSACTIONS');
  expect(id.init()).toMatchObject({ error: 'NONE', ...at(3) });
  expect(id.end(adopted, 'abort').error).toBe('PRODUCER_FENCED');
});

describe.each([1, 2])('crash points at level %i', (level) => {
  test('CP-1: init, nothing appended: the retry elsewhere succeeds', () => {
    const id = new OneId({ level });
    id.appendFails = true;
    id.init();
    id.failover();
    id.appendFails = false;
    expect(id.init()).toMatchObject({ error: 'NONE', ...at(0, P + 1) });
  });

  test('CP-2, CP-3: init durable, answer lost: the retry is strictly higher without expectation, the same with it', () => {
    const id = new OneId({ level });
    id.init();
    id.failover();
    expect(id.init()).toMatchObject(at(1));
    expect(id.init(at(1))).toMatchObject(at(2));
    id.failover();
    expect(id.init(at(1))).toMatchObject({ error: 'NONE', ...at(2) });
  });

  test('CP-4, CP-68: a fence in memory only is forgotten by a failover', () => {
    const id = open({ level });
    id.appendFails = true;
    id.init();
    id.appendFails = false;
    id.failover();
    expect(id.add(at(0), B1).error).toBe('NONE');
    id.init();
    expect(state(id)).toBe(`CompleteAbort (${P}, 1)`);
    expect(id.init()).toMatchObject(at(2));
  });

  test('CP-5, BUG-50: the append of a fence is refused, nobody dies: the epoch is raised once however often it is tried', () => {
    const id = open({ level });
    id.appendFails = true;
    for (let attempt = 0; attempt < 3; attempt++) expect(id.init().error).toBe('COORDINATOR_NOT_AVAILABLE');
    expect(state(id)).toBe(`Ongoing (${P}, ${level === 1 ? 1 : 0})`);
    id.appendFails = false;
    // Below level 2 the old owner is fenced already, with 2 it may still end its transaction.
    expect(id.add(at(0), B1).error).toBe(level === 1 ? 'PRODUCER_FENCED' : 'NONE');
    expect(id.init().error).toBe('CONCURRENT_TRANSACTIONS');
    expect(state(id)).toBe(`CompleteAbort (${P}, 1)`);
    expect(id.entry!.hasFailedEpochFence).toBe(false);
    expect(id.init()).toMatchObject(at(2));
  });

  test('CP-6: PrepareAbort durable, no marker sent: the next coordinator completes it, then the init succeeds', () => {
    const id = open({ level });
    id.markersHeld = true;
    id.init();
    id.failover();
    expect(id.init().error).toBe('CONCURRENT_TRANSACTIONS');
    id.complete();
    expect(id.init()).toMatchObject(at(2));
  });

  test('CP-9 to CP-11: an add that was lost is retried, one that survived is answered without a record', () => {
    const id = open({ level });
    id.appendFails = true;
    expect(id.add(at(0), B1).error).toBe('COORDINATOR_NOT_AVAILABLE');
    id.failover();
    expect(id.stored.partitions).toEqual([A0]);
    id.appendFails = false;
    expect(id.add(at(0), B1).error).toBe('NONE');
    const { length } = id.log;
    id.failover();
    expect(id.add(at(0), B1).error).toBe('NONE');
    expect(id.log).toHaveLength(length);
    expect(id.stored.partitions).toEqual([A0, B1]);
  });

  test('CP-38, T-80: a durable decision: the retry waits, then succeeds, and nothing changes it', () => {
    const id = open({ level });
    id.markersHeld = true;
    id.end(at(0), 'commit');
    id.failover();
    expect(id.end(at(0), 'commit').error).not.toBe('NONE');
    expect(id.end(at(0), 'abort').error).not.toBe('NONE');
    id.complete();
    expect(id.end(at(0), 'commit').error).toBe('NONE');
    expect(id.end(at(0), 'abort').error).toBe('INVALID_TXN_STATE');
  });
});
