// Histories to be checked, with a known number of anomalies, so that a checker that looks at nothing is found out.
import { closeSync, openSync, writeSync } from 'node:fs';
import { cpuSeconds } from '../cpu.ts';
import { checkHistory } from '../../src/checker/check.ts';
import type { AnomalyName } from '../../src/checker/findings.ts';
import { readHistoryFile, type HistoryFile } from '../../src/cli/history-file.ts';
import { historyLine } from '../../src/history/lines.ts';
import type { HistoryEntry } from '../../src/history/operations.ts';
import { ModelCluster } from '../../test/checker/model-cluster.ts';
import { mutations } from '../../test/checker/mutations.ts';
import { LongHistory, longHistory } from './long-history.ts';

/** One send in so many was acknowledged and is in no log: a lost write. */
const LOST = 50_000;

/** A history to be checked, how many operations are in it, and what is to be found. */
interface Made {
  readonly entries: readonly HistoryEntry[];
  readonly operations: number;
  readonly planted: readonly AnomalyName[];
}

let made: Made | undefined;

const LINES_AT_ONCE = 10_000;

/** In operations a second of CPU time, and the most memory that the process has held. */
export interface CheckedFile {
  readonly readPerSecond: number;
  readonly checkedPerSecond: number;
  readonly memoryMib: number;
}

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
    const entries: HistoryEntry[] = [];
    const history = new LongHistory({ seed: 'bench history', take: (entry) => void entries.push(entry) });
    let lost = 0;
    for (let number = 1; number <= sends; number++) {
      if (number % LOST !== 1) history.send();
      else {
        history.lose();
        lost += 1;
      }
    }
    history.end();
    const { operations } = history;
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
  /** Writes a history as a run leaves it, with a loss at its very end. */
  write: ({ file, operations }: { file: string; operations: number }): void => {
    const handle = openSync(file, 'w');
    let lines: string[] = [];
    const flush = (): void => {
      writeSync(handle, lines.join(''));
      lines = [];
    };
    const take = (entry: HistoryEntry): void => {
      lines.push(historyLine(entry));
      if (lines.length === LINES_AT_ONCE) flush();
    };
    longHistory({ seed: 'bench file', operations, lostAtTheEnd: true, take });
    flush();
    closeSync(handle);
  },
  /** Reads and checks such a file as `highwater check` does. Throws unless exactly the loss at the end is found. */
  checkFile: ({ file }: { file: string }): CheckedFile => {
    let read: HistoryFile | undefined;
    const readSeconds = cpuSeconds(() => (read = readHistoryFile(file, false)));
    made = { entries: read!.entries, operations: operationsOf(read!.entries), planted: ['lost-write'] };
    const perSecond = checkedHistory.check();
    const memoryMib = process.resourceUsage().maxRSS / 1024;
    return { checkedPerSecond: perSecond, readPerSecond: made.operations / readSeconds, memoryMib };
  },
};

function operationsOf(entries: readonly HistoryEntry[]): number {
  return entries.filter((entry) => 'op' in entry && entry.type !== 'invoke').length;
}
