// How the entry of an id changes: the legal transitions as data (txn T-14), and the steps of a write on an entry:
// begun, in force, failed (txn T-18, T-22, T-48). Nothing is decided here; what breaks a rule is our own mistake.
import { assert } from '../../base/assert.ts';
import type { Write } from './decision.ts';
import { FENCE_EPOCH, NONE } from './metadata.ts';
import type { TransactionEntry, TransactionMetadata, TransactionState } from './metadata.ts';
import { hasPartition } from './partitions.ts';

/** From each state, where it may go (txn T-14). Dead and PrepareEpochFence are only ever pending. */
export const TRANSITIONS: Readonly<Record<TransactionState, readonly TransactionState[]>> = {
  Empty: ['Empty', 'Ongoing', 'PrepareAbort', 'Dead'],
  Ongoing: ['Ongoing', 'PrepareCommit', 'PrepareAbort', 'PrepareEpochFence'],
  PrepareCommit: ['CompleteCommit'],
  PrepareAbort: ['CompleteAbort'],
  CompleteCommit: ['Empty', 'Ongoing', 'PrepareAbort', 'Dead'],
  CompleteAbort: ['Empty', 'Ongoing', 'PrepareAbort', 'Dead'],
  Dead: [],
  PrepareEpochFence: ['PrepareAbort'],
};

/** Whether txn T-14 allows it. The abort of an empty transaction needs variant 2 (txn T-76). */
export function isLegal(from: TransactionMetadata, to: TransactionMetadata): boolean {
  if (!TRANSITIONS[from.state].includes(to.state)) return false;
  const emptyAbort = from.state !== 'Ongoing' && to.state === 'PrepareAbort';
  return !emptyAbort || to.clientTransactionVersion === 2;
}

/** Crashes unless `to` may follow `from`: states (txn T-14), identities (txn INV-5), partitions (txn T-16). */
export function assertTransition(from: TransactionMetadata, to: TransactionMetadata): void {
  const what = `${to.transactionalId} from ${from.state} to ${to.state}`;
  assert(isLegal(from, to), `txn T-14: ${what}`);
  assert(to.producerEpoch >= 0 && to.producerEpoch <= FENCE_EPOCH, `txn T-47: ${what}, epoch ${to.producerEpoch}`);
  assert(
    to.producerId === from.producerId ? to.producerEpoch >= from.producerEpoch : to.producerEpoch === 0,
    `txn INV-5: ${what}, ${identity(from)} to ${identity(to)}`,
  );
  assert(to.previousProducerId === from.producerId, `txn T-12: ${what}, previous id ${to.previousProducerId}`);
  switch (to.state) {
    case 'Empty':
      assert(to.partitions.length === 0 && to.startTimeMs === NONE, `txn T-46: ${what}`);
      break;
    case 'Ongoing':
      assert(
        from.partitions.every((partition) => hasPartition(to.partitions, partition)),
        `txn T-16: ${what}`,
      );
      break;
    case 'PrepareCommit':
    case 'PrepareAbort':
      assert(
        to.partitions.length === from.partitions.length &&
          to.partitions.every((one) => hasPartition(from.partitions, one)),
        `txn T-16: ${what}`,
      );
      assert(to.producerId === from.producerId, `txn T-77: ${what}`);
      break;
    case 'CompleteCommit':
    case 'CompleteAbort':
      assert(to.partitions.length === 0 && to.nextProducerId === NONE, `txn T-88: ${what}`);
      break;
    case 'Dead':
    case 'PrepareEpochFence':
      assert(false, `txn T-13: ${what}`);
  }
}

function identity({ producerId, producerEpoch }: TransactionMetadata): string {
  return `(${producerId}, ${producerEpoch})`;
}

/** A fence was decided: nothing else may begin until its abort has taken its place (txn T-48). */
export function beginFence(entry: TransactionEntry): void {
  assert(entry.pendingState === undefined, `txn T-18: a fence while ${entry.pendingState} is pending`);
  assert(entry.metadata.state === 'Ongoing', `txn T-14: a fence in ${entry.metadata.state}`);
  entry.pendingState = 'PrepareEpochFence';
}

/** The abort of a fence was refused (no producer id at hand): the transaction stays open. */
export function cancelFence(entry: TransactionEntry): void {
  assert(entry.pendingState === 'PrepareEpochFence', `txn T-48: no fence, but ${entry.pendingState} is pending`);
  entry.pendingState = undefined;
}

/**
 * A write was decided: its state is pending from now on, and what is in force before its append is (txn T-18, T-48).
 * `compares` false: nobody looks at what is pending (txn.pendingCas).
 */
export function beginWrite(entry: TransactionEntry, write: Write, compares = true): void {
  const fenced = entry.pendingState === 'PrepareEpochFence' && write.target.state === 'PrepareAbort';
  assert(
    entry.pendingState === undefined || fenced || !compares,
    `txn T-18: ${write.target.state} while ${entry.pendingState} is pending`,
  );
  if (write.inForceNow !== undefined) entry.metadata = write.inForceNow;
  if (compares) assertTransition(entry.metadata, write.target);
  if (write.point === 'txn.complete') entry.hasFailedEpochFence = false;
  entry.pendingState = write.target.state;
}

/**
 * Its record is durable: it is in force, and nothing is pending (txn T-18). Not of a shard that has been lost (txn
 * T-24).
 */
export function applyWrite(entry: TransactionEntry, write: Write, compares = true): void {
  assert(
    entry.pendingState === write.target.state || !compares,
    `txn T-18: ${write.target.state} applied, ${entry.pendingState} pending`,
  );
  entry.metadata = write.target;
  entry.pendingState = undefined;
}

/**
 * Its append failed: the state before stays (txn T-22). A fence that has raised the epoch is not to raise it again (txn
 * T-48). Not of a completion that is to be tried again (txn T-22), which stays pending.
 */
export function failWrite(entry: TransactionEntry, write: Write, compares = true): void {
  assert(
    entry.pendingState === write.target.state || !compares,
    `txn T-22: ${write.target.state} failed, ${entry.pendingState} pending`,
  );
  entry.pendingState = undefined;
  if (write.inForceNow !== undefined) entry.hasFailedEpochFence = true;
}
