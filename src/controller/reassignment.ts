// Moving the replicas of a partition (repl R-107): what its assignment is while they move, when they have arrived, and what
// is left if the move is cancelled. Pure; partition-change.ts makes the records.
import type { NodeId } from '../base/units.ts';

/** Who has a replica, and who of them comes or goes. */
export interface Assignment {
  readonly replicas: readonly NodeId[];
  readonly adding: readonly NodeId[];
  readonly removing: readonly NodeId[];
}

/** An assignment in which nothing moves. */
export const settled = (replicas: readonly NodeId[]): Assignment => ({ replicas, adding: [], removing: [] });

/** Whether replicas are being moved. */
export function isMoving({ adding, removing }: Assignment): boolean {
  return adding.length + removing.length > 0;
}

/** The first step towards `target`: everybody is a replica, those who go come last. */
export function movingTo({ replicas }: Assignment, target: readonly NodeId[]): Assignment {
  const adding = ascending(without(target, replicas));
  const removing = ascending(without(replicas, target));
  return { replicas: [...target, ...removing], adding, removing };
}

/** The last step: those who go are gone. */
export interface Arrival {
  readonly replicas: readonly NodeId[];
  readonly isr: readonly NodeId[];
}

/**
 * What the partition becomes if this ISR lets the move end, else undefined. All that are added must be in sync; where
 * fewer come than go, so must those that stay, because together they have to hold what the others held (KAFKA-15665,
 * KAFKA-19975).
 *
 * @param waitForAll Safeguard `reassign.waitAll`. Off: one that is in sync is enough.
 */
export function arrivalWith(assignment: Assignment, isr: readonly NodeId[], waitForAll: boolean): Arrival | undefined {
  const { adding, removing } = assignment;
  if (!isMoving(assignment)) return undefined;
  const replicas = without(assignment.replicas, removing);
  const staying = without(isr, removing);
  if (staying.length === 0) return undefined;
  const awaited = adding.length < removing.length ? replicas : adding;
  if (waitForAll && !awaited.every((id) => staying.includes(id))) return undefined;
  return { replicas, isr: staying };
}

/** Who may lead a partition, the best first; see `PartitionRegistration`. */
export interface Holders {
  readonly isr: readonly NodeId[];
  readonly elr: readonly NodeId[];
  readonly lastKnownElr: readonly NodeId[];
}

/**
 * What a cancelled move leaves. If it takes all those away who may lead, the first replica is put in their place: that may lose
 * committed records. An ISR that is empty already stays so while somebody else may lead (repl R-98).
 */
export function cancelled(
  { replicas, adding }: Assignment,
  { isr, elr, lastKnownElr }: Holders,
): Arrival & { unclean: boolean } {
  const remaining = without(replicas, adding);
  const holders = [isr, elr, lastKnownElr].find((ids) => ids.length > 0) ?? [];
  const unclean = without(holders, adding).length === 0;
  return { replicas: remaining, isr: unclean ? remaining.slice(0, 1) : without(isr, adding), unclean };
}

function without(ids: readonly NodeId[], others: readonly NodeId[]): NodeId[] {
  return ids.filter((id) => !others.includes(id));
}

function ascending(ids: readonly NodeId[]): NodeId[] {
  return [...ids].sort((a, b) => a - b);
}
