// Every cell of the table txn 7.2: what a transactional producer does about each error of each request. The cells of codes
// that this cluster does not have (authorisation of topics, groups and clusters) are left out.
import { describe, expect, test } from 'vitest';
import type { ErrorName } from '../../src/protocol/errors.ts';
import {
  GROUP,
  OFFSETS,
  aTransactionalProducer,
  inTransaction,
  later,
  refuse,
  sendLater,
} from './support/transactional.ts';
import type { Deed } from './support/scripted.ts';

/** R, L, A, F as in the table; B: A, and version 1 bumps; U: A, then UNINITIALIZED. */
type Cell = 'R' | 'L' | 'A' | 'B' | 'F' | 'U';
type Row = readonly [ErrorName | 'disconnect' | 'silence', Cell];

const RETRIED: readonly Row[] = [
  ['disconnect', 'L'],
  ['silence', 'L'],
  ['COORDINATOR_NOT_AVAILABLE', 'L'],
  ['NOT_COORDINATOR', 'L'],
  ['COORDINATOR_LOAD_IN_PROGRESS', 'R'],
  ['CONCURRENT_TRANSACTIONS', 'R'],
  ['NOT_ENOUGH_REPLICAS', 'R'],
];
const FATAL: readonly Row[] = [
  ['PRODUCER_FENCED', 'F'],
  ['INVALID_PRODUCER_EPOCH', 'F'],
  ['INVALID_PRODUCER_ID_MAPPING', 'F'],
  ['INVALID_TXN_STATE', 'F'],
];

const TABLE: Readonly<Record<string, readonly Row[]>> = {
  InitProducerId: [
    ...RETRIED,
    ...FATAL,
    ['REQUEST_TIMED_OUT', 'R'],
    ['TRANSACTION_ABORTABLE', 'A'],
    ['INVALID_TRANSACTION_TIMEOUT', 'F'],
    ['UNKNOWN_PRODUCER_ID', 'F'],
    ['TRANSACTIONAL_ID_AUTHORIZATION_FAILED', 'U'],
    ['UNKNOWN_SERVER_ERROR', 'F'],
  ],
  AddPartitionsToTxn: [
    ...RETRIED,
    ...FATAL,
    ['REQUEST_TIMED_OUT', 'R'],
    ['UNKNOWN_TOPIC_OR_PARTITION', 'R'],
    ['TRANSACTION_ABORTABLE', 'A'],
    ['UNKNOWN_PRODUCER_ID', 'B'],
    ['OPERATION_NOT_ATTEMPTED', 'A'],
    ['TRANSACTIONAL_ID_AUTHORIZATION_FAILED', 'F'],
    ['UNKNOWN_SERVER_ERROR', 'A'],
  ],
  AddOffsetsToTxn: [
    ...RETRIED,
    ...FATAL,
    ['REQUEST_TIMED_OUT', 'R'],
    ['TRANSACTION_ABORTABLE', 'A'],
    ['UNKNOWN_PRODUCER_ID', 'B'],
    ['TRANSACTIONAL_ID_AUTHORIZATION_FAILED', 'F'],
    ['UNKNOWN_SERVER_ERROR', 'F'],
  ],
  TxnOffsetCommit: [
    ...RETRIED,
    ...FATAL,
    ['REQUEST_TIMED_OUT', 'L'],
    ['UNKNOWN_TOPIC_OR_PARTITION', 'R'],
    ['TRANSACTION_ABORTABLE', 'A'],
    ['UNKNOWN_PRODUCER_ID', 'F'],
    ['ILLEGAL_GENERATION', 'A'],
    ['UNKNOWN_MEMBER_ID', 'A'],
    ['GROUP_ID_NOT_FOUND', 'A'],
    ['FENCED_INSTANCE_ID', 'A'],
    ['OPERATION_NOT_ATTEMPTED', 'F'],
    ['TRANSACTIONAL_ID_AUTHORIZATION_FAILED', 'F'],
    ['OFFSET_METADATA_TOO_LARGE', 'F'],
    ['UNKNOWN_SERVER_ERROR', 'F'],
  ],
  EndTxn: [
    ...RETRIED,
    ...FATAL,
    ['REQUEST_TIMED_OUT', 'R'],
    ['TRANSACTION_ABORTABLE', 'A'],
    ['UNKNOWN_PRODUCER_ID', 'B'],
    ['TRANSACTIONAL_ID_AUTHORIZATION_FAILED', 'F'],
    ['UNKNOWN_SERVER_ERROR', 'F'],
  ],
};

type TxnApi = 'InitProducerId' | 'AddPartitionsToTxn' | 'AddOffsetsToTxn' | 'TxnOffsetCommit' | 'EndTxn';
const CELLS = (Object.keys(TABLE) as TxnApi[]).flatMap((api) =>
  ([1, 2] as const)
    .filter((version) => version === 1 || !api.startsWith('Add'))
    .flatMap((version) => TABLE[api]!.map(([error, cell]) => [api, version, error, cell] as const)),
);

function deedOf(error: ErrorName | 'disconnect' | 'silence'): Deed {
  return error === 'disconnect' || error === 'silence' ? { kind: 'silence' } : refuse(error);
}

/** A producer that is about to ask for `api`, and how to make it ask. */
function about(api: TxnApi, version: 1 | 2) {
  if (api === 'InitProducerId') {
    const made = aTransactionalProducer(version);
    return { ...made, go: () => later((done) => made.txn.init(done)) };
  }
  const made = inTransaction(version);
  if (api === 'AddPartitionsToTxn') {
    return { ...made, go: () => (sendLater(made.producer, 'a'), later((done) => made.txn.commit(done))) };
  }
  if (api === 'EndTxn') {
    made.send('a');
    return { ...made, go: () => later((done) => made.txn.commit(done)) };
  }
  return { ...made, go: () => later((done) => made.txn.sendOffsets(OFFSETS, GROUP, done)) };
}

describe('txn 7.2: what each error of each request means', () => {
  test.each(CELLS)('%s of version %d: %s is %s', (api, version, error, cell) => {
    const { cluster, txn, go, run, asked, abort } = about(api, version);
    cluster.next(api, deedOf(error));
    const before = asked().length;
    const results = go();
    run(15_000);
    expect(cluster.requests(api).length).toBe(cell === 'R' || cell === 'L' ? 2 : 1);
    const lookups = asked()
      .slice(before)
      .filter((one) => one === 'FindCoordinator').length;
    // Init and the first TxnOffsetCommit look a coordinator up anyway.
    const first = api === 'InitProducerId' || api === 'TxnOffsetCommit' || api === 'AddOffsetsToTxn' ? 1 : 0;
    if (cell === 'R' || cell === 'L') {
      expect([lookups, results]).toEqual([first + (cell === 'L' ? 1 : 0), [{ kind: 'ok' }]]);
      return;
    }
    expect(results).toMatchObject([{ kind: 'failed', error, errorClass: cell === 'F' ? 'fatal' : 'abortable' }]);
    const states = { A: 'ABORTABLE_ERROR', B: 'ABORTABLE_ERROR', F: 'FATAL_ERROR', U: 'UNINITIALIZED' };
    expect(txn.state).toBe(states[cell]);
    if (cell !== 'A' && cell !== 'B') return;
    if (api === 'InitProducerId') return;
    // What an abort needs says whether a bump was required.
    const inits = cluster.requests('InitProducerId').length;
    expect(abort()).toEqual({ kind: 'ok' });
    expect([txn.state, cluster.requests('InitProducerId').length - inits]).toEqual([
      'READY',
      cell === 'B' && version === 1 ? 1 : 0,
    ]);
  });

  test.each([1, 2] as const)('EndTxn of version %d: TRANSACTION_ABORTABLE to an abort is fatal', (version) => {
    const { cluster, txn, send, abort } = inTransaction(version);
    send('a');
    cluster.next('EndTxn', refuse('TRANSACTION_ABORTABLE'));
    expect(abort()).toMatchObject({ error: 'TRANSACTION_ABORTABLE', errorClass: 'fatal' });
    expect(txn.state).toBe('FATAL_ERROR');
  });

  test('EndTxn of version 1: UNKNOWN_PRODUCER_ID to an abort leaves nothing to abort: only the bump follows', () => {
    const { cluster, txn, send, abort } = inTransaction(1);
    send('a');
    cluster.next('EndTxn', refuse('UNKNOWN_PRODUCER_ID'));
    expect([abort(), txn.state, txn.current]).toEqual([{ kind: 'ok' }, 'READY', { producerId: 7000, epoch: 1 }]);
  });
});

/** R: sent again. A, F as above; all of A but one make version 1 bump. Shown: what the transaction reports. */
const PRODUCE: readonly (readonly [ErrorName | 'break', Cell, ErrorName?])[] = [
  ['break', 'R'],
  ['REQUEST_TIMED_OUT', 'R'],
  ['CONCURRENT_TRANSACTIONS', 'R'],
  ['COORDINATOR_LOAD_IN_PROGRESS', 'R'],
  ['UNKNOWN_TOPIC_OR_PARTITION', 'R'],
  ['NOT_LEADER_OR_FOLLOWER', 'R'],
  ['NOT_ENOUGH_REPLICAS', 'R'],
  ['NOT_ENOUGH_REPLICAS_AFTER_APPEND', 'R'],
  ['KAFKA_STORAGE_ERROR', 'R'],
  ['PRODUCER_FENCED', 'F'],
  ['INVALID_PRODUCER_ID_MAPPING', 'F'],
  ['TRANSACTIONAL_ID_AUTHORIZATION_FAILED', 'F'],
  ['INVALID_PRODUCER_EPOCH', 'B'],
  ['INVALID_TXN_STATE', 'B', 'TRANSACTION_ABORTABLE'],
  ['TRANSACTION_ABORTABLE', 'B'],
  ['OUT_OF_ORDER_SEQUENCE_NUMBER', 'B'],
  ['OPERATION_NOT_ATTEMPTED', 'B'],
  ['MESSAGE_TOO_LARGE', 'B'],
  ['UNKNOWN_SERVER_ERROR', 'B'],
];

describe('txn 7.2, Produce', () => {
  test.each(
    ([1, 2] as const).flatMap((version) =>
      PRODUCE.map(([error, cell, shown]) => [version, error, cell, shown] as const),
    ),
  )('of version %d: %s is %s', (version, error, cell, shown) => {
    const { cluster, txn, send, commit, abort } = inTransaction(version);
    cluster.next('Produce', error === 'break' ? { kind: 'break' } : refuse(error));
    const sent = send('a');
    expect(cluster.requests('Produce').length).toBe(cell === 'R' ? 2 : 1);
    if (cell === 'R') {
      expect([sent.kind, commit()]).toEqual(['ok', { kind: 'ok' }]);
      return;
    }
    expect(sent).toMatchObject({ kind: 'failed', error });
    const failed = { kind: 'failed', error: shown ?? error, definite: true };
    expect(commit()).toMatchObject({ ...failed, errorClass: cell === 'F' ? 'fatal' : 'abortable' });
    expect(cluster.requests('EndTxn')).toEqual([]);
    if (cell === 'F') {
      expect([txn.state, abort()]).toMatchObject(['FATAL_ERROR', { errorClass: 'fatal' }]);
      return;
    }
    expect([abort(), txn.state]).toEqual([{ kind: 'ok' }, 'READY']);
    // Version 1: InitProducerId with the identity it had. Version 2: EndTxn has bumped.
    expect(txn.current).toEqual({ producerId: 7000, epoch: 1 });
    expect(
      cluster
        .requests('InitProducerId')
        .slice(1)
        .map(({ request }) => request.producerEpoch),
    ).toEqual(version === 1 ? [0] : []);
  });

  test.each([1, 2] as const)('of version %d: a delivery timeout is shown as TRANSACTION_ABORTABLE', (version) => {
    const config = { 'delivery.timeout.ms': 2000, 'request.timeout.ms': 2000 };
    const { cluster, send, commit, abort, attempts, begin } = inTransaction(version, config);
    cluster.next('Produce', { kind: 'acts', answer: 'silence' });
    expect(send('a')).toMatchObject({ error: 'REQUEST_TIMED_OUT', definite: false });
    expect(commit()).toMatchObject({ error: 'TRANSACTION_ABORTABLE', errorClass: 'abortable', definite: true });
    expect(abort()).toEqual({ kind: 'ok' });
    begin();
    send('b');
    expect(attempts()).toEqual([
      [7000, 0, 0],
      [7000, 1, 0],
    ]);
  });

  test.each([1, 2] as const)('of version %d: retries that are exhausted likewise', (version) => {
    const { cluster, send, commit } = inTransaction(version, { retries: 1 });
    cluster.next('Produce', refuse('NOT_ENOUGH_REPLICAS'), refuse('NOT_ENOUGH_REPLICAS'));
    expect(send('a')).toMatchObject({ error: 'NOT_ENOUGH_REPLICAS', definite: true });
    expect(commit()).toMatchObject({ error: 'TRANSACTION_ABORTABLE', errorClass: 'abortable' });
  });

  test('UNKNOWN_PRODUCER_ID: again while the log start is unknown', () => {
    const { cluster, send, attempts } = inTransaction();
    cluster.logStartOffset = -1;
    cluster.next('Produce', refuse('UNKNOWN_PRODUCER_ID'));
    expect(send('a')).toMatchObject({ kind: 'ok' });
    expect(attempts()).toEqual([
      [7000, 0, 0],
      [7000, 0, 0],
    ]);
  });

  test('UNKNOWN_PRODUCER_ID: from sequence 0 if the head of the log was deleted', () => {
    const { cluster, send, attempts } = inTransaction();
    send('a');
    cluster.logStartOffset = 1;
    cluster.next('Produce', refuse('UNKNOWN_PRODUCER_ID'));
    expect(send('b')).toMatchObject({ kind: 'ok' });
    expect(attempts()).toEqual([
      [7000, 0, 0],
      [7000, 0, 1],
      [7000, 0, 0],
    ]);
  });

  test('UNKNOWN_PRODUCER_ID: else the transaction cannot go on', () => {
    const { cluster, send, txn } = inTransaction();
    send('a');
    cluster.next('Produce', refuse('UNKNOWN_PRODUCER_ID'));
    expect([send('b'), txn.state]).toMatchObject([{ error: 'UNKNOWN_PRODUCER_ID' }, 'ABORTABLE_ERROR']);
  });

  test('OUT_OF_ORDER_SEQUENCE_NUMBER: again if the batch was not the next one', () => {
    const { cluster, producer, run, attempts } = inTransaction();
    cluster.next('Produce', refuse('NOT_ENOUGH_REPLICAS'), refuse('OUT_OF_ORDER_SEQUENCE_NUMBER'));
    const results = sendLater(producer, 'a', 'b');
    run(5000);
    expect(results.map(({ kind }) => kind)).toEqual(['ok', 'ok']);
    expect(attempts()).toEqual([0, 1, 0, 1].map((sequence) => [7000, 0, sequence]));
  });

  test.each([1, 2] as const)(
    'version %d: a batch that fails while the transaction is committed needs no bump',
    (version) => {
      const { cluster, txn, producer, run, abort } = inTransaction(version);
      cluster.next('Produce', refuse('MESSAGE_TOO_LARGE'));
      sendLater(producer, 'a');
      const committed = later((done) => txn.commit(done));
      run(1000);
      expect(committed).toMatchObject([{ error: 'MESSAGE_TOO_LARGE', errorClass: 'abortable', definite: true }]);
      expect(abort()).toEqual({ kind: 'ok' });
      expect(cluster.requests('InitProducerId')).toHaveLength(1);
    },
  );
});
