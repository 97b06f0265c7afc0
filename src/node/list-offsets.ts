// ListOffsets and OffsetsForLeaderEpoch: where a partition begins and ends, and where its leader epochs do (repl R-37,
// Answered at once, by leaders only.
import type { NodeId, Offset } from '../base/units.ts';
import { formatPartition, NO_EPOCH, NO_OFFSET } from '../base/units.ts';
import type { TimestampHit } from '../log/api.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import type { ErrorName } from '../protocol/errors.ts';
import type {
  EpochEndOffset,
  ListedOffset,
  ListOffsetsPartition,
  OffsetForLeaderEpochPartition,
} from '../protocol/generated/index.ts';
import type { NodeContext } from './context.ts';
import { fencedBy, leaderProblem } from './fetch-check.ts';
import type { Partition } from './partition.ts';
import { boundedBy, isolationOf, readBound } from './read-bound.ts';
import type { Bounded, Isolation } from './read-bound.ts';
import type { Replicas } from './replicas.ts';

const LATEST = -1;
const EARLIEST = -2;
const MAX_TIMESTAMP = -3;
/** May ask any replica, and is told its log end (repl R-21). */
const DEBUG_REPLICA = -2;

interface Asker {
  readonly replicaId: NodeId;
  readonly isolation: Isolation;
  readonly bounded: Bounded;
  /** The safeguard hw.knownForListOffsets: off, a leader tells its high watermark wherever it stands. */
  readonly known: boolean;
}

/** Where an offset was found, or why not. */
type Found = { readonly offset: Offset; readonly timestamp: number; readonly leaderEpoch: number } | ErrorName;

const NONE_FOUND: Found = { offset: NO_OFFSET, timestamp: -1, leaderEpoch: NO_EPOCH };

export function listOffsets(
  context: NodeContext,
  replicas: Replicas,
  request: RequestOf<'ListOffsets'>,
): ResponseOf<'ListOffsets'> {
  const bounded = boundedBy(context.runtime);
  const known = context.runtime.safeguard('hw.knownForListOffsets');
  const asker = { replicaId: request.replicaId, isolation: isolationOf(request.isolationLevel), bounded, known };
  const repeated = repeatedIn(request.partitions);
  const partitions = fencedBy(context.runtime, request.partitions).map((at): ListedOffset => {
    const found = repeated.has(nameOf(at)) ? 'INVALID_REQUEST' : listOne(context, replicas, at, asker);
    const { topic, partition } = at;
    if (typeof found === 'string') {
      return { topic, partition, error: found, timestamp: -1, offset: NO_OFFSET, leaderEpoch: NO_EPOCH };
    }
    return { topic, partition, error: 'NONE', ...found };
  });
  return { partitions };
}

const nameOf = ({ topic, partition }: ListOffsetsPartition): string => formatPartition(topic, partition);

/** The partitions that a request names more than once. */
function repeatedIn(asked: readonly ListOffsetsPartition[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const name of asked.map(nameOf)) (seen.has(name) ? repeated : seen).add(name);
  return repeated;
}

function listOne(context: NodeContext, replicas: Replicas, at: ListOffsetsPartition, asker: Asker): Found {
  if (at.timestamp < MAX_TIMESTAMP) return 'UNSUPPORTED_VERSION';
  const located = replicas.locate({ topicId: '', topic: at.topic, partition: at.partition });
  if (located.kind === 'refused') return located.error;
  const { replica } = located;
  const anyReplica = asker.replicaId === DEBUG_REPLICA;
  const problem = leaderProblem(anyReplica ? { ...view(replica), isLeader: true } : replica, at.currentLeaderEpoch);
  if (problem !== undefined) return problem;
  const found = find(replica, at.timestamp, asker);
  const isEnd = at.timestamp === LATEST && asker.replicaId === -1 && asker.isolation === 'read_uncommitted';
  if (isEnd && typeof found !== 'string') {
    const { offset, leaderEpoch } = found;
    context.runtime.trace({ type: 'latest.told', ...replica.name, leaderEpoch, offset });
  }
  return found;
}

function view(replica: Partition): { readonly leaderEpoch: number; readonly log: Partition['log'] } {
  return { leaderEpoch: replica.leaderEpoch, log: replica.log };
}

/** Repl R-37. A new leader that has not caught up with what was committed before says so to clients (T-23). */
function find(replica: Partition, timestamp: number, asker: Asker): Found {
  const { log } = replica;
  if (timestamp === EARLIEST) {
    return { offset: log.logStartOffset, timestamp: -1, leaderEpoch: log.epochAt(log.logStartOffset) ?? NO_EPOCH };
  }
  const isClient = asker.replicaId === -1;
  const bound = isClient ? readBound(log, asker.isolation, asker.bounded) : log.logEndOffset;
  const epochStart = replica.leading?.epochStart ?? 0;
  const behind = isClient && asker.bounded.hw && asker.known && epochStart > log.highWatermark;
  if (timestamp === LATEST) {
    return behind ? 'OFFSET_NOT_AVAILABLE' : { offset: bound, timestamp: -1, leaderEpoch: replica.leaderEpoch };
  }
  const hit = lookUp(replica, timestamp);
  if (hit !== undefined && hit.offset < bound) return hit;
  return behind ? 'OFFSET_NOT_AVAILABLE' : NONE_FOUND;
}

function lookUp(replica: Partition, timestamp: number): TimestampHit | undefined {
  const { log } = replica;
  return timestamp === MAX_TIMESTAMP ? log.findMaxTimestamp() : log.findByTimestamp(timestamp, log.logEndOffset);
}

export function offsetsForLeaderEpoch(
  replicas: Replicas,
  request: RequestOf<'OffsetsForLeaderEpoch'>,
): ResponseOf<'OffsetsForLeaderEpoch'> {
  return { partitions: request.partitions.map((at) => endOfEpoch(replicas, at)) };
}

/** Repl R-69: undefined is no error. */
function endOfEpoch(replicas: Replicas, at: OffsetForLeaderEpochPartition): EpochEndOffset {
  const { topic, partition } = at;
  const located = replicas.locate({ topicId: '', topic, partition });
  const problem = located.kind === 'refused' ? located.error : leaderProblem(located.replica, at.currentLeaderEpoch);
  const end =
    located.kind === 'hosted' && problem === undefined
      ? located.replica.log.endOffsetForEpoch(at.leaderEpoch)
      : undefined;
  const found = { leaderEpoch: end?.epoch ?? NO_EPOCH, endOffset: end?.endOffset ?? NO_OFFSET };
  return { topic, partition, error: problem ?? 'NONE', ...found };
}
