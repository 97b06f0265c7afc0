// The processes of a cluster, as `highwater node` treats them. A node is named by its id or by a selector such as
// leader(orders-0); one that stands for many is all of them.
import type { Cluster } from '../cli/cluster.ts';
import type { NodeStatus } from '../protocol/generated/index.ts';

/** A clean stop moves leaders away first. */
const STOP_MS = 20_000;
const START_MS = 35_000;
const ACT_MS = 15_000;
const CAUSE = 'test';

/** What a node loses before it starts. */
export interface StartHow {
  /** Its store, as after losing the disk. */
  readonly wipe?: boolean;
  /** Of each partition up to so many batches that were not flushed, as after a power loss; "all": every one. */
  readonly truncateTail?: number | 'all';
}

/** Refusals throw a Problem with the sentence that says why. */
export class Nodes {
  readonly #cluster: Cluster;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** All nodes and how they are. */
  async list(): Promise<readonly NodeStatus[]> {
    return (await this.#cluster.reach('the agent', this.#cluster.agent.call('ListNodes', {}, ACT_MS))).nodes;
  }

  /** The ids that a selector stands for now. */
  find(node: number | string): Promise<readonly number[]> {
    return this.#cluster.nodes(String(node));
  }

  /** SIGKILL, at once. Resolves when it is gone. */
  kill(node: number | string): Promise<void> {
    return this.#each(node, (id) => this.#cluster.agent.call('KillNode', { id, cause: CAUSE }, ACT_MS));
  }

  /** Clean stop: controlled shutdown, flush, exit. */
  stop(node: number | string): Promise<void> {
    return this.#each(node, (id) => this.#cluster.agent.call('StopNode', { id, cause: CAUSE }, STOP_MS));
  }

  /** Starts one that does not run. Resolves when its ports are open; it joins the cluster in its own time. */
  start(node: number | string, { wipe = false, truncateTail = 0 }: StartHow = {}): Promise<void> {
    const tail = truncateTail === 'all' ? -1 : truncateTail;
    return this.#each(node, (id) => this.#cluster.agent.call('StartNode', { id, wipe, truncateTail: tail }, START_MS));
  }

  /** Kills it if it runs, and starts it. */
  async restart(node: number | string, how: StartHow = {}): Promise<void> {
    for (const id of await this.find(node)) {
      const status = (await this.list()).find((each) => each.id === id);
      if (status !== undefined && status.pid !== 0) await this.kill(id);
      await this.start(id, how);
    }
  }

  /** SIGSTOP: it freezes and keeps its connections. */
  pause(node: number | string): Promise<void> {
    return this.#each(node, (id) => this.#cluster.agent.call('PauseNode', { id, cause: CAUSE }, ACT_MS));
  }

  /** SIGCONT. */
  resume(node: number | string): Promise<void> {
    return this.#each(node, (id) => this.#cluster.agent.call('ResumeNode', { id, cause: CAUSE }, ACT_MS));
  }

  async #each(node: number | string, act: (id: number) => Promise<{ readonly refused: string }>): Promise<void> {
    for (const id of await this.find(node)) await this.#cluster.act(act(id));
  }
}
