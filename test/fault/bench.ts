// A virtual clock and a network of plain deliveries for tests of faults: everything takes one tick, in order.
import type { NodeId } from '../../src/base/units.ts';
import type { Firing, FaultEffects } from '../../src/fault/effects.ts';
import { FaultEngine } from '../../src/fault/engine.ts';
import { FaultyNetwork } from '../../src/fault/faulty-network.ts';
import type { FaultAction } from '../../src/protocol/generated/index.ts';
import type { Handlers, InStreamEvents, Network } from '../../src/runtime/ports.ts';
import type { TraceEvent } from '../../src/trace/events.ts';

/** Virtual time: `run(ms)` delivers what falls due, in order of time and submission. */
export class Ticks {
  #now = 0;
  #next = 0;
  #due: { at: number; order: number; run: () => void }[] = [];

  now(): number {
    return this.#now;
  }
  after(delayMs: number, run: () => void): { cancel(): void } {
    const entry = { at: this.#now + delayMs, order: this.#next++, run };
    this.#due.push(entry);
    return { cancel: () => void (this.#due = this.#due.filter((other) => other !== entry)) };
  }
  run(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      this.#due.sort((a, b) => a.at - b.at || a.order - b.order);
      const first = this.#due[0];
      if (first === undefined || first.at > until) break;
      this.#due.shift();
      this.#now = first.at;
      first.run();
    }
    this.#now = until;
  }
}

type Unary = (request: object, from: NodeId, answer: (response: object) => void) => void;
type Accept = (stream: object) => InStreamEvents<object>;

/** Delivers messages between nodes after 1 ms. */
export class Wire {
  readonly #ticks: Ticks;
  readonly #handlers = new Map<NodeId, Handlers>();

  constructor(ticks: Ticks) {
    this.#ticks = ticks;
  }

  of(node: NodeId): Network {
    const network = {
      request: (to: NodeId, api: string, request: object, timeoutMs: number, done: (outcome: object) => void): void => {
        let open = true;
        const finish = (outcome: object): void => {
          if (open) done(outcome);
          open = false;
        };
        this.#ticks.after(timeoutMs, () => finish({ kind: 'timed-out' }));
        this.#ticks.after(1, () => {
          const handle = (this.#handlers.get(to)?.unary as Record<string, Unary> | undefined)?.[api];
          handle?.(request, node, (response) => void this.#ticks.after(1, () => finish({ kind: 'ok', response })));
        });
      },
      open: (to: NodeId, api: string, on: { message(m: object): void; closed(reason?: string): void }): object => {
        let open = true;
        let far: InStreamEvents<object> | undefined;
        const near = {
          from: node,
          send: (m: object): void => void this.#ticks.after(1, () => (open ? on.message(m) : undefined)),
          end: (): void => void this.#ticks.after(1, () => (open ? on.closed() : undefined)),
        };
        this.#ticks.after(1, () => {
          far = (this.#handlers.get(to)!.stream as unknown as Record<string, Accept>)[api]!(near);
        });
        return {
          send: (m: object): void => void this.#ticks.after(1, () => (open ? far?.message(m) : undefined)),
          end: (): void => void this.#ticks.after(1, () => far?.ended()),
          abort: (): void => {
            open = false;
            this.#ticks.after(1, () => far?.closed());
          },
        };
      },
      serve: (handlers: Handlers): void => void this.#handlers.set(node, handlers),
      setAddress: (): void => undefined,
    };
    return network as unknown as Network;
  }
}

/** One node with faults: its engine, its network, what it traced and what it asked of its host. */
export interface FaultyNode {
  readonly engine: FaultEngine;
  readonly network: FaultyNetwork;
  readonly traced: TraceEvent[];
  readonly killed: Firing[];
  readonly paused: { firing: Firing; resumed: () => void }[];
  readonly elsewhere: { action: FaultAction; done: (refused?: string) => void }[];
  /** Names of faults that fired, in order. */
  fired(): string[];
}

export function aFaultyNode(node: NodeId, ticks: Ticks, wire: Wire, draws: readonly number[] = []): FaultyNode {
  const traced: TraceEvent[] = [];
  const killed: Firing[] = [];
  const paused: { firing: Firing; resumed: () => void }[] = [];
  const elsewhere: { action: FaultAction; done: (refused?: string) => void }[] = [];
  const effects: FaultEffects = {
    kill: (firing) => void killed.push(firing),
    pause: (firing, _durationMs, resumed) => void paused.push({ firing, resumed }),
    elsewhere: (_firing, action, done) => void elsewhere.push({ action, done }),
  };
  let drawn = 0;
  const random = { next: (): number => draws[drawn++ % draws.length] ?? 0 };
  const engine = new FaultEngine({ node, clock: ticks, random, effects, trace: (event) => void traced.push(event) });
  const network = new FaultyNetwork({ node, inner: wire.of(node), engine, clock: ticks });
  const fired = (): string[] => traced.flatMap((event) => (event.type === 'fault.fired' ? [event.fault] : []));
  return { engine, network, traced, killed, paused, elsewhere, fired };
}
