// Requests that a scenario sends itself: an operator's DeleteRecords, and an EndTxn of somebody who is not the owner. They travel
// as any client's do, and are refused as any client's are.
import { coordinatorPartition } from '../base/java-hash.ts';
import { formatPartition, type NodeId, type Offset, type TopicPartition } from '../base/units.ts';
import type { ClusterState } from './cluster-state.ts';
import type { Done } from './driver.ts';
import type { AskBroker } from './observe.ts';
import type { ElsewhereAction } from './plan.ts';

interface Parts {
  readonly state: ClusterState;
  readonly ask: AskBroker;
}

const DELETE_MS = 2000;
const TRANSACTIONS = '__transaction_state';

/** Deletes what lies before an offset. Refused if the leader does, or does not answer. */
export function deleteRecords(of: TopicPartition, before: Offset, { state, ask }: Parts, done: Done): void {
  const name = formatPartition(of.topic, of.partition);
  const partitions = [{ ...of, offset: before }];
  ask(leaderOf(of, state), 'DeleteRecords', { partitions, timeoutMs: DELETE_MS }, (response) => {
    const error = response?.partitions[0]?.error ?? 'REQUEST_TIMED_OUT';
    done(error === 'NONE' ? undefined : `the leader of ${name} answers ${error}`);
  });
}

/**
 * Ends a transaction under another epoch of its producer than the one that owns it (BUG-54). What the coordinator answers is the
 * run's business; refused only if it does not answer, or knows no such id.
 */
export function endTransaction(
  { transactionalId, committed, ahead }: Extract<ElsewhereAction, { readonly kind: 'end-txn' }>,
  { state, ask }: Parts,
  done: Done,
): void {
  const count = state.partitionCount(TRANSACTIONS);
  if (count === 0) return done(`nobody coordinates ${transactionalId} yet`);
  const owner = leaderOf({ topic: TRANSACTIONS, partition: coordinatorPartition(transactionalId, count) }, state);
  ask(owner, 'DescribeTransactions', { transactionalIds: [transactionalId] }, (described) => {
    const known = described?.transactions[0];
    if (known?.error !== 'NONE') return done(`the coordinator does not know ${transactionalId}`);
    const { producerId, producerEpoch } = known;
    const identity = { transactionalId, producerId, producerEpoch: producerEpoch + ahead };
    ask(owner, 'EndTxn', { ...identity, committed, transactionVersion: 0 }, (response) => {
      done(response === undefined ? 'the coordinator did not answer' : undefined);
    });
  });
}

function leaderOf(of: TopicPartition, state: ClusterState): NodeId {
  return state.partition(of)?.leader ?? -1;
}
