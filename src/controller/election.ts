// Who leads a partition (repl R-95): one pass, deterministic, blind to log lengths. Writes nothing; partition-change.ts
// turns the answer into a record.
import type { NodeId } from '../base/units.ts';
import { NO_LEADER } from '../base/units.ts';

/**
 * What kind of election. `online`: keep the leader if it is valid. `preferred`: the first replica if it is valid.
 * `unclean`: also somebody outside the ISR if nobody is valid. `to`: the given node if it is valid (ours).
 */
export type Election =
  { readonly kind: 'online' | 'preferred' | 'unclean' } | { readonly kind: 'to'; readonly node: NodeId };

/** Who is known to hold everything committed, and may lead. */
export interface Candidates {
  /** The ISR as it will stand. */
  readonly isr: readonly NodeId[];
  /** The eligible leader replicas as they will stand: they count while the ISR is empty. */
  readonly elr: readonly NodeId[];
  /** Whether a broker may lead at all: registered, unfenced, not in controlled shutdown, not about to go. */
  readonly acceptable: (broker: NodeId) => boolean;
}

/** What an election looks at. */
export interface Electorate extends Candidates {
  /** In order; the first is preferred. */
  readonly replicas: readonly NodeId[];
  /** The leader in office, -1 if none. */
  readonly leader: NodeId;
  /** The leader that was last in office, if there is none and eligible leader replicas are on; else -1. */
  readonly lastKnown: NodeId;
}

export interface ElectionResult {
  /** -1: nobody can lead. */
  readonly leader: NodeId;
  /**
   * `clean`: it holds everything committed. `last-known`: so it did when it was in office, and nobody knows whether it still
   * does. `unclean`: nobody ever knew. Committed records may be lost by the last two (repl R-97).
   */
  readonly how: 'clean' | 'last-known' | 'unclean';
}

/** Whether electing `broker` would be clean (repl R-95). */
export function isValidLeader({ isr, elr, acceptable }: Candidates, broker: NodeId): boolean {
  return (isr.length === 0 ? elr : isr).includes(broker) && acceptable(broker);
}

/** Repl R-95. */
export function electLeader(electorate: Electorate, election: Election): ElectionResult {
  const { replicas, isr, elr, leader, lastKnown, acceptable } = electorate;
  const first = election.kind === 'preferred' ? replicas[0] : election.kind === 'to' ? election.node : undefined;
  const wanted = first === undefined ? [leader, ...replicas] : [first, leader, ...replicas];
  const valid = wanted.find((replica) => isValidLeader(electorate, replica));
  if (valid !== undefined) return { leader: valid, how: 'clean' };
  // Tested like any candidate: it may be fenced (repl R-96).
  const isKnown = isr.length === 0 && elr.length === 0 && lastKnown !== NO_LEADER;
  if (isKnown && acceptable(lastKnown)) return { leader: lastKnown, how: 'last-known' };
  const anybody = election.kind === 'unclean' ? replicas.find(acceptable) : undefined;
  return anybody === undefined ? { leader: NO_LEADER, how: 'clean' } : { leader: anybody, how: 'unclean' };
}
