// The workload clients of a run, each a process: starts them with what stands now (faults, cut links, safeguards), passes
// changes on, and tells what they say.
import { join } from 'node:path';
import { hostOf, type ClusterState } from '../../agent/home.ts';
import type { NodeId } from '../../base/units.ts';
import type { Safeguard } from '../../fault/safeguards.ts';
import type { FaultSpec } from '../../protocol/generated/index.ts';
import type { FromClient, ToClient } from '../../workload/pipe.ts';
import type { ClientCommand, ClientReport, ClientSpec, ExternalSpec, OwnSpec } from '../../workload/spec.ts';
import type { Stamped } from '../../trace/events.ts';
import type { NodeState } from '../driver.ts';
import { ClientProcess } from './client-process.ts';
import { ExternalProgram } from './external-program.ts';
import { LineOrder, machineUs, REAL_LINE_ORDER } from './line-order.ts';

export interface ClientsOptions {
  /** dist/client/main.js. */
  readonly program: string;
  /** Where their files go. */
  readonly dir: string;
  readonly cluster: ClusterState;
  /** Puts what clients say into one order; whoever orders other lines beside them gives the same. */
  readonly order?: LineOrder;
  readonly report: (id: string, report: ClientReport) => void;
  readonly event: (stamped: Stamped) => void;
  readonly state: (node: NodeId, state: NodeState) => void;
  /** A process is gone, by this signal if by one. Told behind everything that it said. */
  readonly exited: (id: string, node: NodeId, signal: string) => void;
}

interface Client {
  readonly id: string;
  readonly node: NodeId;
  readonly process: ClientProcess | ExternalProgram;
  seq: number;
}

const FIRST_CLIENT: NodeId = 1001;

export class Clients {
  readonly #options: ClientsOptions;
  readonly #clients: Client[] = [];
  readonly #order: LineOrder;
  readonly #faults = new Map<string, FaultSpec>();
  readonly #cuts = new Map<NodeId, Set<NodeId>>();
  readonly #off: Set<Safeguard>;

  constructor(options: ClientsOptions, safeguardsOff: readonly Safeguard[]) {
    this.#options = options;
    this.#order = options.order ?? new LineOrder(REAL_LINE_ORDER);
    this.#off = new Set(safeguardsOff);
  }

  /** Whether a node id is a client's. */
  has(node: NodeId): boolean {
    return this.#clients.some((client) => client.node === node);
  }

  start(spec: ClientSpec): void {
    const node = FIRST_CLIENT + this.#clients.length;
    this.#clients.push(spec.kind === 'external' ? this.#external(spec, node) : this.#own(spec, node));
    this.#options.state(node, 'running');
  }

  #external(spec: ExternalSpec, node: NodeId): Client {
    const { cluster, dir } = this.#options;
    const brokers = cluster.nodes.filter(({ role }) => role === 'broker');
    const bootstrap = brokers.map((broker) => `${hostOf(cluster, broker)}:${broker.kafkaPort}`).join(',');
    const program = new ExternalProgram({
      ...{ spec, bootstrap, logFile: join(dir, `${spec.id}.log`) },
      onExit: (code, told) => {
        this.#order.add(machineUs(), () => {
          if (code !== null && !told) this.#options.report(spec.id, { kind: 'exited', code });
          if (code !== null || told) this.#options.report(spec.id, { kind: 'done' });
          this.#options.state(node, 'down');
          this.#options.exited(spec.id, node, program.signal);
        });
      },
    });
    return { id: spec.id, node, seq: 0, process: program };
  }

  #own(spec: OwnSpec, node: NodeId): Client {
    const { cluster, dir, program } = this.#options;
    const brokers = cluster.nodes.filter(({ role }) => role === 'broker');
    const start = {
      ...{ node, spec, seed: 0, profile: cluster.timers, bootstrap: brokers.map(({ id }) => id) },
      addresses: brokers.map((broker) => ({ node: broker.id, host: hostOf(cluster, broker), port: broker.grpcPort })),
      file: join(dir, `${spec.id}.ndjson`),
      faults: [...this.#faults.values()],
      cutTo: [...(this.#cuts.get(node) ?? [])],
      safeguardsOff: [...this.#off],
    };
    const client: Client = {
      ...{ id: spec.id, node, seq: 0 },
      process: new ClientProcess({
        ...{ program, start, logFile: join(dir, `${spec.id}.log`) },
        onLine: (line) => this.#order.add(line.atUs, () => this.#hear(client, line)),
        onExit: () => {
          this.#order.add(machineUs(), () => {
            this.#options.state(node, 'down');
            this.#options.exited(spec.id, node, client.process.signal);
          });
        },
      }),
    };
    return client;
  }

  command(id: string, command: ClientCommand): void {
    this.#clients.find((client) => client.id === id)?.process.tell({ command });
  }

  node(id: string): NodeId | undefined {
    return this.#clients.find((client) => client.id === id)?.node;
  }

  arm(fault: FaultSpec): void {
    this.#faults.set(fault.id, fault);
    this.#all({ arm: fault });
  }

  disarm(id: string): void {
    if (id === '*') this.#faults.clear();
    else this.#faults.delete(id);
    this.#all({ disarm: id });
  }

  release(id: string): void {
    this.#all({ release: id });
  }

  setLink(from: NodeId, to: NodeId, cut: boolean): void {
    const cuts = this.#cuts.get(from) ?? new Set<NodeId>();
    this.#cuts.set(from, cuts);
    if (cut) cuts.add(to);
    else cuts.delete(to);
    this.#clients.find((client) => client.node === from)?.process.tell({ link: { to, cut } });
  }

  setSafeguard(name: Safeguard, on: boolean): void {
    if (on) this.#off.delete(name);
    else this.#off.add(name);
    this.#all({ safeguard: { name, on } });
  }

  kill(node: NodeId): void {
    this.#at(node)?.process.kill();
  }

  pause(node: NodeId): void {
    this.#at(node)?.process.pause();
    this.#options.state(node, 'paused');
  }

  resume(node: NodeId): void {
    this.#at(node)?.process.resume();
    this.#options.state(node, 'running');
  }

  isAlive(node: NodeId): boolean {
    return this.#at(node)?.process.alive === true;
  }

  killAll(): void {
    for (const client of this.#clients) client.process.kill();
  }

  get anyAlive(): boolean {
    return this.#clients.some((client) => client.process.alive);
  }

  #at(node: NodeId): Client | undefined {
    return this.#clients.find((client) => client.node === node);
  }

  #all(line: ToClient): void {
    for (const client of this.#clients) client.process.tell(line);
  }

  #hear(client: Client, line: FromClient): void {
    if ('report' in line) this.#options.report(client.id, line.report);
    else if ('event' in line) {
      const { node } = client;
      this.#options.event({ node, seq: client.seq++, lamport: 0, time: Date.now(), event: line.event });
      // It says so, then stops itself: nobody else could tell.
      if (line.event.type === 'fault.fired' && line.event.action === 'pause') this.#options.state(node, 'paused');
    }
  }
}
