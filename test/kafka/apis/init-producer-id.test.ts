// InitProducerId beyond its bytes: what is an error, and what is ignored (txn T-38 to T-40).
import { describe, expect, test } from 'vitest';
import { INIT_PRODUCER_ID } from '../bodies.ts';
import type { Struct } from '../generic-codec.ts';
import { aServedTopic } from './served-topic.ts';

const { ask } = aServedTopic();

const body = (more: Struct = {}): Struct => ({
  ...{ transactionalId: null, transactionTimeoutMs: 0, producerId: -1, producerEpoch: -1 },
  ...more,
});

describe('InitProducerId', () => {
  test('txn T-39, wire ladder 8: every call yields a new id at epoch 0, at every version', async () => {
    const ids: unknown[] = [];
    for (const version of [0, 1, 2, 3, 4, 5]) {
      const answer = await ask(INIT_PRODUCER_ID, version, body());
      expect(answer).toMatchObject({ throttleTimeMs: 0, errorCode: 0, producerEpoch: 0 });
      ids.push(Number(answer['producerId']));
    }
    expect(ids).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test.each([
    ['half an identity', { producerEpoch: 0 }, 42],
    ['an empty transactional id', { transactionalId: '' }, 42],
  ])('%s is refused', async (_, more, code) => {
    const answer = await ask(INIT_PRODUCER_ID, 4, body(more));
    expect([answer['errorCode'], Number(answer['producerId']), answer['producerEpoch']]).toEqual([code, -1, -1]);
  });
});
