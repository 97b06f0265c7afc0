// The requests of producers and leaders: whose id it is (txn T-7), what is asked of it, and the answer in the form of its
// API. What is decided is decide-*.ts's, how it is carried out transactor.ts's.
import { coordinatorPartition } from '../../base/java-hash.ts';
import type { TopicPartition } from '../../base/units.ts';
import type { PointFields } from '../../fault/reach.ts';
import type { RequestOf, ResponseOf } from '../../protocol/apis.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import { isTooLong } from '../../protocol/string-length.ts';
import type { CoordinatorHost } from '../host.ts';
import type { Answer } from './api.ts';
import { decideAdd, decideVerify } from './decide-add.ts';
import type { AddRequest } from './decide-add.ts';
import { decideEnd } from './decide-end.ts';
import { decideInit, precheckInit } from './decide-init.ts';
import { reply } from './decision.ts';
import type { Circumstances, Decision, Identity, Reply } from './decision.ts';
import { NONE, newEntry } from './metadata.ts';
import type { TransactionEntry } from './metadata.ts';
import type { OpenRequests } from './open-requests.ts';
import { absentPartitions, addable, outcomes, partitionsOf } from './request-partitions.ts';
import { ofShard, transactionFields } from './shard.ts';
import type { TransactionShard } from './shard.ts';
import type { TransactionShards } from './shards.ts';
import type { Transactor } from './transactor.ts';

const OFFSETS_TOPIC = '__consumer_offsets';

/** Who asks about which id. */
interface Asker extends Identity {
  readonly transactionalId: string;
}

/** What is asked, once the id's shard is known. */
interface Question {
  readonly fields?: PointFields;
  decide(entry: TransactionEntry | undefined, circumstances: Circumstances): Decision;
  respond(reply: Reply, shard: TransactionShard | undefined): void;
}

export interface RequestContext {
  readonly host: CoordinatorHost;
  readonly shards: TransactionShards;
  readonly transactor: Transactor;
  readonly open: OpenRequests;
}

export class TransactionRequests {
  readonly #context: RequestContext;

  constructor(context: RequestContext) {
    this.#context = context;
  }

  /** Txn T-38 to T-51. */
  initProducerId(request: RequestOf<'InitProducerId'>, answer: Answer<'InitProducerId'>): void {
    const { host, shards, transactor } = this.#context;
    const { transactionalId } = request;
    const respond = this.#reply(({ error, producerId, producerEpoch }) => {
      if (error === 'NONE') this.#traceIdentity({ transactionalId, producerId, producerEpoch }, 'init');
      answer({ error, producerId, producerEpoch });
    });
    const refusal = precheckInit(request, host.config['transaction.max.timeout.ms']);
    if (refusal !== 'NONE') return respond(reply(refusal));
    const shard = shards.find(transactionalId);
    if (typeof shard === 'string') return respond(reply(shard));
    const entry = shard.entries.get(transactionalId) ?? this.#newEntry(shard, request);
    if (entry === undefined) return respond(reply('COORDINATOR_LOAD_IN_PROGRESS'));
    const { producerId, producerEpoch } = request;
    const expected = producerId === NONE ? undefined : { producerId, producerEpoch };
    const asked = { shard, entry, respond: this.#observed(request, shard, respond) };
    const asks = { timeoutMs: request.transactionTimeoutMs, expected };
    transactor.carryOut(asked, decideInit(entry, asks, transactor.circumstances()));
  }

  /** Txn T-54 to T-57, T-60. */
  addPartitionsToTxn(request: RequestOf<'AddPartitionsToTxn'>, answer: Answer<'AddPartitionsToTxn'>): void {
    const partitions = partitionsOf(request.topics);
    const respond = this.#context.open.track<readonly ErrorName[]>(
      (errors) => answer({ partitions: outcomes(partitions, errors) }),
      () => partitions.map(() => 'COORDINATOR_NOT_AVAILABLE'),
    );
    this.#add(request, partitions, 0, respond);
  }

  /** The question of a leader, of many transactions (txn T-54, T-58, T-59). Answered once all of them are. */
  verifyTransactions(request: RequestOf<'VerifyTransactions'>, answer: Answer<'VerifyTransactions'>): void {
    const asked = request.transactions.map((one) => ({ ...one, partitions: partitionsOf(one.topics) }));
    // Until a transaction is through: what it is answered if the broker stops.
    const results = asked.map(({ partitions }) => partitions.map((): ErrorName => 'COORDINATOR_NOT_AVAILABLE'));
    const response = (): ResponseOf<'VerifyTransactions'> => ({
      transactions: asked.map(({ transactionalId, partitions }, i) => {
        return { transactionalId, partitions: outcomes(partitions, results[i]!) };
      }),
    });
    const respond = this.#context.open.track(answer, response);
    let waiting = asked.length + 1;
    const oneDone = (): void => {
      waiting -= 1;
      if (waiting === 0) respond(response());
    };
    asked.forEach((one, i) => {
      const settle = (errors: readonly ErrorName[]): void => {
        results[i] = [...errors];
        oneDone();
      };
      if (one.verifyOnly) settle(this.#verify(one, one.partitions));
      else this.#add(one, one.partitions, 2, settle);
    });
    oneDone();
  }

  /** Txn T-60. */
  addOffsetsToTxn(request: RequestOf<'AddOffsetsToTxn'>, answer: Answer<'AddOffsetsToTxn'>): void {
    const { host } = this.#context;
    const topic = OFFSETS_TOPIC;
    const count = host.image.topicNamed(topic)?.partitions.length ?? host.config['offsets.topic.num.partitions'];
    const partition = coordinatorPartition(request.groupId, count);
    const asks = { ...request, partitions: [{ topic, partition }], transactionVersion: 0 };
    this.#ask(request, {
      fields: { group: request.groupId },
      decide: (entry, circumstances) => decideAdd(entry, { ...asks, point: 'txn.add-offsets' }, circumstances),
      respond: this.#reply(({ error }) => answer({ error })),
    });
  }

  /** Txn T-72 to T-80. */
  endTxn(request: RequestOf<'EndTxn'>, answer: Answer<'EndTxn'>): void {
    const { transactionalId, committed } = request;
    let owner: TransactionShard | undefined;
    const respond = this.#reply(({ error, producerId, producerEpoch }) => {
      const { runtime } = this.#context.host;
      if (producerId !== NONE) this.#traceIdentity({ transactionalId, producerId, producerEpoch }, 'end');
      if (owner !== undefined) {
        const outcome = committed ? 'commit' : 'abort';
        runtime.trace({ type: 'txn.end.answered', ...ofShard(owner), transactionalId, outcome, error });
      }
      answer({ error, producerId, producerEpoch });
    });
    this.#ask(request, {
      decide: (entry, circumstances) => decideEnd(entry, request, circumstances),
      respond: (given, shard) => {
        owner = shard;
        respond(given);
      },
    });
  }

  /** Txn T-55, T-56: partitions that are not known here fail it as a whole. `respond` takes an error a partition. */
  #add(
    asker: Asker,
    partitions: readonly TopicPartition[],
    transactionVersion: number,
    respond: (errors: readonly ErrorName[]) => void,
  ): void {
    const absent = absentPartitions(this.#context.host.image, partitions);
    if (absent.size > 0) return respond(addable(partitions, absent));
    const asks: AddRequest = { ...asker, partitions, transactionVersion, point: pointOf(partitions) };
    this.#ask(asker, {
      fields: { count: partitions.length },
      decide: (entry, circumstances) => decideAdd(entry, asks, circumstances),
      respond: ({ error }) => respond(partitions.map(() => error)),
    });
  }

  /** Txn T-58: never appends, so it answers only while it is sure to be the coordinator (txn W-23). */
  #verify(asker: Asker, partitions: readonly TopicPartition[]): readonly ErrorName[] {
    const all = (error: ErrorName): ErrorName[] => partitions.map(() => error);
    const absent = absentPartitions(this.#context.host.image, partitions);
    if (absent.size > 0) return addable(partitions, absent);
    const shard = this.#owner(asker.transactionalId);
    if (typeof shard === 'string') return all(shard);
    const refusal = this.#context.shards.refuseCached(shard);
    if (refusal !== 'NONE') return all(refusal);
    const errors = decideVerify(shard.entries.get(asker.transactionalId), { ...asker, partitions });
    if (errors.includes('PRODUCER_FENCED')) this.#observeFenced(asker, shard);
    return errors;
  }

  #ask(asker: Asker, question: Question): void {
    const { transactor } = this.#context;
    const shard = this.#owner(asker.transactionalId);
    if (typeof shard === 'string') return question.respond(reply(shard), undefined);
    const entry = shard.entries.get(asker.transactionalId);
    const decision = question.decide(entry, transactor.circumstances());
    const respond = this.#observed(asker, shard, (given) => question.respond(given, shard));
    transactor.carryOut({ shard, entry, respond, ...(question.fields && { fields: question.fields }) }, decision);
  }

  #owner(transactionalId: string): TransactionShard | ErrorName {
    if (transactionalId === '' || isTooLong(transactionalId)) return 'INVALID_REQUEST';
    return this.#context.shards.find(transactionalId);
  }

  /** Txn T-42: kept even if its first record fails; the retry has the same producer id then. */
  #newEntry(shard: TransactionShard, request: RequestOf<'InitProducerId'>): TransactionEntry | undefined {
    const { host } = this.#context;
    const producerId = host.nextProducerId();
    if (producerId === undefined) return undefined;
    const { transactionalId, transactionTimeoutMs: timeoutMs } = request;
    const entry = newEntry({ transactionalId, producerId, timeoutMs, nowMs: host.runtime.clock.wallTime() });
    shard.entries.set(transactionalId, entry);
    return entry;
  }

  #reply(answer: (given: Reply) => void): (given: Reply) => void {
    return this.#context.open.track(answer, () => reply('COORDINATOR_NOT_AVAILABLE'));
  }

  #observed(asker: Asker, shard: TransactionShard, respond: (given: Reply) => void): (given: Reply) => void {
    return (given) => {
      if (given.error === 'PRODUCER_FENCED') this.#observeFenced(asker, shard);
      respond(given);
    };
  }

  #observeFenced(asker: Asker, shard: TransactionShard): void {
    this.#context.host.runtime.faults.observe('txn.producer.fenced', transactionFields(shard, asker));
  }

  #traceIdentity(of: Asker, by: 'init' | 'end'): void {
    const { transactionalId, producerId, producerEpoch } = of;
    const event = { type: 'producer.identity', transactionalId, producerId, producerEpoch, by } as const;
    this.#context.host.runtime.trace(event);
  }
}

/** Variant 2 registers the partition of a group's offsets as any other (txn T-59); its steps are those of txn T-60. */
function pointOf(partitions: readonly TopicPartition[]): AddRequest['point'] {
  const ofOffsets = partitions.length > 0 && partitions.every(({ topic }) => topic === OFFSETS_TOPIC);
  return ofOffsets ? 'txn.add-offsets' : 'txn.add-partitions';
}
