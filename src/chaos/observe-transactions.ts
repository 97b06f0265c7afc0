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
  /** Wall clock of the cluster, to tell how long producers have been idle. */
  readonly now: () => number;
}

type Found = (entries: NewEntry[]) => void;

const ISOLATIONS = ['read_committed', 'read_uncommitted'] as const;

/** Whether a plan has anything to be asked about. */
export function isTransactional(plan: RunPlan): boolean {
  return plan.clients.some(
    ({ spec }) => spec.kind === 'transactional' || spec.kind === 'copy' || spec.kind === 'group',
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
  const questions = [
    ...observer.state.brokers.map((node) => (found: Found) => transactionsOf(node, observer, found)),
    ...partitions.map((of) => (found: Found) => openTransactions(of, replicas, observer, found)),
    ...partitions.flatMap((of) =>
      ISOLATIONS.map((isolation) => (found: Found) => {
        scanPartition(of, isolation, observer, (scan) => found(scan === undefined ? [] : [scan]));
      }),
    ),
    ...groupsOf(plan.clients).map((group) => (found: Found) => committedOf(group, partitions, observer, found)),
  ];
  together(questions, (entries) => done(entries.flat()));
}

/** All transactional ids that a broker coordinates. */
function transactionsOf(node: NodeId, { ask }: Observer, done: Found): void {
  ask(node, 'ListTransactions', { states: [], producerIds: [], minDurationMs: -1, idPattern: '' }, (listed) => {
    const transactionalIds = (listed?.transactions ?? []).map(({ transactionalId }) => transactionalId);
    if (transactionalIds.length === 0) return done([]);
    ask(node, 'DescribeTransactions', { transactionalIds }, (described) => {
      const known = (described?.transactions ?? []).filter(({ error }) => error === 'NONE');
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
  done: Found,
): void {
  const { topic, partition } = of;
  const leader = state.partition(of)?.leader ?? -1;
  const name = formatPartition(topic, partition);
  const replica = replicas.find((one) => one.partition === name && one.node === leader);
  if (replica === undefined) return done([]);
  const { lastStableOffset, highWatermark } = replica;
  ask(leader, 'DescribeProducers', { topics: [{ topic, partitions: [partition] }] }, (response) => {
    const described = response?.partitions[0];
    if (described?.error !== 'NONE') return done([]);
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
  done: Found,
): void {
  const topic = '__consumer_offsets';
  const count = state.partitionCount(topic);
  if (count === 0) return done([]);
  const leader = state.partition({ topic, partition: coordinatorPartition(group, count) })?.leader ?? -1;
  const request = { groupId: group, allPartitions: false, partitions: [...partitions], requireStable: true };
  ask(leader, 'OffsetFetch', request, (response) => {
    if (response?.error === 'NONE') done([committedEntry(group, response)]);
    else done([]);
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
  const named = clients.flatMap(({ spec }) => {
    if (spec.kind === 'group' || spec.kind === 'copy') return [spec.group];
    if (spec.kind !== 'transactional') return [];
    return spec.steps.flatMap((step) => (step.kind === 'send-offsets' ? [step.group] : []));
  });
  return [...new Set(named)];
}
