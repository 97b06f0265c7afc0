// Producer snapshots as Kafka writes them (txn T-110): int16 version 1, uint32 CRC-32C of what follows, then an array of
// producers, each with its newest batch alone (txn T-111). Bytes in, entries out; when they are taken is not decided here.
import { crc32c } from '../base/crc32c.ts';
import { NO_SEQUENCE } from './producer-entry.ts';
import type { ProducerEntry } from './producer-entry.ts';

const VERSION = 1;
const HEADER_BYTES = 10;
const CRC_FROM = 6;
const ENTRY_BYTES = 8 + 2 + 4 + 8 + 4 + 8 + 4 + 8;
const NONE = -1;

/** The snapshot of these producers, in their order. */
export function encodeSnapshot(producers: ReadonlyMap<number, ProducerEntry>): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES + producers.size * ENTRY_BYTES);
  bytes.writeInt16BE(VERSION, 0);
  bytes.writeInt32BE(producers.size, CRC_FROM);
  let at = HEADER_BYTES;
  for (const [producerId, entry] of producers) {
    const newest = entry.batches.at(-1);
    at = bytes.writeBigInt64BE(BigInt(producerId), at);
    at = bytes.writeInt16BE(entry.epoch, at);
    at = bytes.writeInt32BE(newest?.lastSequence ?? NO_SEQUENCE, at);
    at = bytes.writeBigInt64BE(BigInt(newest?.lastOffset ?? NONE), at);
    at = bytes.writeInt32BE(newest?.offsetDelta ?? 0, at);
    at = bytes.writeBigInt64BE(BigInt(entry.lastTimestamp), at);
    at = bytes.writeInt32BE(entry.coordinatorEpoch, at);
    at = bytes.writeBigInt64BE(BigInt(entry.currentTxnFirstOffset ?? NONE), at);
  }
  bytes.writeUInt32BE(crc32c(bytes, CRC_FROM), 2);
  return bytes;
}

/** The producers of a snapshot, in their order; undefined if it is not whole (txn T-112: the next older one is tried). */
export function decodeSnapshot(bytes: Buffer): Map<number, ProducerEntry> | undefined {
  if (bytes.length < HEADER_BYTES || bytes.readInt16BE(0) !== VERSION) return undefined;
  if (bytes.readUInt32BE(2) !== crc32c(bytes, CRC_FROM)) return undefined;
  const count = bytes.readInt32BE(CRC_FROM);
  if (count * ENTRY_BYTES !== bytes.length - HEADER_BYTES) return undefined;
  const producers = new Map<number, ProducerEntry>();
  for (let at = HEADER_BYTES; at < bytes.length; at += ENTRY_BYTES) {
    producers.set(Number(bytes.readBigInt64BE(at)), decodeEntry(bytes, at + 8));
  }
  return producers;
}

function decodeEntry(bytes: Buffer, at: number): ProducerEntry {
  const lastSequence = bytes.readInt32BE(at + 2);
  const timestamp = Number(bytes.readBigInt64BE(at + 18));
  const lastOffset = Number(bytes.readBigInt64BE(at + 6));
  const offsetDelta = bytes.readInt32BE(at + 14);
  const firstOffset = Number(bytes.readBigInt64BE(at + 30));
  return {
    epoch: bytes.readInt16BE(at),
    coordinatorEpoch: bytes.readInt32BE(at + 26),
    lastTimestamp: timestamp,
    currentTxnFirstOffset: firstOffset === NONE ? undefined : firstOffset,
    batches: lastOffset === NONE ? [] : [{ lastSequence, lastOffset, offsetDelta, timestamp }],
  };
}
