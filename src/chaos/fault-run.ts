// The life of one fault in a run: armed or waited for, striking, firing when its action has been carried out, and ending.
import type { NodeId } from '../base/units.ts';
import { faultSpec } from '../fault/spec.ts';
import type { NewEntry } from '../history/operations.ts';
import { inTurn, startOf, type Actor } from './actor.ts';
import type { ClusterDriver, Done, NodeState } from './driver.ts';
import { drawMs } from './durations.ts';
import { holdsForEngine, specOf } from './node-fault.ts';
import type { ElsewhereAction, FaultPlan } from './plan.ts';
import type { Watch } from './watch.ts';

export interface FaultParts {
  readonly driver: ClusterDriver;
  readonly watch: Watch;
  readonly actor: Actor;
  /** In [0, 1): draws of this fault alone. */
  readonly next: () => number;
  readonly record: (entry: NewEntry) => void;
  /** Who armed what nodes hold: the id of the run. */
  readonly owner: string;
  /** The process of the history that runs, or ran, on a node; undefined if it is no client's. */
  readonly processAt: (node: NodeId) => string | undefined;
}

/** What a client that is struck does not go on from by itself. */
const HALTS: ReadonlySet<string> = new Set(['kill', 'pause', 'stop']);

export class FaultRun {
  readonly plan: FaultPlan;
  readonly #parts: FaultParts;
  #strikes = 0;
  #firings = 0;
  #ended = false;
  /** Nodes that are about to be gone, or paused, by their own hand. */
  readonly #dying = new Map<NodeId, NodeState>();
  /** Nodes of clients that it paused and that stand still. */
  readonly #paused = new Set<NodeId>();
  /** The nodes that were struck last. */
  struck: readonly NodeId[] = [];
  /** Why it did not fire although its moment came: sentences. */
  readonly refusals: string[] = [];
  /** Hits on nodes, for near misses. */
  nearMisses: readonly string[] = [];

  constructor(plan: FaultPlan, parts: FaultParts) {
    this.plan = plan;
    this.#parts = parts;
  }

  get firings(): number {
    return this.#firings;
  }

  /** Whether it may still fire by itself, so that a run has a reason to wait for it. */
  get pending(): boolean {
    return !this.#ended && this.#firings === 0 && this.plan.trigger.kind !== 'every';
  }

  /** Why it has not fired: sentences. */
  whyNot(): readonly string[] {
    if (this.refusals.length > 0) return this.refusals.slice(0, 3);
    const { trigger } = this.plan;
    if (trigger.kind === 'after') return [`its moment did not come: ${trigger.moment.text}`];
    return trigger.kind === 'at' ? [...this.nearMisses] : ['its time did not come'];
  }

  /** Arms what nodes must hold. */
  arm(done: Done): void {
    const spec = specOf(this.plan, this.#parts.next);
    if (spec === undefined) this.#parts.driver.after(0, done);
    else this.#parts.driver.arm(faultSpec({ ...spec, owner: this.#parts.owner }), done);
  }

  /** Begins to wait for its moments. */
  watch(): void {
    const { trigger, until } = this.plan;
    if (trigger.kind === 'after') this.#parts.watch.when(trigger.moment, () => this.#strike());
    if (trigger.kind === 'every') this.#again();
    if (until !== undefined) this.#parts.watch.when(until, () => this.end());
  }

  /** Its action struck at a point of a node, as the node tells. */
  firedAt(node: NodeId): void {
    const { action } = this.plan;
    if ('elsewhere' in action) {
      this.#strikeFromPoint(action.elsewhere);
      return;
    }
    const gone = action.own.kind === 'kill' ? 'down' : action.own.kind === 'pause' ? 'paused' : undefined;
    if (gone === undefined) this.#fired(action.own.kind, [node]);
    else this.#dying.set(node, gone);
  }

  /** A node changed its state: what it did to itself is carried out now. */
  stateChanged(node: NodeId, state: NodeState): void {
    if (state === 'running' && this.#paused.has(node)) this.#freed(node);
    if (this.#dying.get(node) !== state) return;
    this.#dying.delete(node);
    if ('own' in this.plan.action) this.#fired(this.plan.action.own.kind, [node]);
  }

  /** It strikes no more, and what it holds is let go. What it did stays until the run heals. */
  end(done: Done = () => undefined): void {
    if (this.#ended || this.plan.trigger.kind !== 'at') {
      this.#ended = true;
      this.#parts.driver.after(0, done);
      return;
    }
    this.#ended = true;
    this.#parts.driver.disarm(this.plan.id, done);
  }

  // ---- striking

  #again(): void {
    const { trigger } = this.plan;
    if (trigger.kind !== 'every') return;
    this.#parts.driver.after(drawMs(trigger.span, this.#parts.next), () => {
      if (this.#ended) return;
      this.#strike();
      this.#again();
    });
  }

  #strike(): void {
    const { action, times } = this.plan;
    if (this.#ended || !('elsewhere' in action) || (times > 0 && this.#strikes >= times)) return;
    this.#strikes += 1;
    this.#actLater(action.elsewhere, () => undefined);
  }

  /** The flow at the point waits until the action is done, if it can. */
  #strikeFromPoint(action: ElsewhereAction): void {
    const { times, id } = this.plan;
    const letGo = (): void => {
      if (holdsForEngine(this.plan)) this.#parts.driver.release(id, () => undefined);
      if (times > 0 && this.#strikes >= times) this.end();
    };
    if (this.#ended || (times > 0 && this.#strikes >= times)) letGo();
    else {
      this.#strikes += 1;
      this.#actLater(action, letGo);
    }
  }

  #actLater(action: ElsewhereAction, done: () => void): void {
    const { driver, actor, next } = this.#parts;
    const act = (): void => {
      actor.act(action, this.plan.id, ({ nodes, undo = [], refused }) => {
        if (refused === undefined) this.#fired(action.kind, nodes, undo);
        else this.refusals.push(`${this.plan.id} struck, but ${refused}`);
        done();
      });
    };
    if (this.plan.later === undefined) act();
    else driver.after(drawMs(this.plan.later, next), act);
  }

  /** @param undo What takes an action on something else back; absent for one on the flow or node at the point. */
  #fired(kind: string, nodes: readonly NodeId[], undo?: readonly ElsewhereAction[]): void {
    const { watch } = this.#parts;
    const { id, times } = this.plan;
    this.#firings += 1;
    if (nodes.length > 0) this.struck = nodes;
    this.#record(kind, nodes);
    // Nodes count for themselves: the others must not strike as well.
    if (undo === undefined && times > 0 && this.#firings >= times && kind !== 'hold') this.end();
    this.#endsAfter(undo ?? (kind === 'kill' ? nodes.map(startOf) : []));
    watch.faultFired(id);
  }

  /** Clients that were struck stand still or are gone from here on: what they had under way owes no answer. */
  #record(action: string, nodes: readonly NodeId[]): void {
    const { record, processAt } = this.#parts;
    const clients = nodes.flatMap((node) => processAt(node) ?? []);
    const detail = nodes.length === 0 ? '' : `node ${nodes.join(', ')}`;
    record({
      ...{ f: 'fault', type: 'info', process: 'faults', fault: this.plan.id, action, detail },
      ...(clients.length > 0 && HALTS.has(action) ? { halts: clients } : {}),
    });
    if (action === 'pause') for (const node of nodes) if (processAt(node) !== undefined) this.#paused.add(node);
  }

  /** A client that it paused goes on, by whatever hand. */
  #freed(node: NodeId): void {
    const { record, processAt } = this.#parts;
    this.#paused.delete(node);
    const frees = [processAt(node)!];
    const what = { fault: this.plan.id, action: 'resume', detail: `node ${node}` };
    record({ f: 'fault', type: 'info', process: 'faults', ...what, frees });
  }

  /** What it did is taken back after `for`; if nothing can be, it ends so long after its first firing. */
  #endsAfter(undo: readonly ElsewhereAction[]): void {
    const { driver, actor, next } = this.#parts;
    const length = this.plan.for;
    if (length === undefined || (undo.length === 0 && this.#firings > 1)) return;
    driver.after(drawMs(length, next), () => {
      if (undo.length === 0) this.end();
      else
        inTurn(
          undo.map((action) => (after) => actor.act(action, this.plan.id, () => after())),
          () => undefined,
        );
    });
  }
}
