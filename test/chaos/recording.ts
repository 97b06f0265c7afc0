// A recording of the wire told by hand: what brokers record of clients, the history that it becomes, and what checkers find there.
import { expect } from 'vitest';
import { isWireEvent, WireHistory, type WireEvent } from '../../src/chaos/recorded/wire-history.ts';
import { checkHistory } from '../../src/checker/check.ts';
import type { HistoryEntry, NewEntry } from '../../src/history/operations.ts';
import { HistoryRecorder } from '../../src/history/recorder.ts';
import type { ErrorName } from '../../src/protocol/errors.ts';
import type { WireAnswer, WireAsk, WireProducer } from '../../src/trace/wire.ts';

/** A recording under way. */
export class Recording {
  readonly entries: HistoryEntry[] = [];
  readonly #recorder = new HistoryRecorder(
    () => this.entries.length,
    (entry) => void this.entries.push(entry),
  );
  readonly #history = new WireHistory((entry: NewEntry) => void this.#recorder.record(entry));
  #next = 0;

  ask(ask: WireAsk, connection = 'c1', clientId = 'app'): string {
    const request = String(this.#next++);
    this.#take({ type: 'wire.asked', atUs: 0, request, connection, clientId, ask });
    return request;
  }
  answer(request: string, answer: WireAnswer, node?: number): void {
    this.#take({ type: 'wire.answered', atUs: 0, request, answer }, node);
  }
  close(connection = 'c1'): void {
    this.#take({ type: 'wire.closed', atUs: 0, connection });
  }
  finish(): string[] {
    return this.#history.finish();
  }
  /** What all replicas hold in the end. */
  observe(values: readonly string[]): void {
    const records = values.map((value, offset) => ({ offset, leaderEpoch: 0, crc: '0', value }));
    const ends = { logStartOffset: 0, highWatermark: values.length, logEndOffset: values.length, records };
    this.#recorder.record({ f: 'replica', type: 'info', process: 'observer', partition: 't-0', node: 1, ...ends });
    this.#recorder.record({ f: 'quiesce', type: 'ok', process: 'observer', missing: [] });
  }

  produce(
    values: readonly string[],
    more: { producer?: WireProducer; acks?: number; transactionalId?: string } = {},
  ): string {
    const { producer = null, acks = -1, transactionalId = '' } = more;
    const batch = { partition: 't-0', producer, transactional: transactionalId !== '', values };
    return this.ask({ api: 'Produce', acks, transactionalId, batches: [batch] });
  }
  produced(request: string, error: ErrorName, baseOffset = -1): void {
    this.answer(request, { api: 'Produce', partitions: [{ partition: 't-0', error, baseOffset }] });
  }
  /** Acknowledged by a broker, as the leader of an epoch. */
  producedBy(request: string, baseOffset: number, by: { node: number; leaderEpoch: number }): void {
    const { node, leaderEpoch } = by;
    const partitions = [{ partition: 't-0', error: 'NONE', baseOffset, leaderEpoch } as const];
    this.answer(request, { api: 'Produce', partitions }, node);
  }
  /** A fetch at offset 0, fenced with an epoch if one is named, is told a high watermark, and is given up to `to`. */
  told(highWatermark: number, more: { leaderEpoch?: number; to?: number; connection?: string } = {}): void {
    const { to = 0, connection = 'r1', ...fence } = more;
    const partitions = [{ partition: 't-0', offset: 0, ...fence }];
    const request = this.ask({ api: 'Fetch', isolation: 'read_uncommitted', partitions }, connection, 'reader');
    const fetched = { partition: 't-0', error: 'NONE', to, highWatermark, records: [] } as const;
    this.answer(request, { api: 'Fetch', partitions: [fetched] });
  }
  read(from: number, to: number, values: readonly (readonly [number, string])[], connection = 'r1'): void {
    const request = this.ask(
      { api: 'Fetch', isolation: 'read_uncommitted', partitions: [{ partition: 't-0', offset: from }] },
      connection,
      'reader',
    );
    const records = values.map(([offset, value]) => ({ offset, value }));
    this.answer(request, { api: 'Fetch', partitions: [{ partition: 't-0', error: 'NONE', to, records }] });
  }
  /** Operations as `f type value`, without begins of readers. */
  get operations(): string[] {
    return this.#operations.map((entry) => {
      const value = 'value' in entry ? ` ${entry.value}` : '';
      const error = 'error' in entry && entry.error !== undefined ? ` ${entry.error}` : '';
      return `${entry.process} ${entry.f} ${entry.type}${value}${error}`;
    });
  }
  get unclear(): readonly string[] {
    return checkHistory(this.entries).inconclusive;
  }
  get anomalies(): string[] {
    return checkHistory(this.entries).anomalies.map(({ anomaly }) => anomaly);
  }

  get #operations(): readonly HistoryEntry[] {
    return this.entries.filter(({ f }) => f !== 'recorded');
  }

  #take(event: WireEvent, node?: number): void {
    expect(isWireEvent(event)).toBe(true);
    this.#history.take(event, node);
  }
}
