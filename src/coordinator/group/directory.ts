// Which shards there are (wire G-2, G-4, G-7): made when this broker is elected, read from the log, ended when it resigns.
import { coordinatorPartition } from '../../base/java-hash.ts';
import type { LeaderEpoch } from '../../base/units.ts';
import { isTransactional } from '../../log/attributes.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import { isTooLong } from '../../protocol/string-length.ts';
import type { CoordinatorHost } from '../host.ts';
import { replayLog } from '../replay.ts';
import type { ReplayEnd } from '../replay.ts';
import type { OffsetEnvironment, OffsetState, Shards } from './contract.ts';
import { rebalance, tellState } from './rebalance.ts';
import { startSession } from './sessions.ts';
import { Shard } from './shard.ts';

interface Place {
  readonly shard: Shard;
  state: 'loading' | 'loaded' | 'failed';
  /** It answers nobody any more; what waits in it ends when it is unloaded. */
  isOver: boolean;
  /** Ends the reading of the log. */
  readonly cancel: () => void;
}

export class Directory implements Shards {
  readonly host: CoordinatorHost;
  readonly #makeOffsets: (environment: OffsetEnvironment) => OffsetState;
  /** Shards made so far: none makes the member ids of another, whatever else they have in common. */
  #made = 0;
  readonly #places = new Map<number, Place>();
  #running = false;

  constructor(host: CoordinatorHost, makeOffsets: (environment: OffsetEnvironment) => OffsetState) {
    this.host = host;
    this.#makeOffsets = makeOffsets;
  }

  start(): void {
    this.#running = true;
  }

  stop(): void {
    this.#running = false;
    for (const partition of [...this.#places.keys()]) this.#end(partition);
  }

  /** COORDINATOR_NOT_AVAILABLE unless it has been started and not stopped (wire G-4). */
  get running(): boolean {
    return this.#running;
  }

  /** The partition of a group (wire G-1). */
  partitionOf(groupId: string): number {
    const topic = this.host.image.topicNamed('__consumer_offsets');
    return coordinatorPartition(groupId, topic?.partitions.length ?? this.host.config['offsets.topic.num.partitions']);
  }

  enter(groupId: string, step: (shard: Shard) => void, refuse: (error: ErrorName) => void): void {
    if (this.#running && isTooLong(groupId)) return refuse('INVALID_GROUP_ID');
    this.enterPartition(this.partitionOf(groupId), step, refuse);
  }

  enterPartition(partition: number, step: (shard: Shard) => void, refuse: (error: ErrorName) => void): void {
    const shard = this.find(partition);
    if (typeof shard === 'string') return refuse(shard);
    shard.enter(() => step(shard), refuse);
  }

  /** The shard of a partition, or why it cannot be asked now (wire G-4). */
  find(partition: number): Shard | ErrorName {
    if (!this.#running) return 'COORDINATOR_NOT_AVAILABLE';
    const place = this.#places.get(partition);
    if (place === undefined || place.isOver) return 'NOT_COORDINATOR';
    if (place.state === 'loading') return 'COORDINATOR_LOAD_IN_PROGRESS';
    return place.state === 'loaded' ? place.shard : 'NOT_COORDINATOR';
  }

  loaded(): readonly number[] {
    const places = [...this.#places].filter(([, { state, isOver }]) => state === 'loaded' && !isOver);
    return places.map(([partition]) => partition).sort((a, b) => a - b);
  }

  /** True while any partition loads (wire G-39). */
  get loading(): boolean {
    return [...this.#places.values()].some(({ state, isOver }) => state === 'loading' && !isOver);
  }

  /** This broker leads the partition at this epoch (wire G-7). */
  elected(partition: number, coordinatorEpoch: LeaderEpoch): void {
    const place = this.#places.get(partition);
    if (place !== undefined && place.shard.coordinatorEpoch >= coordinatorEpoch) return;
    this.#end(partition);
    this.#load(partition, coordinatorEpoch);
  }

  /** It does not any more. */
  resigned(partition: number, leaderEpoch: LeaderEpoch | undefined): void {
    const place = this.#places.get(partition);
    if (place === undefined || place.isOver) return;
    const { coordinatorEpoch } = place.shard;
    if (leaderEpoch !== undefined && leaderEpoch < coordinatorEpoch) return;
    place.isOver = true;
    const { faults } = this.host.runtime;
    faults.reach('group.unload.started', { partition, coordinatorEpoch }, () =>
      this.#unload(partition, coordinatorEpoch),
    );
  }

  /** Ends what was loaded at this epoch. What was elected later stays (BUG-40). */
  #unload(partition: number, coordinatorEpoch: LeaderEpoch): void {
    const place = this.#places.get(partition);
    if (place === undefined) return;
    const newer = place.shard.coordinatorEpoch;
    if (newer === coordinatorEpoch) return this.#end(partition);
    if (this.host.runtime.safeguard('group.loadOrder')) return;
    this.#end(partition);
    const empty = this.#makeShard(partition, newer);
    this.#places.set(partition, { shard: empty, state: 'loaded', isOver: false, cancel: () => undefined });
    empty.loaded(empty.log()?.logEndOffset ?? 0);
  }

  #end(partition: number): void {
    const place = this.#places.get(partition);
    if (place === undefined) return;
    this.#places.delete(partition);
    place.cancel();
    const { coordinatorEpoch } = place.shard;
    if (place.state === 'loaded') this.host.runtime.trace({ type: 'group.resigned', partition, coordinatorEpoch });
    place.shard.end();
  }

  #makeShard(partition: number, coordinatorEpoch: LeaderEpoch): Shard {
    const { host } = this;
    const random = host.runtime.random.fork(`members ${partition} ${coordinatorEpoch} ${this.#made++}`);
    return new Shard({
      ...{ host, partition, coordinatorEpoch, random, makeOffsets: this.#makeOffsets },
      lost: () => {
        this.#end(partition);
        this.#load(partition, coordinatorEpoch);
      },
    });
  }

  /** Reads a partition from its start to its end, then serves (wire G-7, G-12). */
  #load(partition: number, coordinatorEpoch: LeaderEpoch): void {
    const { host } = this;
    const shard = this.#makeShard(partition, coordinatorEpoch);
    const cancel = replayLog(
      { clock: host.runtime.clock, log: () => shard.log() },
      {
        records: (records, header) => {
          const producerId = isTransactional(header.attributes) ? header.producerId : undefined;
          for (const { offset, key, value } of records) {
            if (key !== null) shard.apply({ offset, key, value }, producerId);
          }
        },
        marker: (marker, offset) => shard.offsets.endTransaction(marker.producerId, marker.type, offset),
        ended: (end) => this.#ended(place, end),
      },
    );
    const place: Place = { shard, state: 'loading', isOver: false, cancel };
    this.#places.set(partition, place);
  }

  #ended(place: Place, end: ReplayEnd): void {
    const { shard } = place;
    if (end.kind !== 'read') {
      place.state = 'failed';
      if (end.kind === 'over') return;
      const message = `__consumer_offsets-${shard.partition} cannot be loaded: ${end.reason}`;
      return this.host.runtime.trace({ type: 'log.line', level: 'error', message });
    }
    place.state = 'loaded';
    shard.loaded(end.endOffset);
    const { partition, coordinatorEpoch } = shard;
    this.host.runtime.trace({ type: 'group.loaded', partition, coordinatorEpoch, groups: shard.groups.ids() });
    shard.enter(() => wake(shard));
    this.host.runtime.faults.observe('group.load.finished', { partition, coordinatorEpoch });
  }
}

/** Members begin their sessions; a group that has become too large begins a rebalance (wire G-11). */
function wake(shard: Shard): void {
  for (const group of shard.groups.all.values()) {
    tellState(shard, group);
    for (const member of group.members.values()) startSession(shard, group, member);
    if (group.members.size > shard.host.config['group.max.size']) rebalance(shard, group);
  }
}
