// Where readers stand, by what they write down: whether one has all that there is, or is still to be waited for.
import type { Offset } from '../base/units.ts';
import type { NewEntry } from '../history/operations.ts';

export class Standings {
  readonly #positions = new Map<string, Map<string, Offset>>();

  /** An entry of a reader. */
  take(entry: NewEntry): void {
    switch (entry.f) {
      case 'poll':
      case 'position':
        if (entry.to !== undefined) this.#of(entry.process).set(entry.partition, entry.to);
        return;
      case 'assigned':
      case 'revoked':
      case 'lost':
        for (const partition of entry.partitions) this.#of(entry.process).delete(partition);
        return;
      default:
    }
  }

  /** Whether a process stands below one of these ends. Where it stands nowhere it may have nothing to read. */
  isBehind(process: string, ends: ReadonlyMap<string, Offset>): boolean {
    return [...this.#of(process)].some(([partition, position]) => position < (ends.get(partition) ?? 0));
  }

  #of(process: string): Map<string, Offset> {
    let positions = this.#positions.get(process);
    if (positions === undefined) this.#positions.set(process, (positions = new Map()));
    return positions;
  }
}

/** Where partitions end for whoever reads what is decided: the farthest that a replica says. */
export function stableEnds(
  found: readonly { readonly partition: string; readonly lastStableOffset: Offset }[],
): Map<string, Offset> {
  const ends = new Map<string, Offset>();
  for (const { partition, lastStableOffset } of found) {
    ends.set(partition, Math.max(ends.get(partition) ?? 0, lastStableOffset));
  }
  return ends;
}
