// What a leader asks coordinators before transactional batches, and what producers are told (txn T-59, T-95, T-119 to T-124).
// The coordinator is scripted; the broker, its log and the network are real.
import { describe, expect, test } from 'vitest';
import { coordinatorPartition } from '../../src/base/java-hash.ts';
import type { ErrorName } from '../../src/protocol/errors.ts';
import { ScriptedCoordinator, topicLedBy, transactional, type Batch } from './support/scripted-coordinator.ts';
import { Stage, TOPIC, type StageOptions } from './support/stage.ts';

const PARTITIONS = 6;

function scene(options: StageOptions = {}) {
  const stage = new Stage({ partitions: PARTITIONS, replicas: [1], ...options }).start();
  const coordinator = new ScriptedCoordinator(stage, 2);
  stage.commit(...topicLedBy('__transaction_state', [2]));
  const produce = (partition: number, id: string, batch: Batch = {}, transactionVersion = 1) =>
    stage.produce('', { partition, transactionalId: id, transactionVersion, records: transactional(batch) });
  return { stage, coordinator, produce };
}

/** The broker has taken in what was sent. */
const RECEIVED_MS = 50;

describe('txn T-120: one request to a coordinator at a time', () => {
  test('what is asked meanwhile goes into the next one, all ids together', () => {
    const { stage, coordinator, produce } = scene();
    const first = produce(0, 'a', { producerId: 1 });
    coordinator.request(1);
    const others = [produce(1, 'b', { producerId: 2 }), produce(2, 'c', { producerId: 3 })];
    stage.runFor(RECEIVED_MS);
    expect(coordinator.heard).toHaveLength(1);
    coordinator.request(1).answer();
    const next = coordinator.request(2);
    expect(next.transactions.map(({ transactionalId }) => transactionalId).sort()).toEqual(['b', 'c']);
    next.answer();
    stage.until(() => [first, ...others].every(({ answer }) => answer?.error === 'NONE'));
  });

  test('to another coordinator it does not wait', () => {
    const { stage, coordinator, produce } = scene();
    const other = new ScriptedCoordinator(stage, 3);
    stage.commit(...topicLedBy('__transaction_state', [2, 3]).slice(2));
    expect([coordinatorPartition('b', 2), coordinatorPartition('a', 2)]).toEqual([0, 1]);
    produce(0, 'b', { producerId: 1 });
    coordinator.request(1);
    produce(1, 'a', { producerId: 2 });
    expect(other.request(1).transactions).toMatchObject([{ transactionalId: 'a' }]);
  });

  test('of one id at most one waits: the newer takes the place of an older one of its epoch, which may come again', () => {
    const { stage, coordinator, produce } = scene();
    const sent = produce(0, 'a');
    coordinator.request(1);
    const older = produce(1, 'a');
    stage.runFor(RECEIVED_MS);
    const newer = produce(2, 'a');
    stage.until(() => older.answer !== undefined);
    expect([sent.answer, older.answer?.error, newer.answer]).toEqual([undefined, 'NOT_ENOUGH_REPLICAS', undefined]);
    coordinator.request(1).answer();
    const next = coordinator.request(2);
    expect(next.transactions).toMatchObject([{ topics: [{ topic: TOPIC, partitions: [2] }] }]);
    next.answer();
    stage.until(() => sent.answer?.error === 'NONE' && newer.answer?.error === 'NONE');
  });

  test('a newer epoch fences an older one that waits, and an older one that comes later', () => {
    const { stage, coordinator, produce } = scene();
    const sent = produce(0, 'a', { producerEpoch: 3 });
    coordinator.request(1);
    const older = produce(1, 'a', { producerEpoch: 3 });
    stage.runFor(RECEIVED_MS);
    const newer = produce(2, 'a', { producerEpoch: 5 });
    stage.until(() => older.answer !== undefined);
    const late = produce(3, 'a', { producerEpoch: 4 });
    stage.until(() => late.answer !== undefined);
    expect([older.answer?.error, late.answer?.error]).toEqual(['INVALID_PRODUCER_EPOCH', 'INVALID_PRODUCER_EPOCH']);
    expect([sent.answer, newer.answer]).toEqual([undefined, undefined]);
    coordinator.request(1).answer();
    coordinator.request(2).answer();
    stage.until(() => sent.answer?.error === 'NONE' && newer.answer?.error === 'NONE');
  });
});

describe('txn T-121: what the producer is told', () => {
  /** By what the coordinator says: under version 1 and under version 2. */
  const TOLD: readonly (readonly [ErrorName, ErrorName, ErrorName])[] = [
    ['PRODUCER_FENCED', 'INVALID_PRODUCER_EPOCH', 'INVALID_PRODUCER_EPOCH'],
    ['TRANSACTION_ABORTABLE', 'TRANSACTION_ABORTABLE', 'TRANSACTION_ABORTABLE'],
    ['COORDINATOR_LOAD_IN_PROGRESS', 'NOT_ENOUGH_REPLICAS', 'NOT_ENOUGH_REPLICAS'],
    ['COORDINATOR_NOT_AVAILABLE', 'NOT_ENOUGH_REPLICAS', 'NOT_ENOUGH_REPLICAS'],
    ['NOT_COORDINATOR', 'NOT_ENOUGH_REPLICAS', 'NOT_ENOUGH_REPLICAS'],
    ['NETWORK_EXCEPTION', 'NOT_ENOUGH_REPLICAS', 'NOT_ENOUGH_REPLICAS'],
    ['INVALID_PRODUCER_ID_MAPPING', 'INVALID_PRODUCER_ID_MAPPING', 'INVALID_PRODUCER_ID_MAPPING'],
    ['UNKNOWN_TOPIC_OR_PARTITION', 'UNKNOWN_TOPIC_OR_PARTITION', 'UNKNOWN_TOPIC_OR_PARTITION'],
    ['OPERATION_NOT_ATTEMPTED', 'OPERATION_NOT_ATTEMPTED', 'OPERATION_NOT_ATTEMPTED'],
  ];
  test.each(TOLD)('%s of the coordinator is %s under version 1 and %s under version 2', (said, v1, v2) => {
    for (const [version, told] of [
      [1, v1],
      [2, v2],
    ] as const) {
      const { stage, coordinator, produce } = scene();
      const { answer } = waited(stage, coordinator, produce(0, 'a', {}, version), said);
      // Where one error stands for another, the answer says for which.
      const underlyingError = told === 'NOT_ENOUGH_REPLICAS' ? said : 'NONE';
      expect(answer).toMatchObject({ error: told, baseOffset: -1, underlyingError });
      expect(stage.seen('log.appended')).toHaveLength(0);
    }
  });

  test('CONCURRENT_TRANSACTIONS under version 1 is retriable, and not asked again here', () => {
    const { stage, coordinator, produce } = scene();
    const { answer } = waited(stage, coordinator, produce(0, 'a'), 'CONCURRENT_TRANSACTIONS');
    expect([answer.error, coordinator.heard.length]).toEqual(['NOT_ENOUGH_REPLICAS', 1]);
  });

  test('a coordinator that nobody knows, and one that cannot be reached', () => {
    const nowhere = new Stage({ replicas: [1] }).start();
    const records = transactional();
    expect(nowhere.produced('', { transactionalId: 'a', transactionVersion: 2, records }).error).toBe(
      'NOT_ENOUGH_REPLICAS',
    );
    const { stage, produce } = scene({ config: { 'request.timeout.ms': 500 } });
    const silent = produce(0, 'a');
    stage.until(() => silent.answer !== undefined);
    expect(silent.answer!.error).toBe('NOT_ENOUGH_REPLICAS');
  });
});

describe('txn T-59: an add of version 2', () => {
  test('asks to add, not to verify', () => {
    const { coordinator, produce } = scene();
    produce(0, 'a', {}, 2);
    expect(coordinator.request(1).transactions).toMatchObject([{ verifyOnly: false, producerId: 7, producerEpoch: 3 }]);
  });

  test('is repeated every 20 ms while the transaction before completes, and given up after 100 ms', () => {
    const { stage, coordinator, produce } = scene();
    const sent = produce(0, 'a', {}, 2);
    let answered = 0;
    while (sent.answer === undefined) {
      stage.until(() => coordinator.heard.length > answered || sent.answer !== undefined);
      while (answered < coordinator.heard.length)
        coordinator.heard[answered++]!.answer(() => 'CONCURRENT_TRANSACTIONS');
    }
    expect(sent.answer.error).toBe('CONCURRENT_TRANSACTIONS');
    expect(answered).toBeGreaterThanOrEqual(4);
    expect(answered).toBeLessThanOrEqual(6);
  });

  test('goes on as soon as it may', () => {
    const { stage, coordinator, produce } = scene();
    const sent = produce(0, 'a', {}, 2);
    coordinator.request(1).answer(() => 'CONCURRENT_TRANSACTIONS');
    coordinator.request(2).answer();
    stage.until(() => sent.answer?.error === 'NONE');
  });
});

describe('txn T-119, T-95: what is asked', () => {
  test('an open transaction of this very epoch is not asked about again; another epoch is', () => {
    const { stage, coordinator, produce } = scene();
    waited(stage, coordinator, produce(0, 'a'), 'NONE');
    const next = produce(0, 'a', { baseSequence: 1 });
    stage.until(() => next.answer?.error === 'NONE');
    expect(coordinator.heard).toHaveLength(1);
    produce(0, 'a', { producerEpoch: 4 });
    expect(coordinator.request(2).transactions).toMatchObject([{ producerEpoch: 4 }]);
  });

  test('an epoch below the stored one is refused at once', () => {
    const { stage, coordinator, produce } = scene();
    waited(stage, coordinator, produce(0, 'a'), 'NONE');
    const old = produce(0, 'a', { producerEpoch: 2 });
    stage.until(() => old.answer !== undefined);
    expect([old.answer!.error, coordinator.heard.length]).toEqual(['INVALID_PRODUCER_EPOCH', 1]);
  });

  test('T-122: a marker that comes between the verification and the append undoes it', () => {
    const { stage, coordinator, produce } = scene();
    const sent = produce(0, 'a');
    const asked = coordinator.request(1);
    const marker = { producerId: 7, producerEpoch: 3, committed: false, coordinatorEpoch: 0, transactionVersion: 0 };
    stage.call('WriteTxnMarkers', { markers: [{ ...marker, topics: [{ topic: TOPIC, partitions: [0] }] }] });
    asked.answer();
    stage.until(() => sent.answer !== undefined);
    expect(sent.answer!.error).toBe('INVALID_TXN_STATE');
  });

  test('T-122, W-22: not the marker of the transaction before, while version 2 adds the next', () => {
    const { stage, coordinator, produce } = scene();
    waited(stage, coordinator, produce(0, 'a', { producerEpoch: 3 }, 2), 'NONE');
    const next = produce(0, 'a', { producerEpoch: 4 }, 2);
    const asked = coordinator.request(2);
    const marker = { producerId: 7, producerEpoch: 4, committed: true, coordinatorEpoch: 0, transactionVersion: 2 };
    stage.call('WriteTxnMarkers', { markers: [{ ...marker, topics: [{ topic: TOPIC, partitions: [0] }] }] });
    asked.answer();
    stage.until(() => next.answer?.error === 'NONE');
  });

  test('T-124: with the switch off version 1 is not asked about; version 2 adds all the same', () => {
    const { stage, coordinator, produce } = scene({ config: { 'transaction.partition.verification.enable': false } });
    const unasked = produce(0, 'a');
    stage.until(() => unasked.answer?.error === 'NONE');
    expect(coordinator.heard).toHaveLength(0);
    produce(1, 'a', {}, 2);
    expect(coordinator.request(1).transactions).toMatchObject([{ verifyOnly: false }]);
  });
});

/** Answers the one verification of a produce, and waits for the produce's answer. */
function waited(stage: Stage, coordinator: ScriptedCoordinator, sent: ReturnType<Stage['produce']>, error: ErrorName) {
  coordinator.request(coordinator.heard.length + 1).answer(() => error);
  stage.until(() => sent.answer !== undefined);
  return { answer: sent.answer! };
}
