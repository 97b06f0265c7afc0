// The operations of a transactional producer, each written down: `invoke` before anything leaves, then ok, fail (it is certain
// that it did not happen) or info (unknown). Each is a point where a fault can strike, at its start and at its end. One record a
// batch, one operation at a time; which comes next is its owner's choice.
import { formatPartition, type TopicPartition } from '../base/units.ts';
import { clientConfig, type ClientConfig } from '../client/core/config.ts';
import { ClientMetadata } from '../client/core/metadata.ts';
import { ProducerCore } from '../client/core/producer.ts';
import type { SendResult } from '../client/core/producer-record.ts';
import type { TransactionManager } from '../client/core/txn/manager.ts';
import type { GroupMetadata, OffsetToSend } from '../client/core/txn/requests.ts';
import type { TxnResult } from '../client/core/txn/states.ts';
import type { ClientOperation } from '../fault/points.ts';
import type { PointFields } from '../fault/reach.ts';
import type { TxnOp } from '../history/operations.ts';
import { recordBytes } from '../history/record-text.ts';
import type { Runtime } from '../runtime/ports.ts';
import { acknowledged } from './acknowledged.ts';
import type { ClientSurroundings, Report, TransactionalSpec } from './spec.ts';

/** Longest wait for what is under way when the client is told to stop. */
const CLOSE_MS = 1000;

/** A step of a transaction. */
export type TransactionCall =
  | { readonly kind: 'init' | 'begin' | 'commit' | 'abort' }
  | { readonly kind: 'send-offsets'; readonly offsets: readonly OffsetToSend[]; readonly group: GroupMetadata };

/** A record to be sent, and the input records that it was made from, as `partition@offset`. */
export interface OutgoingValue extends TopicPartition {
  readonly value: string;
  readonly from?: readonly string[];
}

/** Where operations are told and carried out. */
export interface OperationsParts {
  readonly spec: Pick<TransactionalSpec, 'id' | 'transactionalId' | 'config'>;
  readonly surroundings: ClientSurroundings;
  readonly runtime: Runtime;
  readonly report: Report;
  /** The number of the next operation of this process. */
  readonly nextOp: () => number;
}

export class TransactionOperations {
  readonly #parts: OperationsParts;
  readonly #config: ClientConfig;
  readonly #producer: ProducerCore;
  readonly #txn: TransactionManager;
  readonly metadata: ClientMetadata;
  /** Transactions begun. */
  #begun = 0;
  #stopped = false;

  constructor(parts: OperationsParts) {
    const { spec, surroundings, runtime } = parts;
    this.#parts = parts;
    const own = { 'batch.size': 0, 'linger.ms': 0, 'transactional.id': spec.transactionalId };
    this.#config = clientConfig({ ...own, ...spec.config }, surroundings.profile);
    this.metadata = new ClientMetadata(runtime, this.#config, surroundings.bootstrap);
    const { metadata } = this;
    this.#producer = new ProducerCore({ runtime, config: this.#config, metadata, clientId: spec.id });
    this.#txn = this.#producer.transactions;
  }

  /** What the transaction says of a send that failed: it decides, not the send (txn T-154). */
  refusal(result: SendResult): TxnResult {
    return (result.kind === 'failed' ? this.#txn.refusalToSend() : undefined) ?? { kind: 'ok' };
  }

  /** Waits until everything sent is answered. */
  flush(done: () => void): void {
    this.#producer.flush(done);
  }

  send({ topic, partition, value, from }: OutgoingValue, done: (result: SendResult) => void): void {
    const { report, spec, nextOp } = this.#parts;
    const op = nextOp();
    const common = {
      ...{ process: spec.id, op, value, acks: -1 as const, txn: this.#begun, idempotent: true as const },
      ...{ partition: formatPartition(topic, partition), ...(from === undefined ? {} : { from }) },
    };
    this.#at('send', 'start', { value, topic, partition }, () => {
      report({ kind: 'entry', entry: { f: 'send', type: 'invoke', ...common } });
      const finish = (result: SendResult): void => {
        report({ kind: 'entry', entry: { f: 'send', ...common, ...outcomeOf(result) } });
        this.#at('send', 'end', { value, topic, partition, ...endOf(result) }, () => done(result));
      };
      const refusal = this.#txn.refusalToSend();
      if (refusal !== undefined) finish({ ...refusal, partition, retried: false });
      else this.#producer.send({ topic, partition, ...recordBytes(value) }, finish);
    });
  }

  /** One step of the transaction. A call whose time is over is repeated: it joins what is under way (txn T-155). */
  call(step: TransactionCall, done: (result: TxnResult) => void): void {
    const { report, spec, nextOp } = this.#parts;
    const op = nextOp();
    if (step.kind === 'begin') this.#begun += 1;
    const common = {
      ...{ f: step.kind, process: spec.id, op, transactionalId: spec.transactionalId },
      ...(step.kind === 'init' ? {} : { txn: this.#begun }),
      ...offsetsOf(step),
    } as const;
    const group = step.kind === 'send-offsets' ? { group: step.group.groupId } : {};
    this.#at(step.kind, 'start', group, () => {
      const asks = step.kind === 'init' ? { timeoutMs: this.#config['transaction.timeout.ms'] } : {};
      report({ kind: 'entry', entry: { ...common, ...asks, type: 'invoke' } });
      this.#start(step, (result) => {
        report({ kind: 'entry', entry: { ...common, ...this.#outcome(step.kind, result) } });
        this.#at(step.kind, 'end', { ...group, ...endOf(result) }, () => done(result));
      });
    });
  }

  /** Ends what is under way, aborts what is open, as far as that takes no time. */
  close(done: () => void): void {
    this.#stopped = true;
    this.#producer.close(CLOSE_MS, () => {
      this.metadata.close();
      done();
    });
  }

  #start(step: TransactionCall, done: (result: TxnResult) => void): void {
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
        return this.#txn.sendOffsets(step.offsets, step.group, again);
      case 'commit':
        return this.#txn.commit(again);
      case 'abort':
        return this.#txn.abort(again);
    }
  }

  #outcome(
    step: TransactionCall['kind'],
    result: TxnResult,
  ): Pick<TxnOp, 'type' | 'error' | 'fatal' | 'producerId' | 'producerEpoch'> {
    if (result.kind === 'ok') {
      const identity = this.#txn.current;
      if (identity === undefined || step === 'begin' || step === 'send-offsets') return { type: 'ok' };
      return { type: 'ok', producerId: identity.producerId, producerEpoch: identity.epoch };
    }
    const { error, definite, errorClass } = result;
    return { type: definite ? 'fail' : 'info', error, ...(errorClass === 'fatal' ? { fatal: true as const } : {}) };
  }

  #at(operation: ClientOperation, phase: 'start' | 'end', fields: PointFields, proceed: () => void): void {
    const { spec, runtime } = this.#parts;
    const { id: client, transactionalId } = spec;
    runtime.faults.reach(`client.${operation}.${phase}`, { client, transactionalId, ...fields }, proceed);
  }
}

function outcomeOf(result: SendResult) {
  if (result.kind === 'failed') {
    return { type: result.definite ? ('fail' as const) : ('info' as const), error: result.error };
  }
  return { type: 'ok' as const, ...acknowledged(result) };
}

function endOf(result: SendResult | TxnResult): PointFields {
  return result.kind === 'failed' ? { outcome: 'error', error: result.error } : { outcome: 'ok' };
}

function offsetsOf(step: TransactionCall): Pick<TxnOp, 'group' | 'offsets'> {
  if (step.kind !== 'send-offsets') return {};
  const offsets = step.offsets.map(
    ({ topic, partition, offset }) => [formatPartition(topic, partition), offset] as const,
  );
  return { group: step.group.groupId, offsets: Object.fromEntries(offsets) };
}
