// Carries out what was decided about an id (txn T-18, T-19, T-48, T-79): answers, or writes, applies, answers, and has the
// transaction completed. Decides nothing itself.
import { assert } from '../../base/assert.ts';
import type { CorePoint } from '../../fault/points.ts';
import type { PointFields } from '../../fault/reach.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import type { CoordinatorHost } from '../host.ts';
import type { Completions } from './completions.ts';
import { decideFencedAbort } from './decide-fence.ts';
import { reply } from './decision.ts';
import type { Circumstances, Decision, Fence, Reply, Write } from './decision.ts';
import type { TransactionEntry } from './metadata.ts';
import { recheckPrepared } from './prepare.ts';
import { transactionFields } from './shard.ts';
import type { TransactionShard } from './shard.ts';
import { beginFence, beginWrite, cancelFence, failWrite } from './transitions.ts';
import { transactionLevel, writeRecord } from './write-record.ts';

/** A request about an id, or what the coordinator itself asks of it. */
export interface Asked {
  readonly shard: TransactionShard;
  /** Undefined only where the decision is an answer. */
  readonly entry: TransactionEntry | undefined;
  /** Fields of the record's point beside those of the id. */
  readonly fields?: PointFields;
  /** Takes the answer, once. */
  readonly respond: (reply: Reply) => void;
}

export class Transactor {
  readonly #host: CoordinatorHost;
  readonly #completions: Completions;
  readonly #refuseCached: (shard: TransactionShard) => ErrorName;

  /** `refuseCached`: whether a shard may answer without an append (txn W-23). */
  constructor(host: CoordinatorHost, completions: Completions, refuseCached: (shard: TransactionShard) => ErrorName) {
    this.#host = host;
    this.#completions = completions;
    this.#refuseCached = refuseCached;
  }

  /** What a decision may depend on, as it is now. */
  circumstances(): Circumstances {
    const { config, runtime } = this.#host;
    return {
      firstEpoch: config['transaction.first.epoch'],
      nowMs: runtime.clock.wallTime(),
      level: transactionLevel(this.#host),
      takeProducerId: () => this.#host.nextProducerId(),
      safeguard: (name) => runtime.safeguard(name),
    };
  }

  /** Carries out a decision made just now. */
  carryOut(asked: Asked, decision: Decision): void {
    if (decision.kind === 'answer') {
      const refusal = this.#refuseCached(asked.shard);
      return asked.respond(refusal === 'NONE' ? decision.reply : reply(refusal));
    }
    const { entry } = asked;
    if (entry === undefined) return asked.respond(reply('UNKNOWN_SERVER_ERROR'));
    if (decision.kind === 'fence') this.#fence({ ...asked, entry }, decision);
    else this.#write({ ...asked, entry }, decision);
  }

  #fence(asked: Asked & { readonly entry: TransactionEntry }, fence: Fence): void {
    beginFence(asked.entry);
    const abort = decideFencedAbort(asked.entry, fence, this.circumstances());
    if (abort.kind === 'write') return this.#write(asked, abort);
    cancelFence(asked.entry);
    asked.respond(abort.reply);
  }

  #write(asked: Asked & { readonly entry: TransactionEntry }, write: Write): void {
    const { shard, entry } = asked;
    const compares = this.#host.runtime.safeguard('txn.pendingCas');
    beginWrite(entry, write, compares);
    const reason = write.prepare?.reason;
    const fields = { ...asked.fields, ...(reason === undefined ? {} : { reason }) };
    writeRecord(this.#host, { shard, entry, write, fields }, (error) => {
      if (error === 'NONE') return this.#inForce(asked, write);
      if (shard.holds(entry)) failWrite(entry, write, compares);
      asked.respond(reply(error));
    });
  }

  #inForce({ shard, entry, respond }: Asked & { readonly entry: TransactionEntry }, write: Write): void {
    const { prepare } = write;
    if (prepare !== undefined) {
      // Nothing comes between a record in force and this look. What is durable must never be answered as refused: a client
      // takes that for definite.
      const refusal = recheckPrepared(shard.holds(entry) ? entry : undefined, prepare);
      assert(refusal === 'NONE', `txn T-79: ${entry.metadata.transactionalId} is decided, and ${refusal}`);
    }
    const completion = prepare === undefined ? undefined : this.#completions.begin(shard, entry);
    const go = (): void => {
      respond(write.reply);
      if (completion !== undefined) this.#completions.start(completion);
    };
    const point = respondingPoint(write);
    if (point === undefined) return go();
    const outcome = prepare === undefined ? {} : { outcome: prepare.outcome };
    this.#host.runtime.faults.reach(point, { ...transactionFields(shard, write.target), ...outcome }, go);
  }
}

/** The step between a record in force and its answer; undefined where nobody waits for one. */
function respondingPoint({ point, prepare }: Write): CorePoint | undefined {
  if (point === 'txn.init') return 'txn.init.responding';
  if (point === 'txn.add-partitions' || point === 'txn.add-offsets') return `${point}.responding`;
  return prepare === undefined || prepare.reason === 'init' || prepare.reason === 'timeout'
    ? undefined
    : 'txn.end.responding';
}
