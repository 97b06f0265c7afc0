// Transactions of a recording: identities, begins, offsets and ends. A begin is not on the wire: a transaction has begun when
// its producer first asks for something in it.
import type { NewEntry, TxnOp } from '../../history/operations.ts';
import type { WireAnswer, WireAsk } from '../../trace/wire.ts';
import { isUnknown, mayRepeat, type End, type From, type Names, type Tell } from './exchange.ts';
import type { Instance, Instances } from './instances.ts';

type InitAsk = Extract<WireAsk, { readonly api: 'InitProducerId' }>;
type EndAsk = Extract<WireAsk, { readonly api: 'EndTxn' }>;
type OffsetsAsk = Extract<WireAsk, { readonly api: 'TxnOffsetCommit' }>;
type Identity = Extract<WireAnswer, { readonly api: 'identity' }>;

/** An operation over all its attempts. */
export interface Step {
  readonly instance: Instance;
  readonly f: TxnOp['f'];
  readonly op: number;
  readonly more: Partial<TxnOp>;
  unknown: boolean;
  end: End | undefined;
  told: boolean;
}

export interface TransactionParts {
  readonly names: Names;
  readonly instances: Instances;
  readonly tell: Tell;
}

/** Errors after which a producer can do nothing more. */
const FATAL: ReadonlySet<End> = new Set(['INVALID_PRODUCER_EPOCH', 'PRODUCER_FENCED', 'INVALID_PRODUCER_ID_MAPPING']);

export class RecordedTransactions {
  readonly #parts: TransactionParts;
  /** Ends that have been asked for and not answered for good. */
  readonly #ends = new Map<Instance, Step>();
  /** Who asked for an identity last, by client and transactional id, and was not given one. */
  readonly #waiting = new Map<string, Instance>();

  constructor(parts: TransactionParts) {
    this.#parts = parts;
  }

  /** An identity for an idempotent producer leaves no entry. */
  init({ transactionalId, timeoutMs, producerId, producerEpoch }: InitAsk, { clientId }: From): Step | undefined {
    const { instances } = this.#parts;
    const own = producerEpoch < 0 ? undefined : instances.of({ producerId, producerEpoch });
    if (transactionalId === '') {
      const instance = own ?? instances.fresh(clientId, '');
      return { instance, f: 'init', op: -1, more: {}, unknown: false, end: undefined, told: true };
    }
    const key = `${clientId} ${transactionalId}`;
    const instance = own ?? this.#waiting.get(key) ?? instances.fresh(clientId, transactionalId);
    this.#waiting.set(key, instance);
    instance.open = false;
    this.#ends.delete(instance);
    return this.#step(instance, 'init', { timeoutMs });
  }

  given(step: Step, { error, producerId, producerEpoch }: Identity): void {
    const { instance } = step;
    if (error === 'NONE') {
      this.#parts.instances.given(instance, { producerId, producerEpoch });
      this.#waiting.delete(`${instance.clientId} ${instance.transactionalId}`);
      this.#end(step, 'ok', { producerId, producerEpoch });
    } else this.failed(step, error);
  }

  /** Something was asked in a transaction. */
  used(instance: Instance): void {
    if (instance.open) return;
    instance.open = true;
    instance.txn += 1;
    const begin = this.#step(instance, 'begin', {});
    this.#end(begin, 'ok', {});
  }

  offsets({ group, offsets }: OffsetsAsk, instance: Instance): Step {
    this.used(instance);
    return this.#step(instance, 'send-offsets', { group, offsets });
  }

  end({ committed }: EndAsk, instance: Instance): Step {
    const f = committed ? 'commit' : 'abort';
    const again = this.#ends.get(instance);
    if (again?.f === f && !again.told) return again;
    this.used(instance);
    const step = this.#step(instance, f, {});
    this.#ends.set(instance, step);
    return step;
  }

  ended(step: Step, answer: Identity): void {
    const { instance } = step;
    if (answer.error !== 'NONE') {
      if (mayRepeat(answer.error)) this.#note(step, answer.error);
      else this.failed(step, answer.error);
      return;
    }
    // Before v5 the answer names no identity: it stays.
    if (answer.producerId >= 0) this.#parts.instances.given(instance, answer);
    const { producerId, producerEpoch } = instance;
    this.#end(step, 'ok', { producerId, producerEpoch });
    instance.open = false;
  }

  /** One that is not asked again ended this way. */
  failed(step: Step, end: End): void {
    this.#note(step, end);
    if (end === 'TRANSACTION_ABORTABLE' || step.f === 'send-offsets' || step.f === 'init') this.#over(step);
    else {
      this.#over(step);
      step.instance.open = false;
    }
  }

  /** Nobody was told. */
  lost(step: Step): void {
    this.#note(step, 'lost');
    if (step.f === 'send-offsets' || step.f === 'init') this.#over(step);
  }

  done(step: Step): void {
    this.#end(step, 'ok', {});
  }

  finish(): void {
    for (const step of this.#ends.values()) if (!step.told) this.#over(step);
  }

  #note(step: Step, end: End): void {
    step.end = end;
    if (isUnknown(end)) step.unknown = true;
  }

  #over(step: Step): void {
    const { end = 'lost' } = step;
    // An end under way is unknown: it may still be decided.
    const unknown = step.unknown || end === 'CONCURRENT_TRANSACTIONS';
    const error = end === 'lost' ? {} : { error: end };
    this.#end(step, unknown ? 'info' : 'fail', { ...error, ...(FATAL.has(end) ? { fatal: true as const } : {}) });
  }

  #step(instance: Instance, f: TxnOp['f'], more: Partial<TxnOp>): Step {
    const op = this.#parts.names.op();
    const step: Step = { instance, f, op, more, unknown: false, end: undefined, told: false };
    this.#tell(step, 'invoke', more);
    return step;
  }

  #end(step: Step, type: 'ok' | 'fail' | 'info', more: Partial<TxnOp>): void {
    if (step.told) return;
    step.told = true;
    const offsets = step.f === 'send-offsets' ? step.more : {};
    this.#tell(step, type, { ...offsets, ...more });
  }

  #tell({ instance, f, op }: Step, type: TxnOp['type'], more: Partial<TxnOp>): void {
    const { process, transactionalId, txn } = instance;
    const entry = { f, type, process, op, transactionalId, ...(f === 'init' ? {} : { txn }), ...more };
    this.#parts.tell(entry as NewEntry);
  }
}
