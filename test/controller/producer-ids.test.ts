// Blocks of producer ids (txn T-36): of 1000, from 1000 (wire W-54), never the same twice.
import { describe, expect, test } from 'vitest';
import { bringUp, epochOf } from './fleet.ts';
import { Desk } from './lone-controller.ts';

const allocate = (desk: Desk, brokerId: number, brokerEpoch = epochOf(desk, brokerId)) =>
  desk.call('AllocateProducerIds', { brokerId, brokerEpoch });

describe('txn T-36', () => {
  test('blocks of 1000, the first at 1000 (wire W-54), one after the other, whoever asks', () => {
    const desk = new Desk().start();
    bringUp(desk, 1, 2);
    expect(allocate(desk, 1)).toEqual({ error: 'NONE', producerIdStart: 1000, producerIdLen: 1000 });
    expect(allocate(desk, 2).producerIdStart).toBe(2000);
    expect(allocate(desk, 1).producerIdStart).toBe(3000);
  });

  test('a block is committed before it is answered, so that a restart never gives it again', () => {
    const desk = new Desk().start();
    bringUp(desk, 1);
    allocate(desk, 1);
    const again = new Desk({ disk: desk.disk }).start();
    expect(again.controller.image.nextProducerId).toBe(2000);
    expect(allocate(again, 1).producerIdStart).toBe(2000);
  });

  test('a process that is not registered gets none', () => {
    const desk = new Desk().start();
    bringUp(desk, 1);
    const refused = { error: 'STALE_BROKER_EPOCH', producerIdStart: -1, producerIdLen: 0 };
    expect(allocate(desk, 1, epochOf(desk, 1) - 1)).toEqual(refused);
    expect(allocate(desk, 7)).toEqual(refused);
    expect(desk.controller.image.nextProducerId).toBe(0);
  });
});
