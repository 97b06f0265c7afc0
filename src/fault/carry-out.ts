// Carries the action of one strike out on the flow that reached the point. A fault fires when its action has been
// carried out, not when it is decided (design section 6): that moment is where `#fired` stands.
import type { NodeId } from '../base/units.ts';
import type { FaultAction } from '../protocol/generated/index.ts';
import type { TraceEvent } from '../trace/events.ts';
import type { ArmedFault } from './armed-fault.ts';
import type { FaultClock, FaultEffects, Firing } from './effects.ts';
import type { Flow } from './flow.ts';
import { strikesSelf } from './legality.ts';

/** A fault that strikes a flow. */
export interface Strike {
  readonly armed: ArmedFault;
  readonly firing: Firing;
}

export interface CarryOutOptions {
  readonly node: NodeId;
  readonly clock: FaultClock;
  readonly effects: FaultEffects;
  readonly trace: (event: TraceEvent) => void;
}

export class CarryOut {
  readonly #options: CarryOutOptions;

  constructor(options: CarryOutOptions) {
    this.#options = options;
  }

  /** Acts on `flow`, now or after the action's `laterMs` (then the flow goes on at once). */
  act(strike: Strike, flow: Flow): void {
    const action = actionOf(strike);
    if (action.laterMs === 0) {
      this.#actNow(strike, action, flow);
      return;
    }
    this.#options.clock.after(action.laterMs, () => {
      if (strike.armed.live) this.#actNow(strike, action, { go: () => undefined });
    });
    flow.go();
  }

  #actNow(strike: Strike, action: FaultAction, flow: Flow): void {
    const { effects, node } = this.#options;
    const own = strikesSelf(action, node);
    switch (action.kind) {
      case 'kill':
        if (own) effects.kill(strike.firing);
        else this.#elsewhere(strike, action, flow);
        return;
      case 'pause':
        if (own) effects.pause(strike.firing, action.durationMs, () => flow.go());
        else this.#elsewhere(strike, action, flow);
        return;
      case 'hold':
        this.#hold(strike, flow, action.durationMs);
        return;
      case 'delay':
      case 'disk:slow':
        this.#delay(strike, flow, action.durationMs);
        return;
      case 'notify':
        this.#fired(strike);
        flow.go();
        return;
      case 'disk:full':
      case 'disk:write-error':
      case 'disk:read-error':
      case 'disk:flip-bit':
        this.#actOnDisk(strike, action.kind, flow);
        return;
      default:
        this.#actOnMessage(strike, action, flow);
    }
  }

  /** What the disk does is known once the flow goes on. */
  #actOnDisk(
    strike: Strike,
    kind: 'disk:full' | 'disk:write-error' | 'disk:read-error' | 'disk:flip-bit',
    flow: Flow,
  ): void {
    this.#fired(strike);
    if (kind === 'disk:flip-bit') flow.flipBit?.();
    else flow.fail?.(kind === 'disk:full' ? 'no space left on device (injected)' : 'input/output error (injected)');
    flow.go();
  }

  #actOnMessage(strike: Strike, action: FaultAction, flow: Flow): void {
    if (action.kind === 'reorder') {
      this.#reorder(strike, flow);
      return;
    }
    if (!isMessageAction(action.kind)) {
      this.#elsewhere(strike, action, flow);
      return;
    }
    this.#fired(strike);
    switch (action.kind) {
      case 'drop':
        flow.drop?.();
        return;
      case 'duplicate':
        twice(flow);
        return;
      case 'disconnect':
        flow.disconnect?.(`fault ${strike.firing.fault}`);
        return;
      case 'error':
        flow.answerError?.(action.error);
        return;
      case 'lose-response':
        flow.loseResponse?.();
    }
  }

  #hold(strike: Strike, flow: Flow, durationMs: number): void {
    const { armed, firing } = strike;
    const { clock, trace } = this.#options;
    const held = {
      go: (): void => {
        trace({ type: 'fault.released', fault: firing.fault, point: firing.point });
        flow.go();
      },
    };
    armed.hold(held);
    this.#fired(strike);
    trace({ type: 'fault.held', fault: firing.fault, point: firing.point });
    if (durationMs > 0) {
      clock.after(durationMs, () => {
        if (armed.unhold(held)) held.go();
      });
    }
  }

  #delay(strike: Strike, flow: Flow, durationMs: number): void {
    const { armed } = strike;
    const held = { go: (): void => flow.go() };
    armed.hold(held);
    this.#options.clock.after(durationMs, () => {
      if (!armed.unhold(held)) return;
      this.#fired(strike);
      flow.go();
    });
  }

  /** Holds a message until the next one has overtaken it; if the fault goes first, the message is sent in its place. */
  #reorder(strike: Strike, flow: Flow): void {
    const { armed } = strike;
    const held = { go: (): void => giveUp?.() };
    armed.hold(held);
    const giveUp = flow.swap?.(() => {
      if (armed.unhold(held)) this.#fired(strike);
    });
  }

  #elsewhere(strike: Strike, action: FaultAction, flow: Flow): void {
    this.#options.effects.elsewhere(strike.firing, action, (refused) => {
      if (refused === undefined) this.#fired(strike);
      else this.#warn(strike, refused);
      flow.go();
    });
  }

  #fired(strike: Strike): void {
    const { fault, point, action, fields } = strike.firing;
    strike.armed.countFiring();
    this.#options.trace({ type: 'fault.fired', fault, point, action, fields });
  }

  #warn(strike: Strike, refused: string): void {
    const message = `fault ${strike.firing.fault} struck but its ${strike.firing.action} was refused: ${refused}`;
    this.#options.trace({ type: 'log.line', level: 'warn', message });
  }
}

function twice(flow: Flow): void {
  const both = (): void => {
    flow.go();
    flow.go();
  };
  if (flow.together === undefined) both();
  else flow.together(both);
}

type MessageAction = 'drop' | 'duplicate' | 'disconnect' | 'error' | 'lose-response';

function isMessageAction(kind: string): kind is MessageAction {
  return ['drop', 'duplicate', 'disconnect', 'error', 'lose-response'].includes(kind);
}

function actionOf(strike: Strike): FaultAction {
  return strike.armed.spec.action!;
}
