// TxnOffsetCommit (txn T-61 to T-66, wire G-42 to G-45): a producer commits what its transaction has read. The transaction
// is verified first, then membership is judged in the very step that appends, so that nothing comes between.
import type { VerificationGuard } from '../../../log/transactions-api.ts';
import type { RequestOf } from '../../../protocol/apis.ts';
import type { ErrorName } from '../../../protocol/errors.ts';
import type { OffsetToCommit } from '../../../protocol/generated/index.ts';
import type { Answer } from '../api.ts';
import type { GroupShard, Shards } from '../contract.ts';
import { writeError } from '../errors.ts';
import { commitRecords } from './commit-offsets.ts';
import { RequestPartitions } from './request-partitions.ts';

/** Epochs are int16 on disk. */
const LAST_EPOCH = 32767;

/** A request on its way. */
interface TxnCommit {
  readonly shards: Shards;
  readonly request: RequestOf<'TxnOffsetCommit'>;
  readonly partitions: RequestPartitions<OffsetToCommit>;
  /** What faults may filter on. */
  readonly fields: Readonly<Record<string, string | number>>;
  /** Answers; `error` is of all partitions that are open still. */
  finish(error: ErrorName): void;
}

/** Makes the offsets of the request pending, and answers once they are below the high watermark. */
export function commitTxnOffsets(
  shards: Shards,
  request: RequestOf<'TxnOffsetCommit'>,
  answer: Answer<'TxnOffsetCommit'>,
): void {
  const partitions = new RequestPartitions(request.offsets, shards.host.image);
  const finish = (error: ErrorName): void => answer({ partitions: partitions.outcomes(error) });
  if (partitions.open.length === 0) return finish('NONE');
  if (!shards.running) return finish('COORDINATOR_NOT_AVAILABLE');
  if (request.groupId === '') return finish('INVALID_GROUP_ID');
  const { groupId: group, transactionalId, producerId, producerEpoch } = request;
  if (producerId < 0) return finish('INVALID_PRODUCER_ID_MAPPING');
  if (producerEpoch < 0 || producerEpoch > LAST_EPOCH) return finish('INVALID_PRODUCER_EPOCH');
  const step = ({ partition, coordinatorEpoch }: GroupShard): void => {
    const fields = { group, partition, coordinatorEpoch, transactionalId, producerId };
    verify({ shards, request, partitions, fields, finish }, { partition, coordinatorEpoch });
  };
  shards.enter(group, step, finish);
}

/** Whether the offsets partition belongs to the transaction; transaction.version 2 adds it (txn T-59, T-62). */
function verify(commit: TxnCommit, place: Pick<GroupShard, 'partition' | 'coordinatorEpoch'>): void {
  const { shards, request, fields, finish } = commit;
  const { partition, coordinatorEpoch: leaderEpoch } = place;
  const { host } = shards;
  host.verify({ topic: '__consumer_offsets', partition, leaderEpoch }, request, ({ error, guard }) => {
    if (error !== 'NONE') return finish(verificationError(error));
    host.runtime.faults.reach('group.txn-offset.deciding', fields, () => {
      const step = (shard: GroupShard): void => {
        // The guard is of the leader that asked (txn T-122).
        if (shard.coordinatorEpoch === leaderEpoch) decide(commit, shard, guard);
        else finish('NOT_COORDINATOR');
      };
      shards.enter(request.groupId, step, finish);
    });
  });
}

/** Membership, then the append. */
function decide(commit: TxnCommit, shard: GroupShard, guard: VerificationGuard | undefined): void {
  const { shards, request, partitions, fields, finish } = commit;
  const { faults } = shards.host.runtime;
  if (shards.host.runtime.safeguard('group.txnCommitFence')) {
    const refused = shard.groups.checkCommit(request.groupId, request, 'transactional');
    if (refused !== 'NONE') return finish(refused);
  }
  const records = commitRecords(shards.host, request.groupId, partitions);
  if (records.length === 0) return shard.whenCommitted((error) => finish(writeError(error)));
  const { producerId, producerEpoch } = request;
  shard.append(
    { records, transaction: { producerId, producerEpoch, guard } },
    {
      appended: (_info, proceed) => faults.reach('group.txn-offset.appended', fields, proceed),
      committed: () => faults.reach('group.txn-offset.durable', fields, () => finish('NONE')),
      failed: (error) => finish(writeError(error)),
    },
  );
}

/** Why a verification failed, as clients hear it (txn T-66, T-121, wire G-43). */
function verificationError(error: ErrorName): ErrorName {
  return error === 'PRODUCER_FENCED' ? 'INVALID_PRODUCER_EPOCH' : writeError(error);
}
