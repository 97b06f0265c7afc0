// A real three-broker Apache Kafka of Maven's jars: node 1 is controller and broker, nodes 2 and 3 are brokers. Ports of its
// own on loopback, a directory of its own; every process is ended by its id, and ends with the test's own process too.
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../../src/agent/ports.ts';
import { startJava } from './java.ts';
import { listedBrokers } from './listed-brokers.ts';
import { until, within } from './until.ts';

const BROKERS = [1, 2, 3] as const;
const CONTROLLER = 1;
const START_MS = 180_000;

/** What both clusters of a comparison are told, so that they differ in nothing that was chosen. */
export const SAME_CONFIG: Readonly<Record<string, string>> = {
  'default.replication.factor': '3',
  'offsets.topic.num.partitions': '5',
  'offsets.topic.replication.factor': '3',
  'transaction.state.log.num.partitions': '5',
  'transaction.state.log.replication.factor': '3',
  'transaction.state.log.min.isr': '2',
  'group.initial.rebalance.delay.ms': '0',
};

export interface RealKafka {
  /** "127.0.0.1:port" of every broker. */
  readonly bootstrap: string;
  readonly ports: readonly number[];
  pidOf(id: number): number | undefined;
  kill(id: number): Promise<void>;
  /** Starts a killed node again, with its data. */
  restart(id: number): Promise<void>;
  close(): Promise<void>;
}

export interface RealKafkaOptions {
  readonly transactionVersion?: 0 | 1 | 2;
  readonly config?: Readonly<Record<string, string>>;
  readonly jvm?: readonly string[];
}

/** Resolves when all brokers list each other. */
export async function startRealKafka(options: RealKafkaOptions = {}): Promise<RealKafka> {
  const dir = mkdtempSync(join(tmpdir(), 'highwater-real-kafka-'));
  const ports = await freePorts({ host: '127.0.0.1', count: BROKERS.length + 1, consecutive: false, taken: new Set() });
  const kafka = new Nodes(dir, ports, options);
  try {
    await within(START_MS, 'real Kafka', Promise.all(BROKERS.map((id) => kafka.start(id))));
  } catch (error) {
    const said = BROKERS.map((id) => kafka.logOf(id)).join('\n');
    await kafka.close();
    throw new Error(`${(error as Error).message}\n${said}`, { cause: error });
  }
  return kafka;
}

class Nodes implements RealKafka {
  readonly bootstrap: string;
  readonly ports: readonly number[];
  readonly #dir: string;
  readonly #controllerPort: number;
  readonly #options: RealKafkaOptions;
  /** Without a dash at its head, which Kafka's tools take for an option. */
  readonly #clusterId = randomBytes(16).toString('base64url').replace(/^-/, '_');
  readonly #children = new Map<number, ChildProcess>();

  constructor(dir: string, ports: readonly number[], options: RealKafkaOptions) {
    this.#dir = dir;
    this.ports = ports.slice(0, BROKERS.length);
    this.#controllerPort = ports[BROKERS.length]!;
    this.bootstrap = this.ports.map((port) => `127.0.0.1:${port}`).join(',');
    this.#options = options;
  }

  pidOf(id: number): number | undefined {
    return this.#children.get(id)?.pid;
  }

  /** Starts a node and waits until it lists all brokers, or fails when it ends. */
  async start(id: number): Promise<void> {
    const properties = join(this.#dir, `${id}.properties`);
    mkdirSync(join(this.#dir, String(id)), { recursive: true });
    writeFileSync(properties, this.#properties(id));
    const features = [`transaction.version=${this.#options.transactionVersion ?? 2}`];
    const child = startJava('highwater.KafkaNode', [properties, this.#clusterId, ...features], {
      jvm: ['-Dorg.slf4j.simpleLogger.defaultLogLevel=warn', ...(this.#options.jvm ?? [])],
    });
    this.#children.set(id, child);
    const log = createWriteStream(this.#logFile(id), { flags: 'a' });
    child.stdout!.pipe(log);
    child.stderr!.pipe(log, { end: false });
    const ended = new Promise<never>((_, reject) =>
      child.once('exit', (code) => reject(new Error(`node ${id} of the real Kafka ended with ${code}`))),
    );
    ended.catch(() => undefined); // Only of interest while it starts.
    const port = this.ports[id - 1]!;
    const all = until(
      'all brokers listed',
      () => listedBrokers(port),
      (count) => count === BROKERS.length,
      START_MS,
    );
    await Promise.race([all, ended]);
  }

  restart(id: number): Promise<void> {
    return within(START_MS, `node ${id} of the real Kafka`, this.start(id));
  }

  async kill(id: number): Promise<void> {
    const child = this.#children.get(id);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill('SIGKILL');
    await ended;
  }

  async close(): Promise<void> {
    await Promise.all(BROKERS.map((id) => this.kill(id)));
    rmSync(this.#dir, { recursive: true, force: true, maxRetries: 3 });
  }

  /** The end of what a node said. */
  logOf(id: number): string {
    try {
      return readFileSync(this.#logFile(id), 'utf8').slice(-4000);
    } catch {
      return '';
    }
  }

  #logFile(id: number): string {
    return join(this.#dir, `${id}.txt`);
  }

  #properties(id: number): string {
    const client = `PLAINTEXT://127.0.0.1:${this.ports[id - 1]}`;
    const controller = `127.0.0.1:${this.#controllerPort}`;
    const isController = id === CONTROLLER;
    const settings: Record<string, string> = {
      'node.id': String(id),
      'process.roles': isController ? 'broker,controller' : 'broker',
      'controller.quorum.voters': `${CONTROLLER}@${controller}`,
      'controller.listener.names': 'CONTROLLER',
      listeners: isController ? `${client},CONTROLLER://${controller}` : client,
      'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
      'log.dirs': join(this.#dir, String(id), 'data'),
      ...SAME_CONFIG,
      ...this.#options.config,
    };
    return Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join('');
  }
}
