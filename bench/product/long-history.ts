// A long history, made entry by entry: what producers and readers of several partitions would have seen, and what all
// replicas hold at the end. Whoever asks for a loss knows what a checker must find.
import { Prng } from '../../src/base/prng.ts';
import type { HistoryEntry, LogRecord, NewEntry, SeenRecord } from '../../src/history/operations.ts';

const PARTITIONS = 4;
const READERS = 2;
const REPLICAS = 3;
const PRODUCERS = 4;
const POLL_RECORDS_MAX = 20;
/** One poll for so many sends. */
const SENDS_A_POLL = 4;
/** One send in so many ends in doubt, and is not in the log. */
const DOUBTFUL = 500;

export interface LongHistoryOptions {
  readonly seed: number | string;
  /** Takes each entry, in order. */
  readonly take: (entry: HistoryEntry) => void;
}

/** Makes one history. */
export class LongHistory {
  readonly #take: (entry: HistoryEntry) => void;
  readonly #random: Prng;
  readonly #logs = Array.from({ length: PARTITIONS }, (): SeenRecord[] => []);
  readonly #positions = Array.from({ length: PARTITIONS }, () => new Array<number>(READERS).fill(0));
  #index = 0;
  #op = 0;
  #sends = 0;

  constructor({ seed, take }: LongHistoryOptions) {
    this.#random = new Prng(seed);
    this.#take = take;
  }

  /** Sends and polls made so far. */
  get operations(): number {
    return this.#op;
  }

  /** The next send; after every few of them a reader polls. */
  send(): void {
    const number = ++this.#sends;
    const { partition, common } = this.#begin(`v${number}`);
    if (number % DOUBTFUL === 0) this.#add({ ...common, type: 'info', error: 'REQUEST_TIMED_OUT' });
    else {
      const log = this.#logs[partition]!;
      const offset = log.length;
      log.push({ offset, value: common.value });
      this.#add({ ...common, type: 'ok', offset, retried: false });
    }
    if (number % SENDS_A_POLL === 0) this.#poll();
  }

  /** A send that is acknowledged and in no log: what stands in its place was written by a send in doubt. */
  lose(): void {
    const number = ++this.#sends;
    const { partition, common } = this.#begin(`v${number}`);
    const log = this.#logs[partition]!;
    const offset = log.length;
    const other = { ...common, op: this.#op++, value: `other-${number}` };
    log.push({ offset, value: other.value });
    this.#add({ ...other, type: 'invoke' });
    this.#add({ ...other, type: 'info', error: 'REQUEST_TIMED_OUT' });
    this.#add({ ...common, type: 'ok', offset, retried: false });
  }

  /** Everything is quiet: replicas are observed. */
  end(): void {
    for (const [partition, log] of this.#logs.entries()) {
      const records = log.map(({ offset, value }): LogRecord => ({ offset, leaderEpoch: 0, crc: value, value }));
      const ends = { logStartOffset: 0, highWatermark: log.length, logEndOffset: log.length };
      for (let node = 1; node <= REPLICAS; node++) {
        const common = { process: 'observer', partition: `orders-${partition}`, node };
        this.#add({ f: 'replica', type: 'info', ...common, ...ends, records });
      }
    }
    this.#add({ f: 'quiesce', type: 'ok', process: 'observer', missing: [] });
  }

  #begin(value: string) {
    const partition = this.#random.below(PARTITIONS);
    const process = `producer-${this.#sends % PRODUCERS}`;
    const common = { f: 'send', process, op: this.#op++, partition: `orders-${partition}`, value, acks: -1 } as const;
    this.#add({ ...common, type: 'invoke' });
    return { partition, common };
  }

  #poll(): void {
    const [partition, reader] = [this.#random.below(PARTITIONS), this.#random.below(READERS)];
    const positions = this.#positions[partition]!;
    const from = positions[reader]!;
    const records = this.#logs[partition]!.slice(from, from + 1 + this.#random.below(POLL_RECORDS_MAX));
    const to = from + records.length;
    if (records.length === 0) return;
    positions[reader] = to;
    const common = { process: `consumer-${reader}`, op: this.#op++, partition: `orders-${partition}` };
    this.#add({ f: 'poll', type: 'ok', ...common, from, to, records });
  }

  #add(entry: NewEntry): void {
    const index = this.#index++;
    this.#take({ index, time: index, ...entry } as HistoryEntry);
  }
}

/** A whole history of about so many operations, in which nothing is wrong but, if asked for, the very last send. */
export function longHistory(
  options: LongHistoryOptions & { readonly operations: number; readonly lostAtTheEnd?: boolean },
): void {
  const history = new LongHistory(options);
  const last = options.lostAtTheEnd === true ? 2 : 0;
  while (history.operations < options.operations - last) history.send();
  if (options.lostAtTheEnd === true) history.lose();
  history.end();
}
