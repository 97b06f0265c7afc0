// The in-sync set as its leader holds it: committed, or with one proposal under way, and what each answer of the
// controller does to it (repl ). Pure: sending is alter-partition.ts's business.
import { assert } from '../base/assert.ts';
import type { LeaderEpoch, NodeId, PartitionEpoch } from '../base/units.ts';
import type { ErrorName } from '../protocol/errors.ts';
import type { IsrMember } from '../protocol/generated/index.ts';

/** An ISR as proposed to the controller (repl R-59). Identity tells one attempt from another. */
export interface Proposal {
  readonly leaderEpoch: LeaderEpoch;
  /** The partition epoch it is based on. */
  readonly partitionEpoch: PartitionEpoch;
  readonly newIsr: readonly IsrMember[];
}

/** `isr` is always the last committed set: the one that min-ISR checks use (repl T-1). */
export type IsrState =
  | { readonly kind: 'committed'; readonly isr: readonly NodeId[] }
  | {
      readonly kind: 'pending-expand' | 'pending-shrink';
      readonly isr: readonly NodeId[];
      readonly proposal: Proposal;
    };

export const committed = (isr: readonly NodeId[]): IsrState => ({ kind: 'committed', isr });

/** `isr` becomes pending towards the members of `proposal`. */
export function pending(
  kind: 'pending-expand' | 'pending-shrink',
  isr: readonly NodeId[],
  proposal: Proposal,
): IsrState {
  return { kind, isr, proposal };
}

/** Repl R-43: with an expansion under way the candidate counts already; with a shrink, all of the old set still do. */
export function maximalIsr(state: IsrState): readonly NodeId[] {
  return state.kind === 'pending-expand' ? state.proposal.newIsr.map((member) => member.brokerId) : state.isr;
}

/** The controller's answer to one proposal, or OPERATION_NOT_ATTEMPTED of our own (repl R-59). */
export interface IsrAnswer {
  readonly error: ErrorName;
  readonly leaderEpoch: LeaderEpoch;
  readonly partitionEpoch: PartitionEpoch;
  readonly isr: readonly NodeId[];
}

/** What to do about an answer. */
export type IsrReaction =
  | { readonly kind: 'become'; readonly state: IsrState; readonly partitionEpoch: PartitionEpoch }
  | { readonly kind: 'ignore' }
  | { readonly kind: 'resend' };

const IGNORE: IsrReaction = { kind: 'ignore' };

/** Repl R-63. `at` is where the leader stands when the answer arrives; `proposal` is the one answered. */
export function onIsrAnswer(
  state: IsrState,
  at: { readonly leaderEpoch: LeaderEpoch; readonly partitionEpoch: PartitionEpoch },
  proposal: Proposal,
  answer: IsrAnswer,
): IsrReaction {
  if (state.kind === 'committed' || state.proposal !== proposal) return IGNORE;
  switch (answer.error) {
    case 'NONE': {
      if (answer.leaderEpoch !== at.leaderEpoch || answer.partitionEpoch < at.partitionEpoch) return IGNORE;
      return { kind: 'become', state: committed(answer.isr), partitionEpoch: answer.partitionEpoch };
    }
    case 'INELIGIBLE_REPLICA':
    case 'OPERATION_NOT_ATTEMPTED': // Only these two prove that nothing was applied (repl T-17).
      return { kind: 'become', state: committed(state.isr), partitionEpoch: at.partitionEpoch };
    case 'UNKNOWN_TOPIC_OR_PARTITION':
    case 'UNKNOWN_TOPIC_ID':
    case 'FENCED_LEADER_EPOCH':
    case 'INVALID_UPDATE_VERSION':
    case 'INVALID_REQUEST':
    case 'NEW_LEADER_ELECTED': // The controller is ahead, perhaps by this very proposal: only newer metadata can tell.
      return IGNORE;
    default:
      return { kind: 'resend' };
  }
}

/**
 * Repl R-64: the state after metadata of the same leader epoch. A pending proposal survives metadata that brings nothing
 * new, whatever was answered: it tells of the commit that the proposal is based on, and comes late if the answer of the
 * controller overtook it. Dropping a candidate that the controller may have accepted would be unsafe (repl R-82).
 */
export function afterMetadata(
  state: IsrState,
  before: PartitionEpoch,
  decided: { readonly partitionEpoch: PartitionEpoch; readonly isr: readonly NodeId[] },
): IsrState {
  assert(decided.partitionEpoch >= before, `repl R-64: partition epoch ${decided.partitionEpoch} after ${before}`);
  return decided.partitionEpoch > before ? committed(decided.isr) : state;
}
