// Produce: the checks of one request in Kafka's order, its appends, and the answer (repl ). The wait
// for replication is delayed-produce.ts's; what a batch must be is the log's.
import { isTransactional } from '../log/attributes.ts';
import { unpackProduce } from '../log/unpack-produce.ts';
import { refuse } from '../log/validate-batch.ts';
import type { AppendRefusal } from '../log/api.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import { readBatchHeader } from '../protocol/batch-header.ts';
import type { ProducePartition } from '../protocol/generated/index.ts';
import { isInternalTopic } from '../protocol/topic-name.ts';
import type { Cancel, ProduceOrigin } from './api.ts';
import type { NodeContext } from './context.ts';
import { DelayedProduce } from './delayed-produce.ts';
import type { Partition } from './partition.ts';
import { PartitionResult } from './produce-result.ts';
import type { Replicas } from './replicas.ts';
import { Watchers } from './watchers.ts';

type Request = RequestOf<'Produce'>;

/** Kafka's own admin client may write internal topics (repl R-117 (6)). */
const ADMIN_CLIENT_ID = '__admin_client';

/** A batch that passed the checks before the append. */
interface Ready {
  readonly replica: Partition;
  readonly batch: Buffer;
}

export class Produces {
  readonly #context: NodeContext;
  readonly #replicas: Replicas;
  readonly #parked = new Watchers<Partition, DelayedProduce>();

  constructor(context: NodeContext, replicas: Replicas) {
    this.#context = context;
    this.#replicas = replicas;
  }

  /** Serves one produce. Partitions fail independently; the answer keeps their order. */
  produce(request: Request, origin: ProduceOrigin, answer: (response: ResponseOf<'Produce'>) => void): Cancel {
    let withdrawn = false;
    let delayed: DelayedProduce | undefined;
    const results = request.partitions.map((asked) => new PartitionResult(asked));
    const respond = (): void => {
      for (const result of results) result.trace(this.#context.runtime, request.acks);
      answer({ correlationId: request.correlationId, partitions: results.map((result) => result.answer) });
    };
    let appending = 1;
    const oneAppended = (): void => {
      appending -= 1;
      if (appending > 0 || withdrawn) return;
      const waiting = request.acks === -1 ? results.filter((result) => result.isAppended) : [];
      if (waiting.length === 0) return respond();
      delayed = new DelayedProduce({
        results: waiting,
        parked: this.#parked,
        clock: this.#context.runtime.clock,
        timeoutMs: request.timeoutMs,
        complete: respond,
      });
    };
    request.partitions.forEach((asked, i) => {
      appending += 1;
      this.#produceOne(asked, { request, origin }, results[i]!, oneAppended);
    });
    oneAppended();
    return () => {
      withdrawn = true;
      delayed?.withdraw();
    };
  }

  /** The high watermark of a replica rose (repl R-18). */
  highWatermarkMoved(replica: Partition): void {
    for (const delayed of this.#parked.of(replica)) delayed.tryComplete(replica);
  }

  /** Leadership changed: what waits on a replica that does not lead any more fails now (repl R-71, T-29). */
  roleChanged(replica: Partition): void {
    for (const delayed of this.#parked.of(replica)) delayed.tryComplete(replica);
  }

  /** Answers all that is parked: this broker stops. What is undecided stays unknown to its client. */
  endAll(): void {
    for (const delayed of this.#parked.all()) delayed.fail('NOT_LEADER_OR_FOLLOWER');
  }

  #produceOne(
    asked: ProducePartition,
    call: { readonly request: Request; readonly origin: ProduceOrigin },
    result: PartitionResult,
    done: () => void,
  ): void {
    const checked = this.#check(asked, call.request, call.origin);
    if ('error' in checked) {
      result.refuse(checked);
      return done();
    }
    const { replica, batch } = checked;
    const append = { batch, acks: call.request.acks, origin: 'client' as const };
    const refusal = replica.append(append, (appended) => {
      result.append(replica, appended);
      done();
    });
    if (refusal === undefined) return;
    result.refuse(refusal, replica);
    done();
  }

  /** Repl R-117 (2) to (7), wire W-72. Leadership, min ISR and the batch itself are checked by the append. */
  #check(asked: ProducePartition, request: Request, origin: ProduceOrigin): Ready | AppendRefusal {
    const { topic, partition } = asked;
    const located = this.#replicas.locate({ topicId: '', topic, partition });
    const hostingError = located.kind === 'refused' ? located.error : undefined;
    if (hostingError === 'UNKNOWN_TOPIC_OR_PARTITION') return refuse(hostingError, 'no such topic or partition');
    const unpacked = unpackProduce(asked.records, origin);
    if (unpacked.error !== undefined) return refuse(unpacked.error, unpacked.message);
    if (isTransactional(readBatchHeader(unpacked.batch)?.attributes ?? 0)) {
      return refuse('INVALID_TXN_STATE', 'transactions are not served by this version');
    }
    if (request.acks !== 0 && request.acks !== 1 && request.acks !== -1) {
      return refuse('INVALID_REQUIRED_ACKS', `acks is 0, 1 or -1, not ${request.acks}`);
    }
    if (isInternalTopic(topic) && request.clientId !== ADMIN_CLIENT_ID) {
      return refuse('INVALID_TOPIC_EXCEPTION', `${topic} belongs to the cluster itself`);
    }
    if (located.kind === 'refused')
      return refuse('NOT_LEADER_OR_FOLLOWER', 'this broker has no replica of the partition');
    return { replica: located.replica, batch: unpacked.batch };
  }
}
