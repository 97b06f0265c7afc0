// Administration of transactions (txn T-176 to T-181): what there is, which of it hangs, and how to end it. Asks coordinators,
// except for hanging transactions: those no coordinator knows, so the partition itself is told to abort.
import type { NodeId, TopicPartition } from '../../base/units.ts';
import { formatPartition, NO_LEADER } from '../../base/units.ts';
import type { ResponseOf } from '../../protocol/apis.ts';
import type {
  ActiveProducer,
  Coordinator,
  DescribedTransaction,
  ListedTransaction,
  PartitionProducers,
} from '../../protocol/generated/index.ts';
import { all, map, type AdminCalls, type Done, type Question } from './admin-calls.ts';
import {
  isSilent,
  openIn,
  ownerOf,
  type ActiveTransaction,
  type HangingTransaction,
  type OpenTransaction,
  type Ownership,
} from './hanging-transactions.ts';
import type { Identity } from './producer-identity.ts';

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

  /** The transactional ids of all coordinators (txn T-176). */
  list(filter: TransactionFilter, done: Done<TransactionListing>): void {
    const { states = [], producerIds = [], minDurationMs = -1, idPattern = '' } = filter;
    const request = { states: [...states], producerIds: [...producerIds], minDurationMs, idPattern };
    this.#calls.atEachBroker({ api: 'ListTransactions', request, errorOf: ({ error }) => error }, (result) =>
      done(map(result, (answers) => mergeListings(answers))),
    );
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

  #describeProducers(of: TopicPartition, node: NodeId | undefined, done: Done<PartitionProducers>): void {
    const question: Question<'DescribeProducers'> = {
      api: 'DescribeProducers',
      request: { topics: [{ topic: of.topic, partitions: [of.partition] }] },
      errorOf: ({ partitions }) => partitions[0]?.error ?? 'UNKNOWN_SERVER_ERROR',
    };
    this.#calls.repeat(
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
   * T-180). Partitions are asked again at the end: what ended meanwhile was not hanging.
   */
  findHanging(
    partitions: readonly TopicPartition[],
    options: { readonly node?: NodeId; readonly silentMs: number },
    done: Done<readonly HangingTransaction[]>,
  ): void {
    this.#silent(partitions, options, (found) => {
      if (found.kind === 'failed') return done(found);
      this.owners(found.value, (owners) => {
        if (owners.kind === 'failed') return done(owners);
        const hanging = found.value.flatMap((one, index) => {
          const why = owners.value[index]!;
          return why.kind === 'owned' ? [] : [{ ...one, why }];
        });
        this.#silent(hanging, options, (again) => done(map(again, (open) => stillOpen(hanging, open))));
      });
    });
  }

  #silent(
    partitions: readonly TopicPartition[],
    { node, silentMs }: { readonly node?: NodeId; readonly silentMs: number },
    done: Done<readonly ActiveTransaction[]>,
  ): void {
    const once = [...new Map(partitions.map((of) => [formatPartition(of.topic, of.partition), of])).values()];
    this.describeProducers(once, node, (described) =>
      done(
        map(described, (answers) => {
          const now = this.#calls.parts.runtime.clock.wallTime();
          return answers.flatMap((of) => openIn(of).filter((one) => isSilent(one, now, silentMs)));
        }),
      ),
    );
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

function mergeListings(
  answers: readonly { readonly node: NodeId; readonly response: ResponseOf<'ListTransactions'> }[],
): TransactionListing {
  return {
    transactions: answers.flatMap(({ node, response }) =>
      response.transactions.map((one) => ({ ...one, coordinator: node })),
    ),
    unknownStates: [...new Set(answers.flatMap(({ response }) => response.unknownStates))],
  };
}

function stillOpen(
  hanging: readonly HangingTransaction[],
  open: readonly ActiveTransaction[],
): readonly HangingTransaction[] {
  const key = ({ topic, partition, producerId, startOffset }: ActiveTransaction): string =>
    `${formatPartition(topic, partition)} ${producerId} ${startOffset}`;
  const left = new Set(open.map(key));
  return hanging.filter((one) => left.has(key(one)));
}
