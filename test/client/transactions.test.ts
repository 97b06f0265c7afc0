// Transactional producers against a cluster by script: both variants of the protocol, the order of requests, what waits for
// what, and what happens to records of a transaction that ends early (txn T-150 to T-163, T-189, T-191).
import { describe, expect, test } from 'vitest';
import { IllegalStateError } from '../../src/client/core/txn/states.ts';
import { isTransactional } from '../../src/log/attributes.ts';
import { ConfigError } from '../../src/protocol/config.ts';
import { readBatchHeader } from '../../src/protocol/batch-header.ts';
import { ScriptedCluster } from './support/scripted.ts';
import {
  GROUP,
  OFFSETS,
  aTransactionalProducer,
  inTransaction,
  later,
  recordOf,
  refuse,
  sendLater,
} from './support/transactional.ts';
import { waitFor } from './support/wait.ts';

const OK = { kind: 'ok' };

describe('version 1 (txn 5.5)', () => {
  test('partitions and offsets are registered first; the epoch stays and sequences go on', () => {
    const { cluster, init, begin, send, sendOffsets, commit, asked, attempts, txn } = aTransactionalProducer(1);
    expect(init()).toEqual(OK);
    for (const value of ['a', 'b']) {
      begin();
      send(value);
      expect([sendOffsets(), commit()]).toEqual([OK, OK]);
    }
    const one = ['AddPartitionsToTxn', 'Produce', 'AddOffsetsToTxn', 'TxnOffsetCommit', 'EndTxn'];
    const first = one.flatMap((api) => (api === 'TxnOffsetCommit' ? ['FindCoordinator', api] : [api]));
    expect(asked()).toEqual(['FindCoordinator', 'InitProducerId', ...first, ...one]);
    expect(attempts()).toEqual([
      [7000, 0, 0],
      [7000, 0, 1],
    ]);
    expect(txn.current).toEqual({ producerId: 7000, epoch: 0 });
    const versions = [
      ...cluster.requests('Produce'),
      ...cluster.requests('TxnOffsetCommit'),
      ...cluster.requests('EndTxn'),
    ];
    expect(versions.map(({ request }) => request.transactionVersion)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  test('txn T-153: no batch of a partition leaves before it is registered', () => {
    const { cluster, producer, run } = inTransaction(1);
    cluster.next('AddPartitionsToTxn', { kind: 'silence' });
    const results = sendLater(producer, 'a');
    run(1500);
    expect([cluster.requests('Produce').length, results]).toEqual([0, []]);
    run(2000);
    expect(results).toMatchObject([OK]);
  });

  test('txn T-157: a first AddPartitions that meets the transaction before is tried again after 20 ms, others later', () => {
    const { cluster, producer, send, run } = inTransaction(1, { 'retry.backoff.ms': 100 });
    cluster.next('AddPartitionsToTxn', refuse('CONCURRENT_TRANSACTIONS'));
    send('a');
    cluster.next('AddPartitionsToTxn', refuse('CONCURRENT_TRANSACTIONS'));
    producer.send(recordOf('b', 1), () => undefined);
    run(1000);
    const at = cluster.requests('AddPartitionsToTxn').map((one) => one.at);
    expect(at).toHaveLength(4);
    expect([at[1]! - at[0]! < 60, at[3]! - at[2]! >= 100]).toEqual([true, true]);
  });

  test('a setting makes a client of today one of before 4.0', () => {
    const { asked, send, commit } = inTransaction(2, { 'transaction.version': 1 });
    send('a');
    expect(commit()).toEqual(OK);
    expect(asked().slice(2)).toEqual(['AddPartitionsToTxn', 'Produce', 'EndTxn']);
  });

  test('txn T-158: abort, then InitProducerId with the identity it had; sequences begin anew', () => {
    const { cluster, send, abort, begin, commit, attempts } = inTransaction(1);
    send('a');
    cluster.next('Produce', refuse('INVALID_PRODUCER_EPOCH'));
    send('b');
    expect(abort()).toEqual(OK);
    expect(cluster.requests('InitProducerId')[1]!.request).toMatchObject({ producerId: 7000, producerEpoch: 0 });
    begin();
    send('c');
    expect(commit()).toEqual(OK);
    expect(attempts()).toEqual([
      [7000, 0, 0],
      [7000, 0, 1],
      [7000, 1, 0],
    ]);
  });

  test('txn T-191: when the cluster goes to 2, this commit is still 1, a bump follows, and the next transaction is 2', () => {
    const { cluster, send, commit, begin, asked, txn, run } = inTransaction(1);
    send('a');
    cluster.transactionVersion = 2;
    cluster.next('Produce', refuse('NOT_LEADER_OR_FOLLOWER')); // It refreshes its metadata.
    send('b');
    run(500);
    expect(commit()).toEqual(OK);
    expect(cluster.requests('EndTxn')[0]!.request.transactionVersion).toBe(1);
    expect(cluster.requests('Produce').at(-1)!.request.transactionVersion).toBe(1);
    expect([txn.state, txn.current]).toEqual(['READY', { producerId: 7000, epoch: 1 }]);
    const before = asked().length;
    begin();
    send('c');
    expect(commit()).toEqual(OK);
    expect(asked().slice(before)).toEqual(['Produce', 'EndTxn']);
    expect([cluster.requests('EndTxn')[1]!.request.transactionVersion, txn.current!.epoch]).toEqual([2, 2]);
  });
});

describe('version 2 (txn 5.5)', () => {
  test('nothing is registered by the client; each end gives another epoch, and sequences begin anew', () => {
    const { cluster, init, begin, send, sendOffsets, commit, abort, asked, attempts, txn } = aTransactionalProducer(2);
    init();
    begin();
    send('a');
    send('b');
    expect([sendOffsets(), commit()]).toEqual([OK, OK]);
    begin();
    send('c');
    expect(abort()).toEqual(OK);
    expect(asked().slice(2)).toEqual([
      'Produce',
      'Produce',
      'FindCoordinator',
      'TxnOffsetCommit',
      'EndTxn',
      'Produce',
      'EndTxn',
    ]);
    expect(attempts()).toEqual([
      [7000, 0, 0],
      [7000, 0, 1],
      [7000, 1, 0],
    ]);
    expect(txn.current).toEqual({ producerId: 7000, epoch: 2 });
    expect(cluster.requests('EndTxn').map(({ request }) => [request.committed, request.producerEpoch])).toEqual([
      [true, 0],
      [false, 1],
    ]);
    expect(cluster.requests('TxnOffsetCommit')[0]!.request).toMatchObject({
      ...{ transactionalId: 't', ...GROUP, transactionVersion: 2 },
      offsets: [{ topic: 'in', partition: 0, offset: 5, leaderEpoch: 1, metadata: '' }],
    });
  });

  test('batches say that they are transactional, and requests whose', () => {
    const { cluster, send } = inTransaction();
    send('a');
    const { request } = cluster.requests('Produce')[0]!;
    expect(request.transactionalId).toBe('t');
    expect(isTransactional(readBatchHeader(request.partitions[0]!.records)!.attributes)).toBe(true);
  });

  test('txn T-77: behind epoch 32766 the next producer id is adopted, at epoch 0', () => {
    const cluster = new ScriptedCluster(1, 2);
    cluster.firstEpoch = 32_766;
    const { send, commit, begin, attempts, txn } = inTransaction(2, {}, cluster);
    send('a');
    expect([commit(), txn.current]).toEqual([OK, { producerId: 8000, epoch: 0 }]);
    begin();
    send('b');
    expect(attempts()).toEqual([
      [7000, 32_766, 0],
      [8000, 0, 0],
    ]);
  });

  test('txn T-189, T-167: a producer whose transaction timed out recovers by aborting, under the epoch it is given', () => {
    const { cluster, send, abort, begin, commit, txn } = inTransaction();
    send('a');
    cluster.next('Produce', refuse('INVALID_PRODUCER_EPOCH'));
    expect(send('b')).toMatchObject({ error: 'INVALID_PRODUCER_EPOCH' });
    expect([txn.state, abort(), txn.current!.epoch]).toEqual(['ABORTABLE_ERROR', OK, 1]);
    begin();
    send('c');
    expect([commit(), cluster.requests('InitProducerId').length]).toEqual([OK, 1]);
  });
});

test('txn T-167: under version 1 the abort of a producer that was replaced is told so, and that is final', () => {
  const { cluster, send, abort, txn } = inTransaction(1);
  send('a');
  cluster.next('Produce', refuse('INVALID_PRODUCER_EPOCH'));
  send('b');
  cluster.next('EndTxn', refuse('PRODUCER_FENCED'));
  expect(abort()).toMatchObject({ error: 'PRODUCER_FENCED', errorClass: 'fatal' });
  expect([txn.state, cluster.requests('InitProducerId').length]).toEqual(['FATAL_ERROR', 1]);
});

describe.each([1, 2] as const)('version %d', (version) => {
  test('txn T-152: a transaction without anything in it is ended without asking anybody', () => {
    const { asked, commit, abort, begin, txn } = inTransaction(version);
    const before = asked().length;
    expect(commit()).toEqual(OK);
    begin();
    expect([abort(), txn.state, asked().length]).toEqual([OK, 'READY', before]);
  });

  test('txn T-154: a commit waits for all records, also those that still linger', () => {
    const { cluster, txn, producer, commit, asked } = inTransaction(version, {
      'batch.size': 10_000,
      'linger.ms': 5000,
    });
    const results = sendLater(producer, 'a', 'b');
    expect([txn.state, commit()]).toEqual(['IN_TRANSACTION', OK]);
    expect(results.map(({ kind }) => kind)).toEqual(['ok', 'ok']);
    expect([cluster.values(), asked().at(-1)]).toEqual([['a', 'b'], 'EndTxn']);
    expect(cluster.world.now).toBeLessThan(2000);
  });

  test('txn T-154: an abort gives up what never left and completes what did', () => {
    const { cluster, txn, producer, run } = inTransaction(version, { 'max.in.flight.requests.per.connection': 1 });
    cluster.next('Produce', { kind: 'silence' });
    const left = sendLater(producer, 'a');
    run(100);
    const never = sendLater(producer, 'b');
    const aborted = later((done) => txn.abort(done));
    run(100);
    expect(never.at(-1)).toMatchObject({ kind: 'failed', error: 'OPERATION_NOT_ATTEMPTED', definite: true });
    expect(aborted).toEqual([]);
    run(10_000);
    expect([left, aborted]).toMatchObject([[OK], [OK]]);
  });

  test('txn T-154: a record that fails takes those that have not left with it, by its own error', () => {
    const { cluster, producer, run, txn } = inTransaction(version, { 'max.in.flight.requests.per.connection': 1 });
    cluster.next('Produce', refuse('TRANSACTION_ABORTABLE'));
    const results = sendLater(producer, 'a', 'b');
    run(500);
    expect(results.map((one) => one.kind === 'failed' && [one.error, one.definite])).toEqual([
      ['TRANSACTION_ABORTABLE', true],
      ['TRANSACTION_ABORTABLE', true],
    ]);
    expect(txn.state).toBe('ABORTABLE_ERROR');
  });

  test('txn T-155: a commit that takes too long goes on and must be repeated; other calls are refused until then', () => {
    const { cluster, txn, send, commit, run, begin } = inTransaction(version, { 'max.block.ms': 1000 });
    send('a');
    cluster.next('EndTxn', { kind: 'silence' });
    expect(commit()).toMatchObject({ error: 'REQUEST_TIMED_OUT', errorClass: 'retriable', definite: false });
    expect(() => txn.abort(() => undefined)).toThrow(IllegalStateError);
    expect(() => txn.begin()).toThrow(/commitTransaction is not over/);
    run(5000);
    expect(cluster.requests('EndTxn')).toHaveLength(2);
    expect(() => txn.begin()).toThrow(IllegalStateError);
    expect([commit(), cluster.requests('EndTxn').length]).toEqual([OK, 2]);
    expect(begin()).toEqual(OK);
  });

  test('txn T-155: initTransactions likewise', () => {
    const { cluster, txn, init, run } = aTransactionalProducer(version, { 'max.block.ms': 1000 });
    cluster.next('InitProducerId', { kind: 'silence' });
    expect(init()).toMatchObject({ error: 'REQUEST_TIMED_OUT', errorClass: 'retriable' });
    run(5000);
    expect([init(), txn.state, cluster.requests('InitProducerId').length]).toEqual([OK, 'READY', 2]);
  });

  test('txn T-155: sendOffsetsToTransaction has no memory: repeated, it is sent twice', () => {
    const { cluster, sendOffsets, commit, run } = inTransaction(version, { 'max.block.ms': 1000 });
    cluster.next('TxnOffsetCommit', { kind: 'silence' });
    expect(sendOffsets()).toMatchObject({ error: 'REQUEST_TIMED_OUT', errorClass: 'retriable' });
    run(5000);
    expect([sendOffsets(), commit()]).toEqual([OK, OK]);
    expect(cluster.requests('TxnOffsetCommit').length).toBe(3);
  });

  test('an end whose answer was lost, then refused, may have happened', () => {
    const { cluster, send, commit } = inTransaction(version);
    send('a');
    cluster.next('EndTxn', { kind: 'silence' }, refuse('INVALID_TXN_STATE'));
    expect(commit()).toMatchObject({ error: 'INVALID_TXN_STATE', errorClass: 'fatal', definite: false });
  });

  test('txn T-156: close ends what is open', () => {
    const { cluster, producer, world, send } = inTransaction(version);
    send('a');
    waitFor<string>(world, (done) => producer.close(10_000, () => done('closed')));
    expect(cluster.requests('EndTxn').map(({ request }) => request.committed)).toEqual([false]);
  });

  test('txn T-156: a forced close leaves it to its timeout, and tells who waits', () => {
    const { cluster, producer, txn, run } = inTransaction(version);
    const results = sendLater(producer, 'a');
    const committed = later((done) => txn.commit(done));
    producer.close(0, () => undefined);
    run(5000);
    expect([results[0]?.kind, committed]).toMatchObject(['failed', [{ error: 'NETWORK_EXCEPTION', definite: false }]]);
    expect(cluster.requests('EndTxn')).toEqual([]);
  });

  test('txn T-162: a gap is closed: what was behind a refused batch takes its place', () => {
    const { cluster, producer, run, attempts } = inTransaction(version);
    cluster.next('Produce', refuse('MESSAGE_TOO_LARGE'), refuse('OUT_OF_ORDER_SEQUENCE_NUMBER'));
    const results = sendLater(producer, 'a', 'b');
    run(3000);
    expect(results.map(({ kind }) => kind)).toEqual(['failed', 'ok']);
    expect(attempts()).toEqual([
      [7000, 0, 0],
      [7000, 0, 1],
      [7000, 0, 0],
    ]);
  });

  test('a record that finds no room in time is missing in its transaction, also while the producer closes', () => {
    const { cluster, producer, txn, run } = inTransaction(version, { 'max.block.ms': 1000 });
    const results: string[] = [];
    producer.send({ topic: 'nowhere', value: null }, ({ kind }) => results.push(kind));
    const committed = later((done) => txn.commit(done));
    producer.close(10_000, () => results.push('closed'));
    run(5000);
    expect([results, cluster.requests('EndTxn').filter(({ request }) => request.committed)]).toEqual([
      ['failed', 'closed'],
      [],
    ]);
    expect(committed).toMatchObject([{ kind: 'failed' }]);
  });

  test('a record that cannot even be batched is missing in its transaction', () => {
    const { commit, send, txn } = inTransaction(version, { 'max.request.size': 100 });
    expect(send('x'.repeat(200))).toMatchObject({ error: 'MESSAGE_TOO_LARGE', definite: true });
    expect([txn.state, commit()]).toMatchObject(['ABORTABLE_ERROR', { error: 'MESSAGE_TOO_LARGE' }]);
  });

  test('one request of the transaction at a time (txn T-153)', () => {
    const { cluster, txn, producer, run } = inTransaction(version);
    cluster.next(version === 1 ? 'AddPartitionsToTxn' : 'TxnOffsetCommit', { kind: 'silence' });
    const commits = later((done) => txn.sendOffsets(OFFSETS, GROUP, done));
    sendLater(producer, 'a');
    later((done) => txn.commit(done));
    run(1000);
    expect([cluster.requests('EndTxn').length, commits]).toEqual([0, version === 1 ? commits : []]);
    run(10_000);
    expect([cluster.requests('EndTxn').length, commits, txn.state]).toEqual([1, [OK], 'READY']);
  });
});

describe('calls that do not fit (txn T-151)', () => {
  test('before initTransactions', () => {
    const { txn, producer } = aTransactionalProducer();
    expect(() => txn.begin()).toThrow(IllegalStateError);
    expect(() => producer.send(recordOf('a'), () => undefined)).toThrow(/begin a transaction first/);
    expect(() => txn.commit(() => undefined)).toThrow(IllegalStateError);
    expect(txn.state).toBe('UNINITIALIZED');
  });

  test('outside and inside a transaction', () => {
    const { txn, producer, init, begin } = aTransactionalProducer();
    init();
    for (const call of [
      () => txn.abort(() => undefined),
      () => txn.commit(() => undefined),
      () => txn.sendOffsets(OFFSETS, GROUP, () => undefined),
      () => producer.send(recordOf('a'), () => undefined),
      () => txn.init(() => undefined),
    ]) {
      expect(call).toThrow(IllegalStateError);
    }
    begin();
    expect(() => txn.begin()).toThrow(/beginTransaction is not possible in state IN_TRANSACTION/);
    expect(txn.state).toBe('IN_TRANSACTION');
  });

  test('in an error state every call but abort is told why, and nothing is sent', () => {
    const { cluster, txn, send, commit, sendOffsets } = inTransaction();
    cluster.next('Produce', refuse('TRANSACTION_ABORTABLE'));
    send('a');
    const before = cluster.seen.length;
    const why = { kind: 'failed', error: 'TRANSACTION_ABORTABLE', errorClass: 'abortable', definite: true };
    expect([commit(), sendOffsets(), txn.begin()]).toMatchObject([why, why, why]);
    expect(send('b')).toMatchObject({ error: 'TRANSACTION_ABORTABLE', definite: true });
    expect(cluster.seen.slice(before).filter(({ api }) => api !== 'Metadata')).toEqual([]);
  });

  test('a producer without a transactional id has no transactions', () => {
    const producer = new ScriptedCluster().client().producer();
    expect(() => producer.transactions).toThrow(IllegalStateError);
  });
});

describe('settings (txn T-159)', () => {
  const client = (settings: Record<string, unknown>) => () =>
    new ScriptedCluster().client({ 'enable.idempotence': true, ...settings });

  test('a transactional id needs idempotence, given up by choice or by default', () => {
    expect(client({ 'transactional.id': 't', 'enable.idempotence': false })).toThrow(ConfigError);
    expect(() => new ScriptedCluster().client({ 'transactional.id': 't' })).toThrow(/needs enable.idempotence/);
    expect(client({ 'transactional.id': '' })).toThrow(/leave it out/);
    expect(client({ 'transactional.id': 't' })).not.toThrow();
  });
});

test('offsets that were accepted are not sent again; the others are', () => {
  const { cluster, txn, step, begin } = inTransaction();
  const normal = cluster.answers.TxnOffsetCommit;
  let first = true;
  cluster.answers.TxnOffsetCommit = (request) => {
    const answer = normal(request);
    if (first) answer.partitions[1]!.error = 'COORDINATOR_LOAD_IN_PROGRESS';
    first = false;
    return answer;
  };
  const two = [...OFFSETS, { topic: 'in', partition: 1, offset: 9 }];
  expect(step((done) => txn.sendOffsets(two, GROUP, done))).toEqual(OK);
  expect(cluster.requests('TxnOffsetCommit').map(({ request }) => request.offsets.map((one) => one.partition))).toEqual(
    [[0, 1], [1]],
  );
  expect(() => begin()).toThrow(IllegalStateError);
});

test('a coordinator that moved is looked up again, and its successor asked', () => {
  const { cluster, send, commit } = inTransaction();
  send('a');
  cluster.next('EndTxn', refuse('NOT_COORDINATOR'));
  cluster.coordinator = 3;
  expect(commit()).toEqual(OK);
  expect(cluster.requests('EndTxn').map(({ node }) => node)).toEqual([2, 3]);
});
