// Elections on request, and those the controller holds of its own accord (repl ).
import { describe, expect, test } from 'vitest';
import { alter, bringUp, createTopic, heartbeat, live, proposal, state } from './fleet.ts';
import { Desk } from './lone-controller.ts';

function elect(desk: Desk, type: string, topic: string, partition = 0, to = -1) {
  return desk.call('ElectLeaders', { type, topic, partition, to }).results;
}

function orders(config: Readonly<Record<string, unknown>> = {}): Desk {
  const desk = new Desk({ config }).start();
  bringUp(desk, 1, 2, 3);
  createTopic(desk, 'orders', { replicas: [[1, 2, 3]] });
  return desk;
}

/** Broker 1 was away, is back in the ISR and no longer leads. */
function ledBy2(config: Readonly<Record<string, unknown>> = {}): Desk {
  const desk = orders(config);
  heartbeat(desk, 1, { wantFence: true });
  heartbeat(desk, 1);
  alter(desk, proposal(desk, 'orders', [1, 2, 3]));
  expect(state(desk, 'orders')).toBe('2/1/2 [1,2,3]');
  return desk;
}

/** The ISR is [1] and broker 1 is gone. */
function leaderless(): Desk {
  const desk = orders();
  alter(desk, proposal(desk, 'orders', [1]));
  heartbeat(desk, 1, { wantFence: true });
  expect(state(desk, 'orders')).toBe('-1/1/2 [] elr [1] last [1]');
  return desk;
}

describe('ElectLeaders', () => {
  test('what does not exist', () => {
    const desk = orders();
    expect(elect(desk, 'PREFERRED', 'nope')).toMatchObject([
      { error: 'UNKNOWN_TOPIC_OR_PARTITION', errorMessage: 'no topic "nope"' },
    ]);
    expect(elect(desk, 'PREFERRED', 'orders', 4)).toMatchObject([
      { error: 'UNKNOWN_TOPIC_OR_PARTITION', errorMessage: 'no partition orders-4' },
    ]);
    expect(elect(desk, 'LONGEST', 'orders')).toMatchObject([{ error: 'INVALID_REQUEST' }]);
  });

  test('repl R-99: PREFERRED', () => {
    expect(elect(orders(), 'PREFERRED', 'orders')).toMatchObject([
      { error: 'ELECTION_NOT_NEEDED', errorMessage: 'broker 1 already leads orders-0', leader: 1, leaderEpoch: 0 },
    ]);
    const desk = ledBy2();
    expect(elect(desk, 'PREFERRED', 'orders')).toMatchObject([{ error: 'NONE', leader: 1, leaderEpoch: 2 }]);
    expect(state(desk, 'orders')).toBe('1/2/3 [1,2,3]');
    expect(desk.traced('elected').at(-1)).toMatchObject({ leader: 1, reason: 'preferred', unclean: false });
  });

  test('repl R-99: PREFERRED_LEADER_NOT_AVAILABLE while the preferred replica is outside the ISR', () => {
    const desk = orders();
    heartbeat(desk, 1, { wantFence: true });
    heartbeat(desk, 1);
    expect(elect(desk, 'PREFERRED', 'orders')).toEqual([
      {
        ...{ topic: 'orders', partition: 0, error: 'PREFERRED_LEADER_NOT_AVAILABLE', leader: 2, leaderEpoch: 1 },
        errorMessage: 'broker 1 cannot lead orders-0: it is not in the ISR (2, 3)',
      },
    ]);
  });

  test('repl R-97: UNCLEAN only when leaderless, on any topic', () => {
    expect(elect(orders(), 'UNCLEAN', 'orders')).toMatchObject([
      { error: 'ELECTION_NOT_NEEDED', errorMessage: 'orders-0 is led by broker 1' },
    ]);
    const desk = leaderless();
    expect(elect(desk, 'UNCLEAN', 'orders')).toMatchObject([{ error: 'NONE', leader: 2, leaderEpoch: 2 }]);
    expect(state(desk, 'orders')).toBe('2/2/3 [2] RECOVERING');
    expect(desk.traced('elected').at(-1)).toMatchObject({ leader: 2, reason: 'unclean', unclean: true });
    expect(desk.traced('metadata.committed').at(-1)).toMatchObject({ unclean: true });
    expect(desk.observed.map(({ point }) => point)).toContain('controller.leader.unclean');
  });

  test('repl R-97: ELIGIBLE_LEADERS_NOT_AVAILABLE when nobody is acceptable', () => {
    const desk = leaderless();
    for (const id of [2, 3]) heartbeat(desk, id, { wantFence: true });
    expect(elect(desk, 'UNCLEAN', 'orders')).toMatchObject([
      {
        error: 'ELIGIBLE_LEADERS_NOT_AVAILABLE',
        errorMessage: 'no replica of orders-0 is alive (1, 2, 3)',
        leader: -1,
      },
    ]);
  });

  test('TO a given node: clean, the ISR kept, the leader epoch one higher', () => {
    const desk = orders();
    expect(elect(desk, 'TO', 'orders', 0, 3)).toMatchObject([{ error: 'NONE', leader: 3, leaderEpoch: 1 }]);
    expect(state(desk, 'orders')).toBe('3/1/1 [1,2,3]');
    expect(desk.traced('elected').at(-1)).toMatchObject({ leader: 3, reason: 'elect-to', unclean: false });
  });

  test.each([
    [1, 'ELECTION_NOT_NEEDED', 'broker 1 already leads orders-0'],
    [2, 'ELIGIBLE_LEADERS_NOT_AVAILABLE', 'broker 2 cannot lead orders-0: it is not in the ISR (1, 3)'],
    [7, 'INVALID_REQUEST', 'broker 7 has no replica of orders-0 (1, 2, 3)'],
  ])('TO broker %i is refused: %s', (to, error, errorMessage) => {
    const desk = orders();
    alter(desk, proposal(desk, 'orders', [1, 3]));
    expect(elect(desk, 'TO', 'orders', 0, to)).toMatchObject([{ error, errorMessage, leader: 1 }]);
    expect(state(desk, 'orders')).toBe('1/0/1 [1,3]');
  });

  test('TO a fenced broker that alone is eligible is refused (T-34, T-40)', () => {
    expect(elect(leaderless(), 'TO', 'orders', 0, 1)).toMatchObject([
      {
        error: 'ELIGIBLE_LEADERS_NOT_AVAILABLE',
        errorMessage: 'broker 1 cannot lead orders-0: it is fenced or shutting down',
      },
    ]);
  });

  test('partition -1: every partition of the topic, each on its own', () => {
    const desk = orders();
    createTopic(desk, 'pairs', {
      replicas: [
        [1, 2],
        [2, 1],
        [3, 1],
      ],
    });
    const results = elect(desk, 'TO', 'pairs', -1, 1);
    expect(results.map(({ partition, error }) => [partition, error])).toEqual([
      [0, 'ELECTION_NOT_NEEDED'],
      [1, 'NONE'],
      [2, 'NONE'],
    ]);
  });
});

describe('elections of the controller’s own accord', () => {
  test('repl R-99: every interval the preferred replicas lead again, if they are valid', () => {
    const desk = ledBy2();
    live(desk, 299, 1, 2, 3);
    expect(state(desk, 'orders')).toBe('2/1/2 [1,2,3]');
    live(desk, 1, 1, 2, 3);
    expect(state(desk, 'orders')).toBe('1/2/3 [1,2,3]');
    const end = desk.controller.image.endOffset;
    live(desk, 301, 1, 2, 3);
    expect(desk.controller.image.endOffset).toBe(end);
  });

  test('auto.leader.rebalance.enable off: nobody is moved', () => {
    const desk = ledBy2({ 'auto.leader.rebalance.enable': 'false' });
    live(desk, 700, 1, 2, 3);
    expect(state(desk, 'orders')).toBe('2/1/2 [1,2,3]');
  });

  test('repl R-99: more than 1000 elections go on at once in the next event', () => {
    const desk = new Desk().start();
    bringUp(desk, 1, 2);
    createTopic(desk, 'many', { replicas: Array.from({ length: 1500 }, () => [1, 2]) });
    desk.call('ElectLeaders', { type: 'TO', topic: 'many', partition: -1, to: 2 });
    desk.slowDisk = true;
    for (let second = 0; desk.writes.length === 0; second++) {
      desk.run(1000);
      if (desk.writes.length === 0) for (const id of [1, 2]) heartbeat(desk, id);
      expect(second).toBeLessThan(301);
    }
    const led = (): number => desk.controller.image.topicNamed('many')!.partitions.filter((p) => p.leader === 1).length;
    desk.completeWrite();
    expect(led()).toBe(1000);
    desk.completeWrite();
    expect(led()).toBe(1500);
  });

  const allowed = { 'unclean.leader.election.enable': 'true' };
  test('repl R-97: a topic that allows it is elected uncleanly as soon as the controller re-elects', () => {
    const desk = new Desk().start();
    bringUp(desk, 1, 2, 3);
    createTopic(desk, 'logs', { replicas: [[1, 2]], configs: allowed });
    alter(desk, proposal(desk, 'logs', [1]));
    heartbeat(desk, 1, { wantFence: true });
    expect(state(desk, 'logs')).toBe('2/1/2 [2] RECOVERING');
  });

  test('repl R-97: … also when a replica outside the ISR is unfenced', () => {
    const desk = new Desk().start();
    bringUp(desk, 1, 2);
    createTopic(desk, 'logs', { replicas: [[1, 2]], configs: allowed });
    for (const id of [2, 1]) heartbeat(desk, id, { wantFence: true });
    expect(state(desk, 'logs')).toBe('-1/1/2 [] elr [1] last [1]');
    heartbeat(desk, 2);
    expect(state(desk, 'logs')).toBe('2/2/3 [2] RECOVERING');
  });

  test('repl R-97: without the setting it waits for the ISR member', () => {
    const desk = leaderless();
    live(desk, 700, 2, 3);
    expect(state(desk, 'orders')).toBe('-1/1/2 [] elr [1] last [1]');
    heartbeat(desk, 1);
    expect(state(desk, 'orders')).toBe('1/2/3 [1]');
  });

  test('the node’s setting is the default of topics, a topic’s own setting wins', () => {
    const desk = new Desk({ config: allowed }).start();
    bringUp(desk, 1, 2);
    createTopic(desk, 'default', { replicas: [[1, 2]] });
    createTopic(desk, 'never', { replicas: [[1, 2]], configs: { 'unclean.leader.election.enable': 'false' } });
    for (const topic of ['default', 'never']) alter(desk, proposal(desk, topic, [1]));
    heartbeat(desk, 1, { wantFence: true });
    expect([state(desk, 'default'), state(desk, 'never')]).toEqual([
      '2/1/2 [2] RECOVERING',
      '-1/1/2 [] elr [1] last [1]',
    ]);
  });
});
