// The promises of replication on processes, seen from outside: the two rounds of a record step by step, a controller and a
// leader that are frozen and go on. One cluster of three brokers.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agentClient } from '../../../src/agent/agent-client.ts';
import { CONTROLLER_ID } from '../../../src/base/units.ts';
import { readAll, type HighwaterClient } from '../../../src/client/index.ts';
import { nodeConfig } from '../../../src/protocol/config.ts';
import type { Stamped, TraceEvent } from '../../../src/trace/events.ts';
import { PRODUCE, batchOf } from '../../kafka/bodies.ts';
import { RawClient } from '../../kafka/raw-client.ts';
import type { Struct } from '../../kafka/generic-codec.ts';
import { connectTo, partitionOf, replicaOf, untilConverged } from '../support/client.ts';
import { allEvents, eventsOf } from '../support/events.ts';
import { Highwater } from '../support/highwater.ts';
import { until } from '../support/until.ts';

const of = ['--cluster', 'replicas'] as const;
const TIMED_OUT = 7;
let highwater: Highwater;
let client: HighwaterClient;

beforeAll(async () => {
  highwater = new Highwater();
  await highwater.up('replicas', '--config', 'min.insync.replicas=2', '--topic', 'rounds', '--topic', 'zombie');
  client = await connectTo(highwater.state('replicas'));
});
afterAll(async () => {
  await client?.close(100);
  await highwater.ok('down', ...of);
  expect(await highwater.close()).toEqual([]);
});

type EventOf<Type extends TraceEvent['type']> = Extract<TraceEvent, { readonly type: Type }>;

test('repl R-49: two rounds until a record is readable, one more until followers know', async () => {
  await client.producer().send({ topic: 'rounds', value: 'a' });
  const { leader, replicas } = await partitionOf(client, 'rounds');
  const followers = replicas.filter((node) => node !== leader);
  await untilConverged(client, 'rounds');

  const events = allEvents(highwater.state('replicas')).filter(
    ({ event }) => 'topic' in event && event.topic === 'rounds',
  );
  /** Lamport time of the one event of a node that says this. */
  const timeOf = <Type extends TraceEvent['type']>(
    node: number,
    type: Type,
    says: (event: EventOf<Type>) => boolean,
  ): number => {
    const found = events.filter(
      (stamped): stamped is Stamped & { event: EventOf<Type> } =>
        stamped.node === node && stamped.event.type === type && says(stamped.event as EventOf<Type>),
    );
    expect(found, `${type} at ${node}`).toHaveLength(1);
    return found[0]!.lamport;
  };
  const appended = (node: number): number => timeOf(node, 'log.appended', ({ logEndOffset }) => logEndOffset === 1);
  const advanced = (node: number): number => timeOf(node, 'hw', ({ to }) => to === 1);
  /** The fetch at 1 that told the leader that a follower has the record; later ones repeat it. */
  const recorded = (follower: number): number =>
    events.find(
      ({ node, event }) =>
        node === leader && event.type === 'fetch.recorded' && event.follower === follower && event.offset === 1,
    )!.lamport;
  const answered = timeOf(leader, 'produce.answered', ({ acks }) => acks === -1);

  for (const follower of followers) {
    // First round: the record goes to the follower. Second: its next fetch says that it has it.
    expect(appended(leader)).toBeLessThan(appended(follower));
    expect(appended(follower)).toBeLessThan(recorded(follower));
    expect(recorded(follower)).toBeLessThan(advanced(leader));
    // The answer to that fetch, or a later one, tells the follower.
    expect(advanced(leader)).toBeLessThan(advanced(follower));
  }
  expect(advanced(leader)).toBeLessThan(answered);
});

test('a controller frozen for three sessions fences nobody when it goes on', async () => {
  const config = nodeConfig({}, 'fast');
  const fencings = (): number =>
    eventsOf(highwater.state('replicas'), 100).filter(({ event }) => event.type === 'broker.fenced').length;
  const before = fencings();
  await highwater.ok('node', 'pause', 'controller', ...of);
  // No wait for a state: this is how long it is frozen.
  await new Promise((resolve) => setTimeout(resolve, 3 * config['broker.session.timeout.ms']));
  await highwater.ok('node', 'resume', 'controller', ...of);
  await highwater.ok(
    'fault',
    'add',
    '--id',
    'count',
    '--at',
    'rpc.BrokerHeartbeat.response',
    '--where',
    'to=99',
    '--do',
    'drop',
    ...of,
  );
  const twoSessions = (2 * config['broker.session.timeout.ms']) / config['broker.heartbeat.interval.ms'];
  await until('two sessions of heartbeats of three brokers were answered', async () => {
    const { data } = await highwater.json<{ data: { hits: number }[] }>('fault', 'list', ...of);
    return data[0]!.hits >= 3 * twoSessions;
  });
  await highwater.ok('fault', 'rm', 'count', ...of);
  expect(fencings()).toBe(before);
  const { brokers } = await client.admin().describeCluster();
  expect(brokers.map(({ fenced }) => fenced)).toEqual([false, false, false]);
});

describe('a leader that is frozen until another is elected, and goes on cut off from the controller', () => {
  let old: number;
  let raw: RawClient;

  /** What a client with old metadata gets from it. */
  async function produceToZombie(acks: number, value: string): Promise<Struct> {
    const topicData = [{ name: 'zombie', partitionData: [{ index: 0, records: batchOf(value) }] }];
    const { body } = await raw.ask(PRODUCE, 3, { transactionalId: null, acks, timeoutMs: 1000, topicData });
    const [topic] = body['responses'] as Struct[];
    return (topic!['partitionResponses'] as Struct[])[0]!;
  }

  beforeAll(async () => {
    await client.producer().send({ topic: 'zombie', value: 'before' });
    ({ leader: old } = await partitionOf(client, 'zombie'));
    const { kafkaPort } = highwater.state('replicas').nodes.find(({ id }) => id === old)!;
    raw = new RawClient(kafkaPort);
    const agent = agentClient(highwater.state('replicas'));
    // Cut before it is frozen: what the network owes a frozen node would end the zombie's time at once.
    await agent.call('SetLinkBetween', { from: CONTROLLER_ID, to: old, cut: true }, 10_000);
    await agent.call('PauseNode', { id: old, cause: 'test' }, 10_000);
    const { leader, leaderEpoch } = await until('another leader', async () => {
      const now = await partitionOf(client, 'zombie');
      return now.leader !== old && now.leader > 0 ? now : undefined;
    });
    expect([leader === old, leaderEpoch]).toEqual([false, 1]);
    // A client that never heard of the old one: else its first attempt would be executed there when it goes on.
    const { grpcPort } = highwater.state('replicas').nodes.find(({ id }) => id === leader)!;
    const fresh = await connectTo(highwater.state('replicas'), { brokers: [`127.0.0.1:${grpcPort}`] });
    await fresh.producer().send({ topic: 'zombie', value: 'after' });
    await fresh.close(100);
    await agent.call('ResumeNode', { id: old, cause: 'test' }, 10_000);
    agent.close();
  });
  afterAll(() => raw.close());

  test('repl R-103: it has no lease: acks=1 is answered, and lost', async () => {
    expect(await produceToZombie(1, 'lost')).toMatchObject({ errorCode: 0, baseOffset: 1 });
    expect(await replicaOf(client, old, 'zombie')).toMatchObject({ role: 'leader', leaderEpoch: 0, logEndOffset: 2 });
  });

  test('repl R-16: acks=all never succeeds there: its high watermark stands still', async () => {
    expect(await produceToZombie(-1, 'never')).toMatchObject({ errorCode: TIMED_OUT });
    expect(await replicaOf(client, old, 'zombie')).toMatchObject({ highWatermark: 1, logEndOffset: 3 });
  });

  test('repl R-73: healed, it truncates to where the epochs part, and rejoins', async () => {
    await highwater.ok('fault', 'heal', ...of);
    const replicas = await untilConverged(client, 'zombie');
    expect(replicas.map(({ logEndOffset }) => logEndOffset)).toEqual([2, 2, 2]);
    expect((await readAll(client, 'zombie')).map(({ value }) => String(value))).toEqual(['before', 'after']);
    const cuts = eventsOf(highwater.state('replicas'), old).flatMap(({ event }) =>
      event.type === 'log.truncated' && event.topic === 'zombie' ? [event] : [],
    );
    expect(cuts).toMatchObject([{ from: 3, to: 1, highWatermark: 1 }]);
  });
});
