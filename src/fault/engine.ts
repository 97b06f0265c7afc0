// The faults of one node: arms and disarms them, and decides at every point whether one strikes. Knows nothing of
// networks (see runtime/faulty-network.ts) or processes (see `FaultEffects`); actions are carried out by `CarryOut`.
import type { NodeId } from '../base/units.ts';
import type { FaultSpec, FaultStatus } from '../protocol/generated/index.ts';
import { ArmedFault } from './armed-fault.ts';
import { CarryOut, type CarryOutOptions, type Strike } from './carry-out.ts';
import type { FaultRandom } from './effects.ts';
import type { Flow } from './flow.ts';
import { refuseFault } from './legality.ts';
import type { PointName } from './points.ts';
import type { FaultPoints, PointFields } from './reach.ts';

export interface FaultEngineOptions extends CarryOutOptions {
  readonly random: FaultRandom;
}

/** Most faults that one node takes (design section 10: armed faults are bounded). */
export const ARMED_FAULTS_MAX = 1000;

export class FaultEngine implements FaultPoints {
  readonly #options: FaultEngineOptions;
  readonly #carryOut: CarryOut;
  readonly #faults = new Map<string, ArmedFault>();
  readonly #byPoint = new Map<string, readonly ArmedFault[]>();
  /** Cut links, each with what waits for it to be mended. */
  readonly #cutTo = new Map<NodeId, (() => void)[]>();
  readonly #onHeal = new Set<() => void>();

  constructor(options: FaultEngineOptions) {
    this.#options = options;
    this.#carryOut = new CarryOut(options);
  }

  /** Arms a fault, or replaces the one of the same id. Answers a sentence if it cannot be armed, else "". */
  arm(spec: FaultSpec): string {
    const refused = refuseFault(spec);
    if (refused !== undefined) return refused;
    if (this.#faults.size >= ARMED_FAULTS_MAX && !this.#faults.has(spec.id)) {
      return `this node has ${ARMED_FAULTS_MAX} faults already; remove some first`;
    }
    this.disarm(spec.id);
    const { clock, random, trace } = this.#options;
    const armed = new ArmedFault(spec, random);
    this.#faults.set(spec.id, armed);
    this.#byPoint.set(spec.point, [...(this.#byPoint.get(spec.point) ?? []), armed]);
    if (spec.ttlMs > 0) clock.after(spec.ttlMs, () => this.#remove(armed, 'expired'));
    trace({ type: 'fault.armed', fault: spec.id });
    return '';
  }

  /** Removes a fault ("*": all) and lets go of what it holds. Harmless if it is not there. */
  disarm(id: string): void {
    for (const armed of this.#named(id)) this.#remove(armed, 'asked');
    if (id === '*') this.#healed();
  }

  /** Lets go of what a fault ("*": all) holds; it stays armed. */
  release(id: string): void {
    for (const armed of this.#named(id)) letGo(armed);
  }

  /** Armed faults with their counts, in the order of arming. */
  list(): FaultStatus[] {
    return [...this.#faults.values()].map((armed) => armed.status());
  }

  /** Cuts or mends the link from this node to another, one way: everything sent there is lost. */
  setLink(to: NodeId, cut: boolean): void {
    const waiting = this.#cutTo.get(to);
    if (cut && waiting === undefined) this.#cutTo.set(to, []);
    if (cut || waiting === undefined) return;
    this.#cutTo.delete(to);
    for (const run of waiting) run();
  }

  /** Calls `run` once when a cut link is mended. */
  whenMended(to: NodeId, run: () => void): void {
    this.#cutTo.get(to)?.push(run);
  }

  /** Nodes to which this node does not send, ascending. */
  get cutTo(): readonly NodeId[] {
    return [...this.#cutTo.keys()].sort((a, b) => a - b);
  }

  isCut(to: NodeId): boolean {
    return this.#cutTo.has(to);
  }

  /** True if nothing is armed and no link is cut: then messages need no second look. */
  get quiet(): boolean {
    return this.#faults.size === 0 && this.#cutTo.size === 0;
  }

  /** Whether a fault is armed at a point, so that fields that cost something to extract are worth it. */
  watches(point: PointName): boolean {
    return this.#byPoint.has(point);
  }

  /** Whether a fault armed at a point asks for one of these fields. */
  asks(point: PointName, fields: readonly string[]): boolean {
    const watching = this.#byPoint.get(point) ?? [];
    return watching.some(({ spec }) => spec.where.some(({ field }) => fields.includes(field)));
  }

  /** Calls `run` once when everything is healed: all faults disarmed at once. The answer forgets it. */
  whenHealed(run: () => void): () => void {
    this.#onHeal.add(run);
    return () => void this.#onHeal.delete(run);
  }

  reach(point: PointName, fields: PointFields, proceed: () => void): void {
    if (this.#faults.size === 0) proceed();
    else this.pass(point, [fields], { go: proceed });
  }

  observe(point: PointName, fields: PointFields): void {
    if (this.#faults.size !== 0) this.pass(point, [fields], { go: () => undefined });
  }

  /** A flow is at a point. A fault may strike if one of `sets` meets its conditions (a message has a set for each batch). */
  pass(point: PointName, sets: readonly PointFields[], flow: Flow): void {
    const watching = this.#byPoint.get(point);
    if (watching === undefined) {
      flow.go();
      return;
    }
    const { node } = this.#options;
    const withNode = sets.map((fields) => ({ node, ...fields }));
    const strikes: Strike[] = [];
    for (const armed of watching) {
      const fields = armed.hit(withNode);
      if (fields === undefined) continue;
      const { id, action } = armed.spec;
      strikes.push({ armed, firing: { fault: id, point, action: action!.kind, node, fields } });
    }
    this.#next(strikes, 0, flow);
  }

  /** Carries the strikes out one after the other: what goes on from one meets the next. */
  #next(strikes: readonly Strike[], at: number, flow: Flow): void {
    const strike = strikes[at];
    if (strike === undefined) flow.go();
    else if (!strike.armed.live || !strike.armed.strikes()) this.#next(strikes, at + 1, flow);
    else this.#carryOut.act(strike, { ...flow, go: () => this.#next(strikes, at + 1, flow) });
  }

  /** Tells people what became of something that a fault has let go. */
  warn(message: string): void {
    this.#options.trace({ type: 'log.line', level: 'warn', message });
  }

  #healed(): void {
    const waiting = [...this.#onHeal];
    this.#onHeal.clear();
    for (const run of waiting) run();
  }

  #named(id: string): ArmedFault[] {
    if (id === '*') return [...this.#faults.values()];
    const armed = this.#faults.get(id);
    return armed === undefined ? [] : [armed];
  }

  #remove(armed: ArmedFault, why: 'asked' | 'expired'): void {
    if (!armed.live) return;
    armed.live = false;
    const { id, point } = armed.spec;
    this.#faults.delete(id);
    const rest = (this.#byPoint.get(point) ?? []).filter((other) => other !== armed);
    if (rest.length === 0) this.#byPoint.delete(point);
    else this.#byPoint.set(point, rest);
    this.#options.trace({ type: 'fault.disarmed', fault: id, why });
    letGo(armed);
  }
}

function letGo(armed: ArmedFault): void {
  for (const flow of armed.takeHeld()) flow.go();
}
