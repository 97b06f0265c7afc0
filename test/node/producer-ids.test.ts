// Producer ids at a broker (txn T-37 to T-40), and duplicates of produces (txn T-96, T-98).
import { describe, expect, test } from 'vitest';
import type { RequestOf } from '../../src/protocol/apis.ts';
import { encodeBatch } from '../../src/log/encode-batch.ts';
import { ScriptedFollower } from './support/scripted-follower.ts';
import { Stage } from './support/stage.ts';

const NOBODY = { producerId: -1, producerEpoch: -1 };
const init = (stage: Stage, more: Partial<RequestOf<'InitProducerId'>> = {}) =>
  stage.call('InitProducerId', {
    ...{ hasTransactionalId: false, transactionalId: '', transactionTimeoutMs: 0, ...NOBODY, ...more },
  });

/** Answers the broker that waits for a block. */
function give(stage: Stage, producerIdStart: number, producerIdLen: number): void {
  stage.until(() => stage.controller.allocations.length > 0);
  stage.controller.allocations.shift()!({ error: 'NONE', producerIdStart, producerIdLen });
  stage.runFor(100);
}

describe('txn T-37: blocks at the broker', () => {
  test('nobody waits: without an id the answer is COORDINATOR_LOAD_IN_PROGRESS, and one block is asked for', () => {
    const stage = new Stage().start();
    expect(init(stage)).toMatchObject({ error: 'COORDINATOR_LOAD_IN_PROGRESS', ...NOBODY });
    init(stage);
    stage.runFor(20);
    expect(stage.controller.allocations).toHaveLength(1);
    give(stage, 4000, 1000);
    expect(init(stage)).toMatchObject({ error: 'NONE', producerId: 4000, producerEpoch: 0 });
    expect(init(stage).producerId).toBe(4001);
  });

  test('the next block is asked for when nine tenths are handed out, and waits until it is needed', () => {
    const stage = new Stage().start();
    init(stage);
    give(stage, 0, 10);
    const ids = Array.from({ length: 9 }, () => init(stage).producerId);
    expect([ids.at(-1), stage.controller.allocations.length]).toEqual([8, 0]);
    expect(init(stage).producerId).toBe(9);
    stage.runFor(20);
    expect(stage.controller.allocations).toHaveLength(1);
    give(stage, 500, 10);
    expect(init(stage).producerId).toBe(500);
  });

  test('after a failed answer the controller is left alone for 50 ms', () => {
    const stage = new Stage().start();
    init(stage);
    stage.until(() => stage.controller.allocations.length > 0);
    stage.controller.allocations.shift()!({ error: 'STALE_BROKER_EPOCH', producerIdStart: -1, producerIdLen: 0 });
    stage.runFor(10);
    init(stage);
    stage.runFor(20);
    expect(stage.controller.allocations).toHaveLength(0);
    stage.runFor(60);
    init(stage);
    stage.runFor(20);
    expect(stage.controller.allocations).toHaveLength(1);
  });
});

describe('InitProducerId', () => {
  test('txn T-38: half an identity is a contradiction, a whole one is ignored (wire W-54)', () => {
    const stage = new Stage().start();
    init(stage);
    give(stage, 0, 1000);
    expect(init(stage, { producerId: 0 }).error).toBe('INVALID_REQUEST');
    expect(init(stage, { producerEpoch: 0 }).error).toBe('INVALID_REQUEST');
    expect(init(stage, { producerId: 0, producerEpoch: 0 })).toMatchObject({ error: 'NONE', producerId: 0 });
    expect(init(stage, { producerId: 0, producerEpoch: 0 })).toMatchObject({ error: 'NONE', producerId: 1 });
  });

  test('txn T-40, T-41, T-7: an empty transactional id, a timeout of 0, and who does not coordinate', () => {
    const stage = new Stage().start();
    expect(init(stage, { hasTransactionalId: true }).error).toBe('INVALID_REQUEST');
    const unled = init(stage, { hasTransactionalId: true, transactionalId: 't', transactionTimeoutMs: 1000 });
    expect(unled.error).toBe('NOT_COORDINATOR');
    expect(init(stage, { hasTransactionalId: true, transactionalId: 't' }).error).toBe('INVALID_TRANSACTION_TIMEOUT');
  });
});

describe('produce', () => {
  const numbered = (baseSequence: number): Buffer =>
    encodeBatch([{ timestamp: 1, key: null, value: Buffer.from('v') }], {
      producerId: 7,
      producerEpoch: 0,
      baseSequence,
    });

  test('txn T-98: with acks=all a duplicate waits for the high watermark as what it repeats did', () => {
    const stage = new Stage({ isr: [1, 2] }).start();
    const first = stage.produce('', { records: numbered(0) });
    stage.runFor(100);
    const again = stage.produce('', { records: numbered(0) });
    stage.runFor(500);
    expect([first.answer, again.answer, stage.replica.logEndOffset]).toEqual([undefined, undefined, 1]);
    const follower = new ScriptedFollower(stage, 2);
    follower.fetch(1);
    stage.until(() => first.answer !== undefined && again.answer !== undefined);
    expect(again.answer).toMatchObject({ error: 'NONE', baseOffset: 0, logAppendTimeMs: 1 });
    expect(first.answer).toMatchObject({ error: 'NONE', baseOffset: 0, logAppendTimeMs: -1 });
    expect(stage.seen('log.appended')).toHaveLength(1);
    expect(stage.seen('produce.answered').filter(({ duplicate }) => duplicate === true)).toHaveLength(1);
  });

  test('acks=1 is answered at once', () => {
    const stage = new Stage().start();
    expect(stage.produced('', { records: numbered(0), acks: 1 })).toMatchObject({ error: 'NONE', baseOffset: 0 });
    expect(stage.produced('', { records: numbered(0), acks: 1 })).toMatchObject({ error: 'NONE', baseOffset: 0 });
    expect(stage.produced('', { records: numbered(2), acks: 1 })).toMatchObject({
      error: 'OUT_OF_ORDER_SEQUENCE_NUMBER',
      baseOffset: -1,
    });
  });

  test('txn T-96: too few in-sync replicas come first, for duplicates too', () => {
    const stage = new Stage({ isr: [1], minIsr: 2 }).start();
    stage.produced('', { records: numbered(0), acks: 1 });
    expect(stage.produced('', { records: numbered(0) }).error).toBe('NOT_ENOUGH_REPLICAS');
  });

  test('txn T-109: who is silent for too long is forgotten', () => {
    const config = { 'producer.id.expiration.ms': 1000, 'producer.id.expiration.check.interval.ms': 500 };
    const stage = new Stage({ config }).start();
    stage.produced('', { records: numbered(0), acks: 1 });
    stage.runFor(600);
    expect(stage.seen('producers.expired')).toMatchObject([{ producerIds: [7] }]);
    expect(stage.produced('', { records: numbered(5), acks: 1 }).error).toBe('NONE');
  });
});
