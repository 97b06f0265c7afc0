// Transactional producers and read_committed consumers against real brokers in the simulated world, in both variants of the
// protocol (txn T-131 to T-146, T-164 to T-167, T-176 to T-181, T-189, T-190).
import { describe, expect, test } from 'vitest';
import type { AdminResult } from '../../src/client/core/admin.ts';
import type { ListedOffsetResult } from '../../src/client/core/list-offsets.ts';
import { OK, T0, T1, aWorld, asValue } from './support/transactions-on-cluster.ts';
import { poll, readValues, send, text, waitFor } from './support/wait.ts';

const NOTHING_HANGS = { hanging: [], missed: [], silent: [], undecided: [] };

describe.each([1, 2] as const)('transaction.version %d', (version) => {
  test('what is committed is read, what is aborted is not', () => {
    const { world, init, begin, commit, abort, reader, ...made } = aWorld(version);
    expect(init()).toEqual(OK);
    for (const [value, ends] of [
      ['a', commit],
      ['b', abort],
      ['c', commit],
    ] as const) {
      begin();
      expect([made.send(`${value}0`, 0), made.send(`${value}1`, 1)]).toMatchObject([OK, OK]);
      expect(ends()).toEqual(OK);
    }
    expect(readValues(world, reader('read_committed'), 2)).toEqual(['a0', 'c0']);
    expect(readValues(world, reader('read_uncommitted'), 3)).toEqual(['a0', 'b0', 'c0']);
    expect(made.txn.current!.epoch).toBe(version === 2 ? 3 : 0);
  });

  test('txn T-131, T-137, T-146: an open transaction hides all behind it; ends and positions count markers', () => {
    const { world, client, init, begin, commit, send: write, reader } = aWorld(version);
    init();
    begin();
    write('a');
    const plain = client.producer();
    send(world, plain, { ...T0, value: text('plain') });
    const consumer = reader('read_committed');
    expect(poll(world, consumer)).toMatchObject({ deliveries: [] });
    const end = () => waitFor<readonly ListedOffsetResult[]>(world, (done) => consumer.endOffsets([T0, T1], done));
    expect(end().map(({ offset }) => offset)).toEqual([0, 0]);
    expect([consumer.position(T0), consumer.currentLag(T0)]).toEqual([0, 0]);
    commit();
    expect(readValues(world, consumer, 2)).toEqual(['a', 'plain']);
    world.run({ maxMs: 1000 });
    poll(world, consumer);
    expect([consumer.position(T0), end()[0]!.offset, consumer.currentLag(T0)]).toEqual([3, 3, 0]);
  });

  test('txn T-165: a new instance fences the one before and aborts what it left open', () => {
    const { world, init, begin, commit, reader, another, txn, ...old } = aWorld(version);
    init();
    begin();
    old.send('old');
    const next = another(1002);
    expect(next.init()).toEqual(OK);
    next.begin();
    next.send('new');
    expect(next.commit()).toEqual(OK);
    expect(commit()).toMatchObject({ kind: 'failed', errorClass: 'fatal' });
    expect(txn.state).toBe('FATAL_ERROR');
    expect(readValues(world, reader('read_committed'), 1)).toEqual(['new']);
  });

  test('txn T-166: two that share an id fence each other, whoever came last', () => {
    const { world, init, begin, commit, reader, another, ...first } = aWorld(version);
    init();
    const second = another(1002);
    expect(second.init()).toEqual(OK);
    begin();
    first.send('first');
    expect(commit()).toMatchObject({ kind: 'failed' });
    const again = another(1003);
    expect(again.init()).toEqual(OK);
    second.begin();
    second.send('second');
    expect(second.commit()).toMatchObject({ kind: 'failed' });
    again.begin();
    again.send('again');
    expect(again.commit()).toEqual(OK);
    expect(readValues(world, reader('read_committed'), 1)).toEqual(['again']);
  });

  test('a transaction that is open for too long is aborted (txn T-167, T-189)', () => {
    const made = aWorld(version, { 'transaction.timeout.ms': 500 });
    made.init();
    made.begin();
    made.send('late');
    made.world.run({ maxMs: 3000 });
    expect(made.send('later')).toMatchObject({ kind: 'failed' });
    const aborted = made.abort();
    if (version === 1) {
      expect(aborted).toMatchObject({ error: 'PRODUCER_FENCED', errorClass: 'fatal' });
      return;
    }
    expect(aborted).toEqual(OK);
    made.begin();
    made.send('new');
    expect(made.commit()).toEqual(OK);
    expect(readValues(made.world, made.reader('read_committed'), 1)).toEqual(['new']);
  });

  test('txn T-176 to T-181: people see it, and can fence it', () => {
    const { world, client, init, begin, send: write, commit, txn } = aWorld(version);
    init();
    begin();
    write('a');
    const { transactions } = client.admin();
    const ask = <Value>(start: (done: (result: AdminResult<Value>) => void) => void): Value =>
      asValue(waitFor<AdminResult<Value>>(world, start));
    expect(ask(transactions.list.bind(transactions, { states: ['Ongoing', 'Odd'] }))).toMatchObject({
      transactions: [{ transactionalId: 'app', producerId: txn.current!.producerId, state: 'Ongoing' }],
      unknownStates: ['Odd'],
    });
    expect(ask(transactions.describe.bind(transactions, ['app', 'nobody']))).toMatchObject([
      { error: 'NONE', state: 'Ongoing', topics: [{ topic: 't', partitions: [0] }] },
      { error: 'TRANSACTIONAL_ID_NOT_FOUND' },
    ]);
    expect(ask(transactions.describeProducers.bind(transactions, [T0], undefined))).toMatchObject([
      { producers: [{ producerId: txn.current!.producerId, currentTxnStartOffset: 0 }] },
    ]);
    world.run({ maxMs: 200 });
    const silent = { silentMs: 100 };
    expect(ask(transactions.findHanging.bind(transactions, [T0], silent))).toEqual(NOTHING_HANGS);
    const [fenced] = ask(transactions.fence.bind(transactions, ['app']));
    expect([fenced!.producerId, fenced!.epoch > txn.current!.epoch]).toEqual([txn.current!.producerId, true]);
    expect(commit()).toMatchObject({ kind: 'failed', errorClass: 'fatal' });
  });

  test('txn T-179: an administrator ends a transaction in one partition', () => {
    const { world, client, init, begin, send: write } = aWorld(version);
    init();
    begin();
    write('a');
    const { transactions } = client.admin();
    const abort = (startOffset: number) =>
      waitFor<AdminResult<unknown>>(world, (done) => transactions.abort({ ...T0, startOffset }, done));
    expect(abort(7)).toMatchObject({ kind: 'failed', error: 'INVALID_TXN_STATE' });
    expect(abort(0)).toMatchObject(OK);
    const consumer = client.consumer({ 'isolation.level': 'read_committed' });
    const ends = waitFor<readonly ListedOffsetResult[]>(world, (done) => consumer.endOffsets([T0], done));
    expect(ends[0]!.offset).toBe(2);
  });
});

test('a client of before 4.0 on a cluster of version 2 keeps its epoch (txn T-190)', () => {
  const { world, init, begin, send: write, commit, txn, reader } = aWorld(2, { 'transaction.version': 1 });
  init();
  for (const value of ['a', 'b']) {
    begin();
    write(value);
    expect(commit()).toEqual(OK);
  }
  expect(txn.current!.epoch).toBe(0);
  expect(readValues(world, reader('read_committed'), 2)).toEqual(['a', 'b']);
});

test('txn T-164: without an id whoever starts again is another producer, and what it sends again is new', () => {
  const { world, client, reader } = aWorld(2);
  const settings = { 'enable.idempotence': true };
  for (const producer of [client.producer(settings), client.producer(settings)])
    expect(send(world, producer, { ...T0, value: text('same') })).toMatchObject(OK);
  expect(readValues(world, reader('read_committed'), 2)).toEqual(['same', 'same']);
});
