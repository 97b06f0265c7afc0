// One process incarnation of a simulated node: the gate that everything delivered to it passes. Dead, nothing runs any
// more; paused, what arrives waits, and is executed after the resume as it would be by a process that was stopped by
// SIGSTOP (design section 5).
import type { NodeId } from '../base/units.ts';
import { DiskFailure } from '../runtime/disk-failure.ts';
import type { Scheduler } from './scheduler.ts';

export type ProcessState = 'running' | 'paused' | 'dead';

export class Process {
  readonly node: NodeId;
  readonly #scheduler: Scheduler;
  #state: ProcessState = 'running';
  #waiting: (() => void)[] = [];
  #pauseCount = 0;
  #onDiskFailure: (reason: string) => void = () => undefined;

  constructor(node: NodeId, scheduler: Scheduler) {
    this.node = node;
    this.#scheduler = scheduler;
  }

  get state(): ProcessState {
    return this.#state;
  }

  /** How often it was paused: tells whether a pause is still the same one. */
  get pauseCount(): number {
    return this.#pauseCount;
  }

  /** Whether its code may still act. What a dead process does in the rest of its last turn has no effect. */
  get alive(): boolean {
    return this.#state !== 'dead';
  }

  /** Runs `turn` in this process: now, after its resume, or never. */
  deliver(turn: () => void): void {
    if (this.#state === 'running') this.guard(turn);
    else if (this.#state === 'paused') this.#waiting.push(turn);
  }

  /** Runs `turn` now, in whatever state. A disk that cannot answer ends it, and the process (repl R-114). */
  guard(turn: () => void): void {
    try {
      turn();
    } catch (error) {
      if (!(error instanceof DiskFailure)) throw error;
      this.#onDiskFailure(error.message);
    }
  }

  /** Tells once and for all who halts this process. */
  onDiskFailure(halt: (reason: string) => void): void {
    this.#onDiskFailure = halt;
  }

  pause(): void {
    if (this.#state !== 'running') return;
    this.#state = 'paused';
    this.#pauseCount++;
  }

  /** What waited runs at this instant, in an order that the scheduler draws: timers, messages and disk race. */
  resume(): void {
    if (this.#state !== 'paused') return;
    this.#state = 'running';
    for (const turn of this.#waiting.splice(0)) this.#scheduler.after(0, () => this.deliver(turn));
  }

  kill(): void {
    this.#state = 'dead';
    this.#waiting = [];
  }
}
