// A group coordinator on a stage: the real one over the real log, in virtual time. A test sends requests, lets time pass and
// looks at the answers. Every answer is counted: a second one fails the test.
import type { LeaderEpoch } from '../../../../src/base/units.ts';
import type { GroupCoordinator } from '../../../../src/coordinator/group/api.ts';
import { createGroupCoordinator } from '../../../../src/coordinator/group/coordinator.ts';
import { NO_FAULTS } from '../../../../src/fault/reach.ts';
import type { PointFields } from '../../../../src/fault/reach.ts';
import { decodeBatch } from '../../../../src/log/decode-batch.ts';
import { batchHeaders } from '../../../../src/protocol/batch-header.ts';
import type { RequestOf, ResponseOf } from '../../../../src/protocol/apis.ts';
import type { Safeguard } from '../../../../src/fault/safeguards.ts';
import type { Runtime } from '../../../../src/runtime/ports.ts';
import { World } from '../../../../src/sim/world.ts';
import type { TraceEvent } from '../../../../src/trace/events.ts';
import { MemoryHost } from './memory-host.ts';

export interface StageOptions {
  readonly config?: Readonly<Record<string, unknown>>;
  readonly seed?: number;
  /** Partitions that have a log here. Default: the one that there is. */
  readonly partitions?: readonly number[];
  /** Whether they are led, and loaded, from the beginning. Default true. */
  readonly led?: boolean;
}

/** A request under way. */
export interface Call<T> {
  /** Undefined: not answered yet. */
  response: T | undefined;
}

const DEFAULTS = { 'offsets.topic.num.partitions': 1, 'group.initial.rebalance.delay.ms': 0 };

export class Stage {
  readonly world: World;
  readonly host: MemoryHost;
  readonly events: TraceEvent[] = [];
  /** What was observed at points. */
  readonly observed: { readonly point: string; readonly fields: PointFields }[] = [];
  /** Steps that are held: what lets them go. */
  readonly held: (() => void)[] = [];
  readonly #holding = new Set<string>();
  readonly #partitions: readonly number[];
  coordinator: GroupCoordinator;

  constructor({ config = {}, seed = 7, partitions = [0], led = true }: StageOptions = {}) {
    this.world = new World({ seed, ties: 'insertion' });
    this.world.onEvent(({ event }) => this.events.push(event));
    this.#partitions = partitions;
    this.host = this.world.spawn(1, (runtime) => new MemoryHost(this.#furnish(runtime), { ...DEFAULTS, ...config }));
    this.coordinator = createGroupCoordinator(this.host);
    this.coordinator.start();
    let opened = false;
    this.host.open(partitions, () => {
      opened = true;
    });
    this.world.run({ until: () => opened, maxMs: 1000 });
    if (led) this.elect(1);
  }

  /** Lets time pass. */
  run(ms = 50): void {
    this.world.runFor(ms);
  }

  /** This broker is elected for all its partitions, and has loaded them. */
  elect(leaderEpoch: LeaderEpoch): void {
    for (const partition of this.#partitions) this.beginElection(partition, leaderEpoch);
    this.run();
  }

  /** The same for one partition, without waiting for its load. */
  beginElection(partition: number, leaderEpoch: LeaderEpoch): void {
    let led = false;
    this.host.lead(partition, leaderEpoch, () => {
      led = true;
    });
    this.world.run({ until: () => led, maxMs: 1000 });
    this.coordinator.elected(partition, leaderEpoch);
  }

  /** This broker is deposed everywhere. */
  resign(leaderEpoch: LeaderEpoch): void {
    for (const partition of this.#partitions) {
      this.host.depose(partition);
      this.coordinator.resigned(partition, leaderEpoch);
    }
    this.run();
  }

  /** Another coordinator reads the same log, as after a failover. */
  failOver(leaderEpoch: LeaderEpoch): void {
    this.resign(leaderEpoch - 1);
    this.coordinator.stop();
    this.coordinator = createGroupCoordinator(this.host);
    this.coordinator.start();
    this.elect(leaderEpoch);
  }

  /** Holds every flow that reaches this step from now on. */
  hold(point: string): void {
    this.#holding.add(point);
  }

  /** Lets go what is held, and holds no more. */
  release(): void {
    this.#holding.clear();
    for (const proceed of this.held.splice(0)) proceed();
  }

  setSafeguard(name: Safeguard, on: boolean): void {
    this.world.setSafeguard(name, on);
  }

  /** Sends a request to one of the coordinator's APIs. */
  send<A extends 'joinGroup' | 'syncGroup' | 'heartbeat' | 'leaveGroup'>(
    api: A,
    request: Parameters<GroupCoordinator[A]>[0],
  ): Call<Parameters<Parameters<GroupCoordinator[A]>[1]>[0]>;
  send<A extends 'offsetCommit' | 'txnOffsetCommit' | 'offsetFetch' | 'offsetDelete'>(
    api: A,
    request: Parameters<GroupCoordinator[A]>[0],
  ): Call<Parameters<Parameters<GroupCoordinator[A]>[1]>[0]>;
  send<A extends 'deleteGroups' | 'describeGroups' | 'listGroups'>(
    api: A,
    request: Parameters<GroupCoordinator[A]>[0],
  ): Call<Parameters<Parameters<GroupCoordinator[A]>[1]>[0]>;
  send(api: string, request: unknown): Call<unknown> {
    const call: Call<unknown> = { response: undefined };
    const handlers = this.coordinator as unknown as Record<string, (request: unknown, answer: unknown) => void>;
    handlers[api]!(request, (response: unknown) => {
      if (call.response !== undefined) throw new Error(`${api} was answered twice`);
      call.response = response;
    });
    return call;
  }

  join(request: Partial<RequestOf<'JoinGroup'>> = {}): Call<ResponseOf<'JoinGroup'>> {
    return this.send('joinGroup', {
      ...{ groupId: 'g', sessionTimeoutMs: 10_000, rebalanceTimeoutMs: 60_000, memberId: '', groupInstanceId: '' },
      ...{ protocolType: 'consumer', protocols: protocols('range'), clientId: 'client', clientHost: '/127.0.0.1' },
      ...{ version: 0, ...request },
    });
  }

  sync(request: Partial<RequestOf<'SyncGroup'>> = {}): Call<ResponseOf<'SyncGroup'>> {
    return this.send('syncGroup', {
      ...{ groupId: 'g', generationId: 1, memberId: '', groupInstanceId: '', protocolType: '', protocolName: '' },
      ...{ assignments: [], ...request },
    });
  }

  heartbeat(request: Partial<RequestOf<'Heartbeat'>> = {}): Call<ResponseOf<'Heartbeat'>> {
    return this.send('heartbeat', { groupId: 'g', generationId: 1, memberId: '', groupInstanceId: '', ...request });
  }

  leave(...memberIds: readonly string[]): Call<ResponseOf<'LeaveGroup'>> {
    const members = memberIds.map((memberId) => ({ memberId, groupInstanceId: '' }));
    return this.send('leaveGroup', { groupId: 'g', members });
  }

  describe(groupId = 'g'): ResponseOf<'DescribeGroups'>['groups'][number] {
    return this.send('describeGroups', { groupIds: [groupId] }).response!.groups[0]!;
  }

  list(request: Partial<RequestOf<'ListGroups'>> = {}): ResponseOf<'ListGroups'> {
    return this.send('listGroups', { states: [], types: [], ...request }).response!;
  }

  /** A dynamic member asks for its id. */
  newId(request: Partial<RequestOf<'JoinGroup'>> = {}): string {
    const call = this.join(request);
    this.run();
    if (call.response?.error !== 'MEMBER_ID_REQUIRED') throw new Error(`no id: ${call.response?.error}`);
    return call.response.memberId;
  }

  /** A stable group of dynamic members: their ids, the leader first. Each is assigned `a:<its place>`. */
  stable(count = 1, request: Partial<RequestOf<'JoinGroup'>> = {}): readonly string[] {
    const ids = Array.from({ length: count }, () => this.newId(request));
    const joins = ids.map((memberId) => this.join({ ...request, memberId }));
    this.run();
    // The first to come made a generation of its own; it comes again for the others.
    const generationId = this.#settle(ids, joins, request);
    const syncs = ids.map((memberId, i) => {
      const assignments = ids.map((id, place) => ({ memberId: id, assignment: Buffer.from(`a:${place}`) }));
      const groupId = request.groupId ?? 'g';
      return this.sync({ groupId, memberId, generationId, assignments: i === 0 ? assignments : [] });
    });
    this.run();
    if (!syncs.every((call) => call.response?.error === 'NONE')) throw new Error('the group is not stable');
    return ids;
  }

  /** Records of the log of a partition, in order. */
  records(partition = 0): readonly { readonly key: Buffer; readonly value: Buffer | null; readonly offset: number }[] {
    const log = this.host.logOf(partition);
    const { records } = log.read(log.logStartOffset, log.logEndOffset, 1e9, true);
    return [...batchHeaders(records)].flatMap(({ at }) => {
      const batch = decodeBatch(records, at);
      if (batch.kind !== 'records') throw new Error(batch.kind);
      return batch.records.map(({ key, value, offset }) => ({ key: key!, value, offset }));
    });
  }

  #settle(
    ids: readonly string[],
    joins: readonly Call<ResponseOf<'JoinGroup'>>[],
    request: Partial<RequestOf<'JoinGroup'>>,
  ): number {
    let calls = joins;
    for (let round = 0; round < 5; round++) {
      const generations = new Set(calls.map(({ response }) => response?.generationId));
      const [generation] = generations;
      if (generations.size === 1 && generation !== undefined) return generation;
      calls = calls.map((call, i) =>
        call.response === undefined ? call : this.join({ ...request, memberId: ids[i]! }),
      );
      this.run();
    }
    throw new Error('the members do not agree on a generation');
  }

  #furnish(runtime: Runtime): Runtime {
    const observe = (point: string, fields: PointFields): void => void this.observed.push({ point, fields });
    const reach = (point: string, _fields: PointFields, proceed: () => void): void => {
      if (this.#holding.has(point)) this.held.push(proceed);
      else proceed();
    };
    return { ...runtime, faults: { ...NO_FAULTS, reach, observe } };
  }
}

/** Protocols with these names; each says its own name. */
export function protocols(...names: readonly string[]): { name: string; metadata: Buffer }[] {
  return names.map((name) => ({ name, metadata: Buffer.from(name) }));
}

/** A consumer's metadata: version 0, these topics. */
export function subscription(...topics: readonly string[]): Buffer {
  const parts = topics.flatMap((topic) => {
    const length = Buffer.alloc(2);
    length.writeInt16BE(Buffer.byteLength(topic));
    return [length, Buffer.from(topic)];
  });
  const head = Buffer.alloc(6);
  head.writeInt32BE(topics.length, 2);
  const userData = Buffer.alloc(4, 0xff);
  return Buffer.concat([head, ...parts, userData]);
}
