// ISR proposals: each refusal of R-61 in its order, and what R-62 writes and answers.
import { describe, expect, test } from 'vitest';
import type { AlterPartitionEntry } from '../../src/protocol/generated/index.ts';
import type { Safeguard } from '../../src/fault/safeguards.ts';
import {
  alter,
  bringUp,
  createTopic,
  epochOf,
  heartbeat,
  inOrder,
  partitionOf,
  proposal,
  register,
  state,
} from './fleet.ts';
import { Desk } from './lone-controller.ts';

/** Brokers 1 to 4 are up; orders-0 is on 1, 2 and 3 with leader 2 in leader epoch 1, partition epoch 2. */
function ordersLedBy2(): Desk {
  const desk = new Desk().start();
  bringUp(desk, 1, 2, 3, 4);
  createTopic(desk, 'orders', { replicas: [[1, 2, 3]] });
  heartbeat(desk, 1, { wantFence: true });
  heartbeat(desk, 1);
  alter(desk, proposal(desk, 'orders', [2, 3, 1]));
  expect(state(desk, 'orders')).toBe('2/1/2 [2,3,1]');
  return desk;
}

describe('repl R-61: what is refused, in order', () => {
  test('the sender must be the registered process: STALE_BROKER_EPOCH for the whole request', () => {
    const desk = ordersLedBy2();
    const entry = proposal(desk, 'orders', [2]);
    for (const from of [
      { brokerId: 2, brokerEpoch: epochOf(desk, 2) + 1 },
      { brokerId: 9, brokerEpoch: 1 },
    ]) {
      expect(alter(desk, entry, from)).toEqual({ error: 'STALE_BROKER_EPOCH', partitions: [] });
    }
  });

  // Every row is wrong in its own way and in all the ways of the rows below it.
  const rows: [string, Partial<AlterPartitionEntry>, number][] = [
    ['UNKNOWN_TOPIC_ID', { topicId: 'gone' }, 2],
    ['UNKNOWN_TOPIC_OR_PARTITION', { partition: 1 }, 2],
    ['NOT_CONTROLLER', { leaderEpoch: 2, partitionEpoch: 1, newIsr: [] }, 3],
    ['NOT_CONTROLLER', { leaderEpoch: 0, partitionEpoch: 3, newIsr: [] }, 3],
    ['FENCED_LEADER_EPOCH', { leaderEpoch: 0, partitionEpoch: 1, newIsr: [] }, 3],
    ['INVALID_REQUEST', { partitionEpoch: 1, newIsr: [{ brokerId: 2, brokerEpoch: -1 }] }, 3],
    ['INVALID_UPDATE_VERSION', { partitionEpoch: 1, newIsr: [] }, 2],
  ];
  test.each(rows)('%s for %o from broker %i', (error, changes, brokerId) => {
    const desk = ordersLedBy2();
    const before = state(desk, 'orders');
    const { partitions } = alter(desk, proposal(desk, 'orders', [2], changes), { brokerId });
    expect(partitions).toMatchObject([{ error, leader: -1, partitionEpoch: -1 }]);
    expect(state(desk, 'orders')).toBe(before);
  });

  const malformed: [string, number[], string][] = [
    ['an empty ISR', [], 'RECOVERED'],
    ['a member twice', [2, 3, 3], 'RECOVERED'],
    ['a member that has no replica', [2, 4], 'RECOVERED'],
    ['an ISR without the leader', [1, 3], 'RECOVERED'],
    ['RECOVERING with more than one member', [2, 3], 'RECOVERING'],
    ['RECOVERED going back to RECOVERING', [2], 'RECOVERING'],
    ['an unknown recovery state', [2], ''],
  ];
  test.each(malformed)('INVALID_REQUEST for %s, even if a member is ineligible', (_what, isr, leaderRecoveryState) => {
    const desk = ordersLedBy2();
    heartbeat(desk, 3, { wantFence: true });
    const entry = proposal(desk, 'orders', isr, { leaderRecoveryState });
    expect(alter(desk, entry).partitions[0]?.error).toBe('INVALID_REQUEST');
  });

  test('INELIGIBLE_REPLICA: any member fenced, shutting down, of another process, or unregistered', () => {
    const desk = ordersLedBy2();
    createTopic(desk, 'busy', { replicas: [[1], [3]] });
    const other = proposal(desk, 'orders', [2, 1]).newIsr.map((m) => ({ ...m, brokerEpoch: m.brokerEpoch + 1 }));
    expect(alter(desk, proposal(desk, 'orders', [2, 1], { newIsr: other })).partitions[0]?.error).toBe(
      'INELIGIBLE_REPLICA',
    );
    heartbeat(desk, 3, { wantFence: true });
    expect(alter(desk, proposal(desk, 'orders', [2, 1, 3])).partitions[0]?.error).toBe('INELIGIBLE_REPLICA');
    heartbeat(desk, 1, { wantShutDown: true });
    expect(alter(desk, proposal(desk, 'orders', [2, 1])).partitions[0]?.error).toBe('INELIGIBLE_REPLICA');
    expect(state(desk, 'orders')).toBe('2/1/4 [2]');
  });

  test('KIP-903: a member of unknown epoch (-1) is taken at its word', () => {
    const desk = ordersLedBy2();
    const newIsr = [2, 3].map((brokerId) => ({ brokerId, brokerEpoch: -1 }));
    expect(alter(desk, proposal(desk, 'orders', [2, 3], { newIsr })).partitions[0]?.error).toBe('NONE');
  });
});

describe('repl R-62: what is written', () => {
  test('one record, the leader epoch as it was; the answer is the state after it', () => {
    const desk = ordersLedBy2();
    const [from, { topicId }] = [desk.controller.image.endOffset, partitionOf(desk, 'orders')];
    expect(alter(desk, proposal(desk, 'orders', [2, 3])).partitions).toEqual([
      {
        ...{ topicId, partition: 0, error: 'NONE', leader: 2, leaderEpoch: 1, isr: [2, 3] },
        ...{ partitionEpoch: 3, leaderRecoveryState: 'RECOVERED' },
      },
    ]);
    const records = desk.readLog(from).records();
    expect(records).toEqual([
      { partitionChange: expect.objectContaining({ isr: { ids: [2, 3] }, hasLeader: false, reason: 'isr-shrink' }) },
    ]);
    const fields = { topic: 'orders', partition: 0, leaderEpoch: 1, isr: '2,3' };
    expect(desk.observed.at(-1)).toEqual({ point: 'controller.isr.committed', fields });
  });

  test('a proposal that is the state already writes nothing and answers the same partition epoch', () => {
    const desk = ordersLedBy2();
    const end = desk.controller.image.endOffset;
    const answer = alter(desk, proposal(desk, 'orders', [1, 2, 3]));
    expect(answer.partitions).toMatchObject([{ error: 'NONE', partitionEpoch: 2, isr: [2, 3, 1] }]);
    expect(desk.controller.image.endOffset).toBe(end);
  });

  test('the answer leaves only when the record is committed', () => {
    const desk = ordersLedBy2();
    desk.slowDisk = true;
    const partitions = [proposal(desk, 'orders', [2])];
    const box = desk.send('AlterPartition', {
      brokerId: 2,
      brokerEpoch: epochOf(desk, 2),
      ...inOrder(desk),
      partitions,
    });
    expect([box.answer, state(desk, 'orders')]).toEqual([undefined, '2/1/2 [2,3,1]']);
    desk.completeWrite();
    expect([box.answer?.partitions[0]?.error, state(desk, 'orders')]).toEqual(['NONE', '2/1/3 [2]']);
  });

  test('partitions fail independently, and a second proposal of one partition is judged on the first', () => {
    const desk = ordersLedBy2();
    const partitions = [
      proposal(desk, 'orders', [2], { partition: 7 }),
      proposal(desk, 'orders', [2]),
      proposal(desk, 'orders', [2, 3]),
    ];
    const answer = desk.call('AlterPartition', {
      brokerId: 2,
      brokerEpoch: epochOf(desk, 2),
      ...inOrder(desk),
      partitions,
    });
    const errors = answer.partitions.map(({ error }) => error);
    expect(errors).toEqual(['UNKNOWN_TOPIC_OR_PARTITION', 'NONE', 'INVALID_UPDATE_VERSION']);
  });

  test.each([
    ['behind a later one', { sequence: 6 }],
    ['twice', { sequence: 7 }],
    ['for another process of the controller', { sequence: 8, controllerEpoch: 2 }],
  ])('repl R-63: a request that comes %s is not attempted', (_how, order) => {
    const desk = ordersLedBy2();
    const asked = { brokerId: 2, brokerEpoch: epochOf(desk, 2), controllerEpoch: 1 };
    const refused = proposal(desk, 'orders', [2, 3], { partitionEpoch: 1 });
    desk.call('AlterPartition', { ...asked, sequence: 7, partitions: [refused] });
    const partitions = [proposal(desk, 'orders', [2, 3])];
    const late = desk.call('AlterPartition', { ...asked, partitions, ...order });
    expect([late, state(desk, 'orders')]).toEqual([
      { error: 'OPERATION_NOT_ATTEMPTED', partitions: [] },
      '2/1/2 [2,3,1]',
    ]);
    const next = desk.call('AlterPartition', { ...asked, sequence: 8, partitions });
    expect([next.error, state(desk, 'orders')]).toEqual(['NONE', '2/1/3 [2,3]']);
  });

  test('repl R-97: the first proposal after an unclean election ends the recovery', () => {
    const desk = new Desk().start();
    bringUp(desk, 1, 2);
    createTopic(desk, 'logs', { replicas: [[1, 2]], configs: { 'unclean.leader.election.enable': 'true' } });
    alter(desk, proposal(desk, 'logs', [1]));
    heartbeat(desk, 1, { wantFence: true });
    expect(state(desk, 'logs')).toBe('2/1/2 [2] RECOVERING');
    alter(desk, proposal(desk, 'logs', [2], { leaderRecoveryState: 'RECOVERING' }));
    expect(state(desk, 'logs')).toBe('2/1/2 [2] RECOVERING');
    alter(desk, proposal(desk, 'logs', [2]));
    expect(state(desk, 'logs')).toBe('2/1/3 [2]');
  });
});

describe('without its guards a proposal is taken', () => {
  const off = (...names: Safeguard[]): Desk => {
    const desk = new Desk({ off: names }).start();
    bringUp(desk, 1, 2, 3);
    createTopic(desk, 'orders', { replicas: [[1, 2, 3]] });
    return desk;
  };

  test('isr.partitionEpoch: whatever the ISR has become since', () => {
    const desk = off('isr.partitionEpoch');
    const stale = proposal(desk, 'orders', [1, 3]);
    heartbeat(desk, 3, { wantFence: true });
    heartbeat(desk, 3);
    expect(state(desk, 'orders')).toBe('1/0/1 [1,2]');
    expect(alter(desk, stale).partitions[0]?.error).toBe('NONE');
    expect(state(desk, 'orders')).toBe('1/0/2 [1,3]');
  });

  test('isr.eligible: fenced members too', () => {
    const desk = off('isr.eligible');
    heartbeat(desk, 3, { wantFence: true });
    expect(alter(desk, proposal(desk, 'orders', [1, 2, 3])).partitions[0]?.error).toBe('NONE');
    expect(state(desk, 'orders')).toBe('1/0/2 [1,2,3]');
  });

  test('isr.brokerEpoch: another process than the one that fetched', () => {
    const desk = off('isr.brokerEpoch');
    heartbeat(desk, 3, { wantFence: true });
    const { newIsr, ...entry } = proposal(desk, 'orders', [1, 2, 3]);
    desk.run(9001);
    register(desk, 3, 'wiped');
    for (const id of [1, 2, 3]) heartbeat(desk, id);
    expect(alter(desk, { ...entry, newIsr }).partitions[0]?.error).toBe('NONE');
    expect(state(desk, 'orders')).toBe('1/0/2 [1,2,3]');
  });
});
