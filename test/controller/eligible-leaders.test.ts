// Eligible leader replicas as the controller keeps them: the trace of repl R-119 step by step, the settings they hang on, and
// what becomes of them when their level changes.
import { describe, expect, test } from 'vitest';
import {
  alter,
  bringUp,
  createTopic,
  ELR_OFF,
  epochOf,
  heartbeat,
  partitionOf,
  proposal,
  register,
  registration,
  state,
} from './fleet.ts';
import { Desk, type DeskOptions } from './lone-controller.ts';

const MIN_ISR = 'min.insync.replicas';

function orders(options: DeskOptions = {}): Desk {
  const desk = new Desk(options).start();
  bringUp(desk, 1, 2, 3);
  createTopic(desk, 'orders', { replicas: [[1, 2, 3]], configs: { [MIN_ISR]: '2' } });
  return desk;
}

const fence = (desk: Desk, ...ids: number[]): void => {
  for (const id of ids) heartbeat(desk, id, { wantFence: true });
};

/** All three are gone, the leader last; nobody's session is valid any more. */
function allGone(): Desk {
  const desk = orders();
  fence(desk, 3);
  expect(state(desk, 'orders')).toBe('1/0/1 [1,2]');
  fence(desk, 2);
  expect(state(desk, 'orders')).toBe('1/0/2 [1] elr [2]');
  fence(desk, 1);
  expect(state(desk, 'orders')).toBe('-1/1/3 [] elr [2,1] last [1]');
  desk.run(10_000);
  return desk;
}

/** A new process of the broker, which was killed or stopped cleanly, and is up. */
function comeBack(desk: Desk, id: number, how: 'killed' | 'stopped'): void {
  const previousBrokerEpoch = how === 'killed' ? -1 : epochOf(desk, id);
  desk.call('BrokerRegistration', { ...registration(id, `back ${id}`), previousBrokerEpoch });
  heartbeat(desk, id);
}

describe('repl R-119 (d): the trace', () => {
  test.each([
    [1, '1/2/4 [1] elr [2]'],
    [2, '2/2/4 [2] elr [1]'],
  ])('broker %i, heard again first, is elected cleanly; the other stays eligible', (id, after) => {
    const desk = allGone();
    heartbeat(desk, id);
    expect(state(desk, 'orders')).toBe(after);
    expect(desk.traced('elected').at(-1)).toMatchObject({ leader: id, unclean: false });
  });

  test('so is one that was stopped cleanly', () => {
    const desk = allGone();
    comeBack(desk, 2, 'stopped');
    expect(state(desk, 'orders')).toBe('2/2/4 [2] elr [1]');
  });

  test('one that was killed leaves the ELR and cannot lead', () => {
    const desk = allGone();
    comeBack(desk, 2, 'killed');
    expect(state(desk, 'orders')).toBe('-1/1/4 [] elr [1] last [1]');
  });

  test('T-40: if the last leader was killed too it is elected once it is unfenced, uncleanly', () => {
    const desk = allGone();
    comeBack(desk, 2, 'killed');
    comeBack(desk, 1, 'killed');
    expect(state(desk, 'orders')).toBe('1/2/6 [1] RECOVERING');
    expect(desk.traced('elected').at(-1)).toMatchObject({ reason: 'last-known', unclean: true });
  });

  test('repl R-96: not while it is fenced', () => {
    const desk = allGone();
    comeBack(desk, 2, 'killed');
    register(desk, 1, 'back 1');
    heartbeat(desk, 3);
    expect(state(desk, 'orders')).toBe('-1/1/5 [] last [1]');
  });

  test('who was in the ISR while it was large enough is not eligible: 3 has nothing to say', () => {
    const desk = allGone();
    heartbeat(desk, 3);
    expect(state(desk, 'orders')).toBe('-1/1/3 [] elr [2,1] last [1]');
  });
});

test('the controller remembers over its own restarts', () => {
  const desk = allGone();
  const next = desk.restart();
  expect(state(next, 'orders')).toBe('-1/1/3 [] elr [2,1] last [1]');
  heartbeat(next, 2);
  expect(state(next, 'orders')).toBe('2/2/4 [2] elr [1]');
});

test('repl R-98: the min ISR is at most the number of replicas', () => {
  const desk = new Desk().start();
  bringUp(desk, 1);
  createTopic(desk, 'alone', { replicas: [[1]], configs: { [MIN_ISR]: '3' } });
  expect(partitionOf(desk, 'alone').elr).toEqual([]);
  fence(desk, 1);
  heartbeat(desk, 1);
  expect(state(desk, 'alone')).toBe('1/2/2 [1]');
});

test.each([
  ['as many as min.insync.replicas', [1, 2, 3], '1/0/1 [1,2] elr [3]'],
  ['fewer, since a reassignment', [1, 2], '1/0/1 [1,2]'],
])('repl R-98: the replicas that count are those of partition 0: %s', (_what, ids, after) => {
  const desk = new Desk().start();
  bringUp(desk, 1, 2, 3);
  const three = [1, 2, 3];
  createTopic(desk, 'orders', { replicas: [three, three], configs: { [MIN_ISR]: '3' } });
  const asked = { topic: 'orders', partition: 0, replicas: { ids } };
  desk.call('AlterPartitionReassignments', { partitions: [asked], allowReplicationFactorChange: true });
  fence(desk, 3);
  expect(state(desk, 'orders', 1)).toBe(after);
});

test('repl R-98: an ISR that has grown large enough forgets who was eligible', () => {
  const desk = orders();
  alter(desk, proposal(desk, 'orders', [1]));
  expect(state(desk, 'orders')).toBe('1/0/1 [1] elr [2,3]');
  alter(desk, proposal(desk, 'orders', [1, 3]));
  expect(state(desk, 'orders')).toBe('1/0/2 [1,3]');
});

test('repl R-92: with level 0 nobody is, and the last member stays', () => {
  const desk = orders(ELR_OFF);
  fence(desk, 3, 2, 1);
  expect(state(desk, 'orders')).toBe('-1/1/3 [1]');
});

describe('repl R-119: min.insync.replicas is the same for everybody', () => {
  const set = (desk: Desk, type: string, name: string, value: string | undefined, validateOnly = false) => {
    const operation = value === undefined ? 'DELETE' : 'SET';
    const change = { name: MIN_ISR, operation, value: value ?? '', hasValue: value !== undefined };
    const resource = { type, name, replace: false, changes: [change] };
    return desk.call('AlterConfigs', { resources: [resource], validateOnly }).resources[0]!;
  };
  const ofCluster = (desk: Desk): string | undefined => desk.controller.image.clusterConfigs.get(MIN_ISR);

  test('a new cluster has a value of its own, from the settings that it begins with', () => {
    expect(ofCluster(new Desk({ config: { [MIN_ISR]: 2 } }).start())).toBe('2');
    expect(ofCluster(new Desk(ELR_OFF).start())).toBeUndefined();
  });

  test('it can be set, and holds for topics without one of their own', () => {
    const desk = new Desk().start();
    bringUp(desk, 1, 2, 3);
    createTopic(desk, 'plain', { replicas: [[1, 2, 3]] });
    expect(set(desk, 'broker', '', '3')).toMatchObject({ error: 'NONE' });
    expect(ofCluster(desk)).toBe('3');
    alter(desk, proposal(desk, 'plain', [1, 2]));
    expect(state(desk, 'plain')).toBe('1/0/1 [1,2] elr [3]');
  });

  test('it cannot be removed, nor set for one broker', () => {
    const desk = new Desk().start();
    expect(set(desk, 'broker', '', undefined)).toMatchObject({
      error: 'INVALID_CONFIG',
      errorMessage:
        'min.insync.replicas of the cluster cannot be removed while eligible leader replicas are on: set it to 1',
    });
    expect(set(desk, 'broker', '1', '2')).toMatchObject({
      error: 'INVALID_CONFIG',
      errorMessage: expect.stringContaining('of broker 1 alone cannot be set') as string,
    });
    expect(ofCluster(desk)).toBe('1');
  });

  test('with level 0 it cannot be set for one broker either, nor does that set it for all', () => {
    const desk = new Desk(ELR_OFF).start();
    expect(set(desk, 'broker', '1', '2')).toMatchObject({
      error: 'INVALID_REQUEST',
      errorMessage: expect.stringContaining('settings of a broker cannot be changed') as string,
    });
    expect(ofCluster(desk)).toBeUndefined();
    expect(set(desk, 'broker', '', '2')).toMatchObject({ error: 'NONE' });
    expect(ofCluster(desk)).toBe('2');
  });

  test.each([
    ['a topic’s', 'topic', 'orders', '1/0/2 [1]'],
    ['the cluster’s', 'broker', '', '1/0/2 [1]'],
  ])(
    'writing %s value makes it forget who was eligible, in one batch, with partition epoch +1',
    (_whose, type, name, after) => {
      const desk = orders();
      alter(desk, proposal(desk, 'orders', [1]));
      expect(state(desk, 'orders')).toBe('1/0/1 [1] elr [2,3]');
      set(desk, type, name, '3', true);
      expect(state(desk, 'orders')).toBe('1/0/1 [1] elr [2,3]');
      const from = desk.controller.image.endOffset;
      set(desk, type, name, '3');
      expect(state(desk, 'orders')).toBe(after);
      const kinds = desk
        .readLog(from)
        .records()
        .map((record) => Object.keys(record)[0]);
      expect(kinds).toEqual(['config', 'clearElr']);
    },
  );

  test.each(['topic', 'broker'])('where nobody leads they stay, for nobody else could ever lead: of a %s', (type) => {
    const desk = allGone();
    set(desk, type, type === 'topic' ? 'orders' : '', '3');
    expect(state(desk, 'orders')).toBe('-1/1/3 [] elr [2,1] last [1]');
    heartbeat(desk, 2);
    expect(state(desk, 'orders')).toBe('2/2/4 [2] elr [1]');
  });

  test('and of those that are led only who is eligible no more is forgotten', () => {
    const desk = new Desk({ config: { [MIN_ISR]: 3 } }).start();
    bringUp(desk, 1, 2, 3);
    for (const [name, replicas] of Object.entries({ plain: [1, 2, 3], alone: [3] })) {
      createTopic(desk, name, { replicas: [replicas] });
    }
    fence(desk, 3);
    set(desk, 'broker', '', '2');
    expect([state(desk, 'plain'), state(desk, 'alone')]).toEqual(['1/0/2 [1,2]', '-1/1/1 [] elr [3] last [3]']);
  });

  test('a value that is the same already writes nothing', () => {
    const desk = orders();
    const end = desk.controller.image.endOffset;
    set(desk, 'topic', 'orders', '2');
    expect(desk.controller.image.endOffset).toBe(end);
  });

  test('other settings of brokers stay as they are', () => {
    const desk = new Desk().start();
    const change = { name: 'retention.ms', operation: 'SET', value: '5', hasValue: true };
    const resource = { type: 'broker', name: '', replace: false, changes: [change] };
    expect(desk.call('AlterConfigs', { resources: [resource], validateOnly: false }).resources).toMatchObject([
      {
        error: 'INVALID_REQUEST',
        errorMessage: expect.stringContaining('min.insync.replicas of all brokers') as string,
      },
    ]);
  });

  test('a controller that starts with another value means the cluster’s; one that starts with the same does not', () => {
    const desk = orders();
    set(desk, 'broker', '', '3');
    const same = desk.restart();
    expect(ofCluster(same)).toBe('3');
    const other = same.restart({ config: { [MIN_ISR]: 2 } });
    expect(ofCluster(other)).toBe('2');
  });
});

describe('repl R-119: a cluster that starts with another min.insync.replicas after all have stopped', () => {
  test.each([1, 2, 3])('%i: whoever held everything still does, for nothing was committed since', (value) => {
    const desk = allGone();
    const next = desk.restart({ config: { [MIN_ISR]: value } });
    expect(state(next, 'orders')).toBe('-1/1/3 [] elr [2,1] last [1]');
    comeBack(next, 2, 'stopped');
    expect(state(next, 'orders')).toBe('2/2/4 [2] elr [1]');
  });

  test('smaller: where it has a leader, whoever is eligible no more is forgotten', () => {
    const desk = new Desk({ config: { [MIN_ISR]: 3 } }).start();
    bringUp(desk, 1, 2, 3);
    createTopic(desk, 'plain', { replicas: [[1, 2, 3]] });
    createTopic(desk, 'alone', { replicas: [[3]] });
    fence(desk, 3);
    expect([state(desk, 'plain'), state(desk, 'alone')]).toEqual(['1/0/1 [1,2] elr [3]', '-1/1/1 [] elr [3] last [3]']);
    const next = desk.restart({ config: { [MIN_ISR]: 2 } });
    expect([state(next, 'plain'), state(next, 'alone')]).toEqual(['1/0/2 [1,2]', '-1/1/1 [] elr [3] last [3]']);
  });

  test('one that needs no second copy keeps nobody eligible beside the leader that is elected', () => {
    const desk = new Desk({ config: { [MIN_ISR]: 2 } }).start();
    bringUp(desk, 1, 2);
    createTopic(desk, 'plain', { replicas: [[1, 2]] });
    fence(desk, 2, 1);
    const next = desk.restart({ config: { [MIN_ISR]: 1 } });
    heartbeat(next, 2);
    expect(state(next, 'plain')).toBe('2/2/3 [2]');
  });
});

describe('the level is a setting of the controller', () => {
  const level = (desk: Desk) => desk.controller.image.features.get('eligible.leader.replicas.version');

  test('raised: the cluster gets a min.insync.replicas of its own', () => {
    const desk = orders(ELR_OFF).restart({ config: { [MIN_ISR]: 2 } });
    expect([level(desk), desk.controller.image.clusterConfigs.get(MIN_ISR)]).toEqual([1, '2']);
    fence(desk, 3, 2, 1);
    expect(state(desk, 'orders')).toBe('-1/1/3 [] elr [2,1] last [1]');
  });

  test('raised while the last member of an ISR is away: if it was killed it is elected as the last leader, uncleanly', () => {
    const before = orders(ELR_OFF);
    fence(before, 3, 2, 1);
    expect(state(before, 'orders')).toBe('-1/1/3 [1]');
    before.run(10_000);
    const desk = before.restart();
    comeBack(desk, 2, 'killed');
    comeBack(desk, 1, 'killed');
    expect(state(desk, 'orders')).toBe('1/2/5 [1] RECOVERING');
    expect(desk.traced('elected').at(-1)).toMatchObject({ reason: 'last-known', unclean: true });
  });

  test('lowered: nobody is eligible any more', () => {
    const before = orders();
    alter(before, proposal(before, 'orders', [1]));
    const desk = before.restart(ELR_OFF);
    expect([level(desk), desk.controller.image.clusterConfigs.get(MIN_ISR)]).toEqual([0, undefined]);
    expect(state(desk, 'orders')).toBe('1/0/2 [1]');
  });

  test('not lowered while an ISR is empty, for nobody could lead that partition', () => {
    const desk = allGone().restart(ELR_OFF);
    expect(level(desk)).toBe(1);
    expect(desk.traced('log.line')).toMatchObject([
      { message: expect.stringContaining('orders-0 is empty') as string },
    ]);
    heartbeat(desk, 2);
    const later = desk.restart(ELR_OFF);
    expect([level(later), state(later, 'orders')]).toEqual([0, '2/2/5 [2]']);
  });
});
