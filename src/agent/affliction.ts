// What a cluster suffers on purpose, as one value: armed faults, switched-off safeguards, cut links, lent settings. An agent in a container
// keeps it in a file, since its process dies with its node, and takes over from the others what changed while it was dead.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Affliction } from '../protocol/generated/index.ts';

export type { Affliction } from '../protocol/generated/index.ts';

/** Of a cluster that is left in peace. */
export const NO_AFFLICTION: Affliction = { changes: 0, faults: [], safeguardsOff: [], cuts: [], lent: null };

/** The one that has seen most changes: every living agent sees each of them once, whatever it makes of it. */
export function newest(first: Affliction, others: readonly (Affliction | null)[]): Affliction {
  return others.reduce<Affliction>((best, next) => (next !== null && next.changes > best.changes ? next : best), first);
}

/** What the file holds. None, or a damaged one, is a cluster left in peace: the others know better. */
export function readAffliction(file: string): Affliction {
  try {
    return { ...NO_AFFLICTION, ...(JSON.parse(readFileSync(file, 'utf8')) as Partial<Affliction>) };
  } catch {
    return NO_AFFLICTION;
  }
}

/** Writes it atomically. */
export function writeAffliction(file: string, affliction: Affliction): void {
  const fresh = `${file}.tmp`;
  writeFileSync(fresh, JSON.stringify(affliction) + '\n', { mode: 0o600 });
  renameSync(fresh, file);
}
