// A follower asks its leader for the ends of its log after OFFSET_OUT_OF_RANGE (repl R-74): latest, then earliest, both
// fenced by leader epoch. What follows from them is fetched-replica.ts's.
import type { Offset } from '../base/units.ts';
import type { FetchStart, NodeContext, PartitionName } from './context.ts';

const LATEST = -1;
const EARLIEST = -2;

export type LeaderEnds =
  | { readonly kind: 'known'; readonly logStartOffset: Offset; readonly logEndOffset: Offset }
  /** The leader is in a newer epoch. */
  | { readonly kind: 'fenced' }
  | { readonly kind: 'failed' };

type Asked = { readonly kind: 'offset'; readonly offset: Offset } | { readonly kind: 'fenced' | 'failed' };

/** Calls `done` once, later. */
export function askLeaderEnds(
  context: NodeContext,
  of: PartitionName,
  at: FetchStart,
  done: (ends: LeaderEnds) => void,
): void {
  askOne(context, of, { ...at, timestamp: LATEST }, (end) => {
    if (end.kind !== 'offset') return done({ kind: end.kind });
    askOne(context, of, { ...at, timestamp: EARLIEST }, (start) => {
      if (start.kind !== 'offset') return done({ kind: start.kind });
      done({ kind: 'known', logStartOffset: start.offset, logEndOffset: end.offset });
    });
  });
}

function askOne(
  context: NodeContext,
  of: PartitionName,
  at: FetchStart & { readonly timestamp: number },
  done: (asked: Asked) => void,
): void {
  const { topic, partition } = of;
  const { leader, leaderEpoch, timestamp } = at;
  const partitions = [{ topic, partition, currentLeaderEpoch: leaderEpoch, timestamp }];
  const request = { replicaId: context.me, isolationLevel: 0, partitions };
  const timeoutMs = context.config['replica.socket.timeout.ms'];
  context.runtime.network.request(leader, 'FollowerListOffsets', request, timeoutMs, (outcome) => {
    const listed = outcome.kind === 'ok' ? outcome.response.partitions[0] : undefined;
    if (listed?.error === 'NONE') done({ kind: 'offset', offset: listed.offset });
    else done({ kind: listed?.error === 'FENCED_LEADER_EPOCH' ? 'fenced' : 'failed' });
  });
}
