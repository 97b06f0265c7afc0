// Takes ready batches to the leaders of their partitions and decides what follows from each answer: done, another attempt,
// or failed (repl ). Retries wait, metadata is refreshed, and no batch outlives delivery.timeout.ms.
import type { InstantMs, NodeId } from '../../base/units.ts';
import { NO_LEADER } from '../../base/units.ts';
import { ERRORS } from '../../protocol/errors.ts';
import type { ProducedPartition } from '../../protocol/generated/index.ts';
import type { Random, Runtime, Timer } from '../../runtime/ports.ts';
import type { Accumulator, PartitionQueue } from './accumulator.ts';
import { backoffMs } from './backoff.ts';
import { acksOf, type ClientConfig } from './config.ts';
import type { ClientMetadata } from './metadata.ts';
import { ProduceLink, type ProduceOutcome } from './produce-link.ts';
import type { BatchFailure, ProducerBatch } from './producer-batch.ts';
import { ProducerIdentity } from './producer-identity.ts';
import { Sequences } from './sequences.ts';
import type { TransactionManager } from './txn/manager.ts';

/** What a sender works with. */
export interface SenderParts {
  readonly runtime: Runtime;
  readonly config: ClientConfig;
  readonly metadata: ClientMetadata;
  readonly accumulator: Accumulator;
  readonly clientId: string;
  /** Of a transactional producer. */
  readonly transaction: TransactionManager | undefined;
  /** True: batches do not linger, because somebody waits for them to leave (flush, close, memory). */
  readonly isPushed: () => boolean;
  /** Called after batches were settled: there may be memory again. */
  readonly onSettled: () => void;
}

/** What an answer tells beside the error. */
type Told = Partial<Omit<ProducedPartition, keyof BatchFailure>>;
/** How one attempt of one batch ended; the offsets are there if it succeeded. */
type AttemptEnd = BatchFailure & Told;

export class Sender {
  readonly #parts: SenderParts;
  readonly #random: Random;
  readonly #links = new Map<NodeId, ProduceLink>();
  readonly #underWay = new Set<ProducerBatch>();
  readonly #stopListening: () => void;
  /** Of an idempotent producer without transactions. */
  readonly #identity: ProducerIdentity | undefined;
  /** Undefined: batches are not numbered. */
  readonly #sequences: Sequences | undefined;
  #rotation = 0;
  #timer: Timer | undefined;
  #pumping = false;
  #again = false;
  #closed = false;

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#random = parts.runtime.random.fork('client.sender');
    this.#stopListening = parts.metadata.onUpdate(() => this.wake());
    if (!parts.config['enable.idempotence']) return;
    if (parts.transaction === undefined) this.#identity = new ProducerIdentity(parts, () => this.wake());
    this.#sequences = new Sequences(parts.transaction ?? this.#identity!, () =>
      parts.runtime.safeguard('seq.unresolved'),
    );
  }

  /** Sends what can be sent and sets the timer for the rest. Harmless at any time. */
  wake(): void {
    if (this.#closed) return;
    this.#again = true;
    if (this.#pumping) return; // Somebody's `done` sent more: the loop below takes it.
    this.#pumping = true;
    while (this.#again && !this.#closed) {
      this.#again = false;
      this.#pump();
    }
    this.#pumping = false;
  }

  /** Gives up: what never left was definitely not sent, the rest is unknown. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#timer?.cancel();
    this.#stopListening();
    this.#identity?.close();
    const waiting = [...this.#parts.accumulator.queues].flatMap(({ batches }) => batches.splice(0));
    for (const batch of [...this.#underWay, ...waiting]) {
      const error = batch.attemptCount === 0 ? 'OPERATION_NOT_ATTEMPTED' : 'NETWORK_EXCEPTION';
      this.#settleFailed(batch, { error, message: 'the producer was closed before an answer came' });
    }
    for (const link of this.#links.values()) link.close();
  }

  #pump(): void {
    const now = this.#parts.runtime.clock.now();
    this.#expire(now);
    this.#sequences?.resolve();
    if (this.#parts.transaction === undefined) this.#identify();
    else this.#giveUp(this.#parts.transaction);
    for (const [leader, queues] of this.#readyByLeader(now)) this.#drain(leader, queues, now);
    this.#setTimer(now);
  }

  /** An idempotent producer sends nothing before it knows who it is. */
  #identify(): void {
    if (this.#identity === undefined) return;
    const { accumulator } = this.#parts;
    if ([...accumulator.queues].every(({ batches }) => batches.length === 0)) return;
    this.#identity.request();
    const { failure } = this.#identity;
    if (failure !== undefined) this.#settleWaiting(failure, () => true);
  }

  /** A transaction that fails or is aborted gives up what has not left; one that cannot even be aborted, all (txn T-154). */
  #giveUp({ givenUp }: TransactionManager): void {
    if (givenUp === undefined) return;
    const { failure, all } = givenUp;
    if (all) for (const batch of [...this.#underWay]) this.#settleFailed(batch, failure);
    this.#settleWaiting(failure, (batch) => all || !batch.isNumbered);
  }

  #settleWaiting(failure: BatchFailure, isGivenUp: (batch: ProducerBatch) => boolean): void {
    let settledCount = 0;
    for (const queue of this.#parts.accumulator.queues) {
      for (const batch of queue.batches.filter(isGivenUp)) {
        queue.batches.splice(queue.batches.indexOf(batch), 1);
        this.#settleFailed(batch, failure);
        settledCount += 1;
      }
    }
    if (settledCount > 0) this.#parts.onSettled();
  }

  /** All sequences begin anew (txn T-191). */
  resetSequences(): void {
    this.#sequences?.reset();
  }

  // ---- what is ready

  #expiresAt(batch: ProducerBatch): InstantMs {
    return batch.createdAt + this.#parts.config['delivery.timeout.ms'];
  }

  #expire(now: InstantMs): void {
    const late: ProducerBatch[] = [];
    for (const batch of this.#underWay) if (this.#expiresAt(batch) <= now) late.push(batch);
    for (const { batches } of this.#parts.accumulator.queues) {
      while (batches[0] !== undefined && this.#expiresAt(batches[0]) <= now) late.push(batches.shift()!);
    }
    for (const batch of late) {
      const last = batch.lastFailure;
      const why = last === undefined ? 'no attempt was answered' : `the last attempt: ${last.error}, ${last.message}`;
      const message = `delivery.timeout.ms (${this.#parts.config['delivery.timeout.ms']}) passed; ${why}`;
      const failure = { error: 'REQUEST_TIMED_OUT', message } as const;
      this.#parts.transaction?.batchFailed(failure);
      this.#settleFailed(batch, failure);
      this.#sequences?.abandoned(batch);
    }
    if (late.length > 0) this.#parts.onSettled();
  }

  #isReady(queue: PartitionQueue, now: InstantMs): boolean {
    const head = queue.batches[0];
    return (
      head !== undefined &&
      !this.#isMuted(queue) &&
      this.#parts.accumulator.readyAt(head, this.#parts.isPushed()) <= now
    );
  }

  /** With one request in flight order is kept, also across a change of leader; sequences keep it with several. */
  #isMuted(queue: PartitionQueue): boolean {
    const head = queue.batches[0];
    if (head !== undefined && this.#sequences?.mayLeave(head) === false) return true;
    if (this.#parts.transaction?.mayLeave(queue) === false) return true;
    return queue.underWay > 0 && this.#parts.config['max.in.flight.requests.per.connection'] === 1;
  }

  #readyByLeader(now: InstantMs): Map<NodeId, PartitionQueue[]> {
    const ready = new Map<NodeId, PartitionQueue[]>();
    for (const queue of this.#parts.accumulator.queues) {
      if (!this.#isReady(queue, now)) continue;
      const leader = this.#parts.metadata.partition(queue.topic, queue.partition)?.leader ?? NO_LEADER;
      if (leader === NO_LEADER) this.#parts.metadata.requestUpdate();
      else if (ready.has(leader)) ready.get(leader)!.push(queue);
      else ready.set(leader, [queue]);
    }
    return ready;
  }

  #setTimer(now: InstantMs): void {
    let next = Infinity;
    const consider = (at: InstantMs): void => {
      if (at > now && at < next) next = at;
    };
    for (const queue of this.#parts.accumulator.queues) {
      const head = queue.batches[0];
      if (head === undefined) continue;
      consider(this.#expiresAt(head));
      if (!this.#isMuted(queue)) consider(this.#parts.accumulator.readyAt(head, this.#parts.isPushed()));
    }
    for (const batch of this.#underWay) consider(this.#expiresAt(batch));
    for (const link of this.#links.values()) consider(link.notBefore);
    this.#timer?.cancel();
    this.#timer = next === Infinity ? undefined : this.#parts.runtime.clock.after(next - now, () => this.wake());
  }

  // ---- sending

  #drain(leader: NodeId, queues: readonly PartitionQueue[], now: InstantMs): void {
    const link = this.#linkTo(leader);
    if (link.notBefore > now) return;
    let ready = queues;
    while (ready.length > 0 && link.inFlightCount < this.#parts.config['max.in.flight.requests.per.connection']) {
      this.#send(link, this.#take(ready));
      ready = ready.filter((queue) => this.#isReady(queue, now));
    }
  }

  /** One batch a partition, as many as fit into one request, beginning with another partition each time. */
  #take(ready: readonly PartitionQueue[]): ProducerBatch[] {
    const start = this.#rotation++ % ready.length;
    const taken: ProducerBatch[] = [];
    let sizeBytes = 0;
    for (let i = 0; i < ready.length; i++) {
      const { batches } = ready[(start + i) % ready.length]!;
      const head = batches[0]!;
      if (taken.length > 0 && sizeBytes + head.sizeBytes > this.#parts.config['max.request.size']) break;
      sizeBytes += head.sizeBytes;
      taken.push(batches.shift()!);
    }
    return taken;
  }

  #send(link: ProduceLink, batches: readonly ProducerBatch[]): void {
    const { config, accumulator, clientId, transaction } = this.#parts;
    const partitions = batches.map((batch) => {
      accumulator.close(batch);
      this.#sequences?.assign(batch);
      batch.attemptStarted();
      return { topic: batch.topic, partition: batch.partition, records: batch.encode() };
    });
    const acks = acksOf(config);
    const timeoutMs = config['request.timeout.ms'];
    const request = {
      correlationId: 0,
      acks,
      timeoutMs,
      transactionalId: transaction?.transactionalId ?? '',
      transactionVersion: transaction?.version ?? 0,
      clientId,
      partitions,
    };
    if (acks === 0) {
      link.sendUnanswered(request);
      // Nobody will tell what became of them, so they are done now, but not inside the caller's send.
      this.#parts.runtime.clock.after(0, () => this.#settleSent(batches));
      return;
    }
    for (const batch of batches) {
      this.#underWay.add(batch);
      accumulator.queueOf(batch.topic, batch.partition).underWay += 1;
    }
    link.send(request, (outcome) => this.#onOutcome(link.node, batches, outcome));
  }

  #linkTo(node: NodeId): ProduceLink {
    const { runtime, config, metadata } = this.#parts;
    let link = this.#links.get(node);
    if (link === undefined) {
      link = new ProduceLink(runtime, config, node, () => {
        metadata.nodeFailed(node);
        metadata.requestUpdate();
        this.wake();
      });
      this.#links.set(node, link);
    }
    return link;
  }

  // ---- outcomes

  #settleSent(batches: readonly ProducerBatch[]): void {
    for (const batch of batches) this.#settleOk(batch, {}, NO_LEADER);
    this.#parts.onSettled();
    this.wake();
  }

  #onOutcome(node: NodeId, batches: readonly ProducerBatch[], outcome: ProduceOutcome): void {
    for (const batch of batches) {
      this.#underWay.delete(batch);
      this.#parts.accumulator.queueOf(batch.topic, batch.partition).underWay -= 1;
      const end: AttemptEnd = outcome.kind === 'broken' ? outcome : answerTo(batch, outcome.response.partitions);
      const appended = end.error === 'NONE' || (batch.isNumbered && end.error === 'DUPLICATE_SEQUENCE_NUMBER');
      if (appended) this.#sequences?.succeeded(batch, end.baseOffset ?? -1);
      if (batch.settled) continue;
      if (appended) this.#settleOk(batch, end, node);
      else this.#onFailedAttempt(batch, end);
    }
    this.#parts.onSettled();
    this.wake();
  }

  #settleOk(batch: ProducerBatch, end: Told, node: NodeId): void {
    const { baseOffset = -1, logAppendTimeMs = -1, leaderEpoch = -1 } = end;
    this.#parts.accumulator.release(batch);
    batch.succeed(baseOffset, logAppendTimeMs, leaderEpoch < 0 ? undefined : { node, leaderEpoch });
  }

  #onFailedAttempt(batch: ProducerBatch, failure: AttemptEnd): void {
    const { config, metadata, accumulator, runtime } = this.#parts;
    batch.attemptFailed(failure);
    const { retriable, refreshMetadata } = ERRORS[failure.error];
    if (refreshMetadata) metadata.requestUpdate();
    const again = this.#sequences?.mayRetry(batch, failure.error, failure.logStartOffset ?? -1) ?? retriable;
    if (this.#closed || !again || batch.attemptCount > config.retries) {
      this.#parts.transaction?.batchFailed(failure);
      if (again) this.#sequences?.abandoned(batch);
      else this.#sequences?.rejected(batch);
      return this.#settleFailed(batch, failure);
    }
    batch.retryAt = runtime.clock.now() + backoffMs(config, batch.attemptCount, this.#random);
    accumulator.requeue(batch);
  }

  #settleFailed(batch: ProducerBatch, failure: BatchFailure): void {
    if (batch.settled) return;
    this.#underWay.delete(batch);
    this.#parts.accumulator.release(batch);
    batch.fail(failure);
  }
}

/** What the broker said of this batch. A partition left out of an answer is as good as no answer. */
function answerTo(batch: ProducerBatch, answers: readonly ProducedPartition[]): AttemptEnd {
  const answer = answers.find(({ topic, partition }) => topic === batch.topic && partition === batch.partition);
  if (answer === undefined) {
    return { error: 'UNKNOWN_SERVER_ERROR', message: 'the broker left the partition out of its answer' };
  }
  const { error, errorMessage, recordErrors, baseOffset, logAppendTimeMs, logStartOffset, leaderEpoch } = answer;
  const message = errorMessage === '' ? ERRORS[error].message : errorMessage;
  return { error, message, recordErrors, baseOffset, logAppendTimeMs, logStartOffset, leaderEpoch };
}
