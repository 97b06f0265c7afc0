// A hunt for the first random run that notices that a safeguard is missing, over many seeds: a few at a time, here or dealt out to
// processes of this program. What was caught is looked for no more. The result is the same however many work on it.
import { availableParallelism } from 'node:os';
import { catchesIn, merged, NO_CATCHES, seedsFor, type Catches } from '../chaos/safeguards/random-catch.ts';
import type { Safeguard } from '../fault/safeguards.ts';
import { OwnProcesses, type Program } from './own-processes.ts';
import type { SeedRange } from './seed-range.ts';

export interface Hunt {
  readonly safeguards: readonly Safeguard[];
  readonly seeds: SeedRange;
  /** Processes at once; 1: all in this one. */
  readonly jobs: number;
  /** Hears how many seeds were looked at, and how many safeguards were caught. */
  readonly onProgress?: (seeds: number, caught: number) => void;
  /** How to start this program; others in tests. */
  readonly program?: Program;
}

/** About as many runs as one process makes before it ends. */
const RUNS = 80;
const SEEDS_MAX = 20;

export class CatchHunt {
  readonly #hunt: Hunt;
  readonly #processes: OwnProcesses;
  #next: number;
  #looked = 0;
  #sofar: Catches = NO_CATCHES;

  constructor(hunt: Hunt) {
    this.#hunt = hunt;
    this.#processes = new OwnProcesses(hunt.program);
    this.#next = hunt.seeds.first;
  }

  /** What the seeds brought: the first catch of each. Throws if a process broke down. After `stop`: what is complete. */
  async run(): Promise<Catches> {
    try {
      await Promise.all(Array.from({ length: this.#hunt.jobs }, () => this.#work()));
    } finally {
      this.stop();
    }
    return this.#sofar;
  }

  /** Ends it, and all its processes. */
  stop(): void {
    this.#processes.stop();
  }

  /** Seeds are dealt out in their order: whatever is caught by now has a lower one than those to come. */
  async #work(): Promise<void> {
    const { seeds, jobs, onProgress } = this.#hunt;
    while (this.#next <= seeds.last && !this.#processes.stopped) {
      const open = this.#open();
      if (open.length === 0) return;
      const size = jobs === 1 ? 1 : Math.min(SEEDS_MAX, Math.max(1, Math.round(RUNS / (open.length + 1))));
      const first = this.#next;
      const last = Math.min(first + size - 1, ...open.map((name) => this.#lastOf(name)));
      this.#next = last + 1;
      const found = jobs === 1 ? await here(first, open) : await this.#elsewhere({ first, last }, open);
      if (this.#processes.stopped) return;
      this.#sofar = merged(this.#sofar, found);
      this.#looked += last - first + 1;
      onProgress?.(this.#looked, this.#sofar.caught.length);
    }
  }

  /** What is still looked for in the next seed. */
  #open(): Safeguard[] {
    const caught = new Set(this.#sofar.caught.map(({ safeguard }) => safeguard));
    return this.#hunt.safeguards.filter((name) => !caught.has(name) && this.#next <= this.#lastOf(name));
  }

  #lastOf(safeguard: Safeguard): number {
    const { first, last } = this.#hunt.seeds;
    return first - 1 + seedsFor(safeguard, last - first + 1);
  }

  async #elsewhere({ first, last }: SeedRange, open: readonly Safeguard[]): Promise<Catches> {
    const seeds = `${first}..${last}`;
    const words = ['safeguards', 'catch', ...open, '--seeds', seeds, '--jobs', '1', '--json', '--quiet'];
    const { code, signal, stdout, stderr } = await this.#processes.run(words);
    if (this.#processes.stopped) return NO_CATCHES;
    // 0 and 1 are verdicts; but whatever breaks down on its way may end with 1 too.
    if ((code === 0 || code === 1) && stdout.endsWith('\n')) return catchesOf(stdout);
    throw new Error(`the process of seeds ${seeds} ended with ${signal ?? code}: ${stderr.trim()}`);
  }
}

/** A turn later, so that Ctrl-C is heard between seeds. */
async function here(seed: number, open: readonly Safeguard[]): Promise<Catches> {
  await new Promise((resolve) => setImmediate(resolve));
  return catchesIn(seed, open);
}

/** What `highwater safeguards catch --json` printed. */
function catchesOf(text: string): Catches {
  const { data, warnings } = JSON.parse(text) as { data: Catches['caught']; warnings: string[] };
  return { caught: data.filter(({ seed }) => seed >= 0), unsound: warnings };
}

/** How many processes at once: as many as there are cores if nothing is said. */
export function jobsOf(wanted: number | undefined, seeds: SeedRange): number {
  return Math.max(1, Math.min(wanted ?? availableParallelism(), seeds.last - seeds.first + 1));
}
