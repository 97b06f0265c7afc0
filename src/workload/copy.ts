// Consume-transform-produce (txn T-168): what a poll brought becomes one transaction, with the offsets it read up to. What can be
// aborted is, and the input is read again from what is committed (txn T-170); a fatal error ends the process (txn T-171). The
// output record has the input's value, and a place by its partition.
import { formatPartition } from '../base/units.ts';
import type { ClientConfig } from '../client/core/config.ts';
import type { ConsumerRecord, Delivery } from '../client/core/consumer-record.ts';
import type { GroupPollResult } from '../client/core/group/group-consumer.ts';
import type { OffsetToSend } from '../client/core/txn/requests.ts';
import type { TxnResult } from '../client/core/txn/states.ts';
import { recordText } from '../history/record-text.ts';
import type { Runtime } from '../runtime/ports.ts';
import { memberConfig, RecordingMember } from './member.ts';
import type { ClientCommand, ClientSurroundings, CopySpec, Report, WorkloadClient } from './spec.ts';
import { TransactionOperations, type TransactionCall } from './transaction-ops.ts';

/** A poll that failed, or a look at committed offsets, is followed by a pause: the reason may stay for a while. */
const AFTER_FAILURE_MS = 100;
/** Longest wait for the member's good-bye. */
const CLOSE_MS = 1000;
/** When it is told to stop, it ends the transaction at hand; longer than this it does not wait for that. */
const ROUND_MS = 3000;

export class CopyWorkload implements WorkloadClient {
  readonly #spec: CopySpec;
  readonly #runtime: Runtime;
  readonly #report: Report;
  readonly #config: ClientConfig;
  readonly #operations: TransactionOperations;
  readonly #member: RecordingMember;
  #op = 0;
  /** A transaction is under way, or the look for where to go on after it. */
  #inRound = false;
  #polling = false;
  #paused = false;
  #stopping = false;
  #closed = false;

  constructor(spec: CopySpec, surroundings: ClientSurroundings, runtime: Runtime, report: Report) {
    this.#spec = spec;
    this.#runtime = runtime;
    this.#report = report;
    const { id, group, from } = spec;
    const nextOp = (): number => this.#op++;
    this.#operations = new TransactionOperations({ spec, surroundings, runtime, report, nextOp });
    const { metadata } = this.#operations;
    const own = { 'enable.auto.commit': false, 'isolation.level': 'read_committed', 'max.poll.records': spec.batch };
    this.#config = memberConfig(spec, own, surroundings.profile);
    const config = this.#config;
    this.#member = new RecordingMember({
      ...{ id, group, topics: [from], runtime, report, config, metadata, nextOp },
    });
    metadata.track(spec.to);
    runtime.clock.after(0, () => this.#begin());
  }

  command(command: ClientCommand): void {
    switch (command.kind) {
      case 'go':
        return;
      case 'pause':
        this.#paused = true;
        this.#member.consumer.cancelPoll();
        return;
      case 'resume':
        this.#paused = false;
        this.#poll();
        return;
      case 'stop':
        this.#stop();
    }
  }

  /** The first thing it does is to take its transactional id over, and to end what was left open under it. */
  #begin(): void {
    this.#inRound = true;
    const { metadata } = this.#operations;
    const isKnown = (): boolean => this.#partitionsOut > 0;
    metadata.when(isKnown, this.#config['default.api.timeout.ms'], () => {
      if (this.#closed) return;
      this.#operations.call({ kind: 'init' }, (result) => {
        if (result.kind === 'failed') this.#close();
        else this.#endRound();
      });
    });
  }

  #poll(): void {
    if (this.#polling || this.#inRound || this.#paused || this.#closed) return;
    this.#polling = true;
    // Twice the broker's wait, so that an empty poll has asked and was told that there is nothing.
    this.#member.poll(this.#config['fetch.max.wait.ms'] * 2, (result) => {
      this.#polling = false;
      if (!this.#closed) this.#after(result);
    });
  }

  #after(result: GroupPollResult): void {
    if (result.kind === 'group-failed' && result.failure.fatal) return this.#close();
    const deliveries = result.kind === 'ok' ? result.deliveries.filter(({ records }) => records.length > 0) : [];
    if (deliveries.length > 0) return this.#copy(deliveries);
    // What others have to do is theirs, but only if nothing is about to change.
    const isIdle = result.kind === 'ok' && result.deliveries.length === 0 && this.#member.consumer.isSettled;
    if (isIdle && !this.#paused) this.#report({ kind: 'polled-empty' });
    this.#runtime.clock.after(result.kind === 'ok' ? 0 : AFTER_FAILURE_MS, () => this.#poll());
  }

  /** One round: all that a poll brought, or nothing of it. */
  #copy(deliveries: readonly Delivery[]): void {
    this.#inRound = true;
    const records = deliveries.flatMap((delivery) => delivery.records);
    const offsets = deliveries.map(nextOffset);
    this.#call({ kind: 'begin' }, () => {
      this.#send(records, 0, () => {
        const group = this.#member.consumer.groupMetadata;
        this.#call({ kind: 'send-offsets', offsets, group }, () => {
          this.#call({ kind: 'commit' }, () => this.#endRound());
        });
      });
    });
  }

  #call(step: TransactionCall, next: () => void): void {
    this.#operations.call(step, (result) => this.#check(result, next));
  }

  #send(records: readonly ConsumerRecord[], at: number, next: () => void): void {
    const record = records[at];
    if (record === undefined) return next();
    const { to } = this.#spec;
    const from = [`${formatPartition(record.topic, record.partition)}@${record.offset}`];
    const outgoing = {
      topic: to,
      partition: record.partition % Math.max(1, this.#partitionsOut),
      value: recordText(record.key, record.value),
      from,
    };
    this.#operations.send(outgoing, (result) => {
      this.#check(this.#operations.refusal(result), () => this.#send(records, at + 1, next));
    });
  }

  get #partitionsOut(): number {
    return this.#operations.metadata.topic(this.#spec.to)?.partitions.length ?? 0;
  }

  /** Goes on, aborts and reads again, or ends. */
  #check(result: TxnResult, next: () => void): void {
    if (this.#closed) return;
    if (result.kind === 'ok') return next();
    if (result.errorClass !== 'abortable') return this.#close();
    this.#operations.call({ kind: 'abort' }, (aborted) => {
      if (aborted.kind === 'failed') this.#close();
      else this.#rewind();
    });
  }

  /** Positions do not go back by themselves (txn T-170). */
  #rewind(): void {
    if (this.#closed) return;
    const { consumer } = this.#member;
    const assigned = this.#runtime.safeguard('ctp.rewind') ? consumer.assignment : [];
    if (assigned.length === 0) return this.#endRound();
    consumer.committed(assigned, (result) => {
      if (result.kind === 'failed') {
        this.#runtime.clock.after(AFTER_FAILURE_MS, () => this.#rewind());
        return;
      }
      for (const { topic, partition, offset, leaderEpoch } of result.offsets) {
        const of = { topic, partition };
        if (offset >= 0) consumer.seek(of, offset, leaderEpoch < 0 ? undefined : leaderEpoch);
        else consumer.seekTo(of, this.#config['auto.offset.reset'] === 'latest' ? 'latest' : 'earliest');
      }
      this.#endRound();
    });
  }

  #endRound(): void {
    this.#inRound = false;
    if (this.#stopping) this.#close();
    else this.#runtime.clock.after(0, () => this.#poll());
  }

  #stop(): void {
    if (this.#stopping) return;
    this.#stopping = true;
    if (!this.#inRound) return this.#close();
    this.#runtime.clock.after(ROUND_MS, () => this.#close());
  }

  /** Leaves no transaction behind; the group only once that is sure. */
  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#member.consumer.cancelPoll();
    this.#operations.close(() => {
      this.#member.consumer.close(CLOSE_MS, () => this.#report({ kind: 'done' }));
    });
  }
}

/** Behind the last record of the input (txn T-168). */
function nextOffset({ topic, partition, records }: Delivery): OffsetToSend {
  const last = records.at(-1)!;
  return { topic, partition, offset: last.offset + 1, leaderEpoch: last.leaderEpoch };
}
