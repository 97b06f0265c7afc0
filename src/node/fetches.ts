// Reads for fetches: all partitions of one request in their order, now and, if there is too little, again when the wait is
// over (repl ). Used alike by follower streams and consumers; sessions are fetch-session.ts's.
import type { BrokerEpoch, NodeId, Offset } from '../base/units.ts';
import { NO_EPOCH, NO_LEADER, NO_OFFSET } from '../base/units.ts';
import type { PartitionLog } from '../log/api.ts';
import { endOfBatches } from '../protocol/batch-header.ts';
import type { AbortedTransaction, FetchedPartition, FetchPartition } from '../protocol/generated/index.ts';
import type { ErrorName } from '../protocol/errors.ts';
import { checkFetch, epochProblem, fencedBy } from './fetch-check.ts';
import type { FetchPosition, FetchVerdict } from './fetch-check.ts';
import type { NodeContext } from './context.ts';
import { DelayedFetch } from './delayed-fetch.ts';
import type { Wanted } from './delayed-fetch.ts';
import { boundedBy, readBound } from './read-bound.ts';
import { readReplicaFor } from './read-replica.ts';
import type { Isolation } from './read-bound.ts';
import type { Partition } from './partition.ts';
import { leaderHint } from './replicas.ts';
import type { Replicas } from './replicas.ts';
import { Watchers } from './watchers.ts';

/** Who asks. */
export type Fetcher =
  | { readonly kind: 'follower'; readonly id: NodeId; readonly brokerEpoch: BrokerEpoch }
  | {
      readonly kind: 'consumer';
      readonly isolation: Isolation;
      /** Where it stands; empty: it did not say. */
      readonly rack: string;
      /** Only the leader may answer it (repl R-24 row 5). */
      readonly leaderOnly: boolean;
    };

export interface FetchCall {
  readonly from: Fetcher;
  readonly maxWaitMs: number;
  readonly minBytes: number;
  /** Budget of the response, before the broker's own cap. */
  readonly maxBytes: number;
  /** In request order. */
  readonly partitions: readonly FetchPartition[];
}

const NOTHING = Buffer.alloc(0);
/** Nobody else is to be asked (repl R-33). */
const NO_REPLICA = -1;

/** Who is sent elsewhere is asked for its epoch, and for nothing else (repl R-24). */
function redirected(replica: Partition, at: FetchPosition): FetchVerdict {
  const error = epochProblem(replica, at.currentLeaderEpoch);
  return error === undefined ? { kind: 'read' } : { kind: 'refuse', error };
}

/** Repl R-24 row 11 belongs to the record of the follower, which is not made again on the way out (repl R-28). */
function leaving(from: Fetcher): Fetcher {
  return from.kind === 'follower' ? { ...from, brokerEpoch: NO_EPOCH } : from;
}

/** The aborted transactions that overlap what is returned (txn T-135, T-140). */
function abortedIn(log: PartitionLog, fetchOffset: Offset, records: Buffer): AbortedTransaction[] {
  const upTo = endOfBatches(records) ?? fetchOffset;
  return log.abortedIn(fetchOffset, upTo).map(({ producerId, firstOffset }) => ({ producerId, firstOffset }));
}

/** Bytes still free in one response (repl R-29). */
interface Budget {
  left: number;
  /** Nothing was returned yet: the caps do not apply to the next batch. */
  empty: boolean;
}

interface ReadAll {
  readonly fetched: readonly FetchedPartition[];
  readonly bytes: number;
  /** An error, a divergence or another replica to ask: the answer must not wait (repl R-31). */
  readonly urgent: boolean;
  /** What to wait on; incomplete if `urgent`. */
  readonly wanted: readonly Wanted[];
}

export class Fetches {
  readonly #context: NodeContext;
  readonly #replicas: Replicas;
  readonly #parked = new Watchers<Partition, DelayedFetch>();

  constructor(context: NodeContext, replicas: Replicas) {
    this.#context = context;
    this.#replicas = replicas;
  }

  /**
   * Reads, records the follower, and answers at once or when the wait is over (repl R-31). One result a partition, in
   * order. Returns the parked fetch, undefined if it was answered.
   */
  fetch(call: FetchCall, answer: (fetched: readonly FetchedPartition[]) => void): DelayedFetch | undefined {
    const partitions = fencedBy(this.#context.runtime, call.partitions);
    const capped = { ...call, partitions, maxBytes: Math.min(call.maxBytes, this.#context.config['fetch.max.bytes']) };
    const minBytes = Math.min(call.minBytes, capped.maxBytes);
    const first = this.#read(capped, true);
    const atOnce = call.maxWaitMs <= 0 || call.partitions.length === 0 || first.urgent || first.bytes >= minBytes;
    const beyond = first.wanted.some((wanted) => wanted.at.fetchOffset > this.#end(wanted.replica, call.from));
    if (atOnce || beyond) {
      answer(first.fetched);
      return undefined;
    }
    const delayed: DelayedFetch = new DelayedFetch({
      wanted: first.wanted,
      minBytes,
      bound: (replica) => this.#bound(replica, call.from),
      end: (replica) => this.#end(replica, call.from),
      parked: this.#parked,
      timer: this.#context.runtime.clock.after(call.maxWaitMs, () => delayed.complete()),
      complete: () => answer(this.#late(this.#read({ ...capped, from: leaving(call.from) }, false).fetched)),
    });
    return delayed;
  }

  /** A fetch that has waited is answered as one that has not (BUG-36). */
  #late(fetched: readonly FetchedPartition[]): readonly FetchedPartition[] {
    if (this.#context.runtime.safeguard('txn.abortedIndex')) return fetched;
    return fetched.map((one) => ({ ...one, abortedTransactions: [] }));
  }

  /** The log end moved: followers have something to read (repl R-18), and so have consumers if nothing bounds them. */
  logEndMoved(replica: Partition): void {
    for (const delayed of this.#parked.of(replica)) delayed.tryComplete(replica);
  }

  /** The high watermark moved. Never completes a follower's fetch: its bound is the log end (repl R-32, T-4). */
  highWatermarkMoved(replica: Partition): void {
    for (const delayed of this.#parked.of(replica)) delayed.tryComplete(replica);
  }

  /** Leadership, epoch or hosting changed: all that waits on the replica is read again and answered (repl R-31). */
  roleChanged(replica: Partition): void {
    for (const delayed of this.#parked.of(replica)) delayed.complete();
  }

  /** Answers all that is parked, with what there is. */
  endAll(): void {
    for (const delayed of this.#parked.all()) delayed.complete();
  }

  #bound(replica: Partition, from: Fetcher): number {
    if (from.kind === 'follower') return replica.log.logEndOffset;
    return readBound(replica.log, from.isolation, boundedBy(this.#context.runtime));
  }

  /** A read_committed consumer above the last stable offset waits as one at it does (txn T-136). */
  #end(replica: Partition, from: Fetcher): number {
    return this.#bound(replica, from.kind === 'follower' ? from : { ...from, isolation: 'read_uncommitted' });
  }

  /** `arrival`: followers are recorded once, when the request comes, never when it leaves the purgatory (repl R-28). */
  #read(call: FetchCall, arrival: boolean): ReadAll {
    const budget: Budget = { left: call.maxBytes, empty: true };
    const fetched: FetchedPartition[] = [];
    const wanted: Wanted[] = [];
    let bytes = 0;
    let urgent = false;
    for (const at of call.partitions) {
      const located = this.#replicas.locate(at);
      if (located.kind === 'refused') {
        fetched.push(this.#refused(at, located.topic?.name ?? at.topic, located.error));
        urgent = true;
        continue;
      }
      const result = this.#readOne(located.replica, at, call.from, budget);
      fetched.push(result);
      bytes += result.records.length;
      if (arrival && call.from.kind === 'follower' && this.#isProgress(result)) {
        this.#record(located.replica, at, call.from);
      }
      if (result.error !== 'NONE' || result.divergingEpoch !== null || result.preferredReadReplica >= 0) urgent = true;
      else {
        const { replica } = located;
        wanted.push({ replica, at, leaderEpoch: replica.leaderEpoch, isLeader: replica.isLeader });
      }
    }
    return { fetched, bytes, urgent, wanted };
  }

  /** Whether a fetch tells what the follower holds: up to there both logs agree (repl R-28). */
  #isProgress({ error, divergingEpoch }: FetchedPartition): boolean {
    if (error !== 'NONE') return false;
    return divergingEpoch === null || !this.#context.runtime.safeguard('fetch.divergence');
  }

  /** Ends are sampled before the read and before this fetch's own effect (repl R-27, T-3); one bound a read (BUG-84). */
  #readOne(replica: Partition, at: FetchPartition, from: Fetcher, budget: Budget): FetchedPartition {
    const preferred = this.#preferred(replica, at, from);
    const verdict = preferred === undefined ? this.#check(replica, at, from) : redirected(replica, at);
    if (verdict.kind === 'refuse') {
      if (verdict.error === 'FENCED_LEADER_EPOCH') this.#observeFenced(replica, from);
      return this.#refused(at, replica.topic, verdict.error);
    }
    const { log, topic, topicId, partition } = replica;
    const { highWatermark, lastStableOffset, logStartOffset } = log;
    const diverging = verdict.kind === 'diverging' ? verdict.end : undefined;
    const reads = diverging === undefined && preferred === undefined;
    const records = reads ? this.#records(replica, at, this.#bound(replica, from), budget) : NOTHING;
    const aborted = from.kind === 'consumer' && from.isolation === 'read_committed' && records.length > 0;
    return {
      topicId,
      ...{ topic, partition, error: 'NONE' as const, records },
      ...{ highWatermark, lastStableOffset, logStartOffset },
      divergingEpoch: diverging === undefined ? null : { epoch: diverging.epoch, endOffset: diverging.endOffset },
      ...{ currentLeader: NO_LEADER, currentLeaderEpoch: NO_EPOCH },
      abortedTransactions: aborted ? abortedIn(log, at.fetchOffset, records) : [],
      preferredReadReplica: preferred ?? NO_REPLICA,
      fromFollower: replica.leading === undefined,
    };
  }

  #check(replica: Partition, at: FetchPosition, from: Fetcher): FetchVerdict {
    if (from.kind === 'follower') return checkFetch(replica, at, this.#follower(replica, from));
    return checkFetch(replica, at, undefined, !from.leaderOnly);
  }

  /** The replica that a consumer should ask instead of this leader (repl R-35). */
  #preferred({ leading }: Partition, at: FetchPosition, from: Fetcher): NodeId | undefined {
    if (leading === undefined || from.kind === 'follower' || from.leaderOnly) return undefined;
    return readReplicaFor(this.#context, leading, { rack: from.rack, fetchOffset: at.fetchOffset });
  }

  /** Repl. */
  #records(replica: Partition, at: FetchPartition, bound: number, budget: Budget): Buffer {
    const maxBytes = Math.min(at.partitionMaxBytes, budget.left);
    if (at.fetchOffset >= bound || (maxBytes <= 0 && !budget.empty)) return NOTHING;
    const { records } = replica.log.read(at.fetchOffset, bound, Math.max(maxBytes, 0), budget.empty);
    budget.left -= records.length;
    if (records.length > 0) budget.empty = false;
    return records;
  }

  #record(replica: Partition, at: FetchPartition, follower: Extract<Fetcher, { kind: 'follower' }>): void {
    const { log } = replica;
    replica.recordFetch(follower.id, {
      offset: log.positionOf(at.fetchOffset),
      logStartOffset: at.logStartOffset,
      arrivedAtMs: this.#context.runtime.clock.now(),
      leaderLogEndOffset: log.logEndOffset,
      brokerEpoch: follower.brokerEpoch,
      currentLeaderEpoch: at.currentLeaderEpoch,
    });
  }

  #follower(
    replica: Partition,
    from: Extract<Fetcher, { kind: 'follower' }>,
  ): { readonly assigned: boolean; readonly superseded: boolean } {
    const broker = this.#context.image.brokers.get(from.id);
    const superseded =
      from.brokerEpoch !== NO_EPOCH && broker !== undefined && !broker.fenced && from.brokerEpoch < broker.brokerEpoch;
    return { assigned: replica.leading?.follower(from.id) !== undefined, superseded };
  }

  #refused(at: FetchPartition, topic: string, error: ErrorName): FetchedPartition {
    const hint = leaderHint(this.#context, at, error);
    return {
      ...{ topicId: at.topicId, topic, partition: at.partition, error },
      ...{ highWatermark: NO_OFFSET, lastStableOffset: NO_OFFSET, logStartOffset: NO_OFFSET, records: NOTHING },
      ...{ divergingEpoch: null, currentLeader: hint.leader, currentLeaderEpoch: hint.leaderEpoch },
      ...{ abortedTransactions: [], preferredReadReplica: NO_REPLICA, fromFollower: false },
    };
  }

  #observeFenced(replica: Partition, from: Fetcher): void {
    const { topic, partition, leaderEpoch } = replica;
    const fields = { topic, partition, leaderEpoch, from: from.kind === 'follower' ? from.id : -1 };
    this.#context.runtime.faults.observe('replica.epoch.fenced', fields);
  }
}
