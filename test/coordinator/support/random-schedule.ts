// A random schedule of one shard: producers, appends that stay where they are for a while, markers that are lost, leaders
// that die with what only they had, time that passes. It keeps what was promised; the test judges it at the end.
import type { RequestOf } from '../../../src/protocol/apis.ts';
import { decodeBatch } from '../../../src/log/decode-batch.ts';
import { decodeRecord } from '../../../src/coordinator/txn/record-codec.ts';
import { batchHeaders } from '../../../src/protocol/batch-header.ts';
import { Prng } from '../../../src/base/prng.ts';
import type { HeardMarkers } from './broker.ts';
import { Stage } from './stage.ts';
import type { StageOptions } from './stage.ts';

const IDS = ['a', 'b', 'c'] as const;
type Id = (typeof IDS)[number];

/** An EndTxn that was answered NONE: for good. */
export interface Promised {
  readonly id: Id;
  readonly outcome: 'commit' | 'abort';
  /** Identity that its markers carry. */
  readonly producerId: number;
  readonly producerEpoch: number;
  /** Partitions whose registration had been answered. */
  readonly partitions: readonly string[];
}

interface Owner {
  producerId: number;
  producerEpoch: number;
  partitions: Set<string>;
}

export class RandomSchedule {
  readonly stage: Stage;
  readonly promised: Promised[] = [];
  /** What must never be seen. */
  readonly violations: string[] = [];
  readonly #random: Prng;
  readonly #owners = new Map<Id, Owner>();
  /** Below it nothing is ever lost. */
  #durableEnd = 0;

  constructor(seed: number, options: StageOptions = {}) {
    this.#random = new Prng(seed);
    this.stage = new Stage(options);
    this.#manual();
  }

  /** One step drawn. */
  step(): void {
    const steps = [
      ...[() => this.#init(), () => this.#add(), () => this.#add(), () => this.#end(), () => this.#end()],
      ...[() => this.#append(), () => this.#append(), () => this.#commit(), () => this.#commit(), () => this.#commit()],
      ...[() => this.#replicate(), () => this.#fail(), () => this.#mark(), () => this.#mark(), () => this.#mark()],
      ...[() => this.#failOver(), () => this.#pass()],
    ];
    this.#pick(steps)();
    this.stage.clock.settle();
    this.#durableEnd = Math.max(this.#durableEnd, this.stage.broker.replica.highWatermark);
  }

  /** Everything heals: all that waits goes on, what is open times out. */
  heal(): void {
    const { stage } = this;
    stage.broker.auto = true;
    stage.broker.replicate();
    for (const write of stage.broker.writes) write.commit();
    stage.takes = true;
    for (const markers of stage.markers) if (!markers.answered) this.#take(markers);
    stage.clock.runFor(60_000);
  }

  #manual(): void {
    this.stage.broker.auto = false;
    this.stage.takes = false;
  }

  #init(): void {
    const id = this.#pick(IDS);
    const sent = this.stage.init({ transactionalId: id, transactionTimeoutMs: 20_000 });
    this.#onceAnswered(sent, ({ error, producerId, producerEpoch }) => {
      if (error === 'NONE') this.#owners.set(id, { producerId, producerEpoch, partitions: new Set() });
    });
  }

  #add(): void {
    const [id, owner] = this.#owner();
    if (owner === undefined) return;
    const partition = this.#random.below(2);
    const { producerId, producerEpoch } = owner;
    const sent = this.stage.verify({ transactionalId: id, producerId, producerEpoch }, false, [partition]);
    this.#onceAnswered(sent, ({ transactions }) => {
      if (transactions[0]!.partitions[0]!.error === 'NONE') owner.partitions.add(`orders-${partition}`);
    });
  }

  #end(): void {
    const [id, owner] = this.#owner();
    if (owner === undefined) return;
    const committed = this.#random.below(3) > 0;
    const { producerId, producerEpoch, partitions } = owner;
    const sent = this.stage.end({ transactionalId: id, producerId, producerEpoch }, committed);
    this.#onceAnswered(sent, (response) => {
      if (response.error !== 'NONE') return;
      const outcome = committed ? 'commit' : 'abort';
      const by = { producerId, producerEpoch: producerEpoch + 1 };
      this.promised.push({ id, outcome, ...by, partitions: [...partitions] });
      const next = { producerId: response.producerId, producerEpoch: response.producerEpoch };
      if (this.#owners.get(id) === owner) this.#owners.set(id, { ...next, partitions: new Set() });
    });
  }

  #append(): void {
    this.stage.broker.writes.find(({ over, info }) => !over && info === undefined)?.append();
  }

  /** The high watermark passes the oldest. */
  #commit(): void {
    this.stage.broker.writes.find(({ over, info }) => !over && info !== undefined)?.commit();
  }

  /** It passes all of the log: after a failover, what was read of it. */
  #replicate(): void {
    const waits = this.stage.broker.writes.some(({ over, info }) => !over && info !== undefined);
    if (!waits) this.stage.broker.replicate();
    this.stage.clock.runFor(20);
  }

  #fail(): void {
    const write = this.stage.broker.writes.find(({ over }) => !over);
    write?.fail(write.info === undefined ? 'NOT_ENOUGH_REPLICAS' : 'REQUEST_TIMED_OUT');
  }

  #mark(): void {
    const waiting = this.stage.markers.filter(({ answered }) => !answered);
    if (waiting.length === 0) return;
    const markers = this.#pick(waiting);
    switch (this.#random.below(5)) {
      case 0:
        return markers.answer({ kind: 'disconnected', reason: 'drawn' });
      case 1:
        return this.stage.take(markers, () => 'NOT_ENOUGH_REPLICAS');
      case 2:
        // Written, and its answer lost.
        this.#take({ ...markers, answer: () => undefined });
        return markers.answer({ kind: 'timed-out' });
      default:
        return this.#take(markers);
    }
  }

  /** Leaders write it: its decision must be durable by then (txn INV-18). */
  #take(markers: HeardMarkers): void {
    for (const marker of markers.request.markers) {
      if (!this.#isDecided(marker)) {
        this.violations.push(`INV-18: ${JSON.stringify(marker)} without a durable decision`);
      }
    }
    this.stage.take(markers);
  }

  #isDecided(marker: RequestOf<'WriteTxnMarkers'>['markers'][number]): boolean {
    const { broker } = this.stage;
    const records = broker.recordsBelow(Math.max(this.#durableEnd, broker.replica.highWatermark));
    const state = marker.committed ? 'PrepareCommit' : 'PrepareAbort';
    for (const { at } of batchHeaders(records)) {
      const batch = decodeBatch(records, at);
      for (const { key, value } of batch.kind === 'records' ? batch.records : []) {
        const record = decodeRecord(key, value);
        if (record.kind !== 'metadata' || record.metadata.state !== state) continue;
        const { producerId, producerEpoch } = record.metadata;
        if (producerId === marker.producerId && producerEpoch === marker.producerEpoch) return true;
      }
    }
    return false;
  }

  #failOver(): void {
    if (this.#random.below(3) > 0) return;
    const { logEndOffset } = this.stage.broker.replica;
    const end = this.#durableEnd + this.#random.below(logEndOffset - this.#durableEnd + 1);
    this.stage.failOver(end, false);
    this.#manual();
  }

  #pass(): void {
    this.stage.clock.runFor(this.#random.below(3) === 0 ? 12_000 : 500);
  }

  #owner(): [Id, Owner | undefined] {
    const id = this.#pick(IDS);
    return [id, this.#owners.get(id)];
  }

  #onceAnswered<R>(sent: { response?: R }, then: (response: R) => void): void {
    const { clock } = this.stage;
    const look = (): void => {
      if (sent.response !== undefined) then(sent.response);
      else clock.after(1, look);
    };
    look();
  }

  #pick<T>(of: readonly T[]): T {
    return of[this.#random.below(of.length)]!;
  }
}
