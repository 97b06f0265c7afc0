// Produce: the checks of one request in Kafka's order, its appends, and the answer (repl ). The wait
// for replication is delayed-produce.ts's; what a batch must be is the log's.
import { isTransactional } from '../log/attributes.ts';
import { unpackProduce } from '../log/unpack-produce.ts';
import { refuse } from '../log/validate-batch.ts';
import type { AppendRefusal } from '../log/api.ts';
import type { VerificationGuard } from '../log/transactions-api.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import { readBatchHeader } from '../protocol/batch-header.ts';
import type { ProducePartition } from '../protocol/generated/index.ts';
import { isInternalTopic } from '../protocol/topic-name.ts';
import type { Cancel, ProduceOrigin } from './api.ts';
import type { NodeContext } from './context.ts';
import { DelayedProduce } from './delayed-produce.ts';
import type { Append, Partition } from './partition.ts';
import { PartitionResult } from './produce-result.ts';
import type { Replicas } from './replicas.ts';
import { producedError, type Verifications } from './verifications.ts';
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
  readonly #verifications: Verifications;
  readonly #parked = new Watchers<Partition, DelayedProduce>();

  constructor(context: NodeContext, replicas: Replicas, verifications: Verifications) {
    this.#context = context;
    this.#replicas = replicas;
    this.#verifications = verifications;
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
    const refusal = transactionRefusal(request);
    if (refusal === undefined) {
      appending += request.partitions.length;
      this.#produceAll(request, origin, results, oneAppended);
    } else for (const result of results) result.refuse(refusal);
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

  /** What needs no verification is appended at once; the rest when its coordinator has said yes (txn T-95, T-119). */
  #produceAll(request: Request, origin: ProduceOrigin, results: readonly PartitionResult[], oneDone: () => void): void {
    const toVerify: Guarded[] = [];
    request.partitions.forEach((asked, i) => {
      const result = results[i]!;
      const checked = this.#check(asked, request, origin);
      if ('error' in checked) {
        result.refuse(checked);
        return oneDone();
      }
      const { replica, batch } = checked;
      const guard = guardFor(checked, request);
      if (guard !== undefined && 'error' in guard) {
        result.refuseUnverified(guard, replica);
        return oneDone();
      }
      const append = { batch, acks: request.acks, origin: 'client' as const };
      if (guard === undefined) this.#append(replica, append, result, oneDone);
      else toVerify.push({ replica, append: { ...append, guard }, result });
    });
    if (toVerify.length > 0) this.#verify(request, toVerify, oneDone);
  }

  #verify(request: Request, guarded: readonly Guarded[], oneDone: () => void): void {
    const { transactionalId, transactionVersion } = request;
    const { producerId, producerEpoch } = readBatchHeader(guarded[0]!.append.batch)!;
    const partitions = guarded.map(({ replica }) => ({ topic: replica.topic, partition: replica.partition }));
    const ask = { transactionalId, producerId, producerEpoch, transactionVersion, partitions, retryAdd: true };
    this.#verifications.verify(ask, (errors) => {
      guarded.forEach(({ replica, append, result }, at) => {
        const error = errors[at] ?? 'UNKNOWN_SERVER_ERROR';
        if (error !== 'NONE') {
          const told = producedError(error, transactionVersion);
          result.refuseUnverified(refuse(told, `the coordinator of ${transactionalId} says ${error}`), replica);
          return oneDone();
        }
        const { topic, partition, leaderEpoch } = replica;
        const fields = { topic, partition, leaderEpoch, transactionalId, producerId, producerEpoch };
        this.#context.runtime.faults.reach('txn.verified', fields, () => {
          this.#append(replica, append, result, oneDone);
        });
      });
    });
  }

  #append(replica: Partition, append: Append, result: PartitionResult, done: () => void): void {
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

/** A batch that waits for its verification. */
interface Guarded {
  readonly replica: Partition;
  readonly append: Append;
  readonly result: PartitionResult;
}

/** Txn T-119; a replica that does not lead refuses the append itself. */
function guardFor({ replica, batch }: Ready, request: Request): VerificationGuard | AppendRefusal | undefined {
  const header = readBatchHeader(batch);
  if (header === undefined || !replica.isLeader || !isTransactional(header.attributes)) return undefined;
  const { producerId, producerEpoch, baseSequence } = header;
  return replica.log.guardFor({
    ...{ producerId, producerEpoch, baseSequence },
    version2: request.transactionVersion >= 2,
  });
}

/** What is wrong with the transactional batches of a request as a whole (txn T-97); nothing of it is appended then. */
function transactionRefusal({ partitions, transactionalId }: Request): AppendRefusal | undefined {
  const identities = new Set<string>();
  for (const { records } of partitions) {
    const header = records.length === 0 ? undefined : readBatchHeader(records);
    if (header === undefined || !isTransactional(header.attributes)) continue;
    identities.add(`${header.producerId} ${header.producerEpoch}`);
  }
  if (identities.size === 0) return undefined;
  if (transactionalId === '') {
    return refuse('TRANSACTIONAL_ID_AUTHORIZATION_FAILED', 'a transactional batch needs a transactional id');
  }
  if (identities.size === 1) return undefined;
  return refuse('INVALID_PRODUCER_ID_MAPPING', 'the request has transactional batches of several producers');
}
