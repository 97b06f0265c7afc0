// Batches that a leader refuses (wire section 6.3, ladder 9), each with the error it owes.
import { CONTROL } from '../../src/log/attributes.ts';
import { encodeBatch, encodeOpaqueBatch } from '../../src/log/encode-batch.ts';
import { batchOf, TIME } from './bodies.ts';

export interface BadBatch {
  readonly name: string;
  readonly records: Buffer;
  readonly errorCode: number;
}

/** A good batch with one byte changed. */
function changed(at: number, value: number): Buffer {
  const batch = batchOf('a');
  batch[at] = value;
  return batch;
}

const noRecords = { codec: 'gzip', body: Buffer.from('?'), recordCount: 0 } as const;

export const BAD_BATCHES: readonly BadBatch[] = [
  { name: 'a bad CRC', records: changed(17, 1), errorCode: 2 },
  { name: 'magic 1', records: changed(16, 1), errorCode: 87 },
  { name: 'magic 3', records: changed(16, 3), errorCode: 2 },
  { name: 'two batches', records: Buffer.concat([batchOf('a'), batchOf('b')]), errorCode: 87 },
  {
    name: 'the control bit',
    records: encodeBatch([{ timestamp: TIME, key: null, value: null }], { attributes: CONTROL }),
    errorCode: 87,
  },
  {
    name: 'a wrong count',
    records: encodeOpaqueBatch({ ...noRecords, baseTimestamp: TIME, maxTimestamp: TIME }),
    errorCode: 87,
  },
  { name: 'a batch too large', records: batchOf('x'.repeat(1_048_588)), errorCode: 10 },
];
