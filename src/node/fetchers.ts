// The fetchers of a broker, one for each leader it follows (repl R-71). Which replicas are fetched is partition.ts's
// decision.
import type { NodeId } from '../base/units.ts';
import type { Fetching, FetchStart, NodeContext } from './context.ts';
import { Fetcher } from './fetcher.ts';
import type { FetchedReplica } from './fetched-replica.ts';
import type { Partition } from './partition.ts';

export class Fetchers implements Fetching {
  readonly #context: NodeContext;
  readonly #byLeader = new Map<NodeId, Fetcher>();
  readonly #leaderOf = new Map<Partition, NodeId>();
  #closed = false;
  /** Of this process, over all leaders: rises, so that a leader can tell the newest stream (repl T-28). */
  #generation = 0;

  constructor(context: NodeContext) {
    this.#context = context;
  }

  start(replica: Partition, at: FetchStart): void {
    if (this.#closed) return;
    let fetcher = this.#byLeader.get(at.leader);
    if (fetcher === undefined) {
      const nextGeneration = (): number => ++this.#generation;
      const fetchedNow = (key: string): FetchedReplica | undefined => this.#fetched(key);
      fetcher = new Fetcher(this.#context, at.leader, { nextGeneration, fetchedNow });
      this.#byLeader.set(at.leader, fetcher);
    }
    this.#leaderOf.set(replica, at.leader);
    fetcher.add(replica, at);
  }

  #fetched(key: string): FetchedReplica | undefined {
    for (const fetcher of this.#byLeader.values()) {
      const fetched = fetcher.fetched(key);
      if (fetched !== undefined) return fetched;
    }
    return undefined;
  }

  stop(replica: Partition): void {
    const leader = this.#leaderOf.get(replica);
    if (leader === undefined) return;
    this.#leaderOf.delete(replica);
    this.#byLeader.get(leader)?.remove(replica);
  }

  /** A delta is in force: asks for what it added, and leaves leaders of whom nothing is followed any more. */
  deltaApplied(): void {
    for (const [leader, fetcher] of this.#byLeader) {
      if (fetcher.isEmpty) this.#leave(leader, fetcher);
      else fetcher.sendAdded();
    }
  }

  /** Leaves all leaders, and follows nobody any more: the broker stops. */
  close(): void {
    this.#closed = true;
    for (const [leader, fetcher] of this.#byLeader) this.#leave(leader, fetcher);
    this.#leaderOf.clear();
  }

  #leave(leader: NodeId, fetcher: Fetcher): void {
    fetcher.leave();
    this.#byLeader.delete(leader);
  }
}
