// Crash points as schedules (txn section 10): the shard is lost at a step, another coordinator takes over what the log held.
import { describe, expect, test } from 'vitest';
import { encodeBatch } from '../../../src/log/encode-batch.ts';
import { encodeKey } from '../../../src/coordinator/txn/record-codec.ts';
import { Stage, recordOf } from '../support/stage.ts';
import type { Producer } from '../support/stage.ts';

const OUTCOME = { commit: true, abort: false } as const;

/** An open transaction; its end is asked for, and stops at `point`. */
function endHeldAt(point: string, committed: boolean, version: number): { stage: Stage; producer: Producer } {
  const stage = new Stage();
  const producer = stage.open();
  stage.broker.points.hold(point);
  stage.end(producer, committed, version);
  if (stage.broker.points.held.length === 0) throw new Error(`${point} was not reached`);
  return { stage, producer };
}

const VARIANTS = [2, 0].flatMap((version) => (['commit', 'abort'] as const).map((outcome) => ({ version, outcome })));

describe.each(VARIANTS)('the coordinator dies at a step of its $outcome, variant $version', ({ version, outcome }) => {
  const committed = OUTCOME[outcome];
  const prepare = `txn.prepare-${outcome}`;
  const complete = committed ? 'CompleteCommit' : 'CompleteAbort';

  test('CP-33, CP-61: nothing is appended; the transaction is open, and the producer ends it', () => {
    const { stage, producer } = endHeldAt(`${prepare}.deciding`, committed, version);
    stage.failOver();
    expect([stage.describe().state, stage.written]).toEqual(['Ongoing', []]);
    expect(stage.end(producer, committed, version).response?.error).toBe('NONE');
    expect(stage.describe().state).toBe(complete);
  });

  test('CP-36, CP-62: the record was on the old leader only', () => {
    const { stage } = endHeldAt(`${prepare}.appended`, committed, version);
    const end = stage.broker.replica.logEndOffset;
    expect(stage.written).toEqual([]);
    stage.failOver(end - 1);
    expect([stage.describe().state, stage.written]).toEqual(['Ongoing', []]);
  });

  test('CP-36, CP-62: a new leader has the record', () => {
    const { stage } = endHeldAt(`${prepare}.appended`, committed, version);
    expect(stage.written).toEqual([]);
    stage.failOver();
    expect([stage.describe().state, stage.written.map(({ outcome }) => outcome)]).toEqual([
      complete,
      [outcome, outcome],
    ]);
  });

  test.each([
    [`${prepare}.durable`, 'CP-37, CP-63'],
    ['txn.end.responding', 'CP-38'],
    ['txn.marker.sending', 'CP-40, CP-41'],
    ['txn.marker.acked', 'CP-44'],
    ['txn.complete.deciding', 'CP-55'],
    ['txn.complete.durable', 'CP-58'],
  ])('%s: the decision stands (%s), and a retry is told so', (point) => {
    const { stage, producer } = endHeldAt(point, committed, version);
    stage.failOver();
    expect(stage.describe().state).toBe(complete);
    expect(new Set(stage.written.map(({ outcome }) => outcome))).toEqual(new Set([outcome]));
    expect(new Set(stage.written.map(({ partition }) => partition)).size).toBe(2);
    expect(stage.end(producer, committed, version).response?.error).toBe('NONE');
  });

  test('CP-57, CP-65: CompleteX is lost, so that all markers are sent again', () => {
    const { stage } = endHeldAt('txn.complete.appended', committed, version);
    stage.failOver(stage.broker.replica.logEndOffset - 1);
    expect(stage.describe().state).toBe(complete);
    expect(stage.written.map(({ coordinatorEpoch }) => coordinatorEpoch)).toEqual([0, 0, 1, 1]);
  });

  test('CP-43, CP-64: some partitions have their marker; the next coordinator writes to all', () => {
    const stage = new Stage();
    const producer = stage.open();
    stage.takes = false;
    stage.end(producer, committed, version);
    stage.take(stage.markers[0]!);
    stage.takes = true;
    stage.failOver();
    expect(stage.written.map((marker) => [marker.partition, marker.outcome, marker.coordinatorEpoch])).toEqual([
      ['orders-0', outcome, 0],
      ['orders-0', outcome, 1],
      ['orders-1', outcome, 1],
    ]);
  });
});

describe('the coordinator dies in InitProducerId', () => {
  test.each(['txn.init.deciding', 'txn.init.appended', 'txn.init.durable', 'txn.init.responding'])(
    'CP-1 to CP-3: at %s the same expectation leads to the same identity',
    (point) => {
      const stage = new Stage();
      const expected = stage.init().response!;
      stage.broker.points.hold(point);
      stage.init({ producerId: expected.producerId, producerEpoch: 0 });
      stage.failOver();
      expect(stage.init({ producerId: expected.producerId, producerEpoch: 0 }).response).toEqual({
        ...{ error: 'NONE', producerId: expected.producerId, producerEpoch: 1 },
      });
    },
  );

  test('txn W-7: without the written identities an innocent retry is fenced (epoch.retryIdentity off)', () => {
    const stage = new Stage({ off: ['epoch.retryIdentity'] });
    const { producerId } = stage.init().response!;
    stage.init({ producerId, producerEpoch: 0 });
    stage.failOver();
    expect(stage.init({ producerId, producerEpoch: 0 }).response?.error).toBe('PRODUCER_FENCED');
  });

  test.each([2, 0])('CP-4: a fence in memory only leaves the transaction as it was (level %i)', (level) => {
    const stage = new Stage({ level });
    const producer = stage.open();
    stage.broker.points.hold('txn.prepare-abort.deciding', { reason: 'init' });
    stage.init();
    expect(stage.broker.points.held.length).toBe(1);
    stage.failOver();
    expect(stage.describe()).toMatchObject({ state: 'Ongoing', producerEpoch: 0 });
    expect(stage.end(producer, true, level).response?.error).toBe('NONE');
  });

  test('CP-5: a fence whose append is refused: below level 2 the owner is fenced and the epoch not raised again', () => {
    const stage = new Stage({ level: 1 });
    const producer = stage.open();
    stage.broker.auto = false;
    const init = stage.init();
    stage.broker.lastWrite.fail('NOT_ENOUGH_REPLICAS');
    expect(init.response?.error).toBe('COORDINATOR_NOT_AVAILABLE');
    expect(stage.end(producer, true, 0).response?.error).toBe('PRODUCER_FENCED');
    expect(stage.broker.points.reached.map(({ point }) => point)).toContain('txn.producer.fenced');
    stage.broker.auto = true;
    expect(stage.init().response?.error).toBe('CONCURRENT_TRANSACTIONS');
    expect(stage.written[0]).toMatchObject({ outcome: 'abort', producerEpoch: 1 });
    expect(stage.init().response?.producerEpoch).toBe(2);
  });

  test('CP-5: with level 2 the owner is not fenced yet', () => {
    const stage = new Stage();
    const producer = stage.open();
    stage.broker.auto = false;
    stage.init();
    stage.broker.lastWrite.fail('NOT_ENOUGH_REPLICAS');
    stage.broker.auto = true;
    expect(stage.end(producer, true).response?.error).toBe('NONE');
  });

  test('CP-6: the fence is durable and no marker sent: the next coordinator aborts, the retry succeeds', () => {
    const stage = new Stage();
    stage.open();
    stage.broker.points.hold('txn.marker.sending');
    expect(stage.init().response?.error).toBe('CONCURRENT_TRANSACTIONS');
    stage.failOver();
    expect(stage.written.map(({ outcome }) => outcome)).toEqual(['abort', 'abort']);
    expect(stage.init().response).toEqual({ error: 'NONE', producerId: 1000, producerEpoch: 2 });
  });
});

describe('the coordinator dies when partitions are added', () => {
  test.each(['add', 'verify'] as const)(
    'CP-9 to CP-12: lost, the retry adds; kept, it is answered at once (%s)',
    (by) => {
      for (const kept of [true, false]) {
        const stage = new Stage();
        const producer = stage.open();
        stage.topic('more', [2]);
        const again = () =>
          by === 'add'
            ? stage.add(producer, [0], 'more').response?.partitions[0]?.error
            : stage.verify(producer, false, [0]).response?.transactions[0]?.partitions[0]?.error;
        stage.broker.points.hold('txn.add-partitions.appended');
        if (by === 'add') stage.add(producer, [0], 'more');
        else stage.verify(producer, false, [0]);
        const end = stage.broker.replica.logEndOffset;
        stage.failOver(kept || by === 'verify' ? end : end - 1);
        const before = stage.broker.writes.length;
        expect(again()).toBe('NONE');
        expect(stage.broker.writes.length - before).toBe(kept || by === 'verify' ? 0 : 1);
      }
    },
  );

  test('CP-13 to CP-15: offsets of a group likewise', () => {
    const stage = new Stage();
    const producer = stage.open();
    stage.broker.points.hold('txn.add-offsets.appended', { group: 'readers' });
    stage.addOffsets(producer, 'readers');
    expect(stage.broker.points.held.length).toBe(1);
    stage.failOver(stage.broker.replica.logEndOffset - 1);
    expect(stage.describe().topics).toEqual([{ topic: 'orders', partitions: [0, 1] }]);
    expect(stage.addOffsets(producer, 'readers').response?.error).toBe('NONE');
    stage.failOver();
    expect(stage.describe().topics.length).toBe(2);
  });
});

describe('loading and losing a shard', () => {
  test('txn T-7, T-25: while it loads it says so, to lists too; elsewhere NOT_COORDINATOR', () => {
    const stage = new Stage();
    stage.open();
    stage.broker.resign(1);
    expect(stage.init().response?.error).toBe('NOT_COORDINATOR');
    stage.broker.points.hold('txn.load.started');
    stage.broker.elect(2);
    stage.clock.settle();
    expect(stage.init().response?.error).toBe('COORDINATOR_LOAD_IN_PROGRESS');
    expect(stage.describe().error).toBe('COORDINATOR_LOAD_IN_PROGRESS');
    const list = stage.send<'ListTransactions'>((answer) =>
      stage.broker.coordinator.listTransactions(
        { states: [], producerIds: [], minDurationMs: -1, idPattern: '' },
        answer,
      ),
    );
    expect(list.response?.error).toBe('COORDINATOR_LOAD_IN_PROGRESS');
    stage.broker.points.releaseAll();
    stage.clock.settle();
    expect(stage.describe().state).toBe('Ongoing');
  });

  test('CP-74, txn T-26: loaded, served, and its markers not sent until its step is over', () => {
    const stage = new Stage();
    const producer = stage.open();
    stage.takes = false;
    stage.end(producer, true);
    const before = stage.broker;
    before.kill();
    stage.takes = true;
    stage.broker = stage.start(2, before.recordsBelow(before.replica.logEndOffset));
    stage.broker.points.hold('txn.load.finished');
    stage.broker.elect(1);
    stage.clock.settle();
    expect(stage.broker.points.held[0]!.fields).toEqual({ partition: 0, coordinatorEpoch: 1, pending: 1 });
    expect(stage.init().response?.error).toBe('CONCURRENT_TRANSACTIONS');
    expect(stage.written).toEqual([]);
    stage.failOver();
    expect(stage.describe().state).toBe('CompleteCommit');
  });

  test('CP-73, txn T-30: it resigns while it loads: nothing of it is kept or sent', () => {
    const stage = new Stage();
    const producer = stage.open();
    stage.takes = false;
    stage.end(producer, true);
    stage.broker.resign(1);
    stage.broker.elect(2);
    stage.broker.resign(3);
    stage.clock.settle();
    expect(stage.broker.ofType('txn.loaded').length).toBe(1);
    expect([stage.init().response?.error, stage.markers.length]).toEqual(['NOT_COORDINATOR', 2]);
  });

  test('txn T-30: a resignation of an earlier epoch leaves a later load alone', () => {
    const stage = new Stage();
    stage.open();
    stage.broker.resign(1);
    stage.broker.elect(2);
    stage.broker.coordinator.resigned(0, 2);
    stage.clock.settle();
    expect(stage.describe().state).toBe('Ongoing');
    stage.broker.coordinator.resigned(0, undefined);
    expect(stage.describe().error).toBe('NOT_COORDINATOR');
  });

  test('CP-76, txn T-24: leadership goes from A to B and back; what A had begun before changes nothing', () => {
    const stage = new Stage();
    const producer = stage.open();
    stage.broker.points.hold('txn.prepare-commit.durable');
    const late = stage.end(producer, true);
    const end = stage.broker.replica.logEndOffset;
    stage.broker.resign(1);
    stage.broker.elect(2);
    stage.clock.settle();
    // The second time it has the record in its log: it completes it as what it is now.
    expect(stage.describe().state).toBe('CompleteCommit');
    const records = stage.broker.ofType('txn.record').length;
    stage.broker.points.releaseAll();
    stage.clock.settle();
    expect(late.response?.error).toBe('NOT_COORDINATOR');
    expect(stage.broker.ofType('txn.record').length).toBe(records);
    expect(stage.broker.replica.logEndOffset).toBe(end + 1);
  });

  test('CP-76: a decision held before its append is not appended by another epoch of the same broker', () => {
    const { stage, producer } = endHeldAt('txn.prepare-commit.deciding', true, 2);
    stage.broker.resign(1);
    stage.broker.elect(2);
    stage.clock.settle();
    const before = stage.broker.writes.length;
    stage.broker.points.releaseAll();
    stage.clock.settle();
    expect([stage.broker.writes.length, stage.describe().state]).toEqual([before, 'Ongoing']);
    expect(stage.end(producer, false).response?.error).toBe('NONE');
  });

  test('txn T-28, W-14: a log that cannot be read is not served, and is tried again', () => {
    const stage = new Stage();
    stage.open();
    stage.broker.resign(1);
    const { read } = stage.broker.replica;
    stage.broker.replica.read = (...of) => {
      const { records, nextOffset } = read.apply(stage.broker.replica, of);
      const broken = Buffer.from(records);
      broken[broken.length - 1]! ^= 1;
      return { records: broken, nextOffset };
    };
    stage.broker.elect(2);
    stage.clock.runFor(10_000);
    expect(stage.init().response?.error).toBe('COORDINATOR_LOAD_IN_PROGRESS');
    expect(stage.broker.ofType('log.line').map(({ level }) => level)).toContain('error');
    stage.broker.replica.read = read;
    stage.clock.runFor(1000);
    expect(stage.describe().state).toBe('Ongoing');
  });

  test('txn T-28: so is one with a record that is not what its version says', () => {
    const stage = new Stage();
    stage.open();
    const { logEndOffset } = stage.broker.replica;
    const record = { timestamp: 0, key: encodeKey('other'), value: Buffer.from('0001ff', 'hex') };
    const records = [
      stage.broker.recordsBelow(logEndOffset),
      encodeBatch([record], { baseOffset: logEndOffset, leaderEpoch: 0 }),
    ];
    stage.broker.kill();
    stage.broker = stage.start(2, Buffer.concat(records));
    stage.register(2);
    stage.broker.elect(1);
    stage.clock.runFor(10_000);
    expect(stage.init().response?.error).toBe('COORDINATOR_LOAD_IN_PROGRESS');
    expect(stage.broker.ofType('log.line').at(-1)).toMatchObject({ message: expect.stringContaining('txn T-28') });
  });

  test('txn T-3: nor is one whose topic has another number of partitions than before', () => {
    const stage = new Stage();
    stage.open();
    stage.broker.resign(1);
    stage.widen('__transaction_state', 2);
    stage.broker.elect(2);
    stage.clock.runFor(10_000);
    expect(stage.init().response?.error).toBe('COORDINATOR_LOAD_IN_PROGRESS');
    expect(stage.broker.ofType('log.line').at(-1)).toMatchObject({ message: expect.stringContaining('txn T-3') });
  });

  test('txn T-25: an election that is known, or of an older epoch, loads nothing again', () => {
    const stage = new Stage();
    stage.open();
    stage.broker.resign(1);
    stage.broker.elect(2);
    stage.clock.settle();
    for (const epoch of [2, 1]) stage.broker.coordinator.elected(0, epoch);
    expect([stage.describe().state, stage.broker.ofType('txn.loaded').length]).toEqual(['Ongoing', 2]);
  });

  test('txn INV-18: a decision that only the new leader has is not acted on before its followers have it', () => {
    const { stage, producer } = endHeldAt('txn.prepare-commit.appended', true, 2);
    const { highWatermark, logEndOffset } = stage.broker.replica;
    stage.failOver(logEndOffset, false);
    stage.clock.runFor(100_000);
    expect(stage.end(producer, true).response?.error).toBe('COORDINATOR_LOAD_IN_PROGRESS');
    expect(stage.written).toEqual([]);
    // It dies too, and the next leader never had the record.
    stage.failOver(highWatermark);
    expect(stage.end(producer, false).response?.error).toBe('NONE');
    expect(new Set(stage.written.map(({ outcome }) => outcome))).toEqual(new Set(['abort']));
  });

  test('txn INV-18: it goes on as soon as they have it', () => {
    const { stage } = endHeldAt('txn.prepare-commit.appended', true, 2);
    stage.failOver(stage.broker.replica.logEndOffset, false);
    stage.broker.auto = true;
    stage.broker.replicate();
    stage.clock.runFor(10);
    expect(stage.describe().state).toBe('CompleteCommit');
  });

  test('CP-75: failovers in the middle of sending again: three generations of the same marker', () => {
    const stage = new Stage();
    const producer = stage.open();
    stage.takes = false;
    stage.end(producer, true);
    stage.take(stage.markers[0]!);
    stage.failOver();
    stage.take(stage.markers.at(-2)!);
    stage.takes = true;
    stage.failOver();
    const orders0 = stage.written.filter(({ partition }) => partition === 'orders-0');
    expect(orders0.map(({ coordinatorEpoch, outcome }) => [coordinatorEpoch, outcome])).toEqual([
      [0, 'commit'],
      [1, 'commit'],
      [2, 'commit'],
    ]);
    expect(stage.describe().state).toBe('CompleteCommit');
  });

  test('txn T-77: a rotated producer id survives the coordinator', () => {
    const stage = new Stage();
    const { producerId } = stage.init().response!;
    const exhausted = { ...stage.metadata(), producerEpoch: 32766 };
    stage.broker.append(encodeBatch([recordOf(exhausted)]), 0);
    stage.failOver();
    const producer = { producerId, producerEpoch: 32766 };
    stage.add(producer);
    stage.takes = false;
    const rotated = stage.end(producer, true).response!;
    expect(rotated).toEqual({ error: 'NONE', producerId: 1001, producerEpoch: 0 });
    stage.takes = true;
    stage.failOver();
    expect(stage.written[0]).toMatchObject({ producerId: 1000, producerEpoch: 32767 });
    expect(stage.end(producer, true).response).toEqual(rotated);
  });
});

describe('txn W-23: answers from the cache', () => {
  const ask = (stage: Stage, producer: Producer) => [
    stage.verify(producer, true).response?.transactions[0]?.partitions[0]?.error,
    stage.end({ ...producer, producerEpoch: 7 }, true).response?.error,
    stage.describe().error,
  ];

  test('a coordinator that was replaced and does not know it yet answers none', () => {
    const stage = new Stage();
    const producer = stage.open();
    stage.broker.leaderEpoch = undefined;
    expect(ask(stage, producer)).toEqual(Array(3).fill('NOT_COORDINATOR'));
  });

  test('nor one that has not heard of the controller for a session', () => {
    const stage = new Stage();
    const producer = stage.open();
    stage.broker.inTouch = false;
    expect(ask(stage, producer)).toEqual(Array(3).fill('COORDINATOR_NOT_AVAILABLE'));
  });

  test('txn.ownership off: it answers', () => {
    const stage = new Stage({ off: ['txn.ownership'] });
    const producer = stage.open();
    stage.broker.leaderEpoch = undefined;
    expect(ask(stage, producer)).toEqual(['NONE', 'PRODUCER_FENCED', 'NONE']);
  });
});
