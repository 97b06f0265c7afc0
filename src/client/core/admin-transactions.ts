// Administration of transactions (txn T-176 to T-181): what there is, which of it hangs, and how to end it. Asks coordinators,
// except for hanging transactions: those no coordinator knows, so the partition itself is told to abort.
import type { DurationMs, NodeId, TopicPartition } from '../../base/units.ts';
import { formatPartition, NO_LEADER } from '../../base/units.ts';
import type { ResponseOf } from '../../protocol/apis.ts';
import type {
  ActiveProducer,
  Coordinator,
  DescribedTransaction,
  ListedTransaction,
  PartitionProducers,
} from '../../protocol/generated/index.ts';
import { all, map, type AdminCalls, type Done, type Question, type SilentBroker, type Survey } from './admin-calls.ts';
import { surveyHanging, type HangingSources, type HangingSurvey } from './hanging-survey.ts';
import { ownerOf, type OpenTransaction, type Ownership } from './hanging-transactions.ts';
import type { Identity } from './producer-identity.ts';

export type { SilentBroker } from './admin-calls.ts';
export type { HangingSurvey } from './hanging-survey.ts';
export type { ActiveTransaction, HangingTransaction, OpenTransaction, Ownership } from './hanging-transactions.ts';

/** What to list. Left out: everything (txn T-176). */
export interface TransactionFilter {
  readonly states?: readonly string[];
  readonly producerIds?: readonly number[];
  /** Only those open for longer. Ids without a transaction pass too: combine it with the state Ongoing. */
  readonly minDurationMs?: number;
  /** A regular expression that matches the whole id. */
  readonly idPattern?: string;
}

export interface TransactionListing {
  /** By coordinator, then id. */
  readonly transactions: readonly (ListedTransaction & { readonly coordinator: NodeId })[];
  /** State names that exist nowhere; they match nothing. */
  readonly unknownStates: readonly string[];
  /** Brokers that told nothing: what they coordinate is missing. Empty unless the caller's patience was limited. */
  readonly silent: readonly SilentBroker[];
}

/** How to look for transactions that hang. */
export interface HangingOptions {
  /** Whose replicas are asked; without it the leaders'. */
  readonly node?: NodeId | undefined;
  readonly silentMs: DurationMs;
  /** How long one broker may tell nothing. Without it, one that is silent fails the search. */
  readonly patienceMs?: DurationMs | undefined;
}

/** Whose transaction a marker ends. */
export interface MarkerIdentity {
  readonly producerId: number;
  readonly producerEpoch: number;
  /** Below 0: none wrote a marker yet. */
  readonly coordinatorEpoch: number;
}

export class TransactionAdmin {
  readonly #calls: AdminCalls;

  constructor(calls: AdminCalls) {
    this.#calls = calls;
  }

  /** Who coordinates a group or a transactional id now. */
  findCoordinator(type: 'transaction' | 'group', key: string, done: Done<Coordinator>): void {
    const question: Question<'FindCoordinator'> = {
      api: 'FindCoordinator',
      request: { keyType: type, keys: [key] },
      errorOf: ({ coordinators }) => coordinators[0]?.error ?? 'UNKNOWN_SERVER_ERROR',
    };
    const anyone = () => this.#calls.parts.metadata.anyNode();
    this.#calls.repeat(anyone, question, (result) => done(map(result, ({ coordinators }) => coordinators[0]!)));
  }

  /** The transactional ids of all coordinators (txn T-176). One that is silent fails it, or after `patienceMs` is named. */
  list(filter: TransactionFilter, done: Done<TransactionListing>, patienceMs?: DurationMs): void {
    const { states = [], producerIds = [], minDurationMs = -1, idPattern = '' } = filter;
    const request = { states: [...states], producerIds: [...producerIds], minDurationMs, idPattern };
    const question: Question<'ListTransactions'> = { api: 'ListTransactions', request, errorOf: ({ error }) => error };
    this.#calls.atEachBroker(question, patienceMs, (result) => done(map(result, mergeListings)));
  }

  /** What their coordinators know of ids, in their order. Unknown ones say TRANSACTIONAL_ID_NOT_FOUND (txn T-177). */
  describe(ids: readonly string[], done: Done<readonly DescribedTransaction[]>): void {
    const one = (id: string, told: Done<DescribedTransaction>): void => {
      const question: Question<'DescribeTransactions'> = {
        api: 'DescribeTransactions',
        request: { transactionalIds: [id] },
        errorOf: ({ transactions }) => onlyMoved(transactions[0]?.error ?? 'UNKNOWN_SERVER_ERROR'),
      };
      this.#calls.atCoordinator({ type: 'transaction', name: id }, question, (result) =>
        told(map(result, ({ transactions }) => transactions[0]!)),
      );
    };
    all(ids, one, done);
  }

  /** The producers that replicas know, of leaders or, with `node`, of that broker (txn T-178). In the order asked. */
  describeProducers(
    partitions: readonly TopicPartition[],
    node: NodeId | undefined,
    done: Done<readonly PartitionProducers[]>,
  ): void {
    all(partitions, (of, told: Done<PartitionProducers>) => this.#describeProducers(of, node, told), done);
  }

  #describeProducers(
    of: TopicPartition,
    node: NodeId | undefined,
    done: Done<PartitionProducers>,
    limitMs: DurationMs = this.#calls.parts.config['default.api.timeout.ms'],
  ): void {
    const question: Question<'DescribeProducers'> = {
      api: 'DescribeProducers',
      request: { topics: [{ topic: of.topic, partitions: [of.partition] }] },
      errorOf: ({ partitions }) => partitions[0]?.error ?? 'UNKNOWN_SERVER_ERROR',
    };
    this.#calls.repeatFor(
      limitMs,
      () => node ?? this.#leaderOf(of),
      question,
      (result) => done(map(result, ({ partitions }) => partitions[0]!)),
    );
  }

  /** Ends the transaction that begins there, in this partition alone; no coordinator hears of it (txn T-179). */
  abort(of: OpenTransaction, done: Done<ActiveProducer>): void {
    this.#describeProducers(of, undefined, (described) => {
      if (described.kind === 'failed') return done(described);
      const producer = described.value.producers.find((one) => one.currentTxnStartOffset === of.startOffset);
      const place = formatPartition(of.topic, of.partition);
      if (producer === undefined) {
        const message = `no transaction of ${place} begins at offset ${of.startOffset}`;
        return done({ kind: 'failed', error: 'INVALID_TXN_STATE', message });
      }
      this.abortProducer(of, producer, (result) => done(map(result, () => producer)));
    });
  }

  /** As `abort`, for a producer that the caller names: whatever it has open there (txn T-179). */
  abortProducer(of: TopicPartition, producer: MarkerIdentity, done: Done<ResponseOf<'AbortTransaction'>>): void {
    const { producerId, producerEpoch, coordinatorEpoch } = producer;
    const topics = [{ topic: of.topic, partitions: [of.partition] }];
    const marker = { producerId, producerEpoch, committed: false, topics, transactionVersion: 0 };
    const question: Question<'AbortTransaction'> = {
      api: 'AbortTransaction',
      request: { markers: [{ ...marker, coordinatorEpoch: Math.max(0, coordinatorEpoch) }] },
      errorOf: ({ markers }) => markers[0]?.partitions[0]?.error ?? 'UNKNOWN_SERVER_ERROR',
    };
    this.#calls.repeat(() => this.#leaderOf(of), question, done);
  }

  /** Who ends what these producers have open, in the order asked (txn T-180). */
  owners(of: readonly (TopicPartition & { readonly producerId: number })[], done: Done<readonly Ownership[]>): void {
    if (of.length === 0) return done({ kind: 'ok', value: [] });
    this.list({ producerIds: [...new Set(of.map(({ producerId }) => producerId))] }, (listed) => {
      if (listed.kind === 'failed') return done(listed);
      const { transactions } = listed.value;
      const ids = transactions.map(({ transactionalId }) => transactionalId);
      this.describe(ids, (known) =>
        done(map(known, (described) => of.map((one) => ownerOf(one, described, transactions)))),
      );
    });
  }

  /**
   * The transactions of these partitions that are silent for longer than `silentMs` and that no coordinator will end (txn
   * T-180). With a patience, brokers that tell nothing for that long limit what is found, and the answer says so.
   */
  findHanging(partitions: readonly TopicPartition[], options: HangingOptions, done: Done<HangingSurvey>): void {
    const { node, silentMs, patienceMs } = options;
    const sources: HangingSources = {
      wallTime: () => this.#calls.parts.runtime.clock.wallTime(),
      producers: (of, told) => this.#describeProducers(of, node, told, patienceMs),
      listed: (producerIds, told) => this.list({ producerIds }, told, patienceMs),
      described: (ids, told) => this.describe(ids, told),
    };
    surveyHanging(sources, { partitions, silentMs, mayMiss: patienceMs !== undefined }, done);
  }

  /** Fences the producers of these ids and aborts what they have open; the identities from then on (txn T-181). */
  fence(ids: readonly string[], done: Done<readonly Identity[]>): void {
    const timeoutMs = this.#calls.parts.config['default.api.timeout.ms'];
    const one = (id: string, told: Done<Identity>): void => {
      const question: Question<'InitProducerId'> = {
        api: 'InitProducerId',
        request: {
          ...{ hasTransactionalId: true, transactionalId: id, transactionTimeoutMs: timeoutMs },
          ...{ producerId: -1, producerEpoch: -1 },
        },
        errorOf: ({ error }) => error,
      };
      this.#calls.atCoordinator({ type: 'transaction', name: id }, question, (result) =>
        told(map(result, ({ producerId, producerEpoch }) => ({ producerId, epoch: producerEpoch }))),
      );
    };
    all(ids, one, done);
  }

  #leaderOf({ topic, partition }: TopicPartition): NodeId | undefined {
    const { metadata } = this.#calls.parts;
    metadata.track(topic);
    metadata.requestUpdate();
    const leader = metadata.partition(topic, partition)?.leader ?? NO_LEADER;
    return leader === NO_LEADER ? undefined : leader;
  }
}

/** Errors that mean another coordinator; all others belong to the answer. */
function onlyMoved(error: DescribedTransaction['error']): DescribedTransaction['error'] {
  const moved = ['NOT_COORDINATOR', 'COORDINATOR_NOT_AVAILABLE', 'COORDINATOR_LOAD_IN_PROGRESS'];
  return moved.includes(error) ? error : 'NONE';
}

function mergeListings({ answers, silent }: Survey<ResponseOf<'ListTransactions'>>): TransactionListing {
  return {
    silent,
    transactions: answers.flatMap(({ node, response }) =>
      response.transactions.map((one) => ({ ...one, coordinator: node })),
    ),
    unknownStates: [...new Set(answers.flatMap(({ response }) => response.unknownStates))],
  };
}
