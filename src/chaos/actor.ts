// Carries out actions on something else than a flow: nodes, links, elections, safeguards. Remembers what it did, so that
// every run ends healed: links mended, nodes resumed and started, safeguards as the plan has them.
import { formatPartition, type NodeId } from '../base/units.ts';
import { resolveSelector } from '../fault/selectors.ts';
import type { Safeguard } from '../fault/safeguards.ts';
import type { NewEntry } from '../history/operations.ts';
import { abortHanging } from './abort-hanging.ts';
import type { ClusterState } from './cluster-state.ts';
import type { ClusterDriver, Done, NodeState } from './driver.ts';
import type { Losses } from './losses.ts';
import type { AskBroker } from './observe.ts';
import type { ElsewhereAction, Target, TopicPlan } from './plan.ts';
import { deleteRecords, endTransaction } from './stray-requests.ts';

/** What came of an action: the nodes it struck, what takes it back on exactly these, or why it could not be carried out. */
export interface ActResult {
  readonly nodes: readonly NodeId[];
  readonly undo?: readonly ElsewhereAction[];
  /** A sentence. */
  readonly refused?: string;
}
type Acted = (result: ActResult) => void;

/** In which state a node must be for an action to mean anything. */
const ACTS_ON: Readonly<Record<'kill' | 'pause' | 'resume' | 'stop' | 'start', readonly NodeState[]>> = {
  kill: ['running', 'paused'],
  pause: ['running'],
  resume: ['paused'],
  stop: ['running'],
  start: ['down'],
};

/** Actions behind which there is no process any more. */
const ENDS: ReadonlySet<string> = new Set(['kill', 'stop']);

export interface ActorParts {
  readonly driver: ClusterDriver;
  readonly state: ClusterState;
  readonly record: (entry: NewEntry) => void;
  readonly losses: Losses;
  /** The nodes that a fault struck last. */
  readonly struckBy: (fault: string) => readonly NodeId[];
  /** The node of the process in which a client runs now, or ran last. */
  readonly clientNode: (client: string) => NodeId | undefined;
  /** Starts a client that is gone once more, as a new process. */
  readonly restartClient: (client: string, done: Done) => void;
  /** Safeguards that the plan has switched off from the start. */
  readonly safeguardsOff: readonly Safeguard[];
}

export class Actor {
  readonly #parts: ActorParts;
  readonly #cuts = new Map<string, readonly [NodeId, NodeId]>();
  readonly #switched = new Set<Safeguard>();
  readonly #states = new Map<NodeId, NodeState>();
  readonly #deleted = new Set<string>();

  constructor(parts: ActorParts) {
    this.#parts = parts;
  }

  /** A node changed its state, by whatever hand. */
  stateChanged(node: NodeId, state: NodeState): void {
    this.#states.set(node, state);
  }

  isDown(node: NodeId): boolean {
    return this.#states.get(node) === 'down';
  }

  /** Topics without those that were deleted. */
  remaining(topics: readonly TopicPlan[]): readonly TopicPlan[] {
    return topics.filter(({ name }) => !this.#deleted.has(name));
  }

  /** Carries an action out. `cause` names the fault. */
  act(action: ElsewhereAction, cause: string, done: (result: ActResult) => void): void {
    const { driver } = this.#parts;
    switch (action.kind) {
      case 'kill':
        this.#each(action, (node, next) => driver.kill(node, cause, next), { undo: startOf, done });
        return;
      case 'pause':
        this.#each(action, (node, next) => driver.pause(node, cause, next), { undo: resumeOf, done });
        return;
      case 'resume':
        this.#each(action, (node, next) => driver.resume(node, next), { done });
        return;
      case 'stop':
        this.#each(action, (node, next) => driver.stopNode(node, cause, next), { undo: startOf, done });
        return;
      case 'start':
        if (action.target.kind === 'client') this.#restartClient(action.target.client, done);
        else this.#each(action, (node, next) => this.#start(node, action, next), { done });
        return;
      case 'elect':
        this.#elect(action, done);
        return;
      case 'reassign':
        driver.reassign(action.of, action.replicas, (refused) => done(resultOf([], refused)));
        return;
      case 'cut':
      case 'mend':
        this.#link(action, done);
        return;
      case 'abort-hanging':
      case 'abort-open':
        this.#abortTransactions(action, done);
        return;
      case 'delete-records':
        deleteRecords(action.of, action.before, this.#asked, (refused) => done(resultOf([], refused)));
        return;
      case 'end-txn':
        endTransaction(action, this.#asked, (refused) => done(resultOf([], refused)));
        return;
      case 'delete':
        this.#delete(action.topic, done);
        return;
      case 'release':
        driver.release(action.fault, (refused) => done(resultOf([], refused)));
        return;
      case 'switch':
        this.#switched.add(action.safeguard);
        driver.setSafeguard(action.safeguard, action.on, (refused) => {
          done({ ...resultOf([], refused), undo: [{ ...action, on: !action.on }] });
        });
    }
  }

  /** Takes back everything: mends links, resumes paused nodes, starts dead ones, restores safeguards. */
  heal(done: () => void): void {
    const { driver, state, safeguardsOff } = this.#parts;
    const steps: ((next: Done) => void)[] = [];
    for (const [from, to] of this.#cuts.values()) steps.push((next) => driver.setLink(from, to, false, next));
    for (const safeguard of this.#switched) {
      const on = !safeguardsOff.includes(safeguard);
      steps.push((next) => driver.setSafeguard(safeguard, on, next));
    }
    for (const [node, is] of this.#states) {
      if (is === 'paused') steps.push((next) => driver.resume(node, next));
    }
    for (const node of [state.controller, ...state.brokers]) {
      if (this.isDown(node)) steps.push((next) => driver.startNode(node, { wipe: false, truncateTail: 0 }, next));
    }
    inTurn(steps, done);
  }

  /** Acts on each node that the target stands for now, one after the other. */
  #each(
    action: Extract<ElsewhereAction, { readonly target: Target }>,
    act: (node: NodeId, next: Done) => void,
    then: { readonly undo?: (node: NodeId) => ElsewhereAction; readonly done: Acted },
  ): void {
    const nodes = this.#nodesOf(action.target);
    if (typeof nodes === 'string') {
      this.#refuse(nodes, then.done);
      return;
    }
    const struck: NodeId[] = [];
    let why: string | undefined;
    const steps = nodes.map((node) => (next: Done) => {
      const state = this.#states.get(node);
      if (state !== undefined && !ACTS_ON[action.kind].includes(state)) {
        why ??= `node ${node} is ${state}`;
        next();
        return;
      }
      act(node, (refused) => {
        if (refused === undefined) struck.push(node);
        // Its process is gone; that it is told as well may take a moment longer.
        if (refused === undefined && ENDS.has(action.kind)) this.#states.set(node, 'down');
        why ??= refused;
        next();
      });
    });
    inTurn(steps, () => {
      const undo = then.undo === undefined ? [] : struck.map(then.undo);
      then.done({ ...resultOf(struck, struck.length > 0 ? undefined : why), undo });
    });
  }

  #refuse(why: string, done: Acted): void {
    this.#parts.driver.after(0, () => done(resultOf([], why)));
  }

  #nodesOf(target: Target): readonly NodeId[] | string {
    switch (target.kind) {
      case 'nodes':
        return resolveSelector(target.selector, this.#parts.state);
      case 'node':
        return [target.node];
      case 'client': {
        const node = this.#parts.clientNode(target.client);
        return node === undefined ? `client ${target.client} has not started` : [node];
      }
      case 'struck-by': {
        const struck = this.#parts.struckBy(target.fault);
        return struck.length === 0 ? `fault ${target.fault} has struck no node yet` : struck;
      }
    }
  }

  #restartClient(client: string, done: Acted): void {
    const { clientNode, restartClient } = this.#parts;
    const before = clientNode(client);
    if (before === undefined || !this.isDown(before)) {
      this.#refuse(`client ${client} ${before === undefined ? 'has not started' : 'still runs'}`, done);
      return;
    }
    restartClient(client, (refused) => {
      const node = clientNode(client);
      done(resultOf(node === undefined ? [] : [node], refused));
    });
  }

  #start(node: NodeId, how: { readonly wipe: boolean; readonly truncateTail: number }, done: Done): void {
    const { driver, losses } = this.#parts;
    // What may be lost is declared before it is, so that no acknowledgement after it is excused (design section 7).
    if (how.wipe || how.truncateTail !== 0) losses.begin(node, how.wipe ? 'wipe' : 'power-loss');
    driver.startNode(node, { wipe: how.wipe, truncateTail: how.truncateTail }, done);
  }

  #elect(action: Extract<ElsewhereAction, { kind: 'elect' }>, done: Acted): void {
    const { driver, record } = this.#parts;
    const { of, type } = action;
    const leader = action.leader === undefined ? [] : this.#nodesOf(action.leader);
    if (typeof leader === 'string') {
      this.#refuse(leader, done);
      return;
    }
    if (type === 'UNCLEAN') {
      const partition = formatPartition(of.topic, of.partition);
      record({ f: 'budget', type: 'info', process: 'faults', what: 'unclean-election', partition });
    }
    driver.elect({ ...of, type, to: leader[0] ?? -1 }, (refused) => done(resultOf(leader, refused)));
  }

  /** How brokers are asked for what a scenario does itself. */
  get #asked(): { readonly state: ClusterState; readonly ask: AskBroker } {
    const { driver, state } = this.#parts;
    return { state, ask: (node, api, request, told) => driver.ask(node, api, request, told) };
  }

  #abortTransactions(
    { of, kind }: Extract<ElsewhereAction, { kind: 'abort-hanging' | 'abort-open' }>,
    done: Acted,
  ): void {
    // What it tears is the operator's doing (txn T-179).
    const partition = formatPartition(of.topic, of.partition);
    this.#parts.record({ f: 'budget', type: 'info', process: 'faults', what: 'admin-abort', partition });
    abortHanging(of, { ...this.#asked, owned: kind === 'abort-open' }, (refused) => done(resultOf([], refused)));
  }

  #delete(topic: string, done: Acted): void {
    const { driver, state, record } = this.#parts;
    for (let at = 0; at < state.partitionCount(topic); at++) {
      const partition = formatPartition(topic, at);
      record({ f: 'budget', type: 'info', process: 'faults', what: 'topic-deletion', partition });
    }
    this.#deleted.add(topic);
    driver.deleteTopic(topic, (refused) => done(resultOf([], refused)));
  }

  #link(action: Extract<ElsewhereAction, { kind: 'cut' | 'mend' }>, done: Acted): void {
    const { driver } = this.#parts;
    const [from, to] = [this.#nodesOf(action.from), this.#nodesOf(action.to)];
    if (typeof from === 'string' || typeof to === 'string') {
      this.#refuse(typeof from === 'string' ? from : String(to), done);
      return;
    }
    const pairs = from.flatMap((a) => to.filter((b) => b !== a).map((b) => [a, b] as const));
    const both = action.oneWay ? pairs : [...pairs, ...pairs.map(([a, b]) => [b, a] as const)];
    const cut = action.kind === 'cut';
    for (const [a, b] of both) {
      if (cut) this.#cuts.set(`${a} ${b}`, [a, b]);
      else this.#cuts.delete(`${a} ${b}`);
    }
    const undo = cut ? both.map(([a, b]) => mendOf(a, b)) : [];
    const steps = both.map(
      ([a, b]) =>
        (next: Done) =>
          driver.setLink(a, b, cut, next),
    );
    inTurn(steps, () => done({ nodes: from, undo }));
  }
}

function resultOf(nodes: readonly NodeId[], refused: string | undefined): ActResult {
  return refused === undefined ? { nodes } : { nodes, refused };
}

function targetOf(node: NodeId): Target {
  return { kind: 'node', node };
}

/** Starts a node that was killed or stopped. */
export function startOf(id: NodeId): ElsewhereAction {
  return { kind: 'start', target: targetOf(id), wipe: false, truncateTail: 0 };
}

function resumeOf(id: NodeId): ElsewhereAction {
  return { kind: 'resume', target: targetOf(id) };
}

function mendOf(from: NodeId, to: NodeId): ElsewhereAction {
  return { kind: 'mend', from: targetOf(from), to: targetOf(to), oneWay: true };
}

/** Runs steps one after the other. */
export function inTurn(steps: readonly ((next: Done) => void)[], done: () => void, at = 0): void {
  const step = steps[at];
  if (step === undefined) done();
  else step(() => inTurn(steps, done, at + 1));
}
