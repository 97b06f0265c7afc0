// Produce: the checks of one request in Kafka's order, its appends, and the answer (repl ). The wait
// for replication is delayed-produce.ts's; what a batch must be is the log's.
import { isTransactional } from '../log/attributes.ts';
import { unpackProduce } from '../log/unpack-produce.ts';
import { refuse } from '../log/validate-batch.ts';
import type { AppendRefusal } from '../log/api.ts';
import type { VerificationGuard } from '../log/transactions-api.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import { readBatchHeader, type BatchHeader } from '../protocol/batch-header.ts';
import type { ProducePartition } from '../protocol/generated/index.ts';
import { isInternalTopic } from '../protocol/topic-name.ts';
import type { Cancel, ProduceOrigin } from './api.ts';
import type { NodeContext } from './context.ts';
import { DelayedProduce } from './delayed-produce.ts';
import type { Partition } from './partition.ts';
import { PartitionResult } from './produce-result.ts';
import type { Replicas } from './replicas.ts';
import { producedError, type Verifications } from './verifications.ts';
import { Watchers } from './watchers.ts';

type Request = RequestOf<'Produce'>;

/** Kafka's own admin client may write internal topics (repl R-117 (6)). */
const ADMIN_CLIENT_ID = '__admin_client';

/** The one batch of a partition, unpacked (repl R-117 (2), (3)). */
interface Unpacked {
  readonly asked: ProducePartition;
  readonly batch: Buffer;
  /** Undefined: this broker has none. */
  readonly replica: Partition | undefined;
  readonly result: PartitionResult;
}

/** One that waits for its verification. */
interface Guarded extends Unpacked {
  readonly replica: Partition;
  readonly guard: VerificationGuard;
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
      const waits = request.acks === -1 && this.#context.runtime.safeguard('hw.allIsr');
      const waiting = waits ? results.filter((result) => result.isAppended) : [];
      if (waiting.length === 0) return respond();
      delayed = new DelayedProduce({
        results: waiting,
        parked: this.#parked,
        clock: this.#context.runtime.clock,
        timeoutMs: request.timeoutMs,
        complete: respond,
      });
    };
    const nameless = namelessRefusal(request);
    const unpacked = nameless === undefined ? this.#unpackAll(request, origin, results) : [];
    const refusal = nameless ?? crowdRefusal(unpacked);
    if (refusal === undefined) {
      appending += unpacked.length;
      this.#produceAll(request, unpacked, oneAppended);
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

  /** Repl R-117 (2), (3): what is refused is decided, the rest is given back. */
  #unpackAll(request: Request, origin: ProduceOrigin, results: readonly PartitionResult[]): readonly Unpacked[] {
    const accepted: Unpacked[] = [];
    for (const [i, asked] of request.partitions.entries()) {
      const result = results[i]!;
      const located = this.#replicas.locate({ topicId: '', topic: asked.topic, partition: asked.partition });
      if (located.kind === 'refused' && located.error === 'UNKNOWN_TOPIC_OR_PARTITION') {
        result.refuse(refuse(located.error, 'no such topic or partition'));
        continue;
      }
      const unpacked = unpackProduce(asked.records, origin);
      if (unpacked.error !== undefined) {
        result.refuse(refuse(unpacked.error, unpacked.message));
        continue;
      }
      const replica = located.kind === 'refused' ? undefined : located.replica;
      accepted.push({ asked, batch: unpacked.batch, replica, result });
    }
    return accepted;
  }

  /** What needs no verification is appended at once; the rest when its coordinator has said yes (txn T-95, T-119). */
  #produceAll(request: Request, unpacked: readonly Unpacked[], oneDone: () => void): void {
    const toVerify: Guarded[] = [];
    for (const one of unpacked) {
      const { replica, result } = one;
      const guard = replica && guardFor(replica, one.batch, request);
      if (replica === undefined || guard === undefined) this.#append(one, request, oneDone);
      else if ('error' in guard) {
        result.refuseUnverified(guard, replica);
        oneDone();
      } else toVerify.push({ ...one, replica, guard });
    }
    if (toVerify.length > 0) this.#verify(request, toVerify, oneDone);
  }

  #verify(request: Request, guarded: readonly Guarded[], oneDone: () => void): void {
    const { transactionalId, transactionVersion } = request;
    const { producerId, producerEpoch } = readBatchHeader(guarded[0]!.batch)!;
    const partitions = guarded.map(({ replica }) => ({ topic: replica.topic, partition: replica.partition }));
    const ask = { transactionalId, producerId, producerEpoch, transactionVersion, partitions, retryAdd: true };
    this.#verifications.verify(ask, (errors) => {
      guarded.forEach((one, at) => {
        const { replica, result } = one;
        const error = errors[at] ?? 'UNKNOWN_SERVER_ERROR';
        if (error !== 'NONE') {
          const told = producedError(error, transactionVersion);
          result.refuseUnverified(refuse(told, `the coordinator of ${transactionalId} says ${error}`), replica, error);
          return oneDone();
        }
        const { topic, partition, leaderEpoch } = replica;
        const fields = { topic, partition, leaderEpoch, transactionalId, producerId, producerEpoch };
        this.#context.runtime.faults.reach('txn.verified', fields, () => {
          this.#append(one, request, oneDone);
        });
      });
    });
  }

  /** Repl R-117 (5) to (10). Leadership, min ISR and the batch itself are the replica's to check. */
  #append(one: Unpacked | Guarded, request: Request, done: () => void): void {
    const { replica, batch, result } = one;
    const barred = admissionRefusal(one, request);
    if (barred !== undefined || replica === undefined) {
      result.refuse(barred ?? refuse('NOT_LEADER_OR_FOLLOWER', 'this broker has no replica of the partition'));
      return done();
    }
    const guard = 'guard' in one ? { guard: one.guard } : {};
    const refusal = replica.append({ batch, acks: request.acks, origin: 'client', ...guard }, (appended) => {
      result.append(replica, appended);
      done();
    });
    if (refusal === undefined) return;
    result.refuse(refusal, replica);
    done();
  }
}

/** Repl R-117 (5), (6), wire W-71, W-72. */
function admissionRefusal({ asked: { topic } }: Unpacked, { acks, clientId }: Request): AppendRefusal | undefined {
  if (acks !== 0 && acks !== 1 && acks !== -1) {
    return refuse('INVALID_REQUIRED_ACKS', `acks is 0, 1 or -1, not ${acks}`);
  }
  if (isInternalTopic(topic) && clientId !== ADMIN_CLIENT_ID) {
    return refuse('INVALID_TOPIC_EXCEPTION', `${topic} belongs to the cluster itself`);
  }
  return undefined;
}

/** Txn T-119; a replica that does not lead refuses the append itself. */
function guardFor(
  replica: Partition,
  batch: Buffer,
  { transactionVersion }: Request,
): VerificationGuard | AppendRefusal | undefined {
  const header = transactionalHeader(batch);
  if (header === undefined || !replica.isLeader) return undefined;
  const { producerId, producerEpoch, baseSequence } = header;
  if (producerId > Number.MAX_SAFE_INTEGER) {
    return refuse('INVALID_PRODUCER_ID_MAPPING', `producer id ${producerId} was given out by nobody`);
  }
  return replica.log.guardFor({ producerId, producerEpoch, baseSequence, version2: transactionVersion >= 2 });
}

/** Of a transactional batch; undefined for any other, old message sets included. */
function transactionalHeader(records: Buffer): BatchHeader | undefined {
  const header = readBatchHeader(records);
  return header !== undefined && header.magic === 2 && isTransactional(header.attributes) ? header : undefined;
}

/** A transactional batch in a request without a transactional id: nothing of it is looked at (wire W-71, txn T-97). */
function namelessRefusal({ partitions, transactionalId }: Request): AppendRefusal | undefined {
  if (transactionalId !== '') return undefined;
  if (partitions.every(({ records }) => transactionalHeader(records) === undefined)) return undefined;
  return refuse('TRANSACTIONAL_ID_AUTHORIZATION_FAILED', 'a transactional batch needs a transactional id');
}

/** Transactional batches of several producers: nothing of the request is verified or appended (wire W-71, txn T-97). */
function crowdRefusal(unpacked: readonly Unpacked[]): AppendRefusal | undefined {
  const identities = new Set<string>();
  for (const { batch } of unpacked) {
    const header = transactionalHeader(batch);
    if (header !== undefined) identities.add(`${header.producerId} ${header.producerEpoch}`);
  }
  if (identities.size <= 1) return undefined;
  return refuse('INVALID_PRODUCER_ID_MAPPING', 'the request has transactional batches of several producers');
}
