// Real Kafka clients against Highwater and against a real Apache Kafka of the same machine, in turns: ratios, since no figure of
// one machine is another's. Both have three brokers, every record on all of them, and their default timers.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/cli/version.ts';
import { installed, PYTHON } from '../../test/clients/run-client.ts';
import { startHighwater } from '../../test/clients/support/highwater.ts';
import { javaSide } from '../../test/clients/support/java.ts';
import { SAME_CONFIG, startRealKafka } from '../../test/clients/support/real-kafka.ts';
import { jsClient, type JsClient } from '../clients/kafkajs.ts';
import { alternate, figure, ratio, type Result, type Rounds } from '../figures.ts';
import { residentMib } from '../processes.ts';
import type { Room } from '../room.ts';
import { Skipped, type Row } from './row.ts';

const TOPIC = 'bench';
const ROUNDS = 3;
const SECONDS = 4;
const BYTES = 1024;
const COMMITS = 40;
const IDS = [1, 2, 3] as const;

interface Side {
  readonly bootstrap: string;
  readonly client: JsClient;
  /** From the first process until the first record is acknowledged, ms. */
  readonly startedMs: number;
  pids(): number[];
  kill(id: number): Promise<void>;
  restart(id: number): Promise<void>;
}

export const clients: Row = {
  name: 'clients',
  about:
    'kafkajs and librdkafka against Highwater and against a real Kafka: throughput, commits, start, memory, failover',
  limitMs: 420_000,
  run: async (room) => {
    const java = javaSide();
    if ('missing' in java) throw new Skipped(`a real Kafka cannot be had: ${java.missing}`);
    const kafka = await realKafka(room);
    const highwater = await ours(room);
    const results = [
      once('start until a record is acknowledged', { ours: [highwater.startedMs], bare: [kafka.startedMs] }, 'ms'),
      once('resident memory of a broker', { ours: memory(highwater), bare: memory(kafka) }, 'MiB'),
    ];
    const rates = await alternate(
      ROUNDS,
      () => highwater.client.throughput(TOPIC, SECONDS, BYTES),
      () => kafka.client.throughput(TOPIC, SECONDS, BYTES),
    );
    results.push(once('kafkajs, acks=all, 1 KiB records', rates, 'MB/s'));
    const [ourCommits, theirs] = [
      await highwater.client.commits(TOPIC, COMMITS, BYTES),
      await kafka.client.commits(TOPIC, COMMITS, BYTES),
    ];
    results.push(once('kafkajs, commit of a transaction', { ours: ourCommits, bare: theirs }, 'ms'));
    if (installed.confluentKafka) results.push(...(await librdkafka(highwater, kafka)));
    results.push(once('kill -9 of the leader until acks=all', await failovers(highwater, kafka), 'ms'));
    return results;
  },
};

async function realKafka(room: Room): Promise<Side> {
  const began = performance.now();
  // For measuring, both of its compilers are let to work.
  const kafka = await startRealKafka({ jvm: ['-XX:TieredStopAtLevel=4'] });
  room.onClose(() => kafka.close());
  return {
    ...kafka,
    ...(await started(room, kafka.bootstrap, began)),
    ...{ bootstrap: kafka.bootstrap },
    kill: (id) => kafka.kill(id),
    restart: (id) => kafka.restart(id),
    pids: () => IDS.map((id) => kafka.pidOf(id)!),
  };
}

async function ours(room: Room): Promise<Side> {
  const began = performance.now();
  const cluster = await startHighwater({ timers: 'kafka', config: SAME_CONFIG });
  room.onClose(() => cluster.close());
  const pids = () => cluster.running.agent.list().flatMap(({ role, pid }) => (role === 'broker' ? [pid] : []));
  const { bootstrap, kill, restart } = cluster;
  return { bootstrap, kill, restart, pids, ...(await started(room, bootstrap, began)) };
}

async function started(room: Room, bootstrap: string, began: number) {
  const client = await jsClient(bootstrap);
  room.onClose(() => client.close());
  await client.createTopic(TOPIC);
  await client.acknowledged(TOPIC);
  return { client, startedMs: performance.now() - began };
}

const memory = (side: Side) => side.pids().map(residentMib);

async function failovers(highwater: Side, kafka: Side): Promise<Rounds> {
  const once = async (side: Side): Promise<number> => {
    // Node 1 of the real Kafka is its only controller.
    let leader = await side.client.leaderOf(TOPIC);
    if (leader === 1) {
      await side.kill(1);
      await side.restart(1);
      await side.client.settled(TOPIC);
      leader = await side.client.leaderOf(TOPIC);
    }
    const ended = side.kill(leader);
    const took = await side.client.acknowledged(TOPIC);
    await ended;
    await side.restart(leader);
    await side.client.settled(TOPIC);
    return took;
  };
  return { ours: [await once(highwater)], bare: [await once(kafka)] };
}

async function librdkafka(highwater: Side, kafka: Side): Promise<Result[]> {
  const script = join(packageRoot(), 'bench/clients/librdkafka.py');
  const run = async (side: Side) => {
    const args = [script, side.bootstrap, TOPIC, SECONDS, BYTES, COMMITS].map(String);
    const { stdout } = await promisify(execFile)(PYTHON, args, { timeout: 120_000 });
    return JSON.parse(stdout) as { readonly rate: number; readonly commits: number[] };
  };
  const [first, theirs, second, again] = [
    await run(highwater),
    await run(kafka),
    await run(highwater),
    await run(kafka),
  ];
  const rates = { ours: [first.rate, second.rate], bare: [theirs.rate, again.rate] };
  const took = { ours: [...first.commits, ...second.commits], bare: [...theirs.commits, ...again.commits] };
  return [
    once('librdkafka, acks=all, 1 KiB records', rates, 'MB/s'),
    once('librdkafka, commit of a transaction', took, 'ms'),
  ];
}

/** A row of the table: ours, theirs, and one by the other. */
function once(what: string, rounds: Rounds, unit: string): Result {
  return {
    ...{ row: 'clients', what, figure: figure(rounds.ours, unit) },
    yardstick: { what: 'Kafka', ...figure(rounds.bare, unit) },
    judged: ratio(rounds),
  };
}
