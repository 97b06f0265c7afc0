// Fetches ahead of the application: one long poll a broker at a time, for every partition that may be read there and holds
// nothing yet (repl ): at its leader, or at the replica that the leader pointed to. What the answers mean for a
// position is repl R-36. Delivers nothing itself.
import type { InstantMs, LeaderEpoch, NodeId, Offset } from '../../base/units.ts';
import { NO_EPOCH, NO_LEADER } from '../../base/units.ts';
import type { ResponseOf } from '../../protocol/apis.ts';
import { ERRORS } from '../../protocol/errors.ts';
import type { FetchedPartition, FetchPartition } from '../../protocol/generated/index.ts';
import type { Outcome } from '../../runtime/ports.ts';
import { AbortedFilter } from './aborted-filter.ts';
import { isolationOf } from './config.ts';
import type { ConsumerContext } from './consumer-context.ts';
import type { Decompress } from './consumer-record.ts';
import type { FetchPosition } from './fetch-position.ts';
import { FetchedRecords } from './fetched-records.ts';

/** A partition as it was asked for. */
interface Asked {
  readonly position: FetchPosition;
  readonly version: number;
  readonly topicId: string;
  readonly offset: Offset;
  /** Of the leader that is asked; -1: unknown, or another replica is (repl R-35). */
  readonly leaderEpoch: LeaderEpoch;
}

export class Fetcher {
  readonly #context: ConsumerContext;
  readonly #decompress: Decompress | undefined;
  /** Brokers with a fetch under way. */
  readonly #busy = new Set<NodeId>();

  constructor(context: ConsumerContext, decompress: Decompress | undefined) {
    this.#context = context;
    this.#decompress = decompress;
  }

  /** Sends the fetches that the given positions allow now, partitions in this order (repl R-29). */
  send(positions: Iterable<FetchPosition>, now: InstantMs): void {
    const byNode = new Map<NodeId, Asked[]>();
    for (const position of positions) {
      if (position.state !== 'fetch' || position.underWay || position.buffered !== undefined) continue;
      if (position.retryAt > now || position.paused) continue;
      const node = this.#nodeFor(position, now);
      if (node === NO_LEADER) this.#context.metadata.requestUpdate();
      else if (!this.#busy.has(node)) {
        const asked = byNode.get(node) ?? [];
        asked.push(this.#asked(position, node));
        byNode.set(node, asked);
      }
    }
    for (const [node, asked] of byNode) this.#fetch(node, asked);
  }

  /** The replica that the leader pointed to, while metadata has it alive; else the leader (repl ). */
  #nodeFor(position: FetchPosition, now: InstantMs): NodeId {
    const { metadata } = this.#context;
    const replica = position.readReplica(now);
    if (replica === undefined) return position.leader;
    if (metadata.isLive(replica)) return replica;
    position.leaveReadReplica();
    metadata.requestUpdate();
    return position.leader;
  }

  #asked(position: FetchPosition, node: NodeId): Asked {
    const { metadata, runtime } = this.#context;
    const { version, offset, leader } = position;
    const topicId = metadata.partition(position.topic, position.partition)?.topicId ?? '';
    // Where nobody compares epochs, one that was deposed answers as well.
    const isLeaders = node === leader && runtime.safeguard('fetch.epochFence');
    const leaderEpoch = isLeaders ? position.leaderEpoch : NO_EPOCH;
    return { position, version, topicId, offset, leaderEpoch };
  }

  #fetch(node: NodeId, asked: readonly Asked[]): void {
    const { config, runtime } = this.#context;
    this.#busy.add(node);
    for (const { position } of asked) position.underWay = true;
    const request = {
      replicaId: -1,
      ...{ replicaEpoch: -1, streamGeneration: 0, sequence: 0 },
      maxWaitMs: config['fetch.max.wait.ms'],
      minBytes: config['fetch.min.bytes'],
      maxBytes: config['fetch.max.bytes'],
      isolationLevel: isolationOf(config),
      full: true,
      partitions: asked.map((one) => this.#entry(one)),
      ...{ forgotten: [], rackId: config['client.rack'], leaderOnly: false },
    };
    runtime.network.request(node, 'ConsumerFetch', request, config['request.timeout.ms'], (outcome) => {
      this.#busy.delete(node);
      for (const { position } of asked) position.underWay = false;
      this.#onOutcome(node, asked, outcome);
      this.#context.progress();
    });
  }

  /** Consumers send the leader epoch they know and never a last fetched epoch (repl R-23). */
  #entry({ position, topicId, offset }: Asked): FetchPartition {
    const { topic, partition, leaderEpoch } = position;
    return {
      topicId,
      ...{ topic, partition, currentLeaderEpoch: leaderEpoch, fetchOffset: offset },
      ...{ lastFetchedEpoch: -1, logStartOffset: -1 },
      partitionMaxBytes: this.#context.config['max.partition.fetch.bytes'],
    };
  }

  #onOutcome(node: NodeId, asked: readonly Asked[], outcome: Outcome<ResponseOf<'ConsumerFetch'>>): void {
    if (outcome.kind !== 'ok') this.#context.metadata.nodeFailed(node);
    const answers = outcome.kind === 'ok' && outcome.response.error === 'NONE' ? outcome.response.partitions : [];
    for (const one of asked) {
      // The position has moved, or is in doubt, since: the answer is not for it any more (repl R-36).
      if (one.position.version !== one.version) continue;
      const answer = answers.find((answer) => isFor(one, answer));
      if (answer === undefined) this.#context.failed(one.position, { refresh: true });
      else if (answer.error === 'NONE') this.#onRecords(one, answer);
      else this.#onError(one, answer);
    }
  }

  #onRecords({ position, offset, leaderEpoch }: Asked, answer: FetchedPartition): void {
    const { config, runtime } = this.#context;
    position.succeeded();
    position.highWatermark = answer.highWatermark;
    position.highWatermarkEpoch = leaderEpoch;
    position.lastStableOffset = answer.lastStableOffset;
    if (answer.preferredReadReplica >= 0) {
      const until = runtime.clock.now() + config['metadata.max.age.ms'];
      return position.readFrom(answer.preferredReadReplica, until);
    }
    if (answer.records.length > 0) {
      // A copy: what the network hands out may be part of a larger buffer, and records live as long as their reader.
      position.buffered = new FetchedRecords(position, Buffer.from(answer.records), position, {
        decompress: this.#decompress,
        filter: this.#filterOf(answer),
      });
      return;
    }
    // Above the bound a fetch is not parked (repl R-25): do not spin until the high watermark has caught up.
    const bound = isolationOf(config) === 1 ? answer.lastStableOffset : answer.highWatermark;
    if (offset > bound) position.retryAt = runtime.clock.now() + config['retry.backoff.ms'];
  }

  /** Txn T-143, for readers of what is committed. */
  #filterOf({ abortedTransactions }: FetchedPartition): AbortedFilter | undefined {
    const { config, runtime } = this.#context;
    if (isolationOf(config) === 0 || !runtime.safeguard('txn.filter')) return undefined;
    return new AbortedFilter(abortedTransactions);
  }

  #onError({ position }: Asked, answer: FetchedPartition): void {
    const { error, currentLeader, currentLeaderEpoch } = answer;
    if (error !== 'OFFSET_OUT_OF_RANGE')
      return this.#context.onError(position, error, currentLeader, currentLeaderEpoch);
    // What a follower has not got may still be there: the leader knows (repl R-36).
    const left = position.leaveReadReplica();
    if (left && this.#context.runtime.safeguard('follower.readBounds')) return;
    const policy = this.#context.config['auto.offset.reset'];
    if (policy !== 'none') return position.requestReset(policy, 'reset');
    this.#context.failed(position, { refresh: false });
    this.#context.raise(position, {
      kind: 'out-of-range',
      error,
      message: `position ${position.offset}: ${ERRORS[error].message}, and auto.offset.reset is none`,
    });
  }
}

function isFor({ position, topicId }: Asked, answer: FetchedPartition): boolean {
  if (answer.partition !== position.partition) return false;
  return topicId === ''
    ? answer.topic === position.topic
    : answer.topicId === topicId || answer.topic === position.topic;
}
