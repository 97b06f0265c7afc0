// Administration of transactions and groups as applications use it. Lists answer one by one: look at each `error`.
import type { NodeId, TopicPartition } from '../base/units.ts';
import type {
  ActiveProducer,
  CommittedOffset,
  CommittedOutcome,
  Coordinator,
  DeletedGroup,
  DescribedGroup,
  DescribedTransaction,
  PartitionProducers,
} from '../protocol/generated/index.ts';
import { ask } from './admin-calls.ts';
import type { Calls, CallOptions } from './calls.ts';
import type { GroupAdmin, GroupListing } from './core/admin-groups.ts';
import type {
  HangingSurvey,
  MarkerIdentity,
  OpenTransaction,
  Ownership,
  TransactionAdmin,
  TransactionFilter,
  TransactionListing,
} from './core/admin-transactions.ts';
import type { Identity } from './core/producer-identity.ts';

/** Which replica tells of producers; without one the leaders do. */
export interface ReplicaChoice extends CallOptions {
  readonly node?: NodeId;
}

/** What a search for hanging transactions looks at. */
export type HangingChoice = ReplicaChoice & { readonly silentMs?: number };

/** How long one broker may tell nothing before the answer does without it, ms, and says so. */
export interface Patience extends CallOptions {
  readonly patienceMs: number;
}

/** Silent for longer than this, a transaction may hang, ms: Kafka's 15 minutes. */
const SILENT_MS = 900_000;

export class Transactions {
  readonly #core: TransactionAdmin;
  readonly #calls: Calls;

  constructor(core: TransactionAdmin, calls: Calls) {
    this.#core = core;
    this.#calls = calls;
  }

  /** Who coordinates a group or a transactional id now. */
  findCoordinator(type: 'transaction' | 'group', key: string, options: CallOptions = {}) {
    return ask<Coordinator>(this.#calls, (done) => this.#core.findCoordinator(type, key, done), options);
  }

  /** The transactional ids of all coordinators (txn T-176). */
  list(filter: TransactionFilter = {}, options: CallOptions = {}) {
    return ask<TransactionListing>(this.#calls, (done) => this.#core.list(filter, done), options);
  }

  /** As `list`, without brokers that tell nothing for so long: `silent` names them. */
  listSome(filter: TransactionFilter, options: Patience) {
    const { patienceMs } = options;
    return ask<TransactionListing>(this.#calls, (done) => this.#core.list(filter, done, patienceMs), options);
  }

  /** What their coordinators know of ids, in their order (txn T-177). */
  describe(ids: readonly string[], options: CallOptions = {}) {
    return ask<readonly DescribedTransaction[]>(this.#calls, (done) => this.#core.describe(ids, done), options);
  }

  /** The producers that partitions know, in the order asked (txn T-178). */
  describeProducers(partitions: readonly TopicPartition[], options: ReplicaChoice = {}) {
    return ask<readonly PartitionProducers[]>(
      this.#calls,
      (done) => this.#core.describeProducers(partitions, options.node, done),
      options,
    );
  }

  /** Ends the transaction that begins there, in this partition alone; no coordinator hears of it (txn T-179). */
  abort(of: OpenTransaction, options: CallOptions = {}) {
    return ask<ActiveProducer>(this.#calls, (done) => this.#core.abort(of, done), options);
  }

  /** As `abort`, for a producer that the caller names: whatever it has open there (txn T-179). */
  async abortProducer(of: TopicPartition, producer: MarkerIdentity, options: CallOptions = {}): Promise<void> {
    await ask<unknown>(this.#calls, (done) => this.#core.abortProducer(of, producer, done), options);
  }

  /** Who ends what these producers have open there, in the order asked (txn T-180). */
  owners(of: readonly (TopicPartition & { readonly producerId: number })[], options: CallOptions = {}) {
    return ask<readonly Ownership[]>(this.#calls, (done) => this.#core.owners(of, done), options);
  }

  /** Transactions that are silent for longer than `silentMs` and known to no coordinator (txn T-180). */
  async findHanging(partitions: readonly TopicPartition[], options: HangingChoice = {}) {
    return (await this.#survey(partitions, options)).hanging;
  }

  /** As `findHanging`, without brokers that tell nothing for so long: the answer says what was not seen, or not decided. */
  findSomeHanging(partitions: readonly TopicPartition[], options: HangingChoice & Patience) {
    return this.#survey(partitions, options);
  }

  #survey(partitions: readonly TopicPartition[], options: HangingChoice & Partial<Patience>) {
    const { silentMs = SILENT_MS, node, patienceMs } = options;
    return ask<HangingSurvey>(
      this.#calls,
      (done) => this.#core.findHanging(partitions, { silentMs, node, patienceMs }, done),
      options,
    );
  }

  /** Fences the producers of these ids and aborts what they have open; the identities from then on (txn T-181). */
  fence(ids: readonly string[], options: CallOptions = {}) {
    return ask<readonly Identity[]>(this.#calls, (done) => this.#core.fence(ids, done), options);
  }
}

/** Which groups to list; what is left out is any. */
export interface GroupFilter {
  readonly states?: readonly string[];
  readonly types?: readonly string[];
}

export class Groups {
  readonly #core: GroupAdmin;
  readonly #calls: Calls;

  constructor(core: GroupAdmin, calls: Calls) {
    this.#core = core;
    this.#calls = calls;
  }

  /** The groups of all coordinators (wire G-39). */
  async list(filter: GroupFilter = {}, options: CallOptions = {}) {
    return (await ask<GroupListing>(this.#calls, (done) => this.#core.list(filter, done), options)).groups;
  }

  /** As `list`, without brokers that tell nothing for so long: `silent` names them. */
  listSome(filter: GroupFilter, options: Patience) {
    const { patienceMs } = options;
    return ask<GroupListing>(this.#calls, (done) => this.#core.list(filter, done, patienceMs), options);
  }

  /** Groups in the order asked; one that does not exist is "Dead" (wire G-38). */
  describe(groupIds: readonly string[], options: CallOptions = {}) {
    return ask<readonly DescribedGroup[]>(this.#calls, (done) => this.#core.describe(groupIds, done), options);
  }

  /** Committed offsets: of these partitions, or all that the group has (wire G-35). */
  offsets(
    groupId: string,
    of: { readonly partitions?: readonly TopicPartition[]; readonly requireStable?: boolean } = {},
    options: CallOptions = {},
  ) {
    return ask<readonly CommittedOffset[]>(this.#calls, (done) => this.#core.offsets(groupId, of, done), options);
  }

  /** Deletes groups without members, with their offsets (wire G-37). In the order asked. */
  delete(groupIds: readonly string[], options: CallOptions = {}) {
    return ask<readonly DeletedGroup[]>(this.#calls, (done) => this.#core.delete(groupIds, done), options);
  }

  /** Deletes committed offsets of a group (wire G-36). */
  deleteOffsets(groupId: string, partitions: readonly TopicPartition[], options: CallOptions = {}) {
    return ask<readonly CommittedOutcome[]>(
      this.#calls,
      (done) => this.#core.deleteOffsets(groupId, partitions, done),
      options,
    );
  }
}
