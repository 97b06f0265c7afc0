// The Runtime of one simulated process: virtual time, seeded randomness, the simulated network and disk. Nothing it hands
// out acts any more once the process is dead, and nothing is delivered to it while it is paused.
import type { DurationMs, EpochMs, InstantMs, NodeId } from '../base/units.ts';
import { NO_FAULTS } from '../fault/reach.ts';
import type { Safeguard } from '../fault/safeguards.ts';
import type { Clock, Network, Random, Runtime, Store, Timer } from '../runtime/ports.ts';
import type { TraceEvent } from '../trace/events.ts';
import type { Process } from './process.ts';
import type { Scheduler } from './scheduler.ts';

/** What the node behind a process lends it. */
export interface RuntimeParts {
  readonly process: Process;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly network: Network;
  readonly store: Store;
  /** The node's wall clock. */
  readonly wallTime: () => EpochMs;
  readonly safeguard: (name: Safeguard) => boolean;
  readonly trace: (event: TraceEvent) => void;
  readonly halt: (reason: string) => void;
}

/** Puts the parts together. No fault is armed; who wants faults decorates the result. */
export function makeRuntime(parts: RuntimeParts): Runtime {
  const { process, scheduler, random, network, store, safeguard } = parts;
  const clock: Clock = {
    now: (): InstantMs => scheduler.now / 1000,
    wallTime: parts.wallTime,
    after: (delay, run) => new SimTimer(scheduler, process, delay, run),
  };
  const node: NodeId = process.node;
  return {
    ...{ node, clock, random, network, store, faults: NO_FAULTS, safeguard },
    trace: (event) => {
      if (process.alive) parts.trace(event);
    },
    halt: (reason) => {
      if (process.alive) parts.halt(reason);
    },
  };
}

/** Even a timer of no delay takes a moment, so that virtual time moves whatever a core does. */
const TIMER_MIN_US = 10;

class SimTimer implements Timer {
  readonly #process: Process;
  readonly #entry: Timer;
  #run: (() => void) | undefined;

  constructor(scheduler: Scheduler, process: Process, delay: DurationMs, run: () => void) {
    this.#process = process;
    this.#run = run;
    this.#entry = scheduler.after(Math.max(TIMER_MIN_US, Math.ceil(delay * 1000)), this.#due);
  }

  cancel(): void {
    this.#run = undefined;
    this.#entry.cancel();
  }

  readonly #due = (): void => {
    // It can still be cancelled while it waits for a resume.
    const run = this.#process.state === 'paused' ? () => this.#take()?.() : this.#take();
    if (run !== undefined) this.#process.deliver(run);
  };

  #take(): (() => void) | undefined {
    const run = this.#run;
    this.#run = undefined;
    return run;
  }
}
