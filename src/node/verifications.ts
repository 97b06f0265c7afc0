// Asks coordinators whether what is about to be written belongs to a transaction, or adds it (txn T-58, T-59, T-119 to T-121).
// One request a destination at a time; what is asked meanwhile goes into the next one, at most once a transactional id.
import type { InstantMs, NodeId, TopicPartition } from '../base/units.ts';
import { coordinatorPartition } from '../base/java-hash.ts';
import type { ResponseOf } from '../protocol/apis.ts';
import type { ErrorName } from '../protocol/errors.ts';
import type { TopicPartitions, TransactionToVerify } from '../protocol/generated/index.ts';
import type { Outcome } from '../runtime/ports.ts';
import type { NodeContext } from './context.ts';

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

interface Queued {
  readonly ask: ToVerify;
  readonly done: (errors: readonly ErrorName[]) => void;
}

interface Destination {
  readonly queued: Map<string, Queued>;
  inFlight: boolean;
}

const TOPIC = '__transaction_state';
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

  constructor(context: NodeContext) {
    this.#context = context;
  }

  /** Asks. `done` comes once, never inside this call. Errors as the coordinator, or the way to it, gave them. */
  verify(ask: ToVerify, done: Verified): void {
    const { runtime, config } = this.#context;
    const verifyOnly = ask.transactionVersion < 2;
    const isOff = !config['transaction.partition.verification.enable'] || !runtime.safeguard('txn.verify');
    if (verifyOnly && isOff) {
      runtime.clock.after(0, () => done(all(ask, 'NONE')));
      return;
    }
    const budgetMs = Math.min(config['add.partitions.to.txn.retry.backoff.max.ms'], config['request.timeout.ms']);
    this.#ask(ask, runtime.clock.now() + (ask.retryAdd && !verifyOnly ? budgetMs : 0), done);
  }

  #ask(ask: ToVerify, until: InstantMs, done: Verified): void {
    const { clock } = this.#context.runtime;
    this.#enqueue(ask, (errors) => {
      const backoffMs = this.#context.config['add.partitions.to.txn.retry.backoff.ms'];
      const again = errors.includes('CONCURRENT_TRANSACTIONS') && clock.now() + backoffMs <= until;
      if (again) clock.after(backoffMs, () => this.#ask(ask, until, done));
      else done(errors);
    });
  }

  /** Txn T-120. */
  #enqueue(ask: ToVerify, done: (errors: readonly ErrorName[]) => void): void {
    const { clock } = this.#context.runtime;
    const to = this.#coordinatorOf(ask.transactionalId);
    if (to === undefined) {
      clock.after(0, () => done(all(ask, 'COORDINATOR_NOT_AVAILABLE')));
      return;
    }
    const destination = this.#destinations.get(to) ?? { queued: new Map<string, Queued>(), inFlight: false };
    this.#destinations.set(to, destination);
    const older = destination.queued.get(ask.transactionalId);
    if (older !== undefined && older.ask.producerEpoch > ask.producerEpoch) {
      clock.after(0, () => done(all(ask, 'INVALID_PRODUCER_EPOCH')));
      return;
    }
    destination.queued.set(ask.transactionalId, { ask, done });
    if (older !== undefined) {
      const error = older.ask.producerEpoch < ask.producerEpoch ? 'INVALID_PRODUCER_EPOCH' : 'NETWORK_EXCEPTION';
      clock.after(0, () => older.done(all(older.ask, error)));
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
      asked.forEach(({ ask, done }, at) => done(errorsOf(ask, outcome, at)));
      this.#send(to, destination);
    });
  }

  /** The leader of the id's partition, as this broker's metadata has it. */
  #coordinatorOf(transactionalId: string): NodeId | undefined {
    const { image } = this.#context;
    const partitions = image.topicNamed(TOPIC)?.partitions;
    if (partitions === undefined) return undefined;
    const leader = partitions[coordinatorPartition(transactionalId, partitions.length)]?.leader ?? -1;
    return leader < 0 ? undefined : leader;
  }
}

/** What the producer of a batch is told for a partition that failed (txn T-121). */
export function producedError(error: ErrorName, transactionVersion: number): ErrorName {
  if (error === 'PRODUCER_FENCED') return 'INVALID_PRODUCER_EPOCH';
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
    return found?.error ?? 'UNKNOWN_SERVER_ERROR';
  });
}

function all(ask: ToVerify, error: ErrorName): readonly ErrorName[] {
  return ask.partitions.map(() => error);
}
