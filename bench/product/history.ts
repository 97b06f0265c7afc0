// A long history to be checked: what producers and readers of several partitions would have seen, replicas at the end, and
// a known number of anomalies, so that a checker that looks at nothing is found out.
import { Prng } from '../../src/base/prng.ts';
import { cpuSeconds } from '../cpu.ts';
import { checkHistory } from '../../src/checker/check.ts';
import type { AnomalyName } from '../../src/checker/findings.ts';
import type { HistoryEntry, LogRecord, NewEntry, SeenRecord } from '../../src/history/operations.ts';
import { ModelCluster } from '../../test/checker/model-cluster.ts';
import { mutations } from '../../test/checker/mutations.ts';

const PARTITIONS = 4;
const READERS = 2;
const REPLICAS = 3;
const POLL_RECORDS_MAX = 20;
/** One send in so many ends in doubt, and is not in the log. */
const DOUBTFUL = 500;
/** One send in so many was acknowledged and is in no log: a lost write. */
const LOST = 50_000;

class Maker {
  readonly entries: HistoryEntry[] = [];
  readonly #random = new Prng('bench history');
  readonly #logs = Array.from({ length: PARTITIONS }, (): SeenRecord[] => []);
  readonly #positions = Array.from({ length: PARTITIONS }, () => new Array<number>(READERS).fill(0));
  #op = 0;
  lost = 0;

  /** Sends and polls made. */
  get operations(): number {
    return this.#op;
  }

  send(number: number): void {
    const partition = this.#random.below(PARTITIONS);
    const [value, op, process] = [`v${number}`, this.#op++, `producer-${number % 4}`];
    const common = { f: 'send', process, op, partition: `orders-${partition}`, value, acks: -1 } as const;
    this.#add({ ...common, type: 'invoke' });
    if (number % DOUBTFUL === 0) return this.#add({ ...common, type: 'info', error: 'REQUEST_TIMED_OUT' });
    const log = this.#logs[partition]!;
    const isLost = number % LOST === 1;
    // What stood in its place is there instead, written by somebody else.
    const offset = log.length;
    log.push({ offset, value: isLost ? `other-${number}` : value });
    if (isLost) {
      this.lost += 1;
      this.#add({ ...common, op: this.#op++, value: `other-${number}`, type: 'invoke' });
    }
    this.#add({ ...common, type: 'ok', offset, retried: false });
  }

  poll(): void {
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

  observe(): void {
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

  #add(entry: NewEntry): void {
    const index = this.entries.length;
    this.entries.push({ index, time: index, ...entry } as HistoryEntry);
  }
}

/** A history to be checked, how many operations are in it, and what is to be found. */
interface Made {
  readonly entries: readonly HistoryEntry[];
  readonly operations: number;
  readonly planted: readonly AnomalyName[];
}

let made: Made | undefined;

/** What a correct cluster and its transactional clients do, and a producer that is fenced without a rival. */
function transactions(steps: number): Made {
  const planted = mutations.find(({ finds }) => finds === 'self-fence')!;
  const entries = planted.mutate(new ModelCluster(1, steps).entries)!;
  const operations = entries.filter(({ f, type }) => type === 'invoke' || f === 'poll').length;
  return { entries, operations, planted: [planted.finds] };
}

/** Handlers of the part "checkers". */
export const checkedHistory = {
  make: ({ sends }: { sends: number }): void => {
    const maker = new Maker();
    for (let number = 1; number <= sends; number++) {
      maker.send(number);
      if (number % 4 === 0) maker.poll();
    }
    maker.observe();
    const { entries, operations, lost } = maker;
    made = { entries, operations, planted: new Array<AnomalyName>(lost).fill('lost-write') };
  },
  makeTransactions: ({ steps }: { steps: number }): void => {
    made = transactions(steps);
  },
  /** Operations a second of CPU time. Throws unless exactly the planted anomalies are found. */
  check: (): number => {
    const { entries, operations, planted } = made!;
    let anomalies: ReturnType<typeof checkHistory>['anomalies'] = [];
    const seconds = cpuSeconds(() => (anomalies = checkHistory(entries).anomalies));
    const found = anomalies.map(({ anomaly }) => anomaly).join(', ');
    if (found !== planted.join(', '))
      throw new Error(`the checkers were to find: ${planted.join(', ')}; they found: ${found}`);
    return operations / seconds;
  },
};
