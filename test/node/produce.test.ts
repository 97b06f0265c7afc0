// Produce: the order of checks, and how acks=all ends.
import { describe, expect, test } from 'vitest';
import { configRecord, removeTopicRecord, topicRecord, partitionRecord } from '../../src/metadata/records.ts';
import { acksAllOutcome } from '../../src/node/produce-result.ts';
import { ERRORS } from '../../src/protocol/errors.ts';
import { ScriptedFollower } from './support/scripted-follower.ts';
import { batchOf, BROKER, CLIENT, Stage, TOPIC, TOPIC_ID } from './support/stage.ts';
import type { ProduceOptions, StageOptions } from './support/stage.ts';

const aStage = (options: StageOptions = {}): Stage => new Stage(options).start();
const TRANSACTIONAL = 0x10;

function damaged(change: (batch: Buffer) => void): Buffer {
  const batch = batchOf('x');
  change(batch);
  return batch;
}

describe('repl R-117: the first failing check decides', () => {
  const twoBatches = Buffer.concat([batchOf('a'), batchOf('b')]);
  const badCrc = damaged((batch) => batch.writeUInt32BE(1, 17));
  const transactional = damaged((batch) => batch.writeInt16BE(TRANSACTIONAL, 21));
  /** Partition 1 is led elsewhere; partition 2 is not hosted. Every row is wrong from its check on. */
  const rows: { row: string; options: ProduceOptions; error: string }[] = [
    {
      row: '2 topic',
      options: { topic: 'nowhere', acks: 7, records: twoBatches },
      error: 'UNKNOWN_TOPIC_OR_PARTITION',
    },
    {
      row: '2 partition',
      options: { partition: 9, acks: 7, records: twoBatches },
      error: 'UNKNOWN_TOPIC_OR_PARTITION',
    },
    { row: '3 two batches', options: { partition: 1, acks: 7, records: twoBatches }, error: 'INVALID_RECORD' },
    { row: '3 no records', options: { partition: 1, acks: 7, records: Buffer.alloc(0) }, error: 'INVALID_RECORD' },
    {
      row: '0 transactional without an id (txn T-97)',
      options: { partition: 1, acks: 7, records: transactional },
      error: 'TRANSACTIONAL_ID_AUTHORIZATION_FAILED',
    },
    { row: '5 acks', options: { partition: 1, acks: 7, records: badCrc }, error: 'INVALID_REQUIRED_ACKS' },
    { row: '6 internal', options: { topic: '__consumer_offsets', records: badCrc }, error: 'INVALID_TOPIC_EXCEPTION' },
    { row: '7 not hosted', options: { partition: 2, records: badCrc }, error: 'NOT_LEADER_OR_FOLLOWER' },
    { row: '8 not leader', options: { partition: 1, records: badCrc }, error: 'NOT_LEADER_OR_FOLLOWER' },
    { row: '9 min ISR', options: { records: badCrc }, error: 'NOT_ENOUGH_REPLICAS' },
    { row: '10 the batch', options: { records: badCrc, acks: 1 }, error: 'CORRUPT_MESSAGE' },
  ];
  test.each(rows)('($row): $error', ({ options, error }) => {
    const stage = aStage({ isr: [1], minIsr: 2 });
    stage.commit(
      partitionRecord({ topicId: TOPIC_ID, partition: 1 }, { replicas: [1, 2], isr: [2], leader: 2 }),
      partitionRecord({ topicId: TOPIC_ID, partition: 2 }, { replicas: [2, 3], isr: [2], leader: 2 }),
      topicRecord('__consumer_offsets', 'internal'),
      partitionRecord({ topicId: 'internal', partition: 0 }, { replicas: [2], isr: [2], leader: 2 }),
    );
    expect(stage.produced('', options)).toMatchObject({ error, baseOffset: -1 });
    expect(stage.replica.logEndOffset).toBe(0);
  });
  test('the admin client may write internal topics', () => {
    const stage = aStage();
    stage.commit(
      topicRecord('__consumer_offsets', 'internal'),
      partitionRecord({ topicId: 'internal', partition: 0 }, { replicas: [1], isr: [1], leader: 1 }),
    );
    const options = { topic: '__consumer_offsets', clientId: '__admin_client' };
    expect(stage.produced('x', options)).toMatchObject({ error: 'NONE', baseOffset: 0 });
  });
  test('partitions of one request fail independently, and the answer keeps their order', () => {
    const stage = aStage({ replicas: [1], partitions: 2 });
    const answers: unknown[] = [];
    const stream = stage.runtime(CLIENT).network.open(BROKER, 'Produce', {
      message: (response) => answers.push(response.partitions),
      closed: () => undefined,
    });
    const partitions = [1, 7, 0].map((partition) => ({ topic: TOPIC, partition, records: batchOf('a') }));
    const request = {
      correlationId: 1,
      acks: -1,
      timeoutMs: 1000,
      transactionalId: '',
      transactionVersion: 0,
      clientId: '',
      partitions,
    };
    stream.send(request);
    stage.until(() => answers.length === 1);
    expect(answers[0]).toMatchObject([
      { partition: 1, error: 'NONE', baseOffset: 0 },
      { partition: 7, error: 'UNKNOWN_TOPIC_OR_PARTITION' },
      { partition: 0, error: 'NONE', baseOffset: 0 },
    ]);
  });
});

describe('repl R-15, R-16: how acks=all ends', () => {
  test.each([
    { highWatermark: 5, leading: { maximalIsrSize: 2, minIsr: 2 }, outcome: undefined, why: 'not replicated yet' },
    { highWatermark: 6, leading: { maximalIsrSize: 2, minIsr: 2 }, outcome: 'NONE', why: 'replicated' },
    {
      ...{ highWatermark: 6, leading: { maximalIsrSize: 1, minIsr: 2 }, outcome: 'NOT_ENOUGH_REPLICAS_AFTER_APPEND' },
      why: 'replicated, and then too few',
    },
    {
      highWatermark: 5,
      leading: { maximalIsrSize: 1, minIsr: 2 },
      outcome: undefined,
      why: 'too few, but still waiting',
    },
    {
      highWatermark: 6,
      leading: undefined,
      outcome: 'NOT_LEADER_OR_FOLLOWER',
      why: 'led elsewhere, replicated or not',
    },
    {
      ...{ highWatermark: 6, leading: undefined, isKnown: false, outcome: 'UNKNOWN_TOPIC_OR_PARTITION' },
      why: 'deleted, replicated or not',
    },
  ])('$why: $outcome', ({ outcome, ...view }) => {
    expect(acksAllOutcome({ lastOffset: 5, isKnown: true, ...view })).toBe(outcome);
  });
  test('T-31: stuck after the ISR shrank below min ISR it times out, and the record stays', () => {
    const stage = aStage({ replicas: [1, 2], minIsr: 2 });
    const stuck = stage.produce('A', { timeoutMs: 2000 });
    stage.until(() => stage.replica.logEndOffset === 1);
    stage.change({ isr: [1] });
    stage.until(() => stuck.answer !== undefined);
    expect(stuck.answer).toMatchObject({ error: 'REQUEST_TIMED_OUT', baseOffset: -1 });
    expect(stage.replica).toMatchObject({ logEndOffset: 1, highWatermark: 0 });
  });
  test('a min ISR raised by configuration freezes what is not acknowledged yet', () => {
    const stage = aStage({ replicas: [1, 2, 3], isr: [1, 2], minIsr: 2 });
    const waiting = stage.produce('A', { timeoutMs: 60_000 });
    stage.until(() => stage.replica.logEndOffset === 1);
    const other = stage.produce('B', { timeoutMs: 60_000 });
    stage.until(() => stage.replica.logEndOffset === 2);
    const follower = new ScriptedFollower(stage, 2);
    follower.poll(1);
    stage.until(() => waiting.answer !== undefined);
    expect(waiting.answer).toMatchObject({ error: 'NONE', baseOffset: 0 });
    stage.commit(configRecord(TOPIC, 'min.insync.replicas', '3'));
    follower.poll(2);
    stage.runFor(100);
    expect(other.answer).toBeUndefined(); // Frozen, repl R-45.
  });
  test('T-29: become-follower fails what is parked, though the leadership may come back', () => {
    const stage = aStage({ replicas: [1, 2] });
    const parked = stage.produce('A', { timeoutMs: 60_000 });
    stage.until(() => stage.replica.logEndOffset === 1);
    stage.change({ leader: 2 });
    stage.until(() => parked.answer !== undefined, 100);
    expect(parked.answer).toMatchObject({ error: 'NOT_LEADER_OR_FOLLOWER' });
  });
  test('T-27: a leader that sees itself again after a gap goes on waiting: its log was never cut', () => {
    const stage = aStage({ replicas: [1, 2] });
    const parked = stage.produce('A', { timeoutMs: 60_000 });
    stage.until(() => stage.replica.logEndOffset === 1);
    stage.change({ leader: 1 });
    stage.runFor(50);
    expect(parked.answer).toBeUndefined();
    new ScriptedFollower(stage, 2).poll(1, { currentLeaderEpoch: 1 });
    stage.until(() => parked.answer !== undefined, 100);
    expect(parked.answer).toMatchObject({ error: 'NONE', baseOffset: 0 });
  });
  test('deletion ends it, as unknown: the error does not say that nothing was appended (repl R-17)', () => {
    const stage = aStage({ replicas: [1, 2] });
    const parked = stage.produce('A', { timeoutMs: 60_000 });
    stage.until(() => stage.replica.logEndOffset === 1);
    stage.commit(removeTopicRecord(TOPIC_ID));
    stage.until(() => parked.answer !== undefined, 100);
    expect(parked.answer).toMatchObject({ error: 'UNKNOWN_TOPIC_OR_PARTITION', baseOffset: -1 });
    expect(ERRORS.UNKNOWN_TOPIC_OR_PARTITION.definite).toBe(false);
    expect(stage.seen('log.deleted')).toHaveLength(1);
  });
  test('repl I-15: a success says what the leader knew when it decided', () => {
    const stage = aStage({ replicas: [1] });
    stage.produced('A');
    expect(stage.seen('produce.answered')).toMatchObject([
      { acks: -1, error: 'NONE', baseOffset: 0, lastOffset: 0, highWatermark: 1, maximalIsr: [1], minIsr: 1 },
    ]);
  });
});

describe('the produce stream (design section 5)', () => {
  function open(stage: Stage) {
    const heard: { ids: number[]; closed: boolean } = { ids: [], closed: false };
    const stream = stage.runtime(CLIENT).network.open(BROKER, 'Produce', {
      message: ({ correlationId }) => heard.ids.push(correlationId),
      closed: () => (heard.closed = true),
    });
    const send = (correlationId: number, acks: number, partition = 0): void => {
      const partitions = [{ topic: TOPIC, partition, records: batchOf('x') }];
      stream.send({
        correlationId,
        acks,
        timeoutMs: 1000,
        transactionalId: '',
        transactionVersion: 0,
        clientId: '',
        partitions,
      });
    };
    return { heard, send, stream };
  }
  test('answers come in request order, though later ones are ready first', () => {
    const stage = aStage({ replicas: [1, 2] });
    const { heard, send } = open(stage);
    send(1, -1);
    send(2, 1);
    stage.until(() => stage.replica.logEndOffset === 2);
    expect(heard.ids).toEqual([]);
    new ScriptedFollower(stage, 2).poll(2);
    stage.until(() => heard.ids.length === 2, 100);
    expect(heard.ids).toEqual([1, 2]);
  });
  test('wire W-14: acks=0 has no answer, and a failure closes the stream', () => {
    const stage = aStage({ replicas: [1] });
    const { heard, send } = open(stage);
    send(1, 0);
    send(2, 1);
    stage.until(() => heard.ids.length === 1);
    expect(heard).toEqual({ ids: [2], closed: false });
    send(3, 0, 9);
    stage.until(() => heard.closed, 100);
  });
  test('a producer that leaves withdraws nothing: what it asked is decided, and told to nobody', () => {
    const stage = aStage({ replicas: [1, 2] });
    const { heard, send, stream } = open(stage);
    send(1, -1);
    stage.until(() => stage.replica.logEndOffset === 1);
    stream.abort();
    new ScriptedFollower(stage, 2).poll(1);
    stage.until(() => stage.seen('produce.answered').length === 1, 100);
    expect(stage.seen('produce.answered')).toMatchObject([{ acks: -1, error: 'NONE', baseOffset: 0 }]);
    expect(heard).toEqual({ ids: [], closed: false });
  });
  test('half-closed, it is answered what it is owed, then ended', () => {
    const stage = aStage({ replicas: [1] });
    const { heard, send, stream } = open(stage);
    send(1, -1);
    stream.end();
    stage.until(() => heard.closed, 1000);
    expect(heard.ids).toEqual([1]);
  });
});
