// What a cluster suffers on purpose: armed faults, cut links, safeguards that are off, lent settings. They stand in the start
// file of every node, so that they survive its restart, and on every running node; a frozen one hears of a change when it goes
// on. Of nodes that other agents supervise only the links are noted, for an agent that comes back and asks.
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { addStatus, emptyStatus } from '../fault/sum-status.ts';
import { notReached } from '../fault/armed-fault.ts';
import type { CutLink, FaultSpec, FaultStatus, LentSettings, ListFaultsResponse } from '../protocol/generated/index.ts';
import type { Affliction } from './affliction.ts';
import type { NodeState } from './home.ts';
import { NODE_FILES } from './layout.ts';
import { storedFault } from './new-start-file.ts';
import type { NodeLink, Refused } from './node-link.ts';
import type { NodeProcess } from './node-process.ts';
import { writeStartFile, type StartFile } from './start-file.ts';

/** A node that breaks a call off is dead within this, or it lives. */
const DYING_MS = 200;
/** Longest time that a node may take to serve after its start. */
const STARTING_MS = 30_000;

type Change = (link: NodeLink) => Promise<Refused>;

/** A node of this host. */
export interface Supervised {
  readonly process: NodeProcess;
  state: NodeState;
  /** What its start file says. */
  start: StartFile;
  /** Settings that its process was started with. */
  runsWith?: NodeSettings;
  /** Changes that came while it was frozen. */
  missed: Change[];
}

/** Settings of a node, under Kafka's names. */
export type NodeSettings = Pick<StartFile, 'timers' | 'config'>;

/** Those of a start file. */
export function settingsIn({ timers, config }: StartFile): NodeSettings {
  return { timers, config };
}

export interface ClusterFaultsOptions {
  /** Opens the calls to a running node. */
  readonly link: (node: NodeState) => NodeLink;
  /** All nodes of the cluster, those of other agents too. */
  readonly cluster: readonly number[];
  /** Settings that the cluster was made with. */
  readonly made: NodeSettings;
  /** Something has changed, or was asked to. */
  readonly onChange?: (now: Affliction) => void;
}

export class ClusterFaults {
  readonly #nodes: ReadonlyMap<number, Supervised>;
  readonly #options: ClusterFaultsOptions;
  readonly #armed = new Map<string, FaultSpec>();
  #cuts: readonly CutLink[] = [];
  #lent: LentSettings | null = null;
  #changes = 0;
  /** Ends with the change that was asked for last. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param nodes Those that this agent supervises. */
  constructor(nodes: ReadonlyMap<number, Supervised>, options: ClusterFaultsOptions) {
    this.#nodes = nodes;
    this.#options = options;
  }

  /** All of it, as one value. */
  get affliction(): Affliction {
    const [faults, cuts] = [[...this.#armed.values()], this.#cuts.map((cut) => ({ ...cut }))];
    return { changes: this.#changes, faults, safeguardsOff: this.#safeguardsOff(), cuts, lent: this.#lent };
  }

  /** Arms on every running node and in every start file; refused as a whole if one node refuses. */
  arm(fault: FaultSpec): Promise<Refused> {
    return this.#counted(() => this.#arm(fault));
  }

  /** @param id "*" for all. */
  disarm(id: string): Promise<Refused> {
    return this.#counted(() => this.#disarm(id));
  }

  setLink(from: number, to: number, cut: boolean): Promise<Refused> {
    return this.#counted(() => this.#setLink(from, to, cut));
  }

  setSafeguard(name: string, on: boolean): Promise<Refused> {
    return this.#counted(() => this.#setSafeguard(name, on));
  }

  /** Settings of all nodes from their next start on; null gives back. Refused while they are lent to somebody else. */
  lend(settings: LentSettings | null): Promise<Refused> {
    return this.#counted(() => this.#lend(settings));
  }

  /** Removes faults (of one owner, or all), mends links, switches safeguards on, resumes the frozen, gives back what was lent. */
  heal(owner: string): Promise<Refused> {
    return this.#counted(() => this.#heal(owner));
  }

  /** Makes the difference to what another agent knows, unless more than `known` changes came meanwhile. Answers what was refused. */
  adopt(other: Affliction, known = this.#changes): Promise<Refused> {
    return this.#inTurn(() => (this.#changes === known ? this.#adopt(other) : Promise.resolve('')));
  }

  async #adopt(other: Affliction): Promise<Refused> {
    const refusals: Refused[] = [];
    const wanted = new Set(other.faults.map(({ id }) => id));
    for (const id of [...this.#armed.keys()]) if (!wanted.has(id)) refusals.push(await this.#disarm(id));
    for (const fault of other.faults) {
      if (!isDeepStrictEqual(this.#armed.get(fault.id), fault)) refusals.push(await this.#arm(fault));
    }
    for (const { from, to } of this.#cuts) {
      if (!other.cuts.some((cut) => cut.from === from && cut.to === to))
        refusals.push(await this.#setLink(from, to, false));
    }
    for (const { from, to } of other.cuts) refusals.push(await this.#setLink(from, to, true));
    for (const name of this.#safeguardsOff())
      if (!other.safeguardsOff.includes(name)) refusals.push(await this.#setSafeguard(name, true));
    for (const name of other.safeguardsOff) refusals.push(await this.#setSafeguard(name, false));
    this.#setLent(other.lent);
    this.#changes = other.changes;
    this.#options.onChange?.(this.affliction);
    return refusals.filter((refused) => refused !== '').join('; ');
  }

  /** Every change that is asked for counts, whatever becomes of it: so all living agents count alike. */
  #counted(change: () => Promise<Refused>): Promise<Refused> {
    return this.#inTurn(async () => {
      try {
        return await change();
      } finally {
        this.#changes += 1;
        this.#options.onChange?.(this.affliction);
      }
    });
  }

  /** One change after the other: what is under way is whole before the next one looks. */
  #inTurn(change: () => Promise<Refused>): Promise<Refused> {
    const turn = this.#last.then(change);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #arm(fault: FaultSpec): Promise<Refused> {
    const refused = await this.#change((link) => link.arm(fault));
    if (refused !== '') {
      await this.#change((link) => link.disarm(fault.id));
      return refused;
    }
    this.#armed.set(fault.id, fault);
    this.#rewriteAll((start) => ({
      ...start,
      faults: [...start.faults.filter(({ id }) => id !== fault.id), storedFault(fault)],
    }));
    return '';
  }

  async #disarm(id: string): Promise<Refused> {
    const known = id === '*' ? [...this.#armed.keys()] : [id];
    if (id !== '*' && !this.#armed.has(id))
      return `no fault "${id}" is armed. Armed: ${[...this.#armed.keys()].join(', ') || 'none'}`;
    for (const each of known) this.#armed.delete(each);
    this.#rewriteAll((start) => ({ ...start, faults: start.faults.filter((fault) => !known.includes(fault.id)) }));
    return this.#change((link) => link.disarm(id));
  }

  /** Lets go of what a fault holds. */
  release(id: string): Promise<Refused> {
    return this.#change((link) => link.release(id));
  }

  /** Faults with counts summed over the running nodes, cut links, and safeguards that are off. */
  async list(): Promise<Pick<ListFaultsResponse, 'faults' | 'safeguardsOff' | 'cuts'>> {
    const sums = new Map<string, FaultStatus>();
    for (const fault of this.#armed.values()) sums.set(fault.id, emptyStatus(fault));
    const awake = [...this.#nodes.values()].filter(({ process }) => process.alive && !process.frozen);
    const count = async (link: NodeLink): Promise<Refused> => {
      for (const status of (await link.list()).faults) {
        const sum = sums.get(status.fault?.id ?? '');
        if (sum !== undefined) addStatus(sum, status);
      }
      return '';
    };
    await Promise.all(awake.map((node) => this.#tell(node, count)));
    for (const sum of sums.values()) sum.nearMisses = nearestOfAll(sum);
    const { safeguardsOff, cuts } = this.affliction;
    return { faults: [...sums.values()], safeguardsOff, cuts: [...cuts] };
  }

  async #setLink(from: number, to: number, cut: boolean): Promise<Refused> {
    const { cluster } = this.#options;
    if (!cluster.includes(from)) return `no node ${from}. Nodes: ${cluster.join(', ')}`;
    const otherCuts = this.#cuts.filter((each) => each.from !== from || each.to !== to);
    this.#cuts = cut ? [...otherCuts, { from, to }] : otherCuts;
    const node = this.#nodes.get(from);
    if (node === undefined) return '';
    const others = node.start.cutTo.filter((id) => id !== to);
    this.#rewrite(node, { ...node.start, cutTo: cut ? [...others, to] : others });
    return this.#tell(node, (link) => link.setLink(to, cut));
  }

  async #setSafeguard(name: string, on: boolean): Promise<Refused> {
    const refused = await this.#change((link) => link.setSafeguard(name, on));
    if (refused !== '') return refused;
    this.#rewriteAll((start) => {
      const others = start.safeguardsOff.filter((off) => off !== name);
      return { ...start, safeguardsOff: on ? others : [...others, name] };
    });
    return '';
  }

  #lend(settings: LentSettings | null): Promise<Refused> {
    const before = this.#lent?.borrower;
    if (settings !== null && before !== undefined && before !== settings.borrower) {
      return Promise.resolve(`its settings are lent to ${before}. If that has ended: highwater fault heal`);
    }
    this.#setLent(settings);
    return Promise.resolve('');
  }

  #setLent(settings: LentSettings | null): void {
    if (isDeepStrictEqual(settings, this.#lent)) return;
    this.#lent = settings;
    const now: NodeSettings =
      settings === null
        ? this.#options.made
        : {
            timers: settings.timers === 'fast' ? 'fast' : 'kafka',
            config: Object.fromEntries(settings.config.map(({ name, value }) => [name, value])),
          };
    this.#rewriteAll((start) => ({ ...start, ...now }));
  }

  /** Wakes a frozen node and tells it what it missed. */
  resume(node: Supervised): Promise<Refused> {
    node.process.resume();
    return this.#tell(node, () => Promise.resolve(''));
  }

  async #heal(owner: string): Promise<Refused> {
    const refusals: Refused[] = [];
    for (const node of this.#nodes.values()) if (node.process.frozen) refusals.push(await this.resume(node));
    const mine = [...this.#armed.values()].filter((fault) => owner === '' || fault.owner === owner);
    for (const fault of mine) refusals.push(await this.#disarm(fault.id));
    for (const { from, to } of this.#cuts) refusals.push(await this.#setLink(from, to, false));
    for (const name of this.#safeguardsOff()) refusals.push(await this.#setSafeguard(name, true));
    this.#setLent(null);
    return refusals.filter((refused) => refused !== '').join('; ');
  }

  #safeguardsOff(): string[] {
    return [...new Set([...this.#nodes.values()].flatMap((node) => node.start.safeguardsOff))];
  }

  #rewriteAll(change: (start: StartFile) => StartFile): void {
    for (const node of this.#nodes.values()) this.#rewrite(node, change(node.start));
  }

  #rewrite(node: Supervised, start: StartFile): void {
    node.start = start;
    writeStartFile(join(node.state.dataDir, NODE_FILES.start), start);
  }

  /** Tells all nodes; answers the first refusal. */
  async #change(change: Change): Promise<Refused> {
    const refusals = await Promise.all([...this.#nodes.values()].map((node) => this.#tell(node, change)));
    return refusals.find((refused) => refused !== '') ?? '';
  }

  /** A node that is dead refuses nothing: it reads its start file when it starts again. */
  async #tell(node: Supervised, change: Change): Promise<Refused> {
    node.missed.push(change);
    if (!node.process.alive) node.missed = [];
    if (node.process.frozen || node.missed.length === 0) return '';
    const changes = node.missed;
    node.missed = [];
    for (const deadline = Date.now() + STARTING_MS; ;) {
      try {
        return await this.#told(node, changes);
      } catch (error) {
        if (await startsYet(node, deadline)) continue;
        return node.process.alive ? `node ${node.state.id}: ${(error as Error).message}` : '';
      }
    }
  }

  async #told(node: Supervised, changes: readonly Change[]): Promise<Refused> {
    const link = this.#options.link(node.state);
    let refused: Refused = '';
    try {
      for (const each of changes) refused = await each(link);
      return refused;
    } finally {
      link.close();
    }
  }
}

/**
 * What a broken-off call means. True: the node is starting and did not serve yet, so it is to be told again. False: it is
 * dead (its connection may end a moment before its process is seen to), or it lives and does not answer.
 */
async function startsYet({ process }: Supervised, deadline: number): Promise<boolean> {
  const starting = process.state === 'starting';
  await process.gone(DYING_MS).catch(() => undefined);
  return starting && process.alive && Date.now() < deadline;
}

/** The nearest misses of all nodes: those of nodes that never came to the point count only if none did. */
function nearestOfAll({ fault, firings, nearMisses }: FaultStatus): string[] {
  if (firings > 0) return [];
  const distinct = [...new Set(nearMisses)];
  const unreached = notReached(fault?.point ?? '');
  const near = distinct.filter((miss) => miss !== unreached);
  return (near.length > 0 ? near : distinct).slice(0, 3);
}
