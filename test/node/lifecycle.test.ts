// A broker's life: registration, the first image, unfencing, shutdown, restart.
import { describe, expect, test } from 'vitest';
import { partitionRecord, registerBrokerRecord, registrationChangeRecord } from '../../src/metadata/records.ts';
import { removeTopicRecord, topicRecord } from '../../src/metadata/records.ts';
import { ScriptedFollower } from './support/scripted-follower.ts';
import { ScriptedLeader } from './support/scripted-leader.ts';
import { BROKER, Stage, TOPIC, TOPIC_ID } from './support/stage.ts';

const states = (stage: Stage): string[] => stage.seen('broker.state').map(({ state }) => state);
const METADATA = { allTopics: true, topics: [], allowAutoTopicCreation: false };

describe('repl R-86: registration', () => {
  test('DUPLICATE_BROKER_REGISTRATION: again after every heartbeat interval, as the same incarnation', () => {
    const stage = new Stage();
    stage.controller.refusals.push('DUPLICATE_BROKER_REGISTRATION', 'DUPLICATE_BROKER_REGISTRATION');
    stage.start();
    const { registrations } = stage.controller;
    expect(registrations).toHaveLength(3);
    expect(new Set(registrations.map(({ incarnationId }) => incarnationId)).size).toBe(1);
    expect(stage.world.now).toBeGreaterThanOrEqual(200);
  });
  test('it gives up after initial.broker.registration.timeout.ms', () => {
    const stage = new Stage({ config: { 'initial.broker.registration.timeout.ms': 5000 } });
    stage.controller.refusals.push(
      ...Array<'DUPLICATE_BROKER_REGISTRATION'>(1000).fill('DUPLICATE_BROKER_REGISTRATION'),
    );
    stage.boot();
    stage.until(() => stage.world.node(BROKER).state === 'down');
    expect(stage.seen('node.halted')[0]!.reason).toContain('DUPLICATE_BROKER_REGISTRATION');
    expect(stage.world.now).toBeGreaterThanOrEqual(5000);
  });
  test('a data directory of another cluster: it halts at once', () => {
    const stage = new Stage();
    stage.controller.refusals.push('INCONSISTENT_CLUSTER_ID');
    stage.boot();
    stage.until(() => stage.world.node(BROKER).state === 'down', 1000);
    expect(stage.seen('node.halted')[0]!.reason).toContain('another cluster');
  });
  test('each process has an incarnation of its own, and says which cluster its directory belongs to', () => {
    const stage = new Stage().start();
    stage.kill();
    stage.start();
    const [first, second] = stage.controller.registrations;
    expect(first).toMatchObject({ clusterId: '', previousBrokerEpoch: -1 });
    expect(second).toMatchObject({ clusterId: 'cluster', previousBrokerEpoch: -1 });
    expect(second!.incarnationId).not.toBe(first!.incarnationId);
  });
});

describe('repl R-89: from STARTING to RUNNING', () => {
  test('it asks to be fenced until the first image is in force and the controller says that it is caught up', () => {
    const stage = new Stage();
    stage.controller.silent = true;
    stage.boot();
    stage.runFor(500);
    expect(stage.host.broker.state).toBe('STARTING');
    const { heartbeats } = stage.controller;
    expect(heartbeats.length).toBeGreaterThan(2);
    expect(heartbeats.every(({ wantFence, currentMetadataOffset }) => wantFence && currentMetadataOffset === 0)).toBe(
      true,
    );
    stage.controller.silent = false;
    stage.until(() => stage.host.broker.state === 'RUNNING');
    const caughtUp = heartbeats.filter(({ currentMetadataOffset }) => currentMetadataOffset > 0);
    expect(caughtUp.map(({ wantFence }) => wantFence)).toEqual([true, false]);
    expect(states(stage)).toEqual(['STARTING', 'STARTING', 'RECOVERY', 'RUNNING']);
  });
  test('later deltas begin nothing anew', () => {
    const stage = new Stage().start();
    const { heartbeats } = stage.controller;
    const before = heartbeats.length;
    for (const isr of [[1, 2], [1], [1, 2]]) stage.change({ isr });
    expect(heartbeats.length - before).toBeLessThanOrEqual(1);
  });
  test('nothing is answered before it is unfenced; then all that was asked is', () => {
    const stage = new Stage();
    stage.controller.unfences = false;
    stage.boot();
    const metadata = stage.ask('Metadata', METADATA);
    stage.until(() => stage.host.broker.state === 'RECOVERY');
    stage.runFor(500);
    expect(metadata.value).toBeUndefined();
    stage.controller.unfences = true;
    stage.until(() => metadata.value !== undefined, 1000);
    expect(metadata.value).toMatchObject({ kind: 'ok' });
  });
  test('a fetch of a peer waits for it too, and is served then', () => {
    const stage = new Stage({ replicas: [1, 2] });
    stage.controller.unfences = false;
    stage.boot();
    stage.until(() => stage.host.broker.state === 'RECOVERY');
    const follower = new ScriptedFollower(stage, 2);
    follower.send([], { maxWaitMs: 0 });
    stage.runFor(300);
    expect(follower.answers).toHaveLength(0);
    stage.controller.unfences = true;
    stage.until(() => follower.answers.length === 1, 1000);
  });
  test('followers begin to fetch while still fenced', () => {
    const stage = new Stage({ leader: 2, isr: [2] });
    const leader = new ScriptedLeader(stage, 2);
    stage.controller.unfences = false;
    stage.boot();
    leader.request(1);
    expect(stage.host.broker.state).not.toBe('RUNNING');
  });
  test('repl R-88: the first image holds its own registration, in however many pieces it comes', () => {
    const stage = new Stage();
    stage.controller.portion = 1;
    stage.start();
    const first = stage.seen('metadata.applied')[0]!;
    expect(first.offset).toBeGreaterThan(first.brokerEpoch);
  });
});

describe('repl R-90: heartbeats', () => {
  test('T-38: STALE_BROKER_EPOCH is asked again, never registered again', () => {
    const stage = new Stage().start();
    stage.controller.heartbeatError = 'STALE_BROKER_EPOCH';
    const before = stage.controller.heartbeats.length;
    stage.runFor(1000);
    const sent = stage.controller.heartbeats.length - before;
    expect(sent).toBeGreaterThan(5);
    expect(sent).toBeLessThanOrEqual(11);
    expect(stage.controller.registrations).toHaveLength(1);
    expect(stage.host.broker.state).toBe('RUNNING');
  });
  test('a replaced process takes in nothing of its successor', () => {
    const stage = new Stage().start();
    const before = stage.host.broker.metadataOffset;
    const brokerEpoch = stage.controller.image.endOffset;
    stage.controller.commit(registerBrokerRecord({ id: 1, incarnationId: 'next', brokerEpoch, fenced: true }, []));
    stage.controller.commit(registrationChangeRecord(stage.controller.image.brokers.get(1)!, { fenced: false }));
    stage.runFor(5000);
    expect(stage.host.broker.metadataOffset).toBe(before);
    expect(stage.host.broker.state).toBe('RUNNING');
  });
});

describe('the metadata log', () => {
  test('a lost stream is opened again where it stopped', () => {
    const stage = new Stage().start();
    stage.controller.silent = true;
    stage.controller.commit(registrationChangeRecord(stage.controller.image.brokers.get(2)!, { fenced: true }));
    stage.runFor(100);
    expect(stage.host.broker.image.brokers.get(2)).toMatchObject({ fenced: false });
    stage.controller.silent = false;
    stage.untilApplied(); // Nothing more is committed: only the silence tells.
    expect(stage.host.broker.image.brokers.get(2)).toMatchObject({ fenced: true });
  });
  test('repl R-101, I-24: a message that was lost is noticed by the next one, and both are read', () => {
    const stage = new Stage().start();
    const { controller } = stage;
    const fence = (id: number): void =>
      controller.commit(registrationChangeRecord(controller.image.brokers.get(id)!, { fenced: true }));
    controller.silent = true;
    fence(2);
    controller.silent = false;
    fence(3);
    stage.runFor(500);
    expect([2, 3].map((id) => stage.host.broker.image.brokers.get(id)?.fenced)).toEqual([true, true]);
    expect(stage.host.broker.metadataOffset).toBe(controller.image.endOffset);
  });
  test('an older controller process is not believed', () => {
    const stage = new Stage().start();
    stage.controller.controllerEpoch = 5;
    stage.commit(registrationChangeRecord(stage.controller.image.brokers.get(2)!, { fenced: true }));
    stage.controller.controllerEpoch = 4;
    stage.controller.commit(registrationChangeRecord(stage.controller.image.brokers.get(2)!, { fenced: false }));
    stage.runFor(3000);
    expect(stage.host.broker.image.brokers.get(2)).toMatchObject({ fenced: true });
  });
});

function shutDown(stage: Stage): { done: boolean } {
  const result = { done: false };
  stage.host.shutDown(() => {
    result.done = true;
    stage.kill();
  });
  return result;
}

describe('repl R-94, R-109: controlled shutdown', () => {
  test('it asks, waits for its leave, and is known as clean when it comes back', () => {
    const stage = new Stage({ replicas: [1] }).start();
    stage.produced('a');
    const epoch = stage.host.broker.brokerEpoch;
    stage.controller.letsGo = false;
    const stopping = shutDown(stage);
    stage.runFor(500);
    expect(stopping.done).toBe(false);
    expect(stage.controller.heartbeats.at(-1)).toMatchObject({ wantShutDown: true });
    stage.controller.letsGo = true;
    stage.until(() => stopping.done, 1000);
    expect(states(stage).slice(-2)).toEqual(['PENDING_CONTROLLED_SHUTDOWN', 'SHUTTING_DOWN']);
    stage.start();
    expect(stage.controller.registrations.at(-1)).toMatchObject({ previousBrokerEpoch: epoch });
    expect(stage.seen('log.opened').at(-1)).toMatchObject({ clean: true, logEndOffset: 1, highWatermark: 1 });
  });
  test('without an answer it leaves when its time is up', () => {
    const stage = new Stage({ replicas: [1] }).start();
    stage.controller.letsGo = false;
    const stopping = shutDown(stage);
    stage.until(() => stopping.done, 2500);
  });
  test('what is parked is ended', () => {
    const stage = new Stage({ replicas: [1, 2] }).start();
    const parked = stage.produce('a', { timeoutMs: 60_000 });
    stage.until(() => stage.replica.logEndOffset === 1);
    let done = false;
    stage.host.shutDown(() => (done = true));
    stage.until(() => done && parked.answer !== undefined, 1000);
    expect(parked.answer).toMatchObject({ error: 'NOT_LEADER_OR_FOLLOWER' });
  });
  test('replicas out of the ISR are not fetched any more', () => {
    const stage = new Stage({ leader: 2, isr: [1, 2] });
    const leader = new ScriptedLeader(stage, 2);
    stage.start();
    leader.request(1);
    stage.controller.letsGo = false;
    stage.host.shutDown(() => undefined);
    stage.change({ isr: [2] });
    stage.until(() => leader.streams[0]!.ended, 1000);
  });
  test('before it could register it just ends', () => {
    const stage = new Stage();
    stage.boot();
    expect(shutDown(stage).done).toBe(false);
    stage.until(() => stage.world.node(BROKER).state === 'down', 1000);
    expect(stage.controller.registrations).toHaveLength(0);
  });
});

describe('repl R-115: a log whose topic was deleted meanwhile', () => {
  test('is set aside, said, and does not make every later start an unclean one', () => {
    const stage = new Stage({ replicas: [1] }).start();
    stage.produced('a');
    stage.kill();
    stage.controller.commit(
      removeTopicRecord(TOPIC_ID),
      topicRecord(TOPIC, 'second'),
      partitionRecord({ topicId: 'second', partition: 0 }, { replicas: [1], isr: [1], leader: 1 }),
    );
    stage.start();
    expect(stage.seen('log.opened').at(-1)).toMatchObject({ topicId: 'second', logEndOffset: 0 });
    expect(stage.seen('log.line').at(-1)!.message).toContain(`${TOPIC}-0 (topic id ${TOPIC_ID}) is set aside`);
    const epoch = stage.host.broker.brokerEpoch;
    expect(epoch).toBeGreaterThan(0);
    const stopped = shutDown(stage);
    stage.until(() => stopped.done, 1000);
    stage.start();
    expect(stage.controller.registrations.at(-1)).toMatchObject({ previousBrokerEpoch: epoch });
  });
});

describe('repl R-52, R-53: the high watermark over a restart', () => {
  test('after a kill it is what was last written down, and never more than that (T-25)', () => {
    const stage = new Stage({ replicas: [1], partitions: 2 }).start();
    stage.produced('a');
    stage.runFor(1200);
    stage.produced('b');
    stage.kill();
    stage.controller.unfences = false;
    stage.boot();
    stage.until(() => stage.seen('log.opened').length === 4);
    const opened = stage
      .seen('log.opened')
      .slice(2)
      .filter(({ partition }) => partition === 0);
    expect(opened).toMatchObject([{ logEndOffset: 2, highWatermark: 1, clean: false }]);
  });
});
