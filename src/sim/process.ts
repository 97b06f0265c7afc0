// One process incarnation of a simulated node: the gate that everything delivered to it passes. Dead, nothing runs any
// more; paused, what arrives waits, and is executed after the resume as it would be by a process that was stopped by
// SIGSTOP (design section 5).
import type { NodeId } from '../base/units.ts';
import type { Scheduler } from './scheduler.ts';

export type ProcessState = 'running' | 'paused' | 'dead';

export class Process {
  readonly node: NodeId;
  readonly #scheduler: Scheduler;
  #state: ProcessState = 'running';
  #waiting: (() => void)[] = [];
  #pauseCount = 0;

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
    if (this.#state === 'running') turn();
    else if (this.#state === 'paused') this.#waiting.push(turn);
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
