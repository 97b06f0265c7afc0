// Transactions as applications saw them: what belongs to each, and how it ended for them (txn section 11, V(t)).
import type { TxnOp } from '../history/operations.ts';
import type { Ended, TrackedSend } from './arrange.ts';

/**
 * committed, aborted: acknowledged. refused: the commit definitely did not happen. unknown: a commit was asked for and may
 * have happened. none: nobody asked for a commit.
 */
export type AppVerdict = 'committed' | 'aborted' | 'refused' | 'unknown' | 'none';

/** One transaction of one process. */
export class Transaction {
  readonly process: string;
  /** Which of its process. */
  readonly number: number;
  transactionalId: string | undefined;
  verdict: AppVerdict = 'none';
  /** When it began, ms, by its first operation. */
  readonly begunMs: number;
  /** Index of the first entry that asks for a commit. */
  commitInvoked: number | undefined;
  /** The entry that its verdict rests on. */
  decided: TxnOp | undefined;
  readonly sends: TrackedSend[] = [];
  readonly sentOffsets: Ended<TxnOp>[] = [];

  constructor(process: string, number: number, begunMs: number) {
    this.process = process;
    this.number = number;
    this.begunMs = begunMs;
  }

  get name(): string {
    return `transaction ${this.number} of ${this.process}`;
  }

  /** Whether its records may become visible. */
  get mayCommit(): boolean {
    return this.verdict === 'committed' || this.verdict === 'unknown';
  }

  /** Takes the next operation that would end it. What was acknowledged last counts; a refusal undoes no earlier doubt. */
  take({ invoke, end }: Ended<TxnOp>): void {
    if (invoke.f === 'commit') {
      this.commitInvoked ??= invoke.index;
      if (end?.type === 'ok') this.#decide('committed', end);
      else if (end?.type === 'fail' && this.verdict === 'none') this.#decide('refused', end);
      else if (end?.type !== 'fail' && this.decided === undefined) this.verdict = 'unknown';
    } else if (invoke.f === 'abort' && end?.type === 'ok') this.#decide('aborted', end);
  }

  #decide(verdict: AppVerdict, by: TxnOp): void {
    this.verdict = verdict;
    this.decided = by;
  }
}

/** All transactions of a history, for looking up. */
export class Transactions {
  readonly #all = new Map<string, Transaction>();
  readonly #byValue = new Map<string, (Transaction | undefined)[]>();

  constructor(ops: readonly Ended<TxnOp>[], tracked: readonly TrackedSend[]) {
    const firsts = [...ops.map(({ invoke }) => invoke), ...tracked].filter(({ txn }) => txn !== undefined);
    for (const { process, txn, time } of firsts.sort((a, b) => a.index - b.index)) {
      const key = `${process} ${txn}`;
      if (!this.#all.has(key)) this.#all.set(key, new Transaction(process, txn!, time));
    }
    for (const op of ops) this.#add(op);
    for (const send of tracked) {
      const of = send.txn === undefined ? undefined : this.of(send.process, send.txn);
      of?.sends.push(send);
      const name = `${send.partition} ${send.value}`;
      const others = this.#byValue.get(name);
      if (others === undefined) this.#byValue.set(name, [of]);
      else others.push(of);
    }
  }

  #add(op: Ended<TxnOp>): void {
    const { process, txn, transactionalId, f } = op.invoke;
    const of = txn === undefined ? undefined : this.of(process, txn);
    if (of === undefined) return;
    of.transactionalId = transactionalId;
    if (f === 'send-offsets') of.sentOffsets.push(op);
    else of.take(op);
  }

  get all(): Iterable<Transaction> {
    return this.#all.values();
  }

  get any(): boolean {
    return this.#all.size > 0;
  }

  of(process: string, number: number): Transaction | undefined {
    return this.#all.get(`${process} ${number}`);
  }

  /** The transactions that sent a value to a partition: one for each send; undefined stands for a send outside any. */
  sending(partition: string, value: string): readonly (Transaction | undefined)[] {
    return this.#byValue.get(`${partition} ${value}`) ?? [];
  }
}
