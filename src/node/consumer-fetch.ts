// Fetch by consumers (repl ): one request, one answer with every partition asked for, by any replica within
// its own bounds (repl R-22), or by the leader alone if the asker knows no better.
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import type { FetchedPartition, FetchPartition } from '../protocol/generated/index.ts';
import { endOfBatches } from '../protocol/batch-header.ts';
import type { Cancel } from './api.ts';
import type { NodeContext } from './context.ts';
import type { Fetches } from './fetches.ts';
import { isolationOf } from './read-bound.ts';
import type { Isolation } from './read-bound.ts';
import type { Replicas } from './replicas.ts';

/** Serves one consumer fetch. A replica id in the request is not believed: followers have a stream of their own. */
export function consumerFetch(
  parts: { readonly context: NodeContext; readonly replicas: Replicas; readonly fetches: Fetches },
  request: RequestOf<'ConsumerFetch'>,
  answer: (response: ResponseOf<'ConsumerFetch'>) => void,
): Cancel {
  const { maxWaitMs, minBytes, maxBytes, partitions } = request;
  const { streamGeneration, sequence, rackId: rack, leaderOnly } = request;
  const from = { kind: 'consumer', isolation: isolationOf(request.isolationLevel), rack, leaderOnly } as const;
  const parked = parts.fetches.fetch({ from, maxWaitMs, minBytes, maxBytes, partitions }, (fetched) => {
    fetched.forEach((result, i) => traceServed(parts, partitions[i]!, result, from.isolation));
    answer({ streamGeneration, sequence, error: 'NONE', partitions: [...fetched] });
  });
  return () => parked?.withdraw();
}

/** Says what a consumer was given (repl I-17, txn T-133). */
function traceServed(
  { context, replicas }: { readonly context: NodeContext; readonly replicas: Replicas },
  at: FetchPartition,
  result: FetchedPartition,
  isolation: Isolation,
): void {
  if (result.records.length === 0) return;
  const replica = replicas.get(result.topicId, result.partition);
  if (replica === undefined) return;
  const { fetchOffset } = at;
  const endOffset = endOfBatches(result.records) ?? fetchOffset;
  const { topic, topicId, partition, leaderEpoch } = replica;
  const { highWatermark, lastStableOffset } = result;
  const served = {
    ...{ type: 'consumer.served' as const, topic, topicId, partition, leaderEpoch },
    ...{ fetchOffset, endOffset, highWatermark },
  };
  context.runtime.trace(isolation === 'read_committed' ? { lastStableOffset, ...served } : served);
}
