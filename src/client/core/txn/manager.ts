// A transactional producer's view of its transactions (txn 7.1): what the application may call, what has to be asked of
// coordinators and when, and what answers and failed batches mean. Numbers no batches and sends no records.
import type { TopicPartition } from '../../../base/units.ts';
import { ERRORS } from '../../../protocol/errors.ts';
import type { Runtime } from '../../../runtime/ports.ts';
import type { ClientConfig } from '../config.ts';
import type { ClientMetadata } from '../metadata.ts';
import type { BatchFailure } from '../producer-batch.ts';
import type { Identity } from '../producer-identity.ts';
import { TxnCalls, type TxnCall } from './calls.ts';
import { TxnPartitions } from './partitions.ts';
import { reactionToProduce, shownAs } from './reactions.ts';
import { TxnRequestQueue, type Reply, type TxnRequest, type Verdict } from './request-queue.ts';
import * as requests from './requests.ts';
import { IllegalStateError, ProducerStates, type ProducerState, type TxnFailure, type TxnResult } from './states.ts';
import { TxnVariant } from './variant.ts';

/** What it works with. */
export interface TxnParts {
  readonly runtime: Runtime;
  readonly config: ClientConfig;
  readonly metadata: ClientMetadata;
  /** Whether a record that was sent is not settled. */
  readonly hasIncomplete: () => boolean;
  /** Sequences begin anew: there is another identity. */
  readonly onIdentity: () => void;
  /** Batches may leave now that could not, or have to be given up. */
  readonly onNews: () => void;
}

type Done = (result: TxnResult) => void;
const OK: TxnResult = { kind: 'ok' };

export class TransactionManager {
  readonly #parts: TxnParts;
  readonly #states = new ProducerStates();
  readonly #calls: TxnCalls;
  readonly #queue: TxnRequestQueue;
  readonly #partitions = new TxnPartitions();
  readonly #stopListening: () => void;
  #identity: Identity | undefined;
  readonly #variant: TxnVariant;
  /** Its coordinator may know of the transaction at hand, so it has to be ended there (txn T-152). */
  #started = false;
  #onFinished: (() => void) | undefined;

  constructor(parts: TxnParts) {
    const { runtime, config, metadata } = parts;
    this.#parts = parts;
    this.#variant = new TxnVariant(config, metadata);
    this.#calls = new TxnCalls(runtime.clock, config['max.block.ms']);
    this.#queue = new TxnRequestQueue({
      ...{ runtime, config, metadata },
      judge: (request) => this.#judge(request),
      conclude: (request, reply) => this.#conclude(request, reply),
      wake: () => this.wake(),
    });
    this.#stopListening = metadata.onUpdate(() => this.wake());
  }

  get state(): ProducerState {
    return this.#states.current;
  }

  get transactionalId(): string {
    return this.#parts.config['transactional.id'];
  }

  /** Who it is; undefined before the first initTransactions. */
  get current(): Identity | undefined {
    return this.#identity;
  }

  /** What a Produce request says of the transaction at hand. */
  get version(): number {
    return this.#variant.version;
  }

  // ---- calls of the application. Illegal ones throw IllegalStateError and change nothing (txn T-151).

  /** Gets an identity, and ends what an earlier instance has left open (txn T-42 to T-51). */
  init(done: Done): void {
    this.#run('initTransactions', done, (call) => {
      this.#states.call('INITIALIZING', 'initTransactions');
      this.#identity = undefined;
      this.#initialize(call);
    });
  }

  /** Local: no broker hears of it (txn T-152). */
  begin(): TxnResult {
    this.#calls.check('beginTransaction');
    const { failure } = this.#states;
    if (failure !== undefined) return failure;
    this.#states.call('IN_TRANSACTION', 'beginTransaction');
    return OK;
  }

  /** Commits offsets of a group with the transaction. Repeating it after its time is over is another commit (txn T-155). */
  sendOffsets(offsets: readonly requests.OffsetToSend[], group: requests.GroupMetadata, done: Done): void {
    const refusal = this.#mustBeOpen('sendOffsetsToTransaction');
    if (refusal !== undefined) return this.#calls.refuse(refusal, done);
    const call = this.#calls.once('sendOffsetsToTransaction', done);
    if (offsets.length === 0) return this.#calls.finish(call, OK);
    const commit = requests.txnOffsetCommit(this.#asker, { offsets, group }, call);
    if (this.version >= 2) {
      this.#started = true;
      this.#queue.add(commit);
    } else this.#queue.add(requests.addOffsets(this.#asker, { groupId: group.groupId, commit }, call));
    this.wake();
  }

  /** Ends the transaction once everything sent is settled; a record that failed makes it fail (txn T-154). */
  commit(done: Done): void {
    this.#run('commitTransaction', done, (call) => {
      this.#states.call('COMMITTING_TRANSACTION', 'commitTransaction');
      this.#end(true, call);
    });
  }

  /** Ends the transaction without effect. What has not left yet is given up (txn T-154). */
  abort(done: Done): void {
    const isAbortable = this.state === 'ABORTABLE_ERROR';
    this.#run('abortTransaction', done, (call) => this.#abort(call), isAbortable);
  }

  // ---- what the producer and its sender ask and tell

  /** Why a record cannot be sent now; undefined if it can. Throws IllegalStateError outside a transaction. */
  refusalToSend(): TxnFailure | undefined {
    return this.#mustBeOpen('send');
  }

  /** A record of the transaction goes into a batch of this partition. */
  choose(of: TopicPartition): void {
    if (this.version >= 2) {
      this.#partitions.register([of]);
      this.#started = true;
    } else if (this.#parts.runtime.safeguard('txn.register')) this.#partitions.choose(of);
    else this.#partitions.register([of]);
  }

  /** Whether batches of this partition may leave (txn T-153). */
  mayLeave(of: TopicPartition): boolean {
    return this.#identity !== undefined && this.state !== 'FATAL_ERROR' && this.#partitions.has(of);
  }

  /** Batches do not linger: their transaction is about to end. */
  get isPushing(): boolean {
    return this.#states.isCompleting;
  }

  /** Why batches that have not left are given up, with `all` those that have; undefined: they are not (txn T-154). */
  get givenUp(): { readonly failure: BatchFailure; readonly all: boolean } | undefined {
    const { cause, current } = this.#states;
    if (cause !== undefined) return { failure: cause, all: current === 'FATAL_ERROR' };
    if (current !== 'ABORTING_TRANSACTION') return undefined;
    const message = 'the transaction was aborted before the record left';
    return { failure: { error: 'OPERATION_NOT_ATTEMPTED', message }, all: false };
  }

  /** A batch has failed for good (txn T-158). */
  batchFailed({ error, message }: BatchFailure): void {
    if (reactionToProduce(error) === 'fatal') this.#states.fatal({ error, message });
    else {
      if (!this.#states.isCompleting) this.#recover();
      this.#states.abortable({ error: shownAs(error), message: `a record could not be sent: ${error}, ${message}` });
    }
  }

  /** What became of batches of a partition will never be known (txn T-163). */
  unresolved(): void {
    this.#recover();
    const message = 'records may have been written, and will not be sent again: abort the transaction';
    this.#states.abortable({ error: 'TRANSACTION_ABORTABLE', message });
  }

  /** Sends what can be sent. Harmless at any time. */
  wake(): void {
    if (this.#states.cause === undefined && this.state !== 'ABORTING_TRANSACTION') this.#addPartitions();
    this.#queue.send();
    this.#finishIfIdle();
  }

  /** Ends what is open, then calls `done`; in any case only once everything that is under way is over (txn T-156). */
  finish(done: () => void): void {
    this.#onFinished = done;
    this.wake();
  }

  /** Drops everything: an open transaction is left to its timeout (txn T-156). */
  close(): void {
    this.#onFinished = undefined;
    this.#stopListening();
    this.#queue.close();
    const message = 'the producer was closed before an answer came';
    this.#calls.close({
      ...{ kind: 'failed', error: 'NETWORK_EXCEPTION', message },
      errorClass: 'fatal',
      definite: false,
    });
  }

  // ---- steps

  #run(name: string, done: Done, begin: (call: TxnCall) => void, evenAfterError = false): void {
    this.#calls.run(name, done, (call) => {
      const { failure } = this.#states;
      if (failure !== undefined && !evenAfterError) return failure;
      begin(call);
      return undefined;
    });
    this.#parts.onNews();
    this.wake();
  }

  #mustBeOpen(call: string): TxnFailure | undefined {
    this.#calls.check(call);
    const { failure, current } = this.#states;
    if (failure === undefined && current !== 'IN_TRANSACTION') {
      throw new IllegalStateError(`${call} is not possible in state ${current}: begin a transaction first`);
    }
    return failure;
  }

  get #asker(): requests.Asker {
    const { transactionalId } = this;
    return { transactionalId, identity: this.#identity!, transactionVersion: this.version };
  }

  #initialize(call: TxnCall | undefined): void {
    const timeoutMs = this.#parts.config['transaction.timeout.ms'];
    const of = { transactionalId: this.transactionalId, timeoutMs, expected: this.#identity };
    this.#queue.add(requests.initProducerId(of, call, (identity) => this.#adopt(identity)));
  }

  #addPartitions(): void {
    const partitions = this.#partitions.take();
    if (partitions.length === 0) return;
    this.#queue.add(requests.addPartitions(this.#asker, partitions, () => this.#partitions.isFirst));
  }

  #abort(call: TxnCall | undefined): void {
    this.#states.call('ABORTING_TRANSACTION', 'abortTransaction');
    this.#partitions.forgetChosen();
    this.#end(false, call);
  }

  #end(committed: boolean, call: TxnCall | undefined): void {
    this.#addPartitions();
    this.#queue.add(requests.endTxn(this.#asker, committed, call, (identity) => this.#adopt(identity)));
    this.#variant.ending();
  }

  #adopt(identity: Identity): void {
    this.#identity = identity;
    this.#parts.onIdentity();
  }

  // ---- requests

  #judge(request: TxnRequest): Verdict {
    const { failure } = this.#states;
    if (failure !== undefined && !(request.api === 'FindCoordinator' && failure.errorClass === 'abortable')) {
      return () => this.#calls.finish(request.call, { ...failure, definite: !request.mayHaveActed });
    }
    if (request.api === 'InitProducerId' && !this.#variant.isKnown) {
      this.#parts.metadata.requestUpdate();
      return 'wait';
    }
    if (request.api !== 'EndTxn') return 'go';
    if (this.#parts.hasIncomplete()) return 'wait';
    return this.#started ? 'go' : () => this.#ended(request.call);
  }

  #conclude(request: TxnRequest, reply: Reply): void {
    if (reply.reaction === 'done') this.#succeeded(request);
    else this.#failed(request, reply);
    this.#parts.onNews();
  }

  /** What is on its way must not meet the next transaction (txn T-158). */
  #recover(): void {
    if (this.#parts.runtime.safeguard('epoch.bumpOnRecovery')) this.#variant.needBump();
  }

  #succeeded(request: TxnRequest): void {
    const { call } = request;
    switch (request.api) {
      case 'FindCoordinator':
        return;
      case 'InitProducerId':
        this.#states.answered('READY');
        this.#variant.initialized();
        return this.#calls.finish(call, this.#states.failure ?? OK);
      case 'AddPartitionsToTxn':
        this.#started = true;
        this.#partitions.register(request.partitions ?? []);
        return;
      case 'AddOffsetsToTxn':
        this.#started = true;
        if (request.next !== undefined) this.#queue.add(request.next);
        return;
      case 'TxnOffsetCommit':
        return this.#calls.finish(call, OK);
      case 'EndTxn':
        return this.#ended(call);
    }
  }

  /** The transaction is over: READY, or first another epoch (txn T-158). */
  #ended(call: TxnCall | undefined): void {
    const bump = this.#variant.bumpRequired && this.#onFinished === undefined && this.#identity !== undefined;
    this.#states.answered(bump ? 'INITIALIZING' : 'READY');
    this.#started = false;
    this.#partitions.clear();
    this.#variant.ended();
    if (bump) return this.#initialize(call);
    // Its initialisation had failed: there was nothing to end, and there is nothing to go on with.
    if (this.#identity === undefined) this.#states.answered('UNINITIALIZED');
    this.#calls.finish(call, this.#states.failure ?? OK);
  }

  #failed(request: TxnRequest, { reaction, error, message }: Reply): void {
    const aborts = request.api === 'EndTxn' && this.state === 'ABORTING_TRANSACTION';
    if (reaction === 'bump') this.#recover();
    // Nothing is left to abort: another epoch makes sure (version 1).
    if (reaction === 'bump' && aborts && this.#variant.bumpRequired) return this.#ended(request.call);
    const definite = !request.mayHaveActed && ERRORS[error].definite;
    if (reaction === 'fatal' || aborts) this.#states.fatal({ error, message });
    else this.#states.abortable({ error, message });
    const errorClass = this.state === 'FATAL_ERROR' ? 'fatal' : 'abortable';
    if (reaction === 'uninitialized') this.#states.answered('UNINITIALIZED');
    this.#calls.finish(request.call, { kind: 'failed', error, message, errorClass, definite });
  }

  #finishIfIdle(): void {
    const done = this.#onFinished;
    if (done === undefined || this.#queue.isBusy || this.#parts.hasIncomplete()) return;
    if (this.state === 'IN_TRANSACTION' || this.state === 'ABORTABLE_ERROR') {
      this.#abort(undefined);
      this.#parts.onNews();
      return this.wake();
    }
    this.#onFinished = undefined;
    done();
  }
}
