// One unary call in the simulated network. The request and its answer are two messages, each of which may be slow, lost
// or come twice; so the far side may act once, twice or not at all whatever the caller hears.
import type { DurationMs, NodeId } from '../../base/units.ts';
import type { UnaryApi } from '../../protocol/apis.ts';
import type { Outcome, Timer } from '../../runtime/ports.ts';
import type { Endpoint, Stamped } from './endpoint.ts';
import type { Fabric } from './fabric.ts';

type Handler = (request: object, from: NodeId, answer: (response: object) => void) => void;

/** What is called. */
export interface CallTarget {
  readonly to: NodeId;
  readonly api: UnaryApi;
}

export class Call {
  readonly #fabric: Fabric;
  readonly #caller: Endpoint;
  readonly #to: NodeId;
  readonly #api: UnaryApi;
  #done: ((outcome: Outcome<object>) => void) | undefined;
  #timer: Timer | undefined;
  #callee: Endpoint | undefined;
  #arrivals = 0;

  constructor(fabric: Fabric, caller: Endpoint, target: CallTarget, done: (outcome: Outcome<object>) => void) {
    this.#fabric = fabric;
    this.#caller = caller;
    this.#to = target.to;
    this.#api = target.api;
    this.#done = done;
  }

  start(request: object, timeoutMs: DurationMs): void {
    const { scheduler } = this.#fabric;
    const { process } = this.#caller;
    const timedOut = (): void => this.#end({ kind: 'timed-out' });
    this.#timer = scheduler.after(Math.ceil(timeoutMs * 1000), () => process.deliver(timedOut));
    const message = this.#caller.stamp(this.#api, 'request', request);
    // A request goes to the process that was there when it was sent, or else to the one that it finds.
    const target = this.#fabric.endpoint(this.#to);
    this.#fabric.sendUnary(this.#caller.node, this.#to, () => this.#arrive(message, target));
  }

  /** The far side, or its host, broke the connection. */
  refuse(reason: string): void {
    this.#fabric.sendControl(this.#to, this.#caller.node, () =>
      this.#caller.process.deliver(() => this.#end({ kind: 'disconnected', reason })),
    );
  }

  #arrive(message: Stamped, target: Endpoint | undefined): void {
    const callee = this.#fabric.endpoint(this.#to);
    if (callee?.handlers === undefined || (target !== undefined && target !== callee)) {
      this.refuse('connection refused');
      return;
    }
    this.#callee = callee;
    callee.pending.add(this);
    // Who gets a message twice must not get the same bytes twice.
    const own = this.#arrivals++ === 0 ? message : this.#fabric.copyOf(this.#api, 'request', message);
    callee.process.deliver(() => this.#handle(callee, own));
  }

  #handle(callee: Endpoint, message: Stamped): void {
    const handler = callee.handlers?.unary[this.#api] as Handler | undefined;
    if (handler === undefined) {
      callee.pending.delete(this);
      this.refuse(`${this.#api} is not served`);
      return;
    }
    callee.lamport.observe(message.lamport);
    let answered = false;
    handler(message, this.#caller.node, (response) => {
      if (answered || !callee.process.alive) return;
      answered = true;
      this.#answer(callee, response);
    });
  }

  #answer(callee: Endpoint, response: object): void {
    callee.pending.delete(this);
    const message = callee.stamp(this.#api, 'response', response);
    const deliver = (): void => {
      if (this.#done === undefined) return;
      this.#caller.lamport.observe(message.lamport);
      this.#end({ kind: 'ok', response: message });
    };
    this.#fabric.sendUnary(this.#to, this.#caller.node, () => this.#caller.process.deliver(deliver));
  }

  #end(outcome: Outcome<object>): void {
    const done = this.#done;
    this.#done = undefined;
    this.#timer?.cancel();
    this.#callee?.pending.delete(this);
    done?.(outcome);
  }
}
