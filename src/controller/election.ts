// Who leads a partition (repl R-95): one pass, deterministic, blind to log lengths. Writes nothing; partition-change.ts
// turns the answer into a record. The steps of eligible leader replicas (4, and the second half of `valid`) are not here.
import type { NodeId } from '../base/units.ts';
import { NO_LEADER } from '../base/units.ts';

/**
 * What kind of election. `online`: keep the leader if it is valid. `preferred`: the first replica if it is valid.
 * `unclean`: also somebody outside the ISR if nobody is valid. `to`: the given node if it is valid (ours).
 */
export type Election =
  { readonly kind: 'online' | 'preferred' | 'unclean' } | { readonly kind: 'to'; readonly node: NodeId };

/** What an election looks at. */
export interface Electorate {
  /** In order; the first is preferred. */
  readonly replicas: readonly NodeId[];
  /** The ISR as it will stand. */
  readonly isr: readonly NodeId[];
  /** The leader in office, -1 if none. */
  readonly leader: NodeId;
  /** Whether a broker may lead at all: registered, unfenced, not in controlled shutdown, not about to go. */
  readonly acceptable: (broker: NodeId) => boolean;
}

export interface ElectionResult {
  /** -1: nobody can lead. */
  readonly leader: NodeId;
  /** The leader comes from outside the ISR: committed records may be lost (repl R-97). */
  readonly unclean: boolean;
}

/** Whether electing `broker` would be clean (repl R-95). */
export function isValidLeader({ isr, acceptable }: Electorate, broker: NodeId): boolean {
  return isr.includes(broker) && acceptable(broker);
}

/** Repl R-95. */
export function electLeader(electorate: Electorate, election: Election): ElectionResult {
  const { replicas, leader, acceptable } = electorate;
  const first = election.kind === 'preferred' ? replicas[0] : election.kind === 'to' ? election.node : undefined;
  if (first !== undefined && isValidLeader(electorate, first)) return { leader: first, unclean: false };
  if (isValidLeader(electorate, leader)) return { leader, unclean: false };
  const valid = replicas.find((replica) => isValidLeader(electorate, replica));
  if (valid !== undefined) return { leader: valid, unclean: false };
  if (election.kind === 'unclean') {
    const anybody = replicas.find(acceptable);
    if (anybody !== undefined) return { leader: anybody, unclean: true };
  }
  return { leader: NO_LEADER, unclean: false };
}
