// Faults of a cluster, in the words of scenario files and of `highwater fault`: strike at a named point of the protocol, cut
// links, switch safeguards. All of it heals.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseWhere } from '../chaos/where.ts';
import type { Cluster } from '../cli/cluster.ts';
import { parseDuration } from '../cli/duration.ts';
import { EXIT, Problem } from '../cli/problem.ts';
import { refuseFault, type ActionKind } from '../fault/legality.ts';
import { faultSpec } from '../fault/spec.ts';
import type { FaultAction, FaultSpec, FaultStatus } from '../protocol/generated/index.ts';

export type { FaultStatus } from '../protocol/generated/index.ts';

type Value = string | number | boolean;

/** A fault as people write it. Durations are texts: "200ms", "5s". */
export interface FaultRequest {
  /** The point: `highwater fault points` lists them. */
  readonly at: string;
  /** "kill", "pause", "pause:2s", "hold", "drop", "delay:200ms", "error:NOT_LEADER_OR_FOLLOWER", … */
  readonly do: string;
  /** Conditions on fields of the point: a value, a list of values, a glob, or a comparison such as ">=5". */
  readonly where?: Readonly<Record<string, Value | readonly Value[]>>;
  /** Strike at the n-th match only. */
  readonly nth?: number;
  /** Strike at most so often. */
  readonly times?: number;
  readonly probability?: number;
  /** Whom kill and pause strike; the node at the point if left out. */
  readonly target?: number | string;
  /** Act so much later and let the flow go on. */
  readonly later?: string;
  /** It expires by itself after this. */
  readonly ttl?: string;
  /** Its name; t1, t2, … if left out. */
  readonly id?: string;
}

export interface Within {
  /** How long to wait: "5s" if left out. */
  readonly within?: string;
}

const CALL_MS = 10_000;
const LOOK_EVERY_MS = 20;
const OWNER = 'test';

/** Refusals throw a Problem with the sentence that says why. */
export class Faults {
  readonly #cluster: Cluster;
  #next = 1;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Arms a fault on all running nodes, and on the others for when they come back. */
  async add(request: FaultRequest): Promise<ArmedFault> {
    const fault = await this.#read(request);
    const refused = refuseFault(fault);
    if (refused !== undefined) throw new Problem('HW2101', refused);
    await this.#cluster.act(this.#cluster.agent.call('ArmOnAll', { fault }, CALL_MS));
    return new ArmedFault(fault.id, this);
  }

  /** Armed faults and what they hit. */
  async list(): Promise<readonly FaultStatus[]> {
    return (await this.#told()).faults;
  }

  /** Names of safeguards that are off. */
  async safeguardsOff(): Promise<readonly string[]> {
    return (await this.#told()).safeguardsOff;
  }

  /** Removes a fault and lets go of what it holds. */
  remove(id: string): Promise<void> {
    return this.#cluster.act(this.#cluster.agent.call('DisarmOnAll', { id }, CALL_MS));
  }

  /** Lets go of what a hold fault holds; it stays armed. */
  release(id: string): Promise<void> {
    return this.#cluster.act(this.#cluster.agent.call('ReleaseOnAll', { id }, CALL_MS));
  }

  /** Cuts the links between nodes: ids or selectors. They notice as of a dead network: nobody says anything. */
  cut(
    from: number | string,
    to: number | string,
    { oneWay = false }: { readonly oneWay?: boolean } = {},
  ): Promise<void> {
    return this.#link(from, to, { cut: true, oneWay });
  }

  /** Mends cut links. */
  mend(
    from: number | string,
    to: number | string,
    { oneWay = false }: { readonly oneWay?: boolean } = {},
  ): Promise<void> {
    return this.#link(from, to, { cut: false, oneWay });
  }

  /** Switches a safeguard: `highwater safeguards` lists them. */
  switch(safeguard: string, to: 'on' | 'off'): Promise<void> {
    const request = { name: safeguard, on: to === 'on' };
    return this.#cluster.act(this.#cluster.agent.call('SetSafeguardOnAll', request, CALL_MS));
  }

  /** Removes all faults, mends all links, switches all safeguards on, resumes the paused. */
  heal(): Promise<void> {
    return this.#cluster.act(this.#cluster.agent.call('Heal', { owner: '' }, CALL_MS));
  }

  #told() {
    return this.#cluster.reach('the agent', this.#cluster.agent.call('ListAllFaults', {}, CALL_MS));
  }

  async #link(
    from: number | string,
    to: number | string,
    { cut, oneWay }: { readonly cut: boolean; readonly oneWay: boolean },
  ): Promise<void> {
    const [some, others] = [await this.#cluster.nodes(String(from)), await this.#cluster.nodes(String(to))];
    const pairs = some.flatMap((a) => others.filter((b) => a !== b).map((b) => ({ from: a, to: b })));
    for (const pair of oneWay ? pairs : pairs.flatMap((each) => [each, { from: each.to, to: each.from }]))
      await this.#cluster.act(this.#cluster.agent.call('SetLinkBetween', { ...pair, cut }, CALL_MS));
  }

  async #read(request: FaultRequest): Promise<FaultSpec> {
    const { at, where = {}, nth = 0, times = 0, probability = 1, later, ttl } = request;
    const action = readAction(request.do);
    if (request.target !== undefined && request.target !== 'node')
      action.target = String(await this.#cluster.node(String(request.target)));
    if (later !== undefined) action.laterMs = parseDuration('later', later);
    return faultSpec({
      ...{ id: request.id ?? `t${this.#next++}`, point: at, where: parseWhere(where, ['where']), action, owner: OWNER },
      ...{ nth, times, probability, ttlMs: ttl === undefined ? 0 : parseDuration('ttl', ttl) },
    });
  }
}

function readAction(text: string): Partial<FaultAction> & { kind: ActionKind } {
  const [kind = '', detail = ''] = text.split(':', 2);
  const action: Partial<FaultAction> & { kind: ActionKind } = { kind: kind as ActionKind };
  if (detail === '') return action;
  if (kind === 'delay' || kind === 'pause') return { ...action, durationMs: parseDuration(`do: ${kind}`, detail) };
  if (kind === 'error') return { ...action, error: detail as FaultAction['error'] };
  throw new Problem('HW2101', `do: ${kind} takes no ":${detail}"`);
}

/** A fault that is armed. */
export class ArmedFault {
  readonly id: string;
  readonly #faults: Faults;

  constructor(id: string, faults: Faults) {
    this.id = id;
    this.#faults = faults;
  }

  /** What it hit so far. A node that was killed takes its counts along. */
  async status(): Promise<FaultStatus> {
    const found = (await this.#faults.list()).find(({ fault }) => fault?.id === this.id);
    if (found === undefined) throw new Problem('HW2101', `fault ${this.id} is not armed any more`, EXIT.failed);
    return found;
  }

  /** Waits until a flow stands at its point, held. */
  reached(wait: Within = {}): Promise<void> {
    return this.#until('holds nothing', ({ holding }) => holding > 0, wait);
  }

  /** Waits until it has struck. Fails with the nearest misses. */
  fired(wait: Within = {}): Promise<void> {
    return this.#until('did not strike', ({ firings }) => firings > 0, wait);
  }

  /** Lets go of what it holds; it stays armed. */
  release(): Promise<void> {
    return this.#faults.release(this.id);
  }

  /** Removes it and lets go of what it holds. */
  remove(): Promise<void> {
    return this.#faults.remove(this.id);
  }

  async #until(not: string, enough: (status: FaultStatus) => boolean, { within = '5s' }: Within): Promise<void> {
    const end = performance.now() + parseDuration('within', within);
    for (;;) {
      const status = await this.status();
      if (enough(status)) return;
      if (performance.now() > end) {
        const { hits, matches, nearMisses } = status;
        const misses = nearMisses.length === 0 ? '' : `. Nearest: ${nearMisses.join('; ')}`;
        throw new Problem(
          'HW2101',
          `fault ${this.id} ${not} within ${within}: its point was reached ${hits} times and matched ${matches}${misses}`,
          EXIT.failed,
        );
      }
      await sleep(LOOK_EVERY_MS);
    }
  }
}
