// Where the replicas of new partitions go: spread over racks first, and all racks alike, whatever their sizes, as Kafka's
// placer has it; then leaders over brokers, then replicas, then who would take over from whom. Brokers without a rack are one
// rack of their own. Deterministic: the same cluster gets the same placement. Kafka spreads likewise but begins at random.
import type { NodeId } from '../base/units.ts';
import type { MetadataImage } from '../metadata/image.ts';

/** How much brokers carry already. Placing a partition adds to it. */
export class PlacementLoad {
  readonly #preferred = new Map<NodeId, number>();
  readonly #replicas = new Map<NodeId, number>();
  readonly #successions = new Map<string, number>();
  readonly #image: MetadataImage;
  readonly #preferredInRack = new Map<string, number>();
  readonly #replicasInRack = new Map<string, number>();

  constructor(image: MetadataImage) {
    this.#image = image;
    for (const partition of image.partitions()) this.#add(partition.replicas);
  }

  /**
   * Chooses the replicas of one more partition; the first is the preferred leader.
   *
   * @param brokers Candidates in ascending order; at least `count`.
   */
  place(brokers: readonly NodeId[], count: number): NodeId[] {
    const replicas: NodeId[] = [];
    while (replicas.length < count) {
      const leader = replicas[0];
      const free = brokers.filter((id) => !replicas.includes(id));
      replicas.push(leader === undefined ? this.#leader(free) : this.#follower(free, leader, replicas));
    }
    this.#add(replicas);
    return replicas;
  }

  #leader(free: readonly NodeId[]): NodeId {
    return least(free, (id) => [
      count(this.#preferredInRack, this.#rackOf(id)),
      count(this.#preferred, id),
      count(this.#replicas, id),
      id,
    ]);
  }

  /** In a rack that the partition is not in yet, as long as there is one. Among equals the next id after the leader, round and round. */
  #follower(free: readonly NodeId[], leader: NodeId, placed: readonly NodeId[]): NodeId {
    const inRack = (rack: string): number => placed.filter((id) => this.#rackOf(id) === rack).length;
    return least(free, (id) => [
      inRack(this.#rackOf(id)),
      count(this.#replicasInRack, this.#rackOf(id)),
      count(this.#replicas, id),
      placed.length === 1 ? count(this.#successions, `${leader} ${id}`) : 0,
      id > leader ? 0 : 1,
      id,
    ]);
  }

  #add(replicas: readonly NodeId[]): void {
    const [leader, next] = replicas;
    if (leader !== undefined) {
      increase(this.#preferred, leader);
      increase(this.#preferredInRack, this.#rackOf(leader));
    }
    if (next !== undefined) increase(this.#successions, `${leader} ${next}`);
    for (const id of replicas) {
      increase(this.#replicas, id);
      increase(this.#replicasInRack, this.#rackOf(id));
    }
  }

  #rackOf(id: NodeId): string {
    return this.#image.brokers.get(id)?.rack ?? '';
  }
}

function count<Key>(counts: ReadonlyMap<Key, number>, key: Key): number {
  return counts.get(key) ?? 0;
}

function increase<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, count(counts, key) + 1);
}

/** The candidate whose weight is lexicographically smallest. */
function least(candidates: readonly NodeId[], weigh: (id: NodeId) => readonly number[]): NodeId {
  return candidates.reduce((best, id) => (isLess(weigh(id), weigh(best)) ? id : best));
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((weight, i) => weight !== b[i]);
  return at >= 0 && a[at]! < b[at]!;
}
