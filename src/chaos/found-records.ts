// Turns what a broker says of its replica (DescribeReplicas) into what the history records: one line a record.
import { formatPartition, type NodeId } from '../base/units.ts';
import type { LogRecord } from '../history/operations.ts';
import { decodeBatch } from '../log/decode-batch.ts';
import { batchHeaders } from '../protocol/batch-header.ts';
import type { ReplicaDescription } from '../protocol/generated/index.ts';
import type { FoundReplica } from './driver.ts';

/** A replica with its whole log. `records` are its batches back to back, from its log start. */
export function foundReplica(node: NodeId, replica: ReplicaDescription, records: Buffer): FoundReplica {
  const { topic, partition, logStartOffset, highWatermark, logEndOffset } = replica;
  const ends = { logStartOffset, highWatermark, logEndOffset };
  return { partition: formatPartition(topic, partition), node, ...ends, records: recordsOf(records) };
}

function recordsOf(batches: Buffer): LogRecord[] {
  const found: LogRecord[] = [];
  for (const header of batchHeaders(batches)) {
    const { baseOffset, leaderEpoch, lastOffset } = header;
    const crc = header.crc.toString(16).padStart(8, '0');
    const decoded = decodeBatch(batches, header.at);
    if (decoded.kind === 'records') {
      for (const { offset, value } of decoded.records) {
        found.push({ offset, leaderEpoch, crc, ...(value === null ? {} : { value: value.toString('utf8') }) });
      }
    } else for (let offset = baseOffset; offset <= lastOffset; offset++) found.push({ offset, leaderEpoch, crc });
  }
  return found;
}
