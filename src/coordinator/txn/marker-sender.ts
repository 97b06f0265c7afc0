// Sends markers to the leaders of their partitions (txn T-81 to T-87): one loop, one request in flight per destination, all
// that waits for a destination in one request. When a transaction is through is completions.ts.
import type { DurationMs, NodeId, TopicPartition } from '../../base/units.ts';
import { formatPartition } from '../../base/units.ts';
import type { PointFields } from '../../fault/reach.ts';
import type { RequestOf, ResponseOf } from '../../protocol/apis.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import type { Outcome, Timer } from '../../runtime/ports.ts';
import type { CoordinatorHost } from '../host.ts';
import { backoffMs } from './backoff.ts';
import { isLive } from './completion.ts';
import type { Completion } from './completion.ts';
import { locateLeader, reactionTo } from './marker-answer.ts';
import { byTopic, partitionSet } from './partitions.ts';
import { transactionFields } from './shard.ts';

/** A partition of a transaction that lacks its marker. In one place at a time: queued, in flight, held, or waiting. */
interface PendingMarker {
  readonly completion: Completion;
  readonly partition: TopicPartition;
  /** It was held at its sending step to this destination, and let go: it does not reach it again. */
  readonly cleared?: NodeId;
}

/** What becomes of markers. Told of live completions only. */
export interface MarkerEvents {
  /** The partition has its marker; whether it was the last is not looked at yet (only with txn.pendingCas off). */
  acked(completion: Completion, partition: TopicPartition): void;
  /** The partition has its marker, or needs none. */
  settled(completion: Completion, partition: TopicPartition): void;
  /** A leader refuses the transaction (txn W-12). */
  refused(completion: Completion, partition: TopicPartition, error: ErrorName): void;
}

export class MarkerSender {
  readonly #host: CoordinatorHost;
  readonly #events: MarkerEvents;
  #queue: PendingMarker[] = [];
  /** Destinations with a request in flight, or about to be. */
  readonly #busy = new Set<NodeId>();
  /** Failures in a row, by destination. */
  readonly #failures = new Map<NodeId, number>();
  readonly #timers = new Set<Timer>();
  #stopped = false;

  constructor(host: CoordinatorHost, events: MarkerEvents) {
    this.#host = host;
    this.#events = events;
  }

  /** Sends a marker to each partition that still lacks it. */
  send(completion: Completion): void {
    for (const partition of completion.entry.metadata.partitions) this.#queue.push({ completion, partition });
    this.loop();
  }

  /** Sends what can be sent: leaders are looked up anew each time (txn T-82). */
  loop(): void {
    if (this.#stopped) return;
    const batches = new Map<NodeId, PendingMarker[]>();
    const waiting: PendingMarker[] = [];
    const gone: PendingMarker[] = [];
    for (const marker of this.#queue) {
      if (!isLive(marker.completion)) continue;
      const to = locateLeader(this.#host, marker.partition);
      if (to === 'gone') gone.push(marker);
      else if (to === 'unknown' || this.#busy.has(to)) waiting.push(marker);
      else collect(batches, to, marker);
    }
    this.#queue = waiting;
    for (const to of batches.keys()) this.#busy.add(to);
    for (const [to, batch] of batches) this.#reachSending(to, batch);
    for (const { completion, partition } of gone) this.#events.settled(completion, partition);
  }

  /** Forgets what belongs to shards that were lost (txn T-30). */
  sweep(): void {
    this.#queue = this.#queue.filter(({ completion }) => isLive(completion));
  }

  stop(): void {
    this.#stopped = true;
    this.#queue = [];
    for (const timer of this.#timers) timer.cancel();
  }

  /** Those that are held at their step stay out of the request, and come with a later one. */
  #reachSending(to: NodeId, markers: readonly PendingMarker[]): void {
    const batch: PendingMarker[] = [];
    let open = true;
    for (const marker of markers) {
      const proceed = (): void => {
        if (open) batch.push(marker);
        else {
          this.#queue.push({ ...marker, cleared: to });
          this.loop();
        }
      };
      if (marker.cleared === to) proceed();
      else this.#host.runtime.faults.reach('txn.marker.sending', { ...fieldsOf(marker), to }, proceed);
    }
    open = false;
    const live = batch.filter(({ completion }) => isLive(completion));
    if (live.length > 0) this.#request(to, live);
    else this.#busy.delete(to);
  }

  #request(to: NodeId, batch: readonly PendingMarker[]): void {
    const { runtime, config } = this.#host;
    const { request, completions } = pack(batch);
    runtime.network.request(to, 'WriteTxnMarkers', request, config['request.timeout.ms'], (outcome) => {
      this.#busy.delete(to);
      if (this.#stopped) return;
      const errorOf = answered(completions, outcome);
      const again = batch.filter((marker) => isLive(marker.completion) && !this.#settle(marker, errorOf(marker)));
      if (again.length === 0) this.#failures.delete(to);
      else this.#retry(to, again);
      this.loop();
    });
  }

  /** Acts on the answer to one marker (txn T-86, T-87). False: it is to be sent again. */
  #settle(marker: PendingMarker, error: ErrorName): boolean {
    const { completion, partition } = marker;
    const { runtime } = this.#host;
    switch (reactionTo(error)) {
      case 'done':
        // Removed now, looked at later: others are removed in between, and each of them finds that nothing is left (BUG-44).
        if (!runtime.safeguard('txn.pendingCas')) this.#events.acked(completion, partition);
        runtime.faults.reach('txn.marker.acked', fieldsOf(marker), () => {
          if (isLive(completion)) this.#events.settled(completion, partition);
        });
        return true;
      case 'pass':
        this.#events.settled(completion, partition);
        return true;
      case 'retry':
        if (runtime.safeguard('txn.markerRetry')) return false;
        this.#events.settled(completion, partition);
        return true;
      case 'give-up':
        this.#events.refused(completion, partition, error);
        return true;
      case 'fatal':
        runtime.halt(`txn T-86: ${formatPartition(partition.topic, partition.partition)} answered a marker ${error}`);
        return true;
    }
  }

  #retry(to: NodeId, markers: readonly PendingMarker[]): void {
    const failures = this.#failures.get(to) ?? 0;
    this.#failures.set(to, failures + 1);
    this.#after(backoffMs(failures), () => {
      for (const { completion, partition } of markers) this.#queue.push({ completion, partition });
      this.loop();
    });
  }

  #after(delayMs: DurationMs, run: () => void): void {
    const timer = this.#host.runtime.clock.after(delayMs, () => {
      this.#timers.delete(timer);
      run();
    });
    this.#timers.add(timer);
  }
}

/** Fields of the points of one marker. */
function fieldsOf({ completion, partition }: PendingMarker): PointFields {
  return {
    ...transactionFields(completion.shard, completion.marker),
    outcome: completion.marker.outcome,
    topic: partition.topic,
    dataPartition: partition.partition,
  };
}

function collect<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** The request for some markers, and which transaction each of its entries is of. */
function pack(batch: readonly PendingMarker[]): {
  readonly request: RequestOf<'WriteTxnMarkers'>;
  readonly completions: readonly Completion[];
} {
  const partitions = new Map<Completion, TopicPartition[]>();
  for (const { completion, partition } of batch) {
    collect(partitions, completion, partition);
  }
  const markers = [...partitions].map(([{ marker, shard }, of]) => ({
    producerId: marker.producerId,
    producerEpoch: marker.producerEpoch,
    committed: marker.outcome === 'commit',
    topics: byTopic(partitionSet(of)),
    coordinatorEpoch: shard.leaderEpoch,
    transactionVersion: marker.transactionVersion,
  }));
  return { request: { markers }, completions: [...partitions.keys()] };
}

/** The error of each marker. A request that broke, and a partition without an answer, may or may not be written. */
function answered(
  completions: readonly Completion[],
  outcome: Outcome<ResponseOf<'WriteTxnMarkers'>>,
): (marker: PendingMarker) => ErrorName {
  if (outcome.kind !== 'ok') return () => 'REQUEST_TIMED_OUT';
  const errors = new Map<Completion, Map<string, ErrorName>>();
  outcome.response.markers.forEach(({ partitions }, i) => {
    const completion = completions[i];
    if (completion === undefined) return;
    errors.set(
      completion,
      new Map(partitions.map(({ topic, partition, error }) => [formatPartition(topic, partition), error])),
    );
  });
  return ({ completion, partition }) =>
    errors.get(completion)?.get(formatPartition(partition.topic, partition.partition)) ?? 'REQUEST_TIMED_OUT';
}
