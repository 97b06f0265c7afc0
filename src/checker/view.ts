// A history, arranged once for all checkers: sends joined with their outcomes, what each reader did in order, what the
// replicas held in the end. Judges nothing.
import type { NodeId, Offset } from '../base/units.ts';
import type { BudgetOp, HistoryEntry, PollOp, PositionOp, ReplicaObservation, SendOp } from '../history/operations.ts';
import { FinalLog } from './final-log.ts';
import { ReadIndex } from './read-index.ts';
import type { Poll, Reading } from './readings.ts';

/** A send that was acknowledged. */
export interface AckedSend {
  /** Index of the acknowledgement. */
  readonly index: number;
  /** Index of the invocation; the acknowledgement's if there is none. */
  readonly invoked: number;
  readonly partition: string;
  readonly value: string;
  readonly acks: 0 | 1 | -1;
  /** Absent with acks=0. */
  readonly offset: Offset | undefined;
}

/** A value that an idempotent producer sent, once. */
export interface NumberedSend {
  /** Index of the invocation. */
  readonly index: number;
  readonly process: string;
  readonly partition: string;
  readonly value: string;
}

export interface HistoryView {
  /** Values that idempotent producers sent, in order, without those that a partition was sent twice. */
  readonly numbered: readonly NumberedSend[];
  readonly acked: readonly AckedSend[];
  readonly polls: readonly Poll[];
  readonly readings: readonly Reading[];
  /** Partitions of which a replica was observed. */
  readonly finalLogs: readonly FinalLog[];
  /** The final log of a partition; of one that nobody observed: empty and incomplete. */
  finalLog(partition: string): FinalLog;
  /** What makes losses of a partition legal, in order. */
  budget(partition: string): readonly BudgetOp[];
  readonly reads: ReadIndex;
}

/** Arranges a history. */
export function viewHistory(entries: readonly HistoryEntry[]): HistoryView {
  const arranged = arrange(entries);
  const { acked, polls, readings, budgets, observed, missing, numbered, sent } = arranged;
  const finals = new Map<string, FinalLog>();
  for (const [partition, replicas] of observed) {
    const complete = missing !== undefined && !missing.has(partition);
    finals.set(partition, new FinalLog(partition, [...replicas.values()], complete));
  }
  return {
    numbered: numbered.filter(({ partition, value }) => sent.get(`${partition} ${value}`) === 1),
    acked,
    polls,
    readings: [...readings.values()],
    finalLogs: [...finals.values()],
    finalLog: (partition) => finals.get(partition) ?? new FinalLog(partition, [], false),
    budget: (partition) => budgets.filter((op) => op.partition === '*' || op.partition === partition),
    reads: new ReadIndex(polls),
  };
}

interface Arranged {
  readonly numbered: NumberedSend[];
  /** How often a value was sent to a partition. */
  readonly sent: Map<string, number>;
  readonly acked: AckedSend[];
  readonly polls: Poll[];
  readonly readings: Map<string, { reader: string; partition: string; steps: (Poll | PositionOp)[] }>;
  readonly budgets: BudgetOp[];
  /** The last observation of each replica. */
  readonly observed: Map<string, Map<NodeId, ReplicaObservation>>;
  /** Partitions not in agreement at the last quiescence; undefined if there was none. */
  missing: ReadonlySet<string> | undefined;
}

function arrange(entries: readonly HistoryEntry[]): Arranged {
  const into: Arranged = {
    ...{
      numbered: [],
      sent: new Map(),
      acked: [],
      polls: [],
      readings: new Map(),
      budgets: [],
      observed: new Map(),
      missing: undefined,
    },
  };
  const invocations = new Map<string, Map<number, number>>();
  for (const entry of entries) {
    switch (entry.f) {
      case 'send': {
        let invoked = invocations.get(entry.process);
        if (invoked === undefined) invocations.set(entry.process, (invoked = new Map<number, number>()));
        if (entry.type === 'invoke') addSend(into, entry, invoked);
        else if (entry.type === 'ok') into.acked.push(ackedSend(entry, invoked.get(entry.op)));
        break;
      }
      case 'poll': {
        const poll = okPoll(entry);
        if (poll === undefined) break;
        into.polls.push(poll);
        addStep(into, entry.process, entry.partition, poll);
        break;
      }
      case 'position':
        addStep(into, entry.process, entry.partition, entry);
        break;
      case 'budget':
        into.budgets.push(entry);
        break;
      case 'replica': {
        const replicas = into.observed.get(entry.partition) ?? new Map<NodeId, ReplicaObservation>();
        into.observed.set(entry.partition, replicas.set(entry.node, entry));
        break;
      }
      case 'quiesce':
        into.missing = new Set(entry.missing);
        break;
      default:
        // Every other entry concerns transactions and groups, or is for people.
        break;
    }
  }
  return into;
}

function addSend(into: Arranged, entry: SendOp, invoked: Map<number, number>): void {
  const { index, process, partition, value, op } = entry;
  invoked.set(op, index);
  const name = `${partition} ${value}`;
  into.sent.set(name, (into.sent.get(name) ?? 0) + 1);
  if (entry.idempotent === true) into.numbered.push({ index, process, partition, value });
}

function addStep(into: Arranged, reader: string, partition: string, step: Poll | PositionOp): void {
  const key = `${reader} ${partition}`;
  const reading = into.readings.get(key);
  if (reading === undefined) into.readings.set(key, { reader, partition, steps: [step] });
  else reading.steps.push(step);
}

function ackedSend(entry: SendOp, invoked: number | undefined): AckedSend {
  const { index, partition, value, acks, offset } = entry;
  return { index, invoked: invoked ?? index, partition, value, acks, offset };
}

function okPoll(entry: PollOp): Poll | undefined {
  const { type, from, to, records } = entry;
  if (type !== 'ok' || from === undefined || to === undefined || records === undefined) return undefined;
  return { index: entry.index, reader: entry.process, partition: entry.partition, from, to, records };
}
