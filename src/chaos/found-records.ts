// Turns what a broker says of its replica (DescribeReplicas) into what the history records: one line a record.
import { formatPartition, type NodeId } from '../base/units.ts';
import type { LogRecord } from '../history/operations.ts';
import { recordText } from '../history/record-text.ts';
import { isControl, isTransactional } from '../log/attributes.ts';
import { decodeMarker } from '../log/control-batch.ts';
import { decodeBatch } from '../log/decode-batch.ts';
import { type BatchHeader, batchHeaders } from '../protocol/batch-header.ts';
import type { ReplicaDescription } from '../protocol/generated/index.ts';
import type { FoundReplica } from './observe.ts';

/** A replica with its whole log. `records` are its batches back to back, from its log start. */
export function foundReplica(node: NodeId, replica: ReplicaDescription, records: Buffer): FoundReplica {
  const { topic, partition, logStartOffset, lastStableOffset, highWatermark, logEndOffset } = replica;
  const ends = { logStartOffset, lastStableOffset, highWatermark, logEndOffset };
  return { partition: formatPartition(topic, partition), node, ...ends, records: recordsOf(records) };
}

function recordsOf(batches: Buffer): LogRecord[] {
  const found: LogRecord[] = [];
  for (const header of batchHeaders(batches)) {
    const { baseOffset, lastOffset } = header;
    const common = ofBatch(header);
    const decoded = decodeBatch(batches, header.at);
    if (isControl(header.attributes)) found.push({ offset: baseOffset, ...common, ...markerOf(batches, header.at) });
    else if (decoded.kind === 'records') {
      for (const { offset, key, value } of decoded.records) {
        const isNothing = key === null && value === null;
        found.push({ offset, ...common, ...(isNothing ? {} : { value: recordText(key, value) }) });
      }
    } else for (let offset = baseOffset; offset <= lastOffset; offset++) found.push({ offset, ...common });
  }
  return found;
}

/** What all records of a batch have in common. */
function ofBatch(header: BatchHeader): Omit<LogRecord, 'offset'> {
  const { leaderEpoch, producerId, producerEpoch, attributes } = header;
  return {
    leaderEpoch,
    crc: header.crc.toString(16).padStart(8, '0'),
    ...(producerId < 0 ? {} : { producerId, producerEpoch }),
    ...(isTransactional(attributes) ? { transactional: true as const } : {}),
  };
}

function markerOf(batches: Buffer, at: number): Pick<LogRecord, 'marker' | 'coordinatorEpoch'> {
  const marker = decodeMarker(batches, at);
  return marker === undefined ? {} : { marker: marker.type, coordinatorEpoch: marker.coordinatorEpoch };
}
