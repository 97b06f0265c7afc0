// What the replicas of this broker hold, for people, tests and checkers: not bounded by the high watermark, answered in
// every state of the broker.
import { NO_OFFSET } from '../base/units.ts';
import type { Offset } from '../base/units.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import { batchHeaders } from '../protocol/batch-header.ts';
import type { ReplicaDescription } from '../protocol/generated/index.ts';
import type { NodeContext } from './context.ts';
import { isLate, oldestTransaction } from './late-transactions.ts';
import type { Partition } from './partition.ts';
import { NEVER } from './replica-state.ts';
import type { Replicas } from './replicas.ts';

/** Bytes of batches in one answer, for each replica. */
const RECORDS_MAX = 1_048_576;

type Request = RequestOf<'DescribeReplicas'>;

export function describeReplicas(
  context: NodeContext,
  replicas: Replicas,
  request: Request,
): ResponseOf<'DescribeReplicas'> {
  const asked = [...replicas].filter(
    (replica) =>
      (request.topic === '' || replica.topic === request.topic) &&
      (request.partition === -1 || replica.partition === request.partition),
  );
  return { replicas: asked.map((replica) => describe(context, replica, request)) };
}

function describe(context: NodeContext, replica: Partition, request: Request): ReplicaDescription {
  const { topic, partition, leaderEpoch, log, leading } = replica;
  const nowMs = context.runtime.clock.now();
  const followers = [...(leading?.followers ?? [])].map(([brokerId, state]) => ({
    brokerId,
    logEndOffset: state.logEndOffset,
    caughtUpMsAgo: state.lastCaughtUpTimeMs === NEVER ? -1 : Math.floor(nowMs - state.lastCaughtUpTimeMs),
  }));
  return {
    ...{ topic, partition, role: leading === undefined ? 'follower' : 'leader', leaderEpoch },
    ...{ logStartOffset: log.logStartOffset, logEndOffset: log.logEndOffset },
    ...{ highWatermark: log.highWatermark, lastStableOffset: log.lastStableOffset },
    ...{ isr: [...(leading?.isr ?? [])], maximalIsr: [...(leading?.maximalIsr ?? [])], followers },
    epochs: log.epochs.map(([epoch], i) => ({ epoch, endOffset: log.epochs[i + 1]?.[1] ?? log.logEndOffset })),
    ...oldestOf(context, replica),
    ...batches(replica, request),
  };
}

function oldestOf(context: NodeContext, { log }: Partition): Pick<ReplicaDescription, 'oldestTransaction'> {
  const oldest = oldestTransaction(log.producers());
  if (oldest === undefined) return { oldestTransaction: null };
  const late = isLate(oldest, context.runtime.clock.wallTime(), context.config['transaction.max.timeout.ms']);
  return { oldestTransaction: { ...oldest, late } };
}

function batches(replica: Partition, request: Request): { readonly records: Buffer; readonly nextOffset: Offset } {
  const { log } = replica;
  const from = Math.max(request.fromOffset, log.logStartOffset);
  const nothing = { records: Buffer.alloc(0), nextOffset: NO_OFFSET };
  if (request.fromOffset < 0 || request.maxBatches <= 0 || from >= log.logEndOffset) return nothing;
  const { records } = log.read(from, log.logEndOffset, RECORDS_MAX, true);
  let sizeBytes = 0;
  let count = 0;
  let nextOffset = from;
  for (const header of batchHeaders(records)) {
    if (count === request.maxBatches) break;
    count += 1;
    sizeBytes += header.sizeBytes;
    nextOffset = header.lastOffset + 1;
  }
  const end = nextOffset >= log.logEndOffset ? NO_OFFSET : nextOffset;
  return { records: records.subarray(0, sizeBytes), nextOffset: end };
}
