// Transaction markers: control batches with one record (wire W-93). Written by transaction coordinators, skipped by
// consumers.
import type { EpochMs } from '../base/units.ts';
import { CONTROL, TRANSACTIONAL, isControl } from './attributes.ts';
import { decodeBatch } from './decode-batch.ts';
import { encodeBatch } from './encode-batch.ts';
import type { BatchFields } from './encode-batch.ts';

export interface Marker {
  readonly type: 'abort' | 'commit';
  readonly producerId: number;
  readonly producerEpoch: number;
  readonly coordinatorEpoch: number;
  readonly timestamp: EpochMs;
}

const TYPES = ['abort', 'commit'] as const;

/** The control batch of a marker. */
export function encodeMarker(marker: Marker, fields: Pick<BatchFields, 'baseOffset' | 'leaderEpoch'> = {}): Buffer {
  const key = Buffer.alloc(4);
  key.writeInt16BE(TYPES.indexOf(marker.type), 2);
  const value = Buffer.alloc(6);
  value.writeInt32BE(marker.coordinatorEpoch, 2);
  return encodeBatch([{ timestamp: marker.timestamp, key, value }], {
    ...fields,
    attributes: TRANSACTIONAL | CONTROL,
    producerId: marker.producerId,
    producerEpoch: marker.producerEpoch,
  });
}

/** The marker in the batch at `at`; undefined if it is none, or of a type or layout that is not known. */
export function decodeMarker(buffer: Buffer, at = 0): Marker | undefined {
  const batch = decodeBatch(buffer, at);
  if (batch.kind !== 'records' || !isControl(batch.header.attributes)) return undefined;
  const record = batch.records[0];
  if (record === undefined) return undefined;
  const { key, value } = record;
  if (key === null || value === null || key.length < 4 || value.length < 6) return undefined;
  const type = TYPES[key.readInt16BE(2)];
  if (type === undefined) return undefined;
  return {
    type,
    producerId: batch.header.producerId,
    producerEpoch: batch.header.producerEpoch,
    coordinatorEpoch: value.readInt32BE(2),
    timestamp: record.timestamp,
  };
}
