// Ends the transactions that hang in a partition, as an operator does with find-hanging and abort (txn T-179, T-180): what is
// open there and no coordinator will end is told to abort, in this partition alone. Whoever does not answer may know of it, and
// then nothing is touched.
import { formatPartition, type NodeId, type TopicPartition } from '../base/units.ts';
import { openIn, ownerOf, type ActiveTransaction } from '../client/core/hanging-transactions.ts';
import type { DescribedTransaction } from '../protocol/generated/index.ts';
import type { ClusterState } from './cluster-state.ts';
import type { Done } from './driver.ts';
import { together, type AskBroker } from './observe.ts';

interface Parts {
  readonly state: ClusterState;
  readonly ask: AskBroker;
}

/** What the coordinators on a broker know; undefined if it cannot say all of it. */
type Told = readonly DescribedTransaction[] | undefined;

/**
 * Aborts what hangs in a partition; with `owned` all that is open, which tears what its coordinator commits (txn W-15).
 * Refused if there is nothing, or somebody does not answer.
 */
export function abortHanging(of: TopicPartition, parts: Parts & { readonly owned: boolean }, done: Done): void {
  const { state, ask, owned } = parts;
  const name = formatPartition(of.topic, of.partition);
  const leader = state.partition(of)?.leader ?? -1;
  ask(leader, 'DescribeProducers', { topics: [{ topic: of.topic, partitions: [of.partition] }] }, (response) => {
    const described = response?.partitions[0];
    if (described?.error !== 'NONE') return done(`the leader of ${name} does not say what is open there`);
    const open = openIn(described);
    together(
      state.brokers.map((node) => (told: (one: Told) => void) => transactionsOf(node, ask, told)),
      (answers) => {
        if (answers.some((answer) => answer === undefined)) return done('a broker does not say what it coordinates');
        const known = answers.flatMap((answer) => answer ?? []);
        const hanging = open.filter((one) => owned || ownerOf(one, known, known).kind !== 'owned');
        if (hanging.length === 0) return done(`no transaction ${owned ? 'is open' : 'hangs'} in ${name}`);
        const aborts = hanging.map((one) => (told: (error: string) => void) => abort(one, { leader, ask }, told));
        together(aborts, (errors) => {
          const error = errors.find((each) => each !== 'NONE');
          done(error === undefined ? undefined : `the leader of ${name} answers ${error}`);
        });
      },
    );
  });
}

function transactionsOf(node: NodeId, ask: AskBroker, told: (one: Told) => void): void {
  ask(node, 'ListTransactions', { states: [], producerIds: [], minDurationMs: -1, idPattern: '' }, (listed) => {
    if (listed?.error !== 'NONE') return told(undefined);
    const transactionalIds = listed.transactions.map(({ transactionalId }) => transactionalId);
    if (transactionalIds.length === 0) return told([]);
    ask(node, 'DescribeTransactions', { transactionalIds }, (described) => told(described?.transactions));
  });
}

/** The marker carries no transaction version, so that the epoch that is there already passes (txn T-179). */
function abort(
  { topic, partition, producerId, producerEpoch, coordinatorEpoch }: ActiveTransaction,
  { leader, ask }: { readonly leader: NodeId; readonly ask: AskBroker },
  told: (error: string) => void,
): void {
  const topics = [{ topic, partitions: [partition] }];
  const marker = { producerId, producerEpoch, committed: false, topics, transactionVersion: 0 };
  const markers = [{ ...marker, coordinatorEpoch: Math.max(0, coordinatorEpoch) }];
  ask(leader, 'AbortTransaction', { markers }, (response) => {
    told(response?.markers[0]?.partitions[0]?.error ?? 'REQUEST_TIMED_OUT');
  });
}
