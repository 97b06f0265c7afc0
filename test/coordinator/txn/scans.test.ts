// What a coordinator does of itself: transactions that last too long (txn T-34), ids that nobody uses (txn T-32).
import { describe, expect, test } from 'vitest';
import { ID, Stage } from '../support/stage.ts';

const DAY_MS = 86_400_000;
const errorOf = (sent: { response?: { partitions: readonly { error: string }[] } }) =>
  sent.response?.partitions[0]?.error;

describe('txn T-34: timeouts', () => {
  test.each([2, 1])('a transaction that lasts too long is fenced and aborted, at the next scan (level %i)', (level) => {
    const stage = new Stage({ level });
    const producer = stage.open({ transactionTimeoutMs: 15_000 });
    stage.clock.runFor(10_000);
    expect(stage.describe().state).toBe('Ongoing');
    stage.clock.runFor(10_000);
    expect(stage.describe()).toMatchObject({ state: 'CompleteAbort', producerEpoch: 1 });
    expect(stage.written[0]).toMatchObject({
      outcome: 'abort',
      producerEpoch: 1,
      transactionVersion: level === 2 ? 2 : 0,
    });
    const commit = stage.end(producer, true, level);
    expect(commit.response?.error).toBe('PRODUCER_FENCED');
    const abort = stage.end(producer, false, level).response;
    expect(abort?.error).toBe(level === 2 ? 'NONE' : 'PRODUCER_FENCED');
  });

  test('CP-67, CP-69, txn T-27: the start is in the log: the next coordinator aborts at its first scan', () => {
    const stage = new Stage();
    stage.open({ transactionTimeoutMs: 15_000 });
    stage.broker.kill();
    stage.clock.runFor(60_000);
    stage.failOver();
    expect(stage.describe().state).toBe('Ongoing');
    stage.clock.runFor(10_000);
    expect(stage.describe().state).toBe('CompleteAbort');
  });

  test('CP-70: a commit that comes while the timeout is held at its step wins', () => {
    const stage = new Stage();
    const producer = stage.open({ transactionTimeoutMs: 5000 });
    stage.broker.points.hold('txn.timeout');
    stage.clock.runFor(35_000);
    expect(stage.broker.points.held.length).toBe(1);
    expect(stage.end(producer, true).response?.error).toBe('NONE');
    stage.broker.points.releaseAll();
    stage.clock.settle();
    expect(stage.describe().state).toBe('CompleteCommit');
    expect(new Set(stage.written.map(({ outcome }) => outcome))).toEqual(new Set(['commit']));
  });

  test('CP-68, CP-70: a commit that comes while the abort is pending waits', () => {
    const stage = new Stage();
    const producer = stage.open({ transactionTimeoutMs: 5000 });
    stage.broker.points.hold('txn.prepare-abort.deciding', { reason: 'timeout' });
    stage.clock.runFor(10_000);
    expect(stage.end(producer, true).response?.error).toBe('CONCURRENT_TRANSACTIONS');
    stage.failOver();
    expect(stage.end(producer, true).response?.error).toBe('NONE');
  });

  test('an abort that fails is tried at the next scan', () => {
    const stage = new Stage();
    stage.open({ transactionTimeoutMs: 5000 });
    stage.broker.auto = false;
    stage.clock.runFor(10_000);
    stage.broker.lastWrite.fail('NOT_ENOUGH_REPLICAS');
    expect(stage.describe().state).toBe('Ongoing');
    stage.broker.auto = true;
    stage.clock.runFor(10_000);
    expect(stage.describe().state).toBe('CompleteAbort');
  });
});

describe('txn T-32, T-33: expiry', () => {
  const idle = (): Stage => {
    const stage = new Stage();
    for (const transactionalId of [ID, 'a', 'b']) stage.init({ transactionalId });
    return stage;
  };

  test('idle ids are forgotten together, in one batch; what comes after is new', () => {
    const stage = idle();
    const open = stage.open({ transactionalId: 'open', transactionTimeoutMs: 900_000 });
    stage.broker.points.names();
    const before = stage.broker.writes.length;
    stage.end(open, true);
    stage.broker.auto = false;
    stage.clock.runFor(7 * DAY_MS + 3_600_000);
    const expiry = stage.broker.writes.at(-1)!;
    expect(stage.broker.writes.length - before).toBe(3);
    expect(expiry.options).toEqual({ refuseBelowMinIsr: true, timeoutMs: 30_000 });
    expect(stage.describe().state).toBe('Empty');
    expect(errorOf(stage.add({ producerId: 1000, producerEpoch: 0 }))).toBe('CONCURRENT_TRANSACTIONS');
    stage.broker.auto = true;
    expiry.commit();
    expect(stage.describe().error).toBe('TRANSACTIONAL_ID_NOT_FOUND');
    expect(errorOf(stage.add({ producerId: 1000, producerEpoch: 0 }))).toBe('INVALID_PRODUCER_ID_MAPPING');
    expect(stage.init({ producerId: 1000, producerEpoch: 0 }).response).toMatchObject({
      error: 'NONE',
      producerEpoch: 0,
    });
    const gone = stage.broker.ofType('txn.record').filter(({ record }) => record === null);
    expect(gone.map(({ phase, transactionalId }) => [phase, transactionalId])).toEqual(
      ['appended', 'applied'].flatMap((phase) => [ID, 'a', 'b', 'open'].map((id) => [phase, id])),
    );
  });

  test('BUG-68: an id of which nothing could be written expires like the others, and stops none of them', () => {
    const stage = idle();
    stage.broker.auto = false;
    stage.init({ transactionalId: 'unwritten' });
    stage.broker.lastWrite.fail('NOT_ENOUGH_REPLICAS');
    stage.broker.auto = true;
    stage.clock.runFor(7 * DAY_MS + 3_600_000);
    for (const id of ['unwritten', ID, 'a']) expect(stage.describe(id).error).toBe('TRANSACTIONAL_ID_NOT_FOUND');
    expect(stage.init({ transactionalId: 'unwritten' }).response).toMatchObject({ error: 'NONE', producerEpoch: 0 });
  });

  test('CP-97: a tombstone that fails leaves the id as it was', () => {
    const stage = idle();
    stage.broker.auto = false;
    stage.clock.runFor(7 * DAY_MS + 3_600_000);
    stage.broker.lastWrite.fail('NOT_ENOUGH_REPLICAS');
    stage.broker.auto = true;
    expect(errorOf(stage.add({ producerId: 1000, producerEpoch: 0 }))).toBe('NONE');
  });

  test.each([true, false])('CP-96: a tombstone on the old leader only: kept %s', (kept) => {
    const stage = idle();
    stage.broker.auto = false;
    stage.clock.runFor(7 * DAY_MS + 3_600_000);
    stage.broker.lastWrite.append();
    stage.failOver(stage.broker.replica.logEndOffset - (kept ? 0 : 3));
    expect(stage.describe().error).toBe(kept ? 'TRANSACTIONAL_ID_NOT_FOUND' : 'NONE');
  });

  test('tombstones are split where a batch is full', () => {
    const stage = new Stage({ config: { 'message.max.bytes': 200 } });
    for (let i = 0; i < 10; i++) stage.init({ transactionalId: `id-number-${i}` });
    const before = stage.broker.writes.length;
    stage.clock.runFor(7 * DAY_MS + 3_600_000);
    const batches = stage.broker.writes.slice(before).map(({ batch }) => batch.length);
    expect(batches.length).toBeGreaterThan(1);
    expect(Math.max(...batches)).toBeLessThanOrEqual(200);
    expect(stage.describe('id-number-9').error).toBe('TRANSACTIONAL_ID_NOT_FOUND');
  });
});

describe('a batch of questions (txn T-54, T-58)', () => {
  test('each transaction by itself; answered when the last is durable', () => {
    const stage = new Stage();
    const producer = stage.open();
    stage.broker.auto = false;
    const topics = [{ topic: 'orders', partitions: [1] }];
    const transactions = [
      { transactionalId: ID, verifyOnly: true, topics, ...producer },
      {
        transactionalId: ID,
        verifyOnly: false,
        topics: [{ topic: '__consumer_offsets', partitions: [0] }],
        ...producer,
      },
      { transactionalId: 'nobody', verifyOnly: true, topics, ...producer },
      { transactionalId: '', verifyOnly: true, topics, ...producer },
      { transactionalId: ID, verifyOnly: true, topics: [{ topic: 'orders', partitions: [0, 9] }], ...producer },
      { transactionalId: ID, verifyOnly: true, topics, producerId: producer.producerId, producerEpoch: 4 },
    ];
    const sent = stage.send<'VerifyTransactions'>((answer) =>
      stage.broker.coordinator.verifyTransactions({ transactions }, answer),
    );
    expect(sent.response).toBeUndefined();
    stage.broker.lastWrite.commit();
    expect(sent.response?.transactions.map(({ partitions }) => partitions.map(({ error }) => error))).toEqual([
      ['NONE'],
      ['NONE'],
      ['INVALID_PRODUCER_ID_MAPPING'],
      ['INVALID_REQUEST'],
      ['OPERATION_NOT_ATTEMPTED', 'UNKNOWN_TOPIC_OR_PARTITION'],
      ['PRODUCER_FENCED'],
    ]);
    expect(sent.answers).toBe(1);
  });

  test('txn T-58: what is not registered is TRANSACTION_ABORTABLE; nothing is appended', () => {
    const stage = new Stage();
    const { producerId, producerEpoch } = stage.init().response!;
    const before = stage.broker.writes.length;
    const verified = stage.verify({ producerId, producerEpoch }, true);
    expect(verified.response?.transactions[0]?.partitions.map(({ error }) => error)).toEqual(
      Array(2).fill('TRANSACTION_ABORTABLE'),
    );
    expect(stage.broker.writes.length).toBe(before);
  });

  test('an empty batch is answered', () => {
    const stage = new Stage();
    const sent = stage.send<'VerifyTransactions'>((answer) =>
      stage.broker.coordinator.verifyTransactions({ transactions: [] }, answer),
    );
    expect(sent.response).toEqual({ transactions: [] });
  });
});
