// Asks coordinators whether what is about to be written belongs to a transaction, or adds it (txn T-58, T-59, T-119 to T-121).
// One request a destination at a time; what is asked meanwhile goes into the next one, at most once a transactional id.
import { NO_LEADER } from '../base/units.ts';
import type { InstantMs, NodeId, TopicPartition } from '../base/units.ts';
import { coordinatorPartition } from '../base/java-hash.ts';
import type { ResponseOf } from '../protocol/apis.ts';
import type { ErrorName } from '../protocol/errors.ts';
import type { TopicPartitions, TransactionToVerify } from '../protocol/generated/index.ts';
import type { Outcome } from '../runtime/ports.ts';
import type { NodeContext } from './context.ts';
import { TRANSACTION_TOPIC } from './internal-topics.ts';

/** Partitions that one producer is about to write to in one transaction. */
export interface ToVerify {
  readonly transactionalId: string;
  readonly producerId: number;
  readonly producerEpoch: number;
  /** 2: they are added (txn T-59). Below: verified only. */
  readonly transactionVersion: number;
  readonly partitions: readonly TopicPartition[];
  /** Whether an add is repeated while the transaction before is being completed (txn T-59): for Produce. */
  readonly retryAdd: boolean;
}

/** An error for each partition, in their order, as the asker's client is told (txn T-121). */
export type Verified = (errors: readonly ErrorName[]) => void;

/** What was asked and is not answered yet: queued, sent, or waiting to be asked again. */
interface Open {
  readonly ask: ToVerify;
  /** It is asked again until then (txn T-59). */
  readonly until: InstantMs;
  readonly done: Verified;
}

interface Destination {
  /** Not sent yet, by transactional id. */
  readonly queued: Map<string, Open>;
  inFlight: boolean;
}

/** Txn T-121: may be asked again without a look at the metadata. */
const TRY_AGAIN: readonly ErrorName[] = [
  'NETWORK_EXCEPTION',
  'COORDINATOR_LOAD_IN_PROGRESS',
  'COORDINATOR_NOT_AVAILABLE',
  'NOT_COORDINATOR',
];

export class Verifications {
  readonly #context: NodeContext;
  readonly #destinations = new Map<NodeId, Destination>();
  readonly #open = new Set<Open>();

  constructor(context: NodeContext) {
    this.#context = context;
  }

  /**
   * Asks. `done` comes once, never inside this call. Errors as the coordinator, or the way to it, gave them, but for
   * PRODUCER_FENCED (txn T-121).
   */
  verify(ask: ToVerify, done: Verified): void {
    const { runtime, config } = this.#context;
    const verifyOnly = ask.transactionVersion < 2;
    const isOff = !config['transaction.partition.verification.enable'] || !runtime.safeguard('txn.verify');
    const patienceMs = Math.min(config['add.partitions.to.txn.retry.backoff.max.ms'], config['request.timeout.ms']);
    const until = runtime.clock.now() + (ask.retryAdd && !verifyOnly ? patienceMs : 0);
    const open: Open = { ask, until, done };
    this.#open.add(open);
    if (verifyOnly && isOff) this.#later(open, 'NONE');
    else this.#enqueue(open);
  }

  /** Ends all that is asked: this broker stops, and nothing is appended any more. */
  endAll(): void {
    for (const open of [...this.#open]) this.#end(open, all(open.ask, 'NETWORK_EXCEPTION'));
  }

  /** Txn T-120. */
  #enqueue(open: Open): void {
    const { transactionalId, producerEpoch } = open.ask;
    const to = this.#coordinatorOf(transactionalId);
    if (to === undefined) return this.#later(open, 'COORDINATOR_NOT_AVAILABLE');
    const destination = this.#destinations.get(to) ?? { queued: new Map<string, Open>(), inFlight: false };
    this.#destinations.set(to, destination);
    const older = destination.queued.get(transactionalId);
    if (older !== undefined && older.ask.producerEpoch > producerEpoch) {
      return this.#later(open, 'INVALID_PRODUCER_EPOCH');
    }
    destination.queued.set(transactionalId, open);
    if (older !== undefined) {
      this.#later(older, older.ask.producerEpoch < producerEpoch ? 'INVALID_PRODUCER_EPOCH' : 'NETWORK_EXCEPTION');
    }
    this.#send(to, destination);
  }

  #send(to: NodeId, destination: Destination): void {
    if (destination.inFlight || destination.queued.size === 0) return;
    const asked = [...destination.queued.values()];
    destination.queued.clear();
    destination.inFlight = true;
    const { runtime, config } = this.#context;
    const request = { transactions: asked.map(({ ask }) => transactionOf(ask)) };
    runtime.network.request(to, 'VerifyTransactions', request, config['request.timeout.ms'], (outcome) => {
      destination.inFlight = false;
      asked.forEach((open, at) => this.#onAnswer(open, errorsOf(open.ask, outcome, at)));
      this.#send(to, destination);
    });
  }

  /** Txn T-59: the transaction before is still being completed. */
  #onAnswer(open: Open, errors: readonly ErrorName[]): void {
    const { clock } = this.#context.runtime;
    const isAgain = errors.includes('CONCURRENT_TRANSACTIONS') && clock.now() < open.until;
    if (!isAgain) return this.#end(open, errors);
    clock.after(this.#context.config['add.partitions.to.txn.retry.backoff.ms'], () => {
      if (this.#open.has(open)) this.#enqueue(open);
    });
  }

  #later(open: Open, error: ErrorName): void {
    this.#context.runtime.clock.after(0, () => this.#end(open, all(open.ask, error)));
  }

  #end(open: Open, errors: readonly ErrorName[]): void {
    if (this.#open.delete(open)) open.done(errors);
  }

  /** The leader of the id's partition, as this broker's metadata has it. */
  #coordinatorOf(transactionalId: string): NodeId | undefined {
    const partitions = this.#context.image.topicNamed(TRANSACTION_TOPIC)?.partitions;
    if (partitions === undefined) return undefined;
    const leader = partitions[coordinatorPartition(transactionalId, partitions.length)]?.leader;
    return leader === NO_LEADER ? undefined : leader;
  }
}

/** What the producer of a batch is told for a partition that failed (txn T-121). Asked by Produce only: T-66 differs. */
export function producedError(error: ErrorName, transactionVersion: number): ErrorName {
  if (TRY_AGAIN.includes(error)) return 'NOT_ENOUGH_REPLICAS';
  if (error === 'CONCURRENT_TRANSACTIONS' && transactionVersion < 2) return 'NOT_ENOUGH_REPLICAS';
  return error;
}

function transactionOf(ask: ToVerify): TransactionToVerify {
  const { transactionalId, producerId, producerEpoch, transactionVersion } = ask;
  const topics: TopicPartitions[] = [];
  for (const { topic, partition } of ask.partitions) {
    const known = topics.find((one) => one.topic === topic);
    if (known === undefined) topics.push({ topic, partitions: [partition] });
    else known.partitions.push(partition);
  }
  return { transactionalId, producerId, producerEpoch, verifyOnly: transactionVersion < 2, topics };
}

function errorsOf(ask: ToVerify, outcome: Outcome<ResponseOf<'VerifyTransactions'>>, at: number): readonly ErrorName[] {
  const verified = outcome.kind === 'ok' ? outcome.response.transactions[at] : undefined;
  if (verified === undefined) return all(ask, 'NETWORK_EXCEPTION');
  return ask.partitions.map(({ topic, partition }) => {
    const found = verified.partitions.find((one) => one.topic === topic && one.partition === partition);
    if (found === undefined) return 'UNKNOWN_SERVER_ERROR';
    return found.error === 'PRODUCER_FENCED' ? 'INVALID_PRODUCER_EPOCH' : found.error;
  });
}

function all(ask: ToVerify, error: ErrorName): readonly ErrorName[] {
  return ask.partitions.map(() => error);
}
