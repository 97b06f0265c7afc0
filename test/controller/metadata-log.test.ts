// The metadata log: bootstrap, what is answered when, streams, and kill -9 at every write (repl, I-24).
import { describe, expect, test } from 'vitest';
import { FORMAT_KEY } from '../../src/controller/log-store.ts';
import { DiskFailure } from '../../src/runtime/disk-failure.ts';
import type { TraceEvent } from '../../src/trace/events.ts';
import { alter, bringUp, createTopic, heartbeat, live, newTopic, proposal, register, registration } from './fleet.ts';
import { Desk, type Disk } from './lone-controller.ts';

/** Everything the image holds, as text. */
function fold(desk: Desk): string {
  const { image } = desk.controller;
  const topics = [...image.topics.values()].map((topic) => ({ ...topic, configs: [...topic.configs] }));
  const rest = [image.clusterId, image.endOffset, [...image.features], [...image.brokers.values()], topics];
  return JSON.stringify(rest);
}

const committed = (events: readonly TraceEvent[]): string[] =>
  events.flatMap((event) =>
    event.type === 'metadata.committed' ? [`${event.offset} ${JSON.stringify(event.record)}`] : [],
  );

describe('a new cluster', () => {
  test('its first batch names it, says the levels of its features, and gives all the same min.insync.replicas', () => {
    const desk = new Desk().start();
    expect(desk.readLog(0).records()).toEqual([
      { cluster: { clusterId: 'cluster-1' } },
      { featureLevel: { name: 'eligible.leader.replicas.version', level: 1 } },
      { featureLevel: { name: 'transaction.version', level: 2 } },
      { config: { topic: '', name: 'min.insync.replicas', value: '1', removed: false } },
    ]);
    expect(desk.traced('controller.started')).toEqual([{ type: 'controller.started', controllerEpoch: 1, offset: 4 }]);
  });

  test('an existing one keeps its id, and every start has a higher controller epoch', () => {
    let desk = new Desk().start();
    for (const epoch of [2, 3, 4]) {
      desk = desk.restart();
      expect(desk.controller.controllerEpoch).toBe(epoch);
      expect(register(desk, epoch).controllerEpoch).toBe(epoch);
    }
    expect(desk.controller.image.clusterId).toBe('cluster-1');
  });

  test('a store of a newer format is refused, and not written to', () => {
    const disk: Disk = new Map([[FORMAT_KEY.toString('latin1'), Buffer.from('3')]]);
    const desk = new Desk({ disk }).start();
    expect(desk.halted).toMatch(/has format 3, and this version of Highwater knows formats up to 2: start the newer/);
    expect(disk.size).toBe(1);
  });

  test('a record that cannot be read ends it with a sentence, and nothing is written', () => {
    const { disk } = new Desk().start();
    const [key] = [...disk.keys()].filter((each) => each.startsWith('metadata/'));
    disk.set(key!, Buffer.from('{"cluster"'));
    expect(() => new Desk({ disk }).start()).toThrow(DiskFailure);
    expect(() => new Desk({ disk }).start()).toThrow('is damaged: record 0 cannot be read. The controller stops.');
  });

  test('what arrives while the log is read waits and is answered', () => {
    const desk = new Desk({ slowDisk: true });
    desk.controller.start();
    const box = desk.send('BrokerRegistration', registration(1, 'a'));
    const log = desk.readLog(0);
    desk.settle();
    desk.completeWrite();
    expect(log.records().length).toBe(4);
    expect(box.answer).toBeUndefined();
    desk.completeWrite();
    expect(box.answer?.error).toBe('NONE');
    expect(log.records().length).toBe(5);
  });
});

describe('repl R-102: applied, written, answered', () => {
  test('one write is under way; what is decided meanwhile goes into the next, and sees what is not committed', () => {
    const desk = new Desk().start();
    bringUp(desk, 1, 2);
    desk.slowDisk = true;
    const topic = newTopic('orders', { partitions: 1, replicationFactor: 1 });
    const first = desk.send('CreateTopics', { topics: [topic], validateOnly: false });
    const second = desk.send('CreateTopics', { topics: [topic], validateOnly: false });
    const third = desk.send('DeleteTopics', { names: ['orders'], topicIds: [] });
    expect([desk.writes.length, first.answer, second.answer, third.answer]).toEqual([
      1,
      undefined,
      undefined,
      undefined,
    ]);
    expect(desk.controller.image.topicNamed('orders')).toBeUndefined();
    desk.completeWrite();
    expect(first.answer?.topics[0]?.error).toBe('NONE');
    expect(second.answer?.topics[0]?.error).toBe('TOPIC_ALREADY_EXISTS');
    expect([desk.writes.length, third.answer]).toEqual([1, undefined]);
    desk.completeWrite();
    expect(third.answer?.topics[0]?.error).toBe('NONE');
  });

  test('every write is synced: an answer survives power loss', () => {
    const desk = new Desk({ slowDisk: true });
    desk.controller.start();
    desk.settle();
    const synced = [desk.writes[0]!.sync];
    desk.completeWrite();
    desk.send('BrokerRegistration', registration(1, 'a'));
    synced.push(desk.writes[0]!.sync);
    expect(synced).toEqual([true, true]);
  });

  test('a refusal that rests on what is not committed waits for it too', () => {
    const desk = new Desk().start();
    bringUp(desk, 1);
    desk.slowDisk = true;
    const request = { topics: [newTopic('orders', { partitions: 1, replicationFactor: 1 })], validateOnly: false };
    desk.send('CreateTopics', request);
    const refused = desk.send('CreateTopics', request);
    expect(refused.answer).toBeUndefined();
    desk.completeWrite();
    expect(refused.answer?.topics[0]?.error).toBe('TOPIC_ALREADY_EXISTS');
  });

  test('nothing uncommitted is told: no event, no record on a stream, no description', () => {
    const desk = new Desk().start();
    bringUp(desk, 1);
    const log = desk.readLog(0);
    const [events, messages, end] = [desk.events.length, log.messages.length, desk.controller.image.endOffset];
    desk.slowDisk = true;
    desk.send('CreateTopics', { topics: [newTopic('orders', { replicas: [[1]] })], validateOnly: false });
    expect(desk.call('DescribeCluster', {})).toMatchObject({ topics: [], metadataOffset: end });
    expect([desk.events.length, log.messages.length]).toEqual([events, messages]);
    desk.completeWrite();
    expect(desk.call('DescribeCluster', {}).topics.map(({ name }) => name)).toEqual(['orders']);
    expect(desk.events.slice(events).map(({ type }) => type)).toEqual([
      'metadata.committed',
      'metadata.committed',
      'elected',
    ]);
    expect(log.messages.length).toBe(messages + 1);
  });

  test('without ctl.durable what is still being written is told and answered, and a kill makes it undone', () => {
    const whole = new Desk().start();
    bringUp(whole, 1);
    const desk = whole.restart({ off: ['ctl.durable'] });
    desk.settle();
    const before = fold(desk);
    const log = desk.readLog(0);
    desk.slowDisk = true;
    const created = desk.send('CreateTopics', {
      topics: [newTopic('orders', { replicas: [[1]] })],
      validateOnly: false,
    });
    desk.run(0);
    expect([desk.writes.length, created.answer?.topics[0]?.error]).toEqual([1, 'NONE']);
    expect(log.records().length).toBe(desk.controller.image.endOffset);
    expect(fold(desk.restart())).toBe(before);
  });

  test('repl R-114: a failed write halts it; nothing is answered, then or later', () => {
    const desk = new Desk().start();
    bringUp(desk, 1);
    desk.slowDisk = true;
    const boxes = [
      desk.send('BrokerRegistration', registration(2, 'a')),
      desk.send('DeleteTopics', { names: ['x'], topicIds: [] }),
    ];
    const end = desk.controller.image.endOffset;
    desk.completeWrite({ reason: 'disk full' });
    boxes.push(desk.send('DeleteTopics', { names: ['x'], topicIds: [] }));
    desk.run(60_000);
    expect(desk.halted).toBe('the controller cannot write its metadata log: disk full');
    expect(boxes.map(({ answer }) => answer)).toEqual([undefined, undefined, undefined]);
    expect([desk.writes.length, desk.controller.image.endOffset]).toEqual([0, end]);
  });

  test('a clean stop finishes what is decided, ends the streams and decides nothing more', () => {
    const desk = new Desk().start();
    bringUp(desk, 1);
    const log = desk.readLog(0);
    desk.slowDisk = true;
    const box = desk.send('BrokerRegistration', registration(2, 'a'));
    let stopped = false;
    desk.controller.stop(() => (stopped = true));
    const late = desk.send('BrokerRegistration', registration(3, 'a'));
    expect([stopped, log.ended]).toEqual([false, false]);
    desk.completeWrite();
    desk.run(0);
    expect([stopped, log.ended, box.answer?.error, late.answer]).toEqual([true, true, 'NONE', undefined]);
  });
});

describe('repl R-101: the log as brokers read it', () => {
  test('from any offset, first what there is, then what comes', () => {
    const desk = new Desk().start();
    bringUp(desk, 1);
    const end = desk.controller.image.endOffset;
    const [all, tail] = [desk.readLog(0), desk.readLog(end)];
    const empty = { baseOffset: end, records: [], endOffset: end, controllerEpoch: 1 };
    expect(tail.messages).toEqual([{ ...empty, snapshotOffset: 0, snapshotCount: 0 }]);
    createTopic(desk, 'orders', { replicas: [[1]] });
    expect(all.records().length).toBe(desk.controller.image.endOffset);
    expect(tail.messages.map(({ baseOffset, records }) => [baseOffset, records.length])).toEqual([
      [end, 0],
      [end, 2],
    ]);
  });

  test('long logs come in portions', () => {
    const desk = new Desk().start();
    bringUp(desk, 1);
    createTopic(desk, 'many', { partitions: 1200, replicationFactor: 1 });
    const log = desk.readLog(0);
    const end = desk.controller.image.endOffset;
    expect(log.messages.map(({ baseOffset, records }) => [baseOffset, records.length])).toEqual([
      [0, 500],
      [500, 500],
      [1000, end - 1000],
    ]);
  });

  test('a reader ahead of the log is ended: it belongs to another cluster', () => {
    const desk = new Desk().start();
    const log = desk.readLog(99);
    expect([log.messages, log.ended]).toEqual([[], true]);
  });

  test('a reader that leaves, in order or not, gets nothing more', () => {
    const desk = new Desk().start();
    const [ended, broken] = [desk.readLog(0), desk.readLog(0)];
    ended.events!.ended();
    broken.events!.closed();
    bringUp(desk, 1);
    expect([ended.ended, ended.messages.length, broken.ended, broken.messages.length]).toEqual([true, 1, false, 1]);
  });
});

/** A history with every kind of record. */
const STEPS: readonly ((desk: Desk) => void)[] = [
  (desk) => bringUp(desk, 1, 2, 3),
  (desk) => void createTopic(desk, 'orders', { replicas: [[1, 2, 3]], configs: { 'min.insync.replicas': '2' } }),
  (desk) => void createTopic(desk, 'logs', { partitions: 4, replicationFactor: 2 }),
  (desk) => void alter(desk, proposal(desk, 'orders', [1, 2])),
  (desk) => live(desk, 11, 2, 3),
  (desk) => void register(desk, 1, 'next'),
  (desk) => void heartbeat(desk, 1),
  (desk) => void alter(desk, proposal(desk, 'orders', [2, 1])),
  (desk) => void heartbeat(desk, 2, { wantShutDown: true }),
  (desk) => void desk.call('DeleteTopics', { names: ['logs'], topicIds: [] }),
  (desk) => live(desk, 2, 1, 2, 3),
];

/** Plays the history and kills the controller at its `nth` write: before the bytes reach the disk, or after. */
function playUntilKill(nth: number, reachesDisk: boolean): { desk: Desk; killed: boolean } {
  const desk = new Desk({ slowDisk: true });
  let writes = 0;
  const step = desk.settle.bind(desk);
  desk.settle = () => {
    step();
    while (desk.writes.length > 0) {
      writes += 1;
      if (writes === nth) {
        if (reachesDisk) desk.writeThenDie();
        else desk.kill();
        throw new Killed();
      }
      desk.completeWrite();
      step();
    }
  };
  try {
    desk.start();
    for (const play of STEPS) play(desk);
    return { desk, killed: false };
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
    return { desk, killed: true };
  }
}
class Killed extends Error {}

describe('kill -9 at every write', () => {
  const whole = playUntilKill(-1, false).desk;
  const history = committed(whole.events);

  test('the restarted controller holds exactly what reached its disk, and at least what was answered', () => {
    let kills = 0;
    for (const reachesDisk of [false, true])
      for (let nth = 1; ; nth++) {
        const { desk, killed } = playUntilKill(nth, reachesDisk);
        if (!killed) break;
        kills += 1;
        const known = desk.controller.image.endOffset;
        const before = fold(desk);
        const after = desk.restart();
        if (!reachesDisk && nth > 1) expect(fold(after)).toBe(before);
        expect(after.controller.image.endOffset).toBeGreaterThanOrEqual(known);
        expect(committed(whole.events).slice(0, after.controller.image.endOffset)).toEqual(onDisk(desk.disk));
      }
    expect(kills).toBeGreaterThan(30);
  });

  test('the traces of both processes together have every record once its repeats are dropped (repl I-9, I-24)', () => {
    for (let nth = 1; ; nth++) {
      const { desk, killed } = playUntilKill(nth, true);
      if (!killed) break;
      const after = desk.restart();
      const seen = [...new Set([...committed(desk.events), ...committed(after.events)])];
      expect(seen).toEqual(history.slice(0, after.controller.image.endOffset));
    }
  });

  test('the cluster goes on: living brokers keep epoch and seat, what they ask for is decided', () => {
    for (let nth = 2; ; nth++) {
      const { desk, killed } = playUntilKill(nth, true);
      if (!killed) break;
      const after = desk.restart();
      const known = [...after.controller.image.brokers.values()].filter((broker) => !broker.inControlledShutdown);
      const ids = known.map(({ id }) => id);
      live(after, 20, ...ids);
      const now = ids.map((id) => after.controller.image.brokers.get(id)!);
      expect(now).toEqual(known.map((broker) => ({ ...broker, fenced: false })));
      expect(after.traced('broker.fenced').filter(({ broker }) => ids.includes(broker))).toEqual([]);
      for (const { isr, leader } of after.controller.image.partitions()) {
        if (isr.some((id) => ids.includes(id))) expect(leader).toBeGreaterThan(0);
      }
      if (ids.length > 0) expect(createTopic(after, 'later', { replicas: [ids] }).error).toBe('NONE');
    }
  });
});

function onDisk(disk: Disk): string[] {
  const keys = [...disk.keys()].filter((key) => key.startsWith('metadata/')).sort();
  return keys.map((key, offset) => `${offset} ${disk.get(key)!.toString()}`);
}
