// DeleteRecords (repl R-118, wire W-101): the leader's log start is raised at once, and the answer waits until every live
// replica has followed. What raising does to a log is the log's.
import { NO_OFFSET } from '../base/units.ts';
import type { Offset } from '../base/units.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import type { ErrorName } from '../protocol/errors.ts';
import type { DeletedRecords, DeleteRecordsPartition } from '../protocol/generated/index.ts';
import { isInternalTopic } from '../protocol/topic-name.ts';
import type { Cancel } from './api.ts';
import type { NodeContext } from './context.ts';
import type { Partition } from './partition.ts';
import type { Replicas } from './replicas.ts';
import { Watchers } from './watchers.ts';

/** One partition of a request: refused, or waiting for its low watermark. */
interface Deletion {
  readonly asked: DeleteRecordsPartition;
  readonly replica: Partition | undefined;
  /** First offset that stays. */
  readonly offset: Offset;
  /** Undefined while it waits. */
  error: ErrorName | undefined;
}

/** A request that is not answered yet. */
interface Waiting {
  readonly deletions: readonly Deletion[];
  /** Answers if nothing waits any more. */
  look(): void;
  /** What waits gets `error`. */
  fail(error: ErrorName): void;
}

export class RecordDeletions {
  readonly #context: NodeContext;
  readonly #replicas: Replicas;
  readonly #parked = new Watchers<Partition, Waiting>();

  constructor(context: NodeContext, replicas: Replicas) {
    this.#context = context;
    this.#replicas = replicas;
  }

  /**
   * Serves one request; partitions fail independently, and the answer keeps their order. A withdrawn one deletes all the
   * same.
   */
  delete(
    { partitions, timeoutMs }: RequestOf<'DeleteRecords'>,
    answer: (response: ResponseOf<'DeleteRecords'>) => void,
  ): Cancel {
    const deletions = partitions.map((asked) => this.#judge(asked));
    const withdraw = (): void => {
      timer.cancel();
      for (const { replica } of deletions) if (replica !== undefined) this.#parked.delete(replica, waiting);
    };
    let isOver = false;
    const waiting: Waiting = {
      deletions,
      look: () => {
        if (isOver || deletions.some(({ error }) => error === undefined)) return;
        isOver = true;
        withdraw();
        answer({ partitions: deletions.map(describe) });
      },
      fail: (error) => {
        for (const deletion of deletions) deletion.error ??= error;
        waiting.look();
      },
    };
    const timer = this.#context.runtime.clock.after(Math.max(timeoutMs, 0), () => waiting.fail('REQUEST_TIMED_OUT'));
    for (const deletion of deletions) if (deletion.error === undefined) this.#raise(deletion, waiting);
    waiting.look();
    return () => {
      isOver = true;
      withdraw();
    };
  }

  /** A follower's log start moved, or the role of the replica changed. */
  moved(replica: Partition): void {
    for (const waiting of this.#parked.of(replica)) settle(waiting, replica);
  }

  /** Who is fenced holds nobody up (repl R-118). */
  metadataApplied(): void {
    for (const waiting of this.#parked.all()) settle(waiting, undefined);
  }

  /** Answers all that waits: this broker stops. */
  endAll(): void {
    for (const waiting of this.#parked.all()) waiting.fail('NOT_LEADER_OR_FOLLOWER');
  }

  /** Written down before it counts as done, so that no crash brings back what was said to be gone. */
  #raise(deletion: Deletion, waiting: Waiting): void {
    const { replica, offset } = deletion;
    replica!.raiseLogStart(offset, () => {
      if (deletion.error !== undefined) return;
      this.#parked.add(replica!, waiting);
      settle(waiting, replica);
    });
  }

  /** The checks of repl R-118, in Kafka's order. */
  #judge(asked: DeleteRecordsPartition): Deletion {
    const { topic, partition, offset } = asked;
    const refuse = (error: ErrorName): Deletion => ({ asked, replica: undefined, offset, error });
    const located = this.#replicas.locate({ topicId: '', topic, partition });
    if (located.kind === 'refused' && located.error === 'UNKNOWN_TOPIC_OR_PARTITION') return refuse(located.error);
    if (isInternalTopic(topic)) return refuse('INVALID_TOPIC_EXCEPTION');
    if (located.kind === 'refused' || !located.replica.isLeader) return refuse('NOT_LEADER_OR_FOLLOWER');
    const { replica } = located;
    const policy = this.#context.topicConfig(replica.topicId)['cleanup.policy'];
    if (policy.includes('compact') && !policy.includes('delete')) return refuse('POLICY_VIOLATION');
    const { highWatermark, deletableTo } = replica.log;
    const wanted = offset === -1 ? highWatermark : offset;
    if (wanted < 0 || wanted > deletableTo) return refuse('OFFSET_OUT_OF_RANGE');
    return { asked, replica, offset: wanted, error: undefined };
  }
}

/** Decides what can be decided of a request, on one replica or on all of its own. */
function settle(waiting: Waiting, of: Partition | undefined): void {
  for (const deletion of waiting.deletions) {
    const { replica, error } = deletion;
    if (error === undefined && replica !== undefined && (of ?? replica) === replica) deletion.error = outcome(deletion);
  }
  waiting.look();
}

/** Undefined while a replica has not followed, or the leader itself is not there yet. */
function outcome({ replica, offset }: Deletion): ErrorName | undefined {
  const role = replica!.leading;
  if (role === undefined) return replica!.isKnown ? 'NOT_LEADER_OR_FOLLOWER' : 'UNKNOWN_TOPIC_OR_PARTITION';
  return role.lowWatermark >= offset ? 'NONE' : undefined;
}

function describe({ asked, replica, error = 'UNKNOWN_SERVER_ERROR' }: Deletion): DeletedRecords {
  const lowWatermark = error === 'NONE' ? (replica?.leading?.lowWatermark ?? NO_OFFSET) : NO_OFFSET;
  return { topic: asked.topic, partition: asked.partition, error, lowWatermark };
}
