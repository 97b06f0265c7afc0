// One controller on a desk: real core, a clock turned by hand and a disk whose writes complete when the test says so.
// The simulator runs whole clusters; here a test stands between any two steps of one node.
import { Controller } from '../../src/controller/controller.ts';
import type { NodeId } from '../../src/base/units.ts';
import type { RequestOf, ResponseOf, UnaryApi } from '../../src/protocol/apis.ts';
import { nodeConfig } from '../../src/protocol/config.ts';
import type { MetadataRecord } from '../../src/protocol/generated/index.ts';
import type { InStreamEvents, Random, Runtime, StoreFailure, StoreOp, Timer } from '../../src/runtime/ports.ts';
import type { PointFields } from '../../src/fault/reach.ts';
import type { Safeguard } from '../../src/fault/safeguards.ts';
import type { TraceEvent } from '../../src/trace/events.ts';

/** What survives a kill. */
export type Disk = Map<string, Buffer>;

interface PendingWrite {
  readonly sync: boolean;
  readonly ops: readonly StoreOp[];
  readonly done: (failure?: StoreFailure) => void;
}

class CountingRandom implements Random {
  #drawn = 0;
  readonly #name: string;
  constructor(name: string) {
    this.#name = name;
  }
  next(): number {
    return 0.5;
  }
  below(): number {
    return 0;
  }
  id(): string {
    this.#drawn += 1;
    return `${this.#name}-${this.#drawn}`.padEnd(22, 'x');
  }
  fork(name: string): Random {
    return new CountingRandom(name);
  }
}

export interface DeskOptions {
  readonly config?: Readonly<Record<string, unknown>>;
  readonly disk?: Disk;
  readonly now?: number;
  /** Writes complete only by `completeWrite`. */
  readonly slowDisk?: boolean;
  /** Protections that are switched off. */
  readonly off?: readonly Safeguard[];
}

export class Desk {
  now: number;
  readonly disk: Disk;
  readonly events: TraceEvent[] = [];
  readonly observed: { readonly point: string; readonly fields: PointFields }[] = [];
  halted: string | undefined;
  slowDisk: boolean;
  readonly writes: PendingWrite[] = [];
  readonly controller: Controller;
  /** Of the next AlterPartition, whoever sends it. */
  nextSequence = 0;
  #timers: { at: number; run: () => void }[] = [];
  #soon: (() => void)[] = [];
  #isDead = false;
  readonly #off: readonly Safeguard[];

  constructor(options: DeskOptions = {}) {
    this.now = options.now ?? 0;
    this.disk = options.disk ?? new Map<string, Buffer>();
    this.slowDisk = options.slowDisk ?? false;
    this.#off = options.off ?? [];
    this.controller = new Controller(this.#runtime(), { config: nodeConfig(options.config), clusterId: 'cluster-1' });
  }

  /** Starts and lets it come to rest. */
  start(): this {
    this.controller.start();
    this.settle();
    return this;
  }

  /** A new process on the same disk; this one is dead. */
  restart(options: DeskOptions = {}): Desk {
    this.kill();
    return new Desk({ now: this.now, ...options, disk: this.disk }).start();
  }

  kill(): void {
    this.#isDead = true;
  }

  /** The controller stands still while time goes on; due timers fire late, when time is next turned. */
  pause(ms: number): void {
    this.now += ms;
  }

  /** Turns the clock, firing timers in order. */
  run(ms: number): void {
    const until = this.now + ms;
    for (;;) {
      this.settle();
      const next = this.#timers.reduce<{ at: number; run: () => void } | undefined>(
        (first, timer) => (first === undefined || timer.at < first.at ? timer : first),
        undefined,
      );
      if (next === undefined || next.at > until) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.now = Math.max(this.now, next.at);
      next.run();
    }
    this.now = Math.max(this.now, until);
    this.settle();
  }

  /** Runs everything that is due now. */
  settle(): void {
    for (;;) {
      const run = this.#soon.shift();
      if (run !== undefined) {
        if (!this.#isDead) run();
      } else if (this.slowDisk || this.writes.length === 0 || this.#isDead) return;
      else this.completeWrite();
    }
  }

  /** The oldest write reaches the disk and its completion comes. */
  completeWrite(failure?: StoreFailure): void {
    const { ops, done } = this.writes.shift()!;
    if (failure === undefined) this.#put(ops);
    done(failure);
  }

  /** The oldest write reaches the disk, but the process dies before it hears so. */
  writeThenDie(): void {
    this.#put(this.writes.shift()!.ops);
    this.kill();
  }

  /** Calls the controller; the answer appears in the returned box when it is given. */
  send<A extends UnaryApi>(api: A, request: RequestOf<A>): { answer?: ResponseOf<A> } {
    const box: { answer?: ResponseOf<A> } = {};
    const handler = this.controller.handlers().unary[api] as unknown as (
      request: RequestOf<A>,
      from: NodeId,
      answer: (response: ResponseOf<A>) => void,
    ) => void;
    handler(request, 1, (response) => {
      box.answer = response;
    });
    this.settle();
    return box;
  }

  /** Calls the controller, which must answer. */
  call<A extends UnaryApi>(api: A, request: RequestOf<A>): ResponseOf<A> {
    const { answer } = this.send(api, request);
    if (answer === undefined) throw new Error(`${api} was not answered`);
    return answer;
  }

  /** Reads the metadata log as a broker does. */
  readLog(fromOffset: number): LogReader {
    const reader: LogReader = {
      messages: [],
      ended: false,
      records: () => reader.messages.flatMap((m) => m.records),
      events: undefined,
    };
    const events = this.controller.handlers().stream.MetadataLog!({
      from: 1,
      send: (message) => void reader.messages.push(message),
      end: () => void (reader.ended = true),
    });
    reader.events = events;
    events.message({ brokerId: 1, fromOffset });
    return reader;
  }

  /** Events of one type. */
  traced<T extends TraceEvent['type']>(type: T): Extract<TraceEvent, { type: T }>[] {
    return this.events.filter((event): event is Extract<TraceEvent, { type: T }> => event.type === type);
  }

  #put(ops: readonly StoreOp[]): void {
    for (const op of ops) {
      if (op.type === 'put') this.disk.set(op.key.toString('latin1'), Buffer.from(op.value));
      else this.disk.delete(op.key.toString('latin1'));
    }
  }

  #later(run: () => void): void {
    this.#soon.push(run);
  }

  #runtime(): Runtime {
    return {
      node: 100,
      clock: {
        now: () => this.now,
        wallTime: () => this.now,
        after: (delay, run): Timer => {
          const timer = { at: this.now + delay, run };
          this.#timers.push(timer);
          return { cancel: () => void (this.#timers = this.#timers.filter((other) => other !== timer)) };
        },
      },
      random: new CountingRandom('root'),
      network: {
        request: () => undefined,
        open: () => ({ send: () => undefined, end: () => undefined, abort: () => undefined }),
        serve: () => undefined,
        setAddress: () => undefined,
      },
      store: {
        get: (key) => this.disk.get(key.toString('latin1')),
        write: (ops, { sync }, done) => void this.writes.push({ ops, sync, done }),
        scan: ({ gte, lt }, done) => {
          const [from, to] = [gte.toString('latin1'), lt.toString('latin1')];
          const keys = [...this.disk.keys()].filter((key) => key >= from && key < to).sort();
          const entries = keys.map((key) => ({ key: Buffer.from(key, 'latin1'), value: this.disk.get(key)! }));
          this.#later(() => done(entries));
        },
      },
      faults: {
        reach: (_point, _fields, proceed) => proceed(),
        observe: (point, fields) => void this.observed.push({ point, fields }),
      },
      safeguard: (name) => !this.#off.includes(name),
      trace: (event) => void this.events.push(event),
      halt: (reason) => void (this.halted = reason),
    };
  }
}

export interface LogReader {
  readonly messages: ResponseOf<'MetadataLog'>[];
  ended: boolean;
  records(): MetadataRecord[];
  events: InStreamEvents<RequestOf<'MetadataLog'>> | undefined;
}
