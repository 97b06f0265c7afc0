// A transactional producer that goes through steps. What can be aborted is aborted, and it goes on behind that transaction; a
// fatal error ends it (txn T-170, T-171). What it does and how it ends is written down by its operations.
import type { TxnResult } from '../client/core/txn/states.ts';
import type { Runtime } from '../runtime/ports.ts';
import type {
  ClientCommand,
  ClientSurroundings,
  Report,
  TransactionalSpec,
  TransactionStep,
  WorkloadClient,
} from './spec.ts';
import { TransactionOperations } from './transaction-ops.ts';

type Send = Extract<TransactionStep, { readonly kind: 'send' }>;

export class TransactionalWorkload implements WorkloadClient {
  readonly #spec: TransactionalSpec;
  readonly #runtime: Runtime;
  readonly #report: Report;
  readonly #operations: TransactionOperations;
  #step = 0;
  #op = 0;
  #waiting = false;
  #busy = false;
  #paused = false;
  #stopped = false;
  #done = false;

  constructor(spec: TransactionalSpec, surroundings: ClientSurroundings, runtime: Runtime, report: Report) {
    this.#spec = spec;
    this.#runtime = runtime;
    this.#report = report;
    this.#operations = new TransactionOperations({
      ...{ spec, surroundings, runtime, report },
      nextOp: () => this.#op++,
    });
    runtime.clock.after(0, () => this.#advance());
  }

  command(command: ClientCommand): void {
    switch (command.kind) {
      case 'go':
        if (!this.#waiting || command.step !== this.#step) return;
        this.#waiting = false;
        this.#step += 1;
        break;
      case 'pause':
        this.#paused = true;
        return;
      case 'resume':
        this.#paused = false;
        break;
      case 'stop':
        this.#stop();
        return;
    }
    this.#advance();
  }

  #advance(): void {
    if (this.#busy || this.#waiting || this.#paused || this.#stopped) return;
    const step = this.#spec.steps[this.#step];
    if (step === undefined) return this.#stop();
    this.#busy = true;
    const next = (): void => {
      this.#busy = false;
      this.#step += 1;
      this.#advance();
    };
    switch (step.kind) {
      case 'wait':
        this.#busy = false;
        this.#waiting = true;
        this.#report({ kind: 'waiting', step: this.#step });
        return;
      case 'sleep':
        this.#runtime.clock.after(step.ms, next);
        return;
      case 'confirm':
        this.#operations.flush(next);
        return;
      case 'send':
        this.#sendAll(step, next);
        return;
      case 'send-offsets': {
        const { offsets, group } = step;
        this.#operations.call({ kind: 'send-offsets', offsets, group: { groupId: group } }, (result) =>
          this.#after(result, next),
        );
        return;
      }
      default:
        this.#operations.call({ kind: step.kind }, (result) => this.#after(result, next));
    }
  }

  /** Sends up to `inFlight` at once, and goes on when all are answered: in the end it is the transaction that says how it is. */
  #sendAll({ topic, partition, values }: Send, next: () => void): void {
    const { inFlight = 1 } = this.#spec;
    let failure: TxnResult | undefined;
    let sent = 0;
    let underWay = 0;
    const more = (): void => {
      while (underWay < inFlight && sent < values.length && failure === undefined && !this.#stopped) {
        underWay += 1;
        this.#operations.send({ topic, partition, value: values[sent++]! }, (result) => {
          underWay -= 1;
          const refusal = this.#operations.refusal(result);
          if (refusal.kind === 'failed') failure ??= refusal;
          more();
        });
      }
      if (underWay === 0) this.#after(failure ?? { kind: 'ok' }, next);
    };
    more();
  }

  /** Goes on, aborts and goes on behind the transaction, or ends. */
  #after(result: TxnResult, next: () => void): void {
    if (result.kind === 'ok') return next();
    if (result.errorClass !== 'abortable' || this.#stopped) return this.#stop();
    this.#operations.call({ kind: 'abort' }, (aborted) => {
      if (aborted.kind === 'failed') return this.#stop();
      while (!this.#endsTransaction(this.#spec.steps[this.#step])) this.#step += 1;
      next();
    });
  }

  #endsTransaction(step: TransactionStep | undefined): boolean {
    return step === undefined || step.kind === 'commit' || step.kind === 'abort';
  }

  #stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#operations.close(() => {
      if (!this.#done) this.#report({ kind: 'done' });
      this.#done = true;
    });
  }
}
