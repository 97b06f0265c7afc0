// A history without what it says of partitions whose topic was deleted: nothing is promised of them, of their records no more than
// of offsets that groups have committed there.
import type { HistoryEntry } from '../history/operations.ts';

/** The same history if nothing was deleted. Entries about other partitions as well keep what they say of those. */
export function withoutDeleted(entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const deleted = new Set<string>();
  for (const entry of entries) {
    if (entry.f === 'budget' && entry.what === 'topic-deletion') deleted.add(entry.partition);
  }
  if (deleted.size === 0) return entries;
  const isLeft = (partition: string): boolean => !deleted.has(partition);
  return entries
    .filter((entry) => !('partition' in entry) || isLeft(entry.partition))
    .map((entry) => rest(entry, isLeft));
}

function rest(entry: HistoryEntry, isLeft: (partition: string) => boolean): HistoryEntry {
  if ('partitions' in entry) return { ...entry, partitions: entry.partitions.filter(isLeft) };
  if ('offsets' in entry && entry.offsets !== undefined) {
    const offsets = Object.entries(entry.offsets).filter(([partition]) => isLeft(partition));
    return { ...entry, offsets: Object.fromEntries(offsets) };
  }
  if (entry.f === 'send' && entry.from !== undefined) {
    return { ...entry, from: entry.from.filter((input) => isLeft(input.slice(0, input.lastIndexOf('@')))) };
  }
  return entry;
}
