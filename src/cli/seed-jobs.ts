// Seeds of a campaign, dealt out to several processes of this program, a few at a time, and told in their order: what is printed is
// the same however many work on it.
import type { SeedLine } from '../chaos/sim-seed.ts';
import { OwnProcesses, type Program } from './own-processes.ts';

/** Seeds that one process runs before it ends; its start costs as much as one or two of them. */
const CHUNK = 20;

export interface SeedJobs {
  readonly first: number;
  readonly last: number;
  /** Processes at once. */
  readonly jobs: number;
  /** The rest of the command line of each, e.g. `--workload txn`. */
  readonly args: readonly string[];
  /** How to start this program; others in tests. */
  readonly program?: Program;
}

/** How many processes are worth it. */
export function jobsFor(seeds: number, wanted: number): number {
  return Math.max(1, Math.min(wanted, Math.ceil(seeds / CHUNK)));
}

export class SeedCampaign {
  readonly #jobs: SeedJobs;
  readonly #processes: OwnProcesses;
  /** By chunk: its lines, or why there are none. */
  readonly #results: Promise<readonly SeedLine[]>[] = [];

  constructor(jobs: SeedJobs) {
    this.#jobs = jobs;
    this.#processes = new OwnProcesses(jobs.program);
  }

  /** Lines in the order of their seeds. Throws if a process broke down. After `stop` it ends with what is complete. */
  async *lines(): AsyncGenerator<SeedLine> {
    const chunks = Math.ceil((this.#jobs.last - this.#jobs.first + 1) / CHUNK);
    const settle: ((lines: Promise<readonly SeedLine[]>) => void)[] = [];
    for (let at = 0; at < chunks; at++) this.#results.push(new Promise((resolve) => settle.push(resolve)));
    // One that breaks down is told in its turn, however long before that it did, or whether that comes.
    for (const result of this.#results) result.catch(() => undefined);
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < chunks) {
        const at = next++;
        const lines = this.#processes.stopped ? Promise.resolve([]) : this.#run(at);
        settle[at]!(lines);
        await lines.catch(() => undefined);
      }
    };
    for (let job = 0; job < this.#jobs.jobs; job++) void work();
    try {
      for (const result of this.#results) yield* await result;
    } finally {
      this.stop();
    }
  }

  /** Ends all processes. */
  stop(): void {
    this.#processes.stop();
  }

  async #run(chunk: number): Promise<readonly SeedLine[]> {
    const { first, last, args } = this.#jobs;
    const from = first + chunk * CHUNK;
    const to = Math.min(last, from + CHUNK - 1);
    const seeds = `${from}..${to}`;
    const ran = await this.#processes.run(['sim', '--json', '--jobs', '1', '--seeds', seeds, ...args]);
    if (this.#processes.stopped) return [];
    const { code, signal, stdout, stderr } = ran;
    const lines = stdout.split('\n').slice(0, -1);
    // 0, 1 and 3 are verdicts; but whatever breaks down on its way may end with 1 too.
    const isVerdict = code === 0 || code === 1 || code === 3;
    if (isVerdict && lines.length === to - from + 1) return lines.map((text) => JSON.parse(text) as SeedLine);
    const how = `ended with ${signal ?? code} after ${lines.length} lines: ${stderr.trim()}`;
    throw new Error(`the process of seeds ${seeds} ${how}`);
  }
}
