// One pass over a history: sorts its entries into what checkers look at, and joins completions with their invocations.
// Judges nothing.
import type { LeaderEpoch, NodeId, Offset } from '../base/units.ts';
import type {
  AssignmentOp,
  BudgetOp,
  CommittedObservation,
  CommittedScan,
  EndOffsetOp,
  FaultOp,
  HistoryEntry,
  OffsetsOp,
  OpenTransactionsObservation,
  PollOp,
  PositionOp,
  QuiesceOp,
  ReplicaObservation,
  SendOp,
  TransactionObservation,
  TxnOp,
} from '../history/operations.ts';
import { ByValue } from './by-value.ts';
import { entryOf } from './keep.ts';
import type { Poll, Reading } from './readings.ts';
import type { Transaction } from './transactions.ts';

/** A send that was acknowledged. */
export interface AckedSend {
  /** Index of the acknowledgement. */
  readonly index: number;
  /** Index of the invocation; the acknowledgement's if there is none. */
  readonly invoked: number;
  readonly process: string;
  readonly partition: string;
  readonly value: string;
  readonly acks: 0 | 1 | -1;
  /** Absent with acks=0. */
  readonly offset: Offset | undefined;
  /** The transaction of its process that it is part of. */
  readonly txn: number | undefined;
  /** It may have been sent more than once. */
  readonly retried: boolean;
  /** Who acknowledged it, and in which leader epoch, where the answer told. */
  readonly node: NodeId | undefined;
  readonly leaderEpoch: LeaderEpoch | undefined;
}

/** A send that promises more than a plain one: its producer is idempotent or transactional, or it derives from input. */
export interface TrackedSend {
  /** Its place among such sends. */
  readonly ordinal: number;
  /** Index of the invocation. */
  readonly index: number;
  readonly time: number;
  readonly process: string;
  readonly partition: string;
  readonly value: string;
  readonly txn: number | undefined;
  readonly from: readonly string[];
  /** Its producer numbers its batches. */
  readonly numbered: boolean;
  /** All sends of its value to its partition. */
  readonly sent: Sent;
}

/** Sends of one value to one partition. */
export interface Sent {
  times: number;
  /** The first of them that promises more than a plain one. */
  tracked: TrackedSend | undefined;
  /** One for each of them that does: its transaction, undefined for one outside any. Filled by Transactions. */
  transactions: (Transaction | undefined)[] | undefined;
}

/** An operation of a kind, with its invocation if that is in the history. */
export interface Ended<T> {
  readonly invoke: T;
  /** Undefined: it has no end. */
  readonly end: T | undefined;
}

/** An operation that may be under way. */
export type Operation = SendOp | PollOp | EndOffsetOp | TxnOp | OffsetsOp;

/** Where a leader said that a partition ends. */
export interface EndOffset {
  /** Index of the answer, and of the question. */
  readonly index: number;
  readonly invoked: number;
  readonly process: string;
  readonly partition: string;
  readonly offset: Offset;
  readonly leaderEpoch: LeaderEpoch;
}

export interface Arranged {
  readonly tracked: TrackedSend[];
  readonly sent: ByValue<Sent>;
  readonly acked: AckedSend[];
  /** Sends that did not succeed, by the errors that fencing has. */
  readonly refusedSends: SendOp[];
  /** Sends that ended with a definite error. */
  readonly failedSends: SendOp[];
  readonly polls: Poll[];
  /** In the order of their answers; those that tell their leader epoch. */
  readonly endOffsets: EndOffset[];
  readonly readings: (Reading & { readonly steps: (Poll | PositionOp)[]; toldAt: number })[];
  /** The same by reader and partition. */
  readonly readingsOf: Map<string, Map<string, Arranged['readings'][number]>>;
  readonly budgets: BudgetOp[];
  /** The last observation of each replica. */
  readonly observed: Map<string, Map<NodeId, ReplicaObservation>>;
  /** The last quiescence. */
  quiesce: QuiesceOp | undefined;
  /** In order of invocation; what has no invocation in the history is its own. */
  readonly txnOps: { readonly invoke: TxnOp; end: TxnOp | undefined }[];
  readonly offsetsOps: { readonly invoke: OffsetsOp; end: OffsetsOp | undefined }[];
  readonly assignments: AssignmentOp[];
  readonly faults: FaultOp[];
  /** Processes that were seen on the wire alone. */
  readonly recorded: Set<string>;
  readonly transactions: TransactionObservation[];
  readonly openTransactions: OpenTransactionsObservation[];
  readonly committed: CommittedObservation[];
  /** Operations without an end, by process and operation. */
  readonly underWay: Map<string, Map<number, UnderWay>>;
}

/** An invocation, and where its end is put if it is one of a pair. */
interface UnderWay {
  readonly invoke: Operation;
  end: unknown;
}

const NOTHING: readonly string[] = [];

/** Errors that tell a producer that it is not the owner of its id any more. */
export const FENCING: ReadonlySet<string> = new Set(['PRODUCER_FENCED', 'INVALID_PRODUCER_EPOCH']);

export function arrange(entries: readonly HistoryEntry[]): Arranged {
  const into: Arranged = {
    ...{
      tracked: [],
      sent: new ByValue(),
      acked: [],
      refusedSends: [],
      failedSends: [],
      endOffsets: [],
      polls: [],
      readings: [],
      budgets: [],
    },
    ...{ observed: new Map(), quiesce: undefined, txnOps: [], offsetsOps: [], assignments: [], faults: [] },
    recorded: new Set(),
    ...{ transactions: [], openTransactions: [], committed: [], underWay: new Map(), readingsOf: new Map() },
  };
  for (const entry of entries) {
    switch (entry.f) {
      case 'send':
        addSend(into, entry);
        break;
      case 'poll':
        addPoll(into, entry);
        break;
      case 'end-offset':
        addEndOffset(into, entry);
        break;
      case 'position':
        addStep(into, entry.process, entry.partition, entry);
        break;
      case 'init':
      case 'begin':
      case 'send-offsets':
      case 'commit':
      case 'abort':
        addPair(into, into.txnOps, entry);
        break;
      case 'commit-offsets':
      case 'fetch-offsets':
        addPair(into, into.offsetsOps, entry);
        break;
      default:
        addRest(into, entry);
    }
  }
  return into;
}

type Rest = Exclude<HistoryEntry, Operation | PositionOp>;

function addRest(into: Arranged, entry: Rest): void {
  switch (entry.f) {
    case 'assigned':
    case 'revoked':
    case 'lost':
      addAssignment(into, entry);
      break;
    case 'fault':
      into.faults.push(entry);
      break;
    case 'recorded':
      into.recorded.add(entry.process);
      break;
    case 'budget':
      into.budgets.push(entry);
      break;
    case 'replica': {
      const replicas = into.observed.get(entry.partition) ?? new Map<NodeId, ReplicaObservation>();
      into.observed.set(entry.partition, replicas.set(entry.node, entry));
      break;
    }
    case 'transaction':
      into.transactions.push(entry);
      break;
    case 'open-transactions':
      into.openTransactions.push(entry);
      break;
    case 'committed':
      into.committed.push(entry);
      break;
    case 'scan':
      addScan(into, entry);
      break;
    case 'quiesce':
      into.quiesce = entry;
  }
}

function begin(into: Arranged, under: UnderWay): void {
  const { process, op } = under.invoke;
  const ops = into.underWay.get(process);
  if (ops === undefined) into.underWay.set(process, new Map([[op, under]]));
  else ops.set(op, under);
}

function end(into: Arranged, { process, op }: Operation): UnderWay | undefined {
  const ops = into.underWay.get(process);
  const under = ops?.get(op);
  if (under !== undefined) ops!.delete(op);
  return under;
}

function addPair<T extends TxnOp | OffsetsOp>(
  into: Arranged,
  pairs: { readonly invoke: T; end: T | undefined }[],
  entry: T,
): void {
  if (entry.type !== 'invoke') {
    const under = end(into, entry);
    if (under?.invoke.f !== entry.f) pairs.push({ invoke: entry, end: entry });
    else under.end = entry;
    return;
  }
  const pair = { invoke: entry, end: undefined };
  pairs.push(pair);
  begin(into, pair);
}

function addSend(into: Arranged, entry: SendOp): void {
  const { index, time, process, partition, value, txn, from, idempotent } = entry;
  if (entry.type !== 'invoke') {
    const invoked = end(into, entry)?.invoke.index ?? index;
    if (entry.type === 'ok') into.acked.push(ackedSend(entry, invoked));
    else if (entry.error !== undefined && FENCING.has(entry.error)) into.refusedSends.push(entry);
    if (entry.type === 'fail') into.failedSends.push(entry);
    return;
  }
  begin(into, { invoke: entry, end: undefined });
  let sent = into.sent.get(partition, value);
  if (sent === undefined)
    into.sent.set(partition, value, (sent = { times: 0, tracked: undefined, transactions: undefined }));
  sent.times += 1;
  const numbered = idempotent === true || txn !== undefined;
  if (!numbered && from === undefined) return;
  const ordinal = into.tracked.length;
  const send = { ordinal, index, time, process, partition, value, txn, from: from ?? NOTHING, numbered, sent };
  sent.tracked ??= send;
  into.tracked.push(send);
}

function ackedSend(entry: SendOp, invoked: number): AckedSend {
  const { index, process, partition, value, acks, offset, txn, node, leaderEpoch } = entry;
  const retried = entry.retried === true;
  return { index, invoked, process, partition, value, acks, offset, txn, retried, node, leaderEpoch };
}

function addPoll(into: Arranged, entry: PollOp): void {
  const { type, index, process, partition, from, to, records, isolation, group, highWatermark, leaderEpoch } = entry;
  if (type === 'invoke') return begin(into, { invoke: entry, end: undefined });
  end(into, entry);
  if (type === 'fail') readingOf(into, process, partition).toldAt = index;
  if (type !== 'ok' || from === undefined || to === undefined || records === undefined) return;
  const poll: Poll = {
    index,
    reader: process,
    partition,
    from,
    to,
    records,
    isolation,
    group,
    highWatermark,
    leaderEpoch,
  };
  into.polls.push(poll);
  addStep(into, process, partition, poll);
}

function addEndOffset(into: Arranged, entry: EndOffsetOp): void {
  const { type, index, process, partition, offset, leaderEpoch } = entry;
  if (type === 'invoke') return begin(into, { invoke: entry, end: undefined });
  const invoked = end(into, entry)?.invoke.index ?? index;
  if (type !== 'ok' || offset === undefined || leaderEpoch === undefined) return;
  into.endOffsets.push({ index, invoked, process, partition, offset, leaderEpoch });
}

/** A scan is a reader of its own. */
function addScan(into: Arranged, { index, partition, isolation, to, records }: CommittedScan): void {
  const reader = `scan ${isolation} ${index}`;
  const poll: Poll = { index, reader, partition, from: 0, to, records, isolation, group: undefined };
  into.polls.push(poll);
  addStep(into, reader, partition, poll);
}

/** Who gives up a partition, or is given it, goes on from where the group is: that tells a reader where to move. */
function addAssignment(into: Arranged, entry: AssignmentOp): void {
  into.assignments.push(entry);
  const { index, time, process } = entry;
  for (const partition of entry.partitions) {
    const moved = { index, time, process, partition, why: 'start', from: -1, to: -1 } as const;
    addStep(into, process, partition, { f: 'position', type: 'info', ...moved });
  }
}

function addStep(into: Arranged, reader: string, partition: string, step: Poll | PositionOp): void {
  readingOf(into, reader, partition).steps.push(step);
}

function readingOf(into: Arranged, reader: string, partition: string): Arranged['readings'][number] {
  const partitions = entryOf(into.readingsOf, reader, () => new Map<string, Arranged['readings'][number]>());
  let reading = partitions.get(partition);
  if (reading === undefined) {
    partitions.set(partition, (reading = { reader, partition, steps: [], toldAt: -1 }));
    into.readings.push(reading);
  }
  return reading;
}
