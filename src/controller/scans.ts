// Elections that nobody asks for and no event brings: giving leadership back to preferred replicas (repl R-99), and
// looking at leaderless partitions of topics that allow unclean elections (repl R-97). Both in bounded portions.
import { NO_LEADER } from '../base/units.ts';
import type { PartitionRegistration } from '../metadata/image.ts';
import type { Draft } from './draft.ts';
import { isValidLeader } from './election.ts';
import { acceptableIn, automaticElection, partitionsWhere } from './replica-changes.ts';

/** Elections held in one event at most; if more are due the caller goes on at once (repl R-99). */
export const ELECTIONS_PER_SCAN_MAX = 1000;

/** Elects the preferred replica wherever it could lead and does not. True if more are due. */
export function rebalanceLeaders(draft: Draft): boolean {
  const acceptable = acceptableIn(draft.image);
  const due = partitionsWhere(draft.image, (partition) => {
    const preferred = partition.replicas[0]!;
    return partition.leader !== preferred && isValidLeader({ ...partition, acceptable }, preferred);
  });
  return elect(draft, due, (partition) =>
    draft.change(partition, { election: { kind: 'preferred' }, acceptable, reason: 'preferred' }),
  );
}

/** Elects uncleanly where nobody leads, the topic allows it and somebody lives. True if more are due. */
export function electUnclean(draft: Draft): boolean {
  const acceptable = acceptableIn(draft.image);
  const due = partitionsWhere(
    draft.image,
    ({ leader, topicId, replicas }) =>
      leader === NO_LEADER && automaticElection(draft, topicId).kind === 'unclean' && replicas.some(acceptable),
  );
  return elect(draft, due, (partition) =>
    draft.change(partition, { election: { kind: 'unclean' }, acceptable, reason: 'clean' }),
  );
}

function elect(
  draft: Draft,
  due: readonly PartitionRegistration[],
  change: (partition: PartitionRegistration) => void,
): boolean {
  for (const partition of due.slice(0, ELECTIONS_PER_SCAN_MAX)) change(partition);
  return due.length > ELECTIONS_PER_SCAN_MAX;
}
