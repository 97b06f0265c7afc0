// One simulated node: a disk and a clock that outlive its processes, and the hand of every fault on a process. Nobody
// restarts it on his own. What runs in it is a program: a function from a Runtime to whatever the caller wants back.
import { assert } from '../base/assert.ts';
import type { Prng } from '../base/prng.ts';
import type { DurationMs, EpochMs, NodeId } from '../base/units.ts';
import type { Safeguard } from '../fault/safeguards.ts';
import { LamportClock } from '../runtime/lamport.ts';
import type { Runtime } from '../runtime/ports.ts';
import type { TraceEvent } from '../trace/events.ts';
import type { Fabric } from './network/fabric.ts';
import { Process } from './process.ts';
import { makeRuntime } from './runtime.ts';
import type { Scheduler } from './scheduler.ts';
import { SimDisk } from './store/disk.ts';
import { SimStore, type StoreLatency } from './store/store.ts';
import type { TraceLog } from './trace-log.ts';

/** What a node runs. Called once a start, inside the new process. */
export type Program<T> = (runtime: Runtime) => T;

/** Wraps the Runtime of each new process, e.g. to put faults around it. */
export type Decorate = (runtime: Runtime, node: SimNode) => Runtime;

/** What the world lends its nodes. */
export interface NodeParts {
  readonly scheduler: Scheduler;
  readonly fabric: Fabric;
  readonly trace: TraceLog;
  /** The node's own randomness. */
  readonly random: Prng;
  readonly latency: StoreLatency;
  readonly safeguard: (name: Safeguard) => boolean;
  readonly decorate: Decorate;
  /** Wall time when the world began. */
  readonly wallStart: EpochMs;
}

export type NodeState = 'down' | 'running' | 'paused';

export class SimNode {
  readonly id: NodeId;
  readonly disk = new SimDisk();
  readonly lamport = new LamportClock();
  readonly #parts: NodeParts;
  #process: Process | undefined;
  #store: SimStore | undefined;
  #incarnation = 0;
  #program: Program<unknown> | undefined;
  #seq = 0;
  #haltReason: string | undefined;
  #wallOffsetMs = 0;
  #wallRate = 1;

  constructor(id: NodeId, parts: NodeParts) {
    this.id = id;
    this.#parts = parts;
  }

  get state(): NodeState {
    return this.#process === undefined ? 'down' : this.#process.state === 'paused' ? 'paused' : 'running';
  }

  /** How often it has been started. */
  get incarnation(): number {
    return this.#incarnation;
  }

  /** Why the last process stopped itself; undefined if it did not. */
  get haltReason(): string | undefined {
    return this.#haltReason;
  }

  /** Starts a process, on the disk as it is. The node must be down. */
  start<T>(program: Program<T>): T {
    assert(this.#process === undefined, `node ${this.id} is ${this.state}: kill it before it is started again`);
    this.#program = program;
    this.#incarnation++;
    this.#haltReason = undefined;
    return program(this.#parts.decorate(this.#makeRuntime(), this));
  }

  /** Starts the last program again; kills the process first if one runs. */
  restart(): unknown {
    assert(this.#program !== undefined, `node ${this.id} was never started`);
    this.kill();
    return this.start(this.#program);
  }

  /** As kill -9: no callback of this process runs any more, its connections break, its disk keeps what was written. */
  kill(): void {
    const process = this.#process;
    if (process === undefined) return;
    this.#process = undefined;
    process.kill();
    this.#store?.kill();
    this.#store = undefined;
    this.#parts.fabric.detach(this.id);
  }

  /** Runs something of this node's process from outside of its turns; harmless if it is down. */
  guard(run: () => void): void {
    this.#process?.guard(run);
  }

  /** As SIGSTOP: what arrives waits. */
  pause(): void {
    if (this.#process?.state !== 'running') return;
    this.#process.pause();
    this.#parts.fabric.paused(this.#process);
  }

  /** As SIGCONT: what waited is executed, however old it is. */
  resume(): void {
    this.#process?.resume();
  }

  /** Kills the process and replaces the disk by an empty one. */
  wipe(): void {
    this.kill();
    this.disk.wipe();
  }

  /** Kills the process, and of what was written since the last synced write only a drawn beginning survives. */
  losePower(): void {
    this.kill();
    this.disk.losePower(this.#parts.random.fork(`power ${this.#incarnation}`));
  }

  /** Moves the wall clock. Timers do not notice. */
  jumpClock(byMs: DurationMs): void {
    this.#wallOffsetMs += byMs;
  }

  /** Lets the wall clock run at this rate from now on; 1 is true time. */
  skewClock(rate: number): void {
    this.#wallOffsetMs += (this.#parts.scheduler.now / 1000) * (this.#wallRate - rate);
    this.#wallRate = rate;
  }

  /** What this node's wall clock shows. */
  wallTime(): EpochMs {
    const elapsedMs = this.#parts.scheduler.now / 1000;
    return Math.floor(this.#parts.wallStart + this.#wallOffsetMs + elapsedMs * this.#wallRate);
  }

  #makeRuntime(): Runtime {
    const { scheduler, fabric, latency, safeguard } = this.#parts;
    const process = new Process(this.id, scheduler);
    const random = this.#parts.random.fork(`process ${this.#incarnation}`);
    const store = new SimStore({ disk: this.disk, scheduler, process, random: random.fork('store'), latency });
    const halt = (reason: string): void => {
      if (!process.alive) return;
      this.#trace({ type: 'node.halted', reason });
      this.kill();
      this.#haltReason = reason;
    };
    process.onDiskFailure(halt);
    this.#process = process;
    this.#store = store;
    return makeRuntime({
      ...{ process, scheduler, store, safeguard, random },
      network: fabric.attach(process, this.lamport),
      wallTime: () => this.wallTime(),
      trace: (event) => this.#trace(event),
      halt,
    });
  }

  #trace(event: TraceEvent): void {
    const lamport = this.lamport.tick();
    const seq = this.#seq++;
    const { trace } = this.#parts;
    if (trace.wanted) trace.record({ node: this.id, seq, lamport, time: this.wallTime(), event });
  }
}
