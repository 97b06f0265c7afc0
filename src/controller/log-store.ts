// How the metadata log lies in the controller's store: a key a record, a key a record of a snapshot, and some marks. Knows
// nothing of deciding.
import type { Offset } from '../base/units.ts';
import { decodeRecord, encodeRecord } from '../metadata/records.ts';
import type { MetadataRecord } from '../protocol/generated/index.ts';
import { DiskFailure } from '../runtime/disk-failure.ts';
import type { KeyRange, StoreOp } from '../runtime/ports.ts';

const RECORD = 'metadata/';
const AFTER_RECORDS = 'metadata0'; // '0' follows '/' in byte order
const OFFSET_BYTES = 8;

/** Version of this layout. A newer one is refused. */
export const FORMAT = 2;
/** Which layout the store has: no store of a controller is without. */
export const FORMAT_KEY = Buffer.from('format');
/** Process epoch of the controller: how often it has started. */
export const CONTROLLER_EPOCH_KEY = Buffer.from('controller-epoch');
/** Where the last write began: from there on the trace of a killed controller may lack records. */
export const LAST_WRITE_KEY = Buffer.from('last-write');

/** `min.insync.replicas` of the last start: another one is meant for the cluster (repl R-119). */
export const MIN_ISR_KEY = Buffer.from('min-isr');

/** All records, in order. */
export const RECORD_RANGE: KeyRange = { gte: Buffer.from(RECORD), lt: Buffer.from(AFTER_RECORDS) };

const SNAPSHOT = 'snapshot/';
const AFTER_SNAPSHOTS = 'snapshot0';
const INDEX_BYTES = 4;
/** Which snapshot is whole. */
export const SNAPSHOT_MARK_KEY = Buffer.from('newest-snapshot');
/** The records of all snapshots, whole or not, in order. */
export const SNAPSHOT_RANGE: KeyRange = { gte: Buffer.from(SNAPSHOT), lt: Buffer.from(AFTER_SNAPSHOTS) };

/** The key of a record of the snapshot that stands for the log below `endOffset`. */
export function snapshotKey(endOffset: Offset, index: number): Buffer {
  const key = Buffer.alloc(SNAPSHOT.length + OFFSET_BYTES + INDEX_BYTES);
  key.write(SNAPSHOT);
  key.writeUIntBE(endOffset, SNAPSHOT.length + OFFSET_BYTES - 6, 6);
  key.writeUInt32BE(index, SNAPSHOT.length + OFFSET_BYTES);
  return key;
}

/** Which snapshot a key belongs to. */
export function snapshotOfKey(key: Buffer): Offset {
  return key.readUIntBE(SNAPSHOT.length + OFFSET_BYTES - 6, 6);
}

/** What says that a snapshot is whole. */
export interface SnapshotMark {
  readonly endOffset: Offset;
  readonly count: number;
  /** CRC-32C of all its records. */
  readonly crc: number;
}

export function putSnapshotMark({ endOffset, count, crc }: SnapshotMark): StoreOp {
  return { type: 'put', key: SNAPSHOT_MARK_KEY, value: Buffer.from(JSON.stringify({ endOffset, count, crc })) };
}

export function readSnapshotMark(value: Buffer | undefined): SnapshotMark | undefined {
  return value === undefined ? undefined : (JSON.parse(value.toString()) as SnapshotMark);
}

/** The key of the record at `offset`; keys sort as offsets do. */
export function recordKey(offset: Offset): Buffer {
  const key = Buffer.alloc(RECORD.length + OFFSET_BYTES);
  key.write(RECORD);
  key.writeUIntBE(offset, key.length - 6, 6);
  return key;
}

/** The offset in a record's key. */
export function offsetOfKey(key: Buffer): Offset {
  return key.readUIntBE(key.length - 6, 6);
}

/** The record that is stored at `offset`. Throws DiskFailure if it is none: nobody else has what a controller has lost. */
export function storedRecord(offset: Offset, value: Buffer): MetadataRecord {
  try {
    return decodeRecord(value);
  } catch (error) {
    throw new DiskFailure(
      `the metadata log in the data directory is damaged: record ${offset} cannot be read. The controller stops. Give it a ` +
        'copy of the directory from before, or make the cluster anew (highwater down --wipe, then highwater up).',
      { cause: error },
    );
  }
}

/** Operations that write records from `baseOffset` on. */
export function recordOps(baseOffset: Offset, records: readonly MetadataRecord[]): StoreOp[] {
  const puts = records.map((record, i): StoreOp => {
    return { type: 'put', key: recordKey(baseOffset + i), value: encodeRecord(record) };
  });
  return [...puts, putNumber(LAST_WRITE_KEY, baseOffset)];
}

export function putNumber(key: Buffer, value: number): StoreOp {
  return { type: 'put', key, value: Buffer.from(String(value)) };
}

export function readNumber(value: Buffer | undefined): number | undefined {
  return value === undefined ? undefined : Number(value.toString());
}

/** Why a store cannot be read, as a sentence; undefined if it can. */
export function formatProblem(format: number | undefined): string | undefined {
  if (format === undefined || format <= FORMAT) return undefined;
  return (
    `the data directory of the controller has format ${format}, and this version of Highwater knows formats up to ` +
    `${FORMAT}: start the newer version that wrote it, or give the controller an empty directory`
  );
}
