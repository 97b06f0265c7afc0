// A transactional producer that goes through steps and writes each down: `invoke` before anything leaves, then ok, fail (it is
// certain that it did not happen) or info (unknown). What can be aborted is aborted, and it goes on behind that transaction;
// a fatal error ends it (txn T-170, T-171). One record a batch, one operation at a time.
import { formatPartition, type DurationMs } from '../base/units.ts';
import { clientConfig } from '../client/core/config.ts';
import { ClientMetadata } from '../client/core/metadata.ts';
import { ProducerCore } from '../client/core/producer.ts';
import type { SendResult } from '../client/core/producer-record.ts';
import type { TransactionManager } from '../client/core/txn/manager.ts';
import type { TxnResult } from '../client/core/txn/states.ts';
import type { ClientOperation } from '../fault/points.ts';
import type { PointFields } from '../fault/reach.ts';
import type { TxnOp } from '../history/operations.ts';
import type { Runtime } from '../runtime/ports.ts';
import type {
  ClientCommand,
  ClientSurroundings,
  Report,
  TransactionalSpec,
  TransactionStep,
  WorkloadClient,
} from './spec.ts';

/** Longest wait for what is under way when the client is told to stop. */
const CLOSE_MS = 1000;

type Call = Extract<TransactionStep['kind'], TxnOp['f']>;
type Send = Extract<TransactionStep, { readonly kind: 'send' }>;

export class TransactionalWorkload implements WorkloadClient {
  readonly #spec: TransactionalSpec;
  readonly #runtime: Runtime;
  readonly #report: Report;
  readonly #metadata: ClientMetadata;
  readonly #producer: ProducerCore;
  readonly #txn: TransactionManager;
  readonly #timeoutMs: DurationMs;
  #step = 0;
  #op = 0;
  /** Transactions begun. */
  #begun = 0;
  #waiting = false;
  #busy = false;
  #paused = false;
  #stopped = false;
  #done = false;

  constructor(spec: TransactionalSpec, surroundings: ClientSurroundings, runtime: Runtime, report: Report) {
    this.#spec = spec;
    this.#runtime = runtime;
    this.#report = report;
    const own = { 'batch.size': 0, 'linger.ms': 0, 'transactional.id': spec.transactionalId };
    const config = clientConfig({ ...own, ...spec.config }, surroundings.profile);
    this.#timeoutMs = config['transaction.timeout.ms'];
    this.#metadata = new ClientMetadata(runtime, config, surroundings.bootstrap);
    this.#producer = new ProducerCore({ runtime, config, metadata: this.#metadata, clientId: spec.id });
    this.#txn = this.#producer.transactions;
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
        this.#producer.flush(next);
        return;
      case 'send':
        this.#sendAll(step, 0, next);
        return;
      default:
        this.#call(step, (result) => this.#after(result, next));
    }
  }

  #sendAll(step: Send, at: number, next: () => void): void {
    const value = step.values[at];
    if (value === undefined || this.#stopped) return next();
    this.#send(step, value, (result) => {
      // What an abort has to clean up is told by the transaction, not by the send (txn T-154).
      const failure = result.kind === 'failed' ? this.#txn.refusalToSend() : undefined;
      if (failure !== undefined) this.#after(failure, next);
      else this.#sendAll(step, at + 1, next);
    });
  }

  #send({ topic, partition }: Send, value: string, done: (result: SendResult) => void): void {
    const op = this.#op++;
    const common = {
      ...{ process: this.#spec.id, op, value, acks: -1 as const, txn: this.#begun, idempotent: true as const },
      partition: formatPartition(topic, partition),
    };
    this.#at('send', 'start', { value, topic, partition }, () => {
      this.#report({ kind: 'entry', entry: { f: 'send', type: 'invoke', ...common } });
      const finish = (result: SendResult): void => {
        this.#report({ kind: 'entry', entry: { f: 'send', ...common, ...outcomeOf(result) } });
        this.#at('send', 'end', { value, topic, partition, ...endOf(result) }, () => done(result));
      };
      const refusal = this.#txn.refusalToSend();
      if (refusal !== undefined) finish({ ...refusal, partition, retried: false });
      else this.#producer.send({ topic, partition, value: Buffer.from(value) }, finish);
    });
  }

  /** One step of the transaction. A call whose time is over is repeated: it joins what is under way (txn T-155). */
  #call(step: Extract<TransactionStep, { readonly kind: Call }>, done: (result: TxnResult) => void): void {
    const op = this.#op++;
    if (step.kind === 'begin') this.#begun += 1;
    const { id, transactionalId } = this.#spec;
    const common = {
      ...{ f: step.kind, process: id, op, transactionalId },
      ...(step.kind === 'init' ? {} : { txn: this.#begun }),
      ...offsetsOf(step),
    } as const;
    this.#at(step.kind, 'start', {}, () => {
      const asks = step.kind === 'init' ? { timeoutMs: this.#timeoutMs } : {};
      this.#report({ kind: 'entry', entry: { ...common, ...asks, type: 'invoke' } });
      this.#start(step, (result) => {
        this.#report({ kind: 'entry', entry: { ...common, ...this.#outcome(step.kind, result) } });
        this.#at(step.kind, 'end', endOf(result), () => done(result));
      });
    });
  }

  #start(step: Extract<TransactionStep, { readonly kind: Call }>, done: (result: TxnResult) => void): void {
    const again = (result: TxnResult): void => {
      const isOver = result.kind === 'ok' || result.errorClass !== 'retriable' || this.#stopped;
      if (isOver) done(result);
      else this.#start(step, done);
    };
    switch (step.kind) {
      case 'init':
        return this.#txn.init(again);
      case 'begin':
        return done(this.#txn.begin());
      case 'send-offsets':
        return this.#txn.sendOffsets(step.offsets, { groupId: step.group }, again);
      case 'commit':
        return this.#txn.commit(again);
      case 'abort':
        return this.#txn.abort(again);
    }
  }

  /** Goes on, aborts and goes on behind the transaction, or ends. */
  #after(result: TxnResult, next: () => void): void {
    if (result.kind === 'ok') return next();
    if (result.errorClass !== 'abortable' || this.#stopped) return this.#stop();
    this.#call({ kind: 'abort' }, (aborted) => {
      if (aborted.kind === 'failed') return this.#stop();
      while (!this.#endsTransaction(this.#spec.steps[this.#step])) this.#step += 1;
      next();
    });
  }

  #endsTransaction(step: TransactionStep | undefined): boolean {
    return step === undefined || step.kind === 'commit' || step.kind === 'abort';
  }

  #outcome(step: Call, result: TxnResult): Pick<TxnOp, 'type' | 'error' | 'fatal' | 'producerId' | 'producerEpoch'> {
    if (result.kind === 'ok') {
      const identity = this.#txn.current;
      if (identity === undefined || step === 'begin' || step === 'send-offsets') return { type: 'ok' };
      return { type: 'ok', producerId: identity.producerId, producerEpoch: identity.epoch };
    }
    const { error, definite, errorClass } = result;
    return { type: definite ? 'fail' : 'info', error, ...(errorClass === 'fatal' ? { fatal: true as const } : {}) };
  }

  #at(operation: ClientOperation, phase: 'start' | 'end', fields: PointFields, proceed: () => void): void {
    const { id: client, transactionalId } = this.#spec;
    this.#runtime.faults.reach(`client.${operation}.${phase}`, { client, transactionalId, ...fields }, proceed);
  }

  #stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#producer.close(CLOSE_MS, () => {
      this.#metadata.close();
      if (!this.#done) this.#report({ kind: 'done' });
      this.#done = true;
    });
  }
}

function outcomeOf(result: SendResult) {
  if (result.kind === 'failed') {
    return { type: result.definite ? ('fail' as const) : ('info' as const), error: result.error };
  }
  return { type: 'ok' as const, offset: result.offset, retried: result.retried };
}

function endOf(result: SendResult | TxnResult): PointFields {
  return result.kind === 'failed' ? { outcome: 'error', error: result.error } : { outcome: 'ok' };
}

function offsetsOf(step: TransactionStep): Pick<TxnOp, 'group' | 'offsets'> {
  if (step.kind !== 'send-offsets') return {};
  const offsets = step.offsets.map(
    ({ topic, partition, offset }) => [formatPartition(topic, partition), offset] as const,
  );
  return { group: step.group, offsets: Object.fromEntries(offsets) };
}
