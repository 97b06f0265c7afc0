// Transactions as applications saw them: what belongs to each, and how it ended for them (txn section 11, V(t)).
import type { TxnOp } from '../history/operations.ts';
import type { Ended, TrackedSend } from './arrange.ts';
import { entryOf } from './keep.ts';

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
  /** In order of their first operation. */
  readonly all: Transaction[] = [];
  readonly #ofProcess = new Map<string, Map<number, Transaction>>();

  /** Both are in the order of the history. */
  constructor(ops: readonly Ended<TxnOp>[], tracked: readonly TrackedSend[]) {
    let sends = 0;
    for (const op of ops) {
      while (sends < tracked.length && tracked[sends]!.index < op.invoke.index) this.#addSend(tracked[sends++]!);
      this.#addOp(op);
    }
    while (sends < tracked.length) this.#addSend(tracked[sends++]!);
  }

  #addOp(op: Ended<TxnOp>): void {
    const { txn, transactionalId, f } = op.invoke;
    if (txn === undefined) return;
    const of = this.#begun(op.invoke, txn);
    of.transactionalId = transactionalId;
    if (f === 'send-offsets') of.sentOffsets.push(op);
    else of.take(op);
  }

  #addSend(send: TrackedSend): void {
    const of = send.txn === undefined ? undefined : this.#begun(send, send.txn);
    of?.sends.push(send);
    (send.sent.transactions ??= []).push(of);
  }

  #begun({ process, time }: { readonly process: string; readonly time: number }, number: number): Transaction {
    const ofProcess = entryOf(this.#ofProcess, process, () => new Map<number, Transaction>());
    let txn = ofProcess.get(number);
    if (txn === undefined) {
      ofProcess.set(number, (txn = new Transaction(process, number, time)));
      this.all.push(txn);
    }
    return txn;
  }

  get any(): boolean {
    return this.all.length > 0;
  }

  of(process: string, number: number): Transaction | undefined {
    return this.#ofProcess.get(process)?.get(number);
  }

  /** Of one process, in its order. */
  ofProcess(process: string): Iterable<Transaction> {
    return this.#ofProcess.get(process)?.values() ?? [];
  }
}
