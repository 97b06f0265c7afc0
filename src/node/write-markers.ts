// WriteTxnMarkers on a leader (txn T-84, T-85): one control batch a partition, acknowledged by all in sync. The partitions of
// __consumer_offsets go through the group coordinator. What a marker may be is the log's to judge.
import { formatPartition } from '../base/units.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import type { ErrorName } from '../protocol/errors.ts';
import type { PartitionOutcome, TxnMarker } from '../protocol/generated/index.ts';
import type { CommittedWaits } from './committed-waits.ts';
import type { NodeContext } from './context.ts';
import type { Coordinators, SentMarker } from './coordinators.ts';
import { OFFSETS_TOPIC } from './internal-topics.ts';
import type { Partition } from './partition.ts';
import type { Replicas } from './replicas.ts';

export interface WriteMarkersParts {
  readonly context: NodeContext;
  readonly replicas: Replicas;
  readonly waits: CommittedWaits;
  readonly coordinators: () => Coordinators;
}

/** What a group coordinator says while it is not one any more: the sender finds the new one (txn T-85). */
const MOVED: readonly ErrorName[] = ['COORDINATOR_NOT_AVAILABLE', 'COORDINATOR_LOAD_IN_PROGRESS', 'NOT_COORDINATOR'];

/** Of a producer: an int16 in the batch. */
const LAST_EPOCH = 32767;

/** Writes all of them; the answer comes when each is decided. */
export function writeMarkers(
  parts: WriteMarkersParts,
  request: RequestOf<'WriteTxnMarkers'>,
  answer: (response: ResponseOf<'WriteTxnMarkers'>) => void,
): void {
  const results = request.markers.map((marker) => ({
    producerId: marker.producerId,
    partitions: marker.topics.flatMap(({ topic, partitions }) =>
      partitions.map((partition): PartitionOutcome => ({ topic, partition, error: 'UNKNOWN_SERVER_ERROR' })),
    ),
  }));
  let open = 1;
  const decided = (): void => {
    open -= 1;
    if (open === 0) answer({ markers: results });
  };
  request.markers.forEach((marker, at) => {
    for (const place of results[at]!.partitions) {
      open += 1;
      writeOne(parts, marker, place, (error) => {
        place.error = error;
        decided();
      });
    }
  });
  decided();
}

function writeOne(
  parts: WriteMarkersParts,
  sent: TxnMarker,
  { topic, partition }: PartitionOutcome,
  done: (error: ErrorName) => void,
): void {
  const { runtime } = parts.context;
  if (sent.producerId < 0 || sent.producerEpoch < 0 || sent.producerEpoch > LAST_EPOCH) return done('INVALID_REQUEST');
  const located = parts.replicas.locate({ topicId: '', topic, partition });
  if (located.kind === 'refused') return done('UNKNOWN_TOPIC_OR_PARTITION');
  const { replica } = located;
  const marker = markerOf(sent, runtime.clock.wallTime());
  runtime.faults.reach('txn.marker.received', fieldsOf(replica, marker), () => {
    if (topic !== OFFSETS_TOPIC) return append(parts, replica, marker, done);
    parts.coordinators().writeOffsetsMarker(partition, marker, (error) => {
      const told = MOVED.includes(error) ? 'NOT_LEADER_OR_FOLLOWER' : error;
      if (error !== 'NONE') return done(told);
      runtime.faults.reach('txn.marker.durable', fieldsOf(replica, marker), () => done('NONE'));
    });
  });
}

function append(
  { context, waits }: WriteMarkersParts,
  replica: Partition,
  marker: SentMarker,
  done: (error: ErrorName) => void,
): void {
  const { runtime, config } = context;
  const { transactionVersion } = marker;
  const fields = fieldsOf(replica, marker);
  const refusal = replica.appendMarker(
    {
      ...{ marker, transactionVersion, acks: -1 },
      reached: ({ baseOffset }, proceed) =>
        runtime.faults.reach('txn.marker.appended', { ...fields, offset: baseOffset }, proceed),
    },
    ({ leaderEpoch, lastOffset }) => {
      const timeoutMs = config['request.timeout.ms'];
      waits.wait(replica, { leaderEpoch, offset: lastOffset + 1, timeoutMs, minIsr: true }, (error) => {
        if (error !== 'NONE') return done(error);
        runtime.faults.reach('txn.marker.durable', { ...fields, offset: lastOffset }, () => done('NONE'));
      });
    },
  );
  if (refusal === undefined) return;
  if (refusal.error === 'INVALID_PRODUCER_EPOCH' || refusal.error === 'TRANSACTION_COORDINATOR_FENCED') {
    const place = formatPartition(replica.topic, replica.partition);
    runtime.trace({ type: 'log.line', level: 'warn', message: `marker refused in ${place}: ${refusal.message}` });
  }
  done(refusal.error);
}

function markerOf(sent: TxnMarker, timestamp: number): SentMarker {
  const { producerId, producerEpoch, committed, coordinatorEpoch, transactionVersion } = sent;
  const type = committed ? 'commit' : 'abort';
  return { type, producerId, producerEpoch, coordinatorEpoch, timestamp, transactionVersion };
}

/** What faults at a marker's points may filter on. */
function fieldsOf(replica: Partition, marker: SentMarker): Record<string, string | number> {
  const { topic, partition, leaderEpoch } = replica;
  const { type, producerId, producerEpoch, coordinatorEpoch } = marker;
  return { topic, partition, leaderEpoch, outcome: type, producerId, producerEpoch, coordinatorEpoch };
}
