// Time of a process: the monotonic clock for everything that waits, the wall clock for record timestamps.
import type { DurationMs } from '../../base/units.ts';
import type { Clock, Timer } from '../ports.ts';
import type { Turns } from './turns.ts';

/** Longest delay that setTimeout takes; it fires at once beyond it. */
const LONGEST_MS = 2_147_483_647;

export interface RealClockOptions {
  /** Whether a pending timer keeps the process alive. A node is kept alive by what it serves, a client by its timers. */
  readonly holdsProcess: boolean;
}

/** The clock of this process. Timers run as turns: never after the node has stopped. */
export function createRealClock(turns: Turns, options: RealClockOptions): Clock {
  return {
    now: () => performance.now(),
    wallTime: () => Date.now(),
    after: (delayMs, run) => startTimer(turns, options, delayMs, run),
  };
}

function startTimer(turns: Turns, options: RealClockOptions, delayMs: DurationMs, run: () => void): Timer {
  const due = performance.now() + Math.max(0, delayMs);
  let cancelled = false;
  let pending: NodeJS.Timeout | undefined;
  const wait = (): void => {
    const left = Math.min(Math.max(0, Math.ceil(due - performance.now())), LONGEST_MS);
    pending = setTimeout(fire, left);
    if (!options.holdsProcess) pending.unref();
  };
  const fire = (): void => {
    pending = undefined;
    // The event loop counts whole milliseconds and may be up to one early.
    if (performance.now() < due) wait();
    else
      turns.deliver(() => {
        if (!cancelled) run();
      });
  };
  wait();
  return {
    cancel: () => {
      cancelled = true;
      clearTimeout(pending);
    },
  };
}
