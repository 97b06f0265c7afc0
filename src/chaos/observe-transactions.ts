// What coordinators and leaders say of transactions and groups when everything is quiet: DescribeTransactions of every id,
// DescribeProducers of every partition, what is committed for every group (txn T-70, T-176 to T-178), and what readers of
// either isolation are given of every partition.
import { coordinatorPartition } from '../base/java-hash.ts';
import { formatPartition, type NodeId, type TopicPartition } from '../base/units.ts';
import type { NewEntry } from '../history/operations.ts';
import type { ResponseOf } from '../protocol/apis.ts';
import type { DescribedTransaction } from '../protocol/generated/index.ts';
import type { ClusterState } from './cluster-state.ts';
import { together, type AskBroker, type FoundReplica } from './observe.ts';
import type { ClientPlan, RunPlan } from './plan.ts';
import { scanPartition } from './scan-partition.ts';

/** Where and how the questions are asked. */
export interface Observer {
  readonly state: ClusterState;
  readonly ask: AskBroker;
  /** Groups for which programs of the user's own were seen to commit or ask for offsets. */
  readonly recordedGroups: Iterable<string>;
  /** Wall clock of the cluster, to tell how long producers have been idle. */
  readonly now: () => number;
  /** Calls `run` in a while, if there is still time; false if there is not. */
  readonly again: (run: () => void) => boolean;
}

type Found = (entries: NewEntry[]) => void;
/** Undefined: nobody could say, e.g. because a coordinator is just being elected. */
type Answered = (entries: NewEntry[] | undefined) => void;
type Question = (answered: Answered) => void;

const ISOLATIONS = ['read_committed', 'read_uncommitted'] as const;

/** Whether a plan has anything to be asked about. */
export function isTransactional(plan: RunPlan): boolean {
  return plan.clients.some(
    ({ spec }) =>
      spec.kind === 'transactional' || spec.kind === 'copy' || spec.kind === 'group' || spec.kind === 'external',
  );
}

/** Asks everybody, once. */
export function observeTransactions(
  plan: RunPlan,
  replicas: readonly FoundReplica[],
  observer: Observer,
  done: Found,
): void {
  const partitions = plan.topics.flatMap(({ name, assignments }) =>
    assignments.map((_, partition) => ({ topic: name, partition })),
  );
  const questions: Question[] = [
    ...observer.state.brokers.map((node) => (answered: Answered) => transactionsOf(node, observer, answered)),
    ...partitions.map((of) => (answered: Answered) => openTransactions(of, replicas, observer, answered)),
    ...partitions.flatMap((of) =>
      ISOLATIONS.map((isolation) => (answered: Answered) => {
        scanPartition(of, isolation, observer, (scan) => answered(scan === undefined ? undefined : [scan]));
      }),
    ),
    ...[...new Set([...groupsOf(plan.clients), ...observer.recordedGroups])].map((group) => (answered: Answered) => {
      committedOf(group, partitions, observer, answered);
    }),
  ];
  together(
    questions.map((question) => (found: Found) => insist(question, observer, found)),
    (entries) => done(entries.flat()),
  );
}

/** Asks until somebody can say it, as long as there is time. */
function insist(question: Question, observer: Observer, found: Found): void {
  question((entries) => {
    const isAskedAgain = entries === undefined && observer.again(() => insist(question, observer, found));
    if (!isAskedAgain) found(entries ?? []);
  });
}

/** All transactional ids that a broker coordinates. */
function transactionsOf(node: NodeId, { ask }: Observer, done: Answered): void {
  ask(node, 'ListTransactions', { states: [], producerIds: [], minDurationMs: -1, idPattern: '' }, (listed) => {
    if (listed?.error !== 'NONE') return done(undefined);
    const transactionalIds = listed.transactions.map(({ transactionalId }) => transactionalId);
    if (transactionalIds.length === 0) return done([]);
    ask(node, 'DescribeTransactions', { transactionalIds }, (described) => {
      if (described === undefined) return done(undefined);
      const known = described.transactions.filter(({ error }) => error === 'NONE');
      done(known.map((transaction) => transactionEntry(node, transaction)));
    });
  });
}

function transactionEntry(node: NodeId, transaction: DescribedTransaction): NewEntry {
  const { transactionalId, coordinatorEpoch, state, producerId, producerEpoch, startTimeMs } = transaction;
  return {
    ...{ f: 'transaction', type: 'info', process: 'observer', transactionalId, node },
    ...{ statePartition: transaction.partition, coordinatorEpoch, state, producerId, producerEpoch, startTimeMs },
    timeoutMs: transaction.transactionTimeoutMs,
    partitions: transaction.topics.flatMap(({ topic, partitions }) =>
      partitions.map((partition) => formatPartition(topic, partition)),
    ),
  };
}

/** Transactions that a partition's leader holds open. */
function openTransactions(
  of: TopicPartition,
  replicas: readonly FoundReplica[],
  { state, ask, now }: Observer,
  done: Answered,
): void {
  const { topic, partition } = of;
  const leader = state.partition(of)?.leader ?? -1;
  const name = formatPartition(topic, partition);
  const replica = replicas.find((one) => one.partition === name && one.node === leader);
  if (replica === undefined) return done(leader < 0 ? undefined : []);
  const { lastStableOffset, highWatermark } = replica;
  ask(leader, 'DescribeProducers', { topics: [{ topic, partitions: [partition] }] }, (response) => {
    const described = response?.partitions[0];
    if (described?.error !== 'NONE') return done(undefined);
    const open = described.producers
      .filter(({ currentTxnStartOffset }) => currentTxnStartOffset >= 0)
      .map(({ producerId, producerEpoch, currentTxnStartOffset, lastTimestampMs }) => {
        return { producerId, producerEpoch, firstOffset: currentTxnStartOffset, idleMs: now() - lastTimestampMs };
      });
    const place = { partition: name, node: leader, lastStableOffset, highWatermark };
    done([{ f: 'open-transactions', type: 'info', process: 'observer', ...place, open }]);
  });
}

/** What is committed for a group, as its coordinator says. */
function committedOf(
  group: string,
  partitions: readonly TopicPartition[],
  { state, ask }: Observer,
  done: Answered,
): void {
  const topic = '__consumer_offsets';
  const count = state.partitionCount(topic);
  if (count === 0) return done([]);
  const leader = state.partition({ topic, partition: coordinatorPartition(group, count) })?.leader ?? -1;
  const request = { groupId: group, allPartitions: false, partitions: [...partitions], requireStable: true };
  ask(leader, 'OffsetFetch', request, (response) => {
    if (response?.error !== 'NONE') return done(undefined);
    done([committedEntry(group, response)]);
  });
}

function committedEntry(group: string, response: ResponseOf<'OffsetFetch'>): NewEntry {
  const nameOf = (of: TopicPartition): string => formatPartition(of.topic, of.partition);
  const stable = response.partitions.filter(({ error }) => error === 'NONE');
  return {
    ...{ f: 'committed', type: 'info', process: 'observer', group },
    offsets: Object.fromEntries(stable.map((one) => [nameOf(one), one.offset])),
    unstable: response.partitions.filter(({ error }) => error === 'UNSTABLE_OFFSET_COMMIT').map(nameOf),
  };
}

/** Groups that clients of a run belong to or commit offsets for. */
function groupsOf(clients: readonly ClientPlan[]): string[] {
  return clients.flatMap(({ spec }) => {
    if (spec.kind === 'group' || spec.kind === 'copy') return [spec.group];
    if (spec.kind !== 'transactional') return [];
    return spec.steps.flatMap((step) => (step.kind === 'send-offsets' ? [step.group] : []));
  });
}
