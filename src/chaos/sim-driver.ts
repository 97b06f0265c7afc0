// The cluster of a run in the simulator: virtual time, one thread, determined by the seed. What it tells goes through one
// queue in the order it happened, each in an event of its own.
import type { NodeId, TopicPartition } from '../base/units.ts';
import { CONTROLLER_ID } from '../base/units.ts';
import type { Safeguard } from '../fault/safeguards.ts';
import type { RequestOf, ResponseOf, UnaryApi } from '../protocol/apis.ts';
import { ERRORS, type ErrorName } from '../protocol/errors.ts';
import type { FaultSpec, FaultStatus } from '../protocol/generated/index.ts';
import type { Runtime } from '../runtime/ports.ts';
import { SimCluster } from '../sim/cluster.ts';
import type { NetworkOptions } from '../sim/network/fabric.ts';
import { startClient } from '../workload/client.ts';
import type { ClientCommand, ClientSpec, WorkloadClient } from '../workload/spec.ts';
import type { ClusterDriver, ClusterSetup, Done, DriverEvents, ElectionRequest, NodeState } from './driver.ts';
import { reassignmentRequest, topicRequest } from './topic-request.ts';

export interface SimDriverOptions {
  readonly network?: Partial<NetworkOptions>;
  /** Whether the trace's hash will be asked for. */
  readonly hashed?: boolean;
  /** Hears of every safeguard that a node asks whether it is on. */
  readonly onSafeguard?: (name: Safeguard) => void;
  /** Hears of the cluster once it is made, before anything happens in it. */
  readonly onCluster?: (cluster: SimCluster) => void;
}

const FIRST_CLIENT: NodeId = 1001;
/** Carries the administration of a run. */
const ADMIN: NodeId = 999;
const CALL_MS = 2000;
const READY_MS = 20_000;
const LOOK_MS = 5;

export class SimDriver implements ClusterDriver {
  readonly #options: SimDriverOptions;
  #cluster: SimCluster | undefined;
  #on: DriverEvents | undefined;
  #admin: Runtime | undefined;
  readonly #clients = new Map<string, { readonly node: NodeId; readonly client: WorkloadClient }>();
  #told: (() => void)[] = [];
  #telling = false;
  #stopped = false;

  constructor(options: SimDriverOptions = {}) {
    this.#options = options;
  }

  /** Runs the world until `finished` holds; false if it does not within `maxMs` of virtual time. */
  runUntil(finished: () => boolean, maxMs: number): boolean {
    return this.#sim.world.run({ until: finished, maxMs });
  }

  now(): number {
    return this.#cluster?.world.now ?? 0;
  }

  after(delayMs: number, run: () => void): { cancel(): void } {
    return this.#sim.world.scheduler.after(Math.max(1, Math.ceil(delayMs * 1000)), run);
  }

  start(setup: ClusterSetup, on: DriverEvents, done: Done): void {
    const { brokers, timers, config, racks = [] } = setup.cluster;
    const { network = {}, hashed = false, onSafeguard } = this.#options;
    const asked = onSafeguard === undefined ? {} : { onSafeguard };
    const safety = { safeguardsOff: setup.safeguardsOff, seed: setup.seed, ...asked };
    const cluster = new SimCluster({ brokers, timers, config, racks, network, hashed, ...safety });
    this.#cluster = cluster;
    this.#on = on;
    this.#options.onCluster?.(cluster);
    cluster.world.onEvent((stamped) => this.#tell(() => on.event(stamped)));
    cluster.onState((node, state) => this.#stateChanged(node, state));
    cluster.startAll();
    cluster.spawnClient(ADMIN, (runtime) => (this.#admin = runtime));
    this.#whenReady(
      () => cluster.ready,
      (refused) => (refused === undefined ? this.#createTopics(setup, done) : done(refused)),
    );
  }

  stop(done: () => void): void {
    for (const { node } of this.#clients.values()) this.#sim.kill(node);
    for (const id of [ADMIN, ...this.#sim.brokerIds, CONTROLLER_ID]) this.#sim.kill(id);
    this.after(0, () => {
      this.#stopped = true;
      done();
    });
  }

  arm(fault: FaultSpec, done: Done): void {
    this.#answer(done, this.#sim.arm(fault));
  }

  disarm(fault: string, done: Done): void {
    this.#sim.disarm(fault);
    this.#answer(done);
  }

  release(fault: string, done: Done): void {
    this.#sim.release(fault);
    this.#answer(done);
  }

  faults(done: (faults: readonly FaultStatus[]) => void): void {
    this.after(0, () => done(this.#sim.faultStatuses()));
  }

  setLink(from: NodeId, to: NodeId, cut: boolean, done: Done): void {
    this.#sim.setLink(from, to, cut);
    this.#answer(done);
  }

  setSafeguard(name: Safeguard, on: boolean, done: Done): void {
    this.#sim.setSafeguard(name, on);
    this.#answer(done);
  }

  kill(node: NodeId, _cause: string, done: Done): void {
    this.#sim.kill(node);
    this.#answer(done);
  }

  pause(node: NodeId, _cause: string, done: Done): void {
    this.#sim.pause(node);
    this.#answer(done);
  }

  resume(node: NodeId, done: Done): void {
    this.#sim.resume(node);
    this.#answer(done);
  }

  stopNode(node: NodeId, _cause: string, done: Done): void {
    this.#sim.stop(node, () => this.#answer(done));
  }

  startNode(node: NodeId, how: { readonly wipe: boolean; readonly truncateTail: number }, done: Done): void {
    this.#sim.start(node, how);
    this.#answer(done);
  }

  elect({ type, topic, partition, to }: ElectionRequest, done: Done): void {
    this.#call(CONTROLLER_ID, 'ElectLeaders', { type, topic, partition, to }, (response) => {
      const result = response?.results[0];
      if (result === undefined) done('the controller did not answer');
      else done(refusal(result.error, result.errorMessage));
    });
  }

  reassign(of: TopicPartition, replicas: readonly NodeId[] | null, done: Done): void {
    this.#call(CONTROLLER_ID, 'AlterPartitionReassignments', reassignmentRequest(of, replicas), (response) => {
      const altered = response?.partitions[0];
      if (altered === undefined) done('the controller did not answer');
      else done(refusal(altered.error, altered.errorMessage));
    });
  }

  deleteTopic(name: string, done: Done): void {
    this.#call(CONTROLLER_ID, 'DeleteTopics', { names: [name], topicIds: [] }, (response) => {
      const deleted = response?.topics[0];
      if (deleted === undefined) done('the controller did not answer');
      else done(refusal(deleted.error, ''));
    });
  }

  startClient(spec: ClientSpec, done: Done): void {
    if (spec.kind === 'external') {
      this.#tell(() => done('a program of your own needs real processes; run the scenario without --sim'));
      return;
    }
    const node = FIRST_CLIENT + this.#clients.size;
    const surroundings = { profile: this.#sim.timers, bootstrap: this.#sim.brokerIds };
    const client = this.#sim.spawnClient(node, (runtime) =>
      startClient(spec, surroundings, runtime, (report) => this.#tell(() => this.#on?.client(spec.id, report))),
    );
    this.#clients.set(spec.id, { node, client });
    this.#answer(done);
  }

  tellClient(id: string, command: ClientCommand): void {
    const known = this.#clients.get(id);
    if (known !== undefined && this.#sim.world.node(known.node).state !== 'down') known.client.command(command);
  }

  clientNode(id: string): NodeId | undefined {
    return this.#clients.get(id)?.node;
  }

  ask<A extends UnaryApi>(
    node: NodeId,
    api: A,
    request: RequestOf<A>,
    done: (response: ResponseOf<A> | undefined) => void,
  ): void {
    this.#call(node, api, request, done);
  }

  get #sim(): SimCluster {
    if (this.#cluster === undefined) throw new Error('the cluster of this driver was not started');
    return this.#cluster;
  }

  #answer(done: Done, refused = ''): void {
    this.after(0, () => (refused === '' ? done() : done(refused)));
  }

  #call<A extends UnaryApi>(
    to: NodeId,
    api: A,
    request: RequestOf<A>,
    done: (response: ResponseOf<A> | undefined) => void,
  ): void {
    this.#admin?.network.request(to, api, request, CALL_MS, (outcome) =>
      done(outcome.kind === 'ok' ? outcome.response : undefined),
    );
  }

  #createTopics(setup: ClusterSetup, done: Done): void {
    const topics = setup.topics.map(topicRequest);
    if (topics.length === 0) return this.#answer(done);
    this.#call(CONTROLLER_ID, 'CreateTopics', { topics, validateOnly: false }, (response) => {
      if (response === undefined) return done('the controller did not answer when topics were to be created');
      const failed = response.topics.find((topic) => topic.error !== 'NONE');
      if (failed !== undefined) return done(`topic ${failed.name}: ${refusal(failed.error, failed.errorMessage)}`);
      this.#whenReady(() => topics.every(({ name }) => this.#sim.isLed(name)), done);
    });
  }

  #whenReady(ready: () => boolean, done: Done): void {
    const until = this.now() + READY_MS;
    const look = (): void => {
      if (ready()) done();
      else if (this.now() >= until) done('the brokers did not become ready in time');
      else this.after(LOOK_MS, look);
    };
    this.after(0, look);
  }

  #stateChanged(node: NodeId, state: NodeState): void {
    this.#tell(() => {
      this.#on?.state(node, state);
      const client = [...this.#clients].find(([, known]) => known.node === node);
      if (client !== undefined && state === 'down') this.#on?.clientExited(client[0]);
    });
  }

  #tell(run: () => void): void {
    if (this.#stopped) return;
    this.#told.push(run);
    if (this.#telling) return;
    this.#telling = true;
    this.#sim.world.scheduler.after(1, () => {
      this.#telling = false;
      const told = this.#told;
      this.#told = [];
      for (const each of told) if (!this.#stopped) each();
    });
  }
}

/** Undefined for success, else a sentence. */
function refusal(error: ErrorName, message: string): string | undefined {
  return error === 'NONE' ? undefined : message || ERRORS[error].message;
}
