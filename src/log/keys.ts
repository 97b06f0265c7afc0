// The layout of a node's database, format 1. All numbers are big-endian and unsigned, so that keys sort by value.
//
//   01 name                              node-wide facts: format, node, cluster, clean (the clean-shutdown marker)
//   02 log                               topic name: this log exists
//   03 log                               log start offset
//   04 log                               flushed offset
//   05 log                               high watermark checkpoint, in a database apart (see CHECKPOINT_KEYS)
//   06 log epoch:u32                     start offset of the leader epoch
//   07 log base:u64                      empty: a (logical) segment starts at this offset
//   08 log base:u64 last:u64 prev:u64    one record batch v2, byte for byte
//   0c log offset:u64                    what is known of producers there (txn T-110)
//   0d log last:u64                      an aborted transaction whose marker stands at `last` (txn T-138)
//   0e log                               what the cleaner has done (txn T-114)
//   log = length:u8 topicId partition:u32
//
// `prev` is where the batch before it ended when this one was written (0 if there was none). Offsets may leave gaps
// (truncation into a batch, compaction at the leader): only this tells recovery a gap from a lost batch (repl R-110).
import type { LeaderEpoch, Offset } from '../base/units.ts';
import type { KeyRange } from '../runtime/ports.ts';
import type { LogId } from './manager-api.ts';

/** Version of this layout. A newer one is refused. */
export const FORMAT = 1;

const NODE_FACT = 0x01;
const IDENTITY = 0x02;
const BATCH = 0x08;
/** Kinds that hold one or many entries of a log. */
const KINDS = {
  logStart: 0x03,
  flushed: 0x04,
  highWatermark: 0x05,
  epoch: 0x06,
  segment: 0x07,
  snapshot: 0x0c,
  aborted: 0x0d,
  cleaner: 0x0e,
} as const;

/**
 * High watermark checkpoints: written every few seconds, and right at any time (repl R-52), so they need not be atomic with
 * anything. Among the batches one would make a table of LevelDB span the whole log, and compaction rewrite it.
 */
export const CHECKPOINT_KEYS = { gte: Buffer.from([KINDS.highWatermark]), lt: Buffer.from([KINDS.highWatermark + 1]) };

/** Whether a key is that of a batch, of whatever log. */
export function isBatchKey(key: Buffer): boolean {
  return key[0] === BATCH;
}

/** Key of a node-wide fact. */
export function factKey(name: 'format' | 'node' | 'cluster' | 'clean'): Buffer {
  return Buffer.from([NODE_FACT, ...Buffer.from(name)]);
}

/** The identities of all logs in the directory. */
export const ALL_LOGS: KeyRange = { gte: Buffer.from([IDENTITY]), lt: Buffer.from([IDENTITY + 1]) };

export function encodeOffset(offset: Offset): Buffer {
  return writeU64(Buffer.allocUnsafe(8), offset, 0);
}

export function decodeOffset(bytes: Buffer, at = 0): Offset {
  return bytes.readUInt32BE(at) * 0x1_0000_0000 + bytes.readUInt32BE(at + 4);
}

function writeU64(into: Buffer, value: number, at: number): Buffer {
  into.writeUInt32BE(Math.floor(value / 0x1_0000_0000), at);
  into.writeUInt32BE(value % 0x1_0000_0000, at + 4);
  return into;
}

/** The log an identity entry stands for. */
export function decodeIdentity(key: Buffer, value: Buffer): LogId {
  const length = key[1]!;
  return {
    topic: value.toString(),
    topicId: key.toString('utf8', 2, 2 + length),
    partition: key.readUInt32BE(2 + length),
  };
}

/** What a batch key says. */
export interface BatchKey {
  readonly baseOffset: Offset;
  readonly lastOffset: Offset;
  readonly previousEnd: Offset;
}

/** The keys of one log. */
export class LogKeys {
  /** Kind byte (to be replaced) and log. */
  readonly #prefix: Buffer;
  readonly identity: Buffer;
  readonly logStart: Buffer;
  readonly flushed: Buffer;
  readonly highWatermark: Buffer;
  readonly cleaner: Buffer;

  constructor(id: Pick<LogId, 'topicId' | 'partition'>) {
    const topicId = Buffer.from(id.topicId);
    const partition = Buffer.alloc(4);
    partition.writeUInt32BE(id.partition);
    this.#prefix = Buffer.concat([Buffer.from([0, topicId.length]), topicId, partition]);
    this.identity = this.#key(IDENTITY, 0);
    this.logStart = this.#key(KINDS.logStart, 0);
    this.flushed = this.#key(KINDS.flushed, 0);
    this.highWatermark = this.#key(KINDS.highWatermark, 0);
    this.cleaner = this.#key(KINDS.cleaner, 0);
  }

  epoch(epoch: LeaderEpoch): Buffer {
    const key = this.#key(KINDS.epoch, 4);
    key.writeUInt32BE(epoch, this.#prefix.length);
    return key;
  }

  segment(baseOffset: Offset): Buffer {
    return writeU64(this.#key(KINDS.segment, 8), baseOffset, this.#prefix.length);
  }

  /** The producer snapshot of the log below `offset`. */
  snapshot(offset: Offset): Buffer {
    return writeU64(this.#key(KINDS.snapshot, 8), offset, this.#prefix.length);
  }

  /** The entry of the aborted index for the marker at `lastOffset`. */
  aborted(lastOffset: Offset): Buffer {
    return writeU64(this.#key(KINDS.aborted, 8), lastOffset, this.#prefix.length);
  }

  batch({ baseOffset, lastOffset, previousEnd }: BatchKey): Buffer {
    const at = this.#prefix.length;
    const key = writeU64(this.#key(BATCH, 24), baseOffset, at);
    writeU64(key, lastOffset, at + 8);
    return writeU64(key, previousEnd, at + 16);
  }

  decodeEpoch(key: Buffer): LeaderEpoch {
    return key.readUInt32BE(this.#prefix.length);
  }

  /** Also of a snapshot. */
  decodeSegment(key: Buffer): Offset {
    return decodeOffset(key, this.#prefix.length);
  }

  decodeBatch(key: Buffer): BatchKey {
    const at = this.#prefix.length;
    return {
      baseOffset: decodeOffset(key, at),
      lastOffset: decodeOffset(key, at + 8),
      previousEnd: decodeOffset(key, at + 16),
    };
  }

  /** All epoch entries, segments, producer snapshots, or entries of the aborted index. */
  all(kind: 'epoch' | 'segment' | 'snapshot' | 'aborted'): KeyRange {
    return { gte: this.#key(KINDS[kind], 0), lt: Buffer.concat([this.#key(KINDS[kind], 0), PAST_ALL]) };
  }

  /** The batches whose base offset is in [from, to). */
  batches(from: Offset, to = Number.MAX_SAFE_INTEGER): KeyRange {
    const at = this.#prefix.length;
    return { gte: writeU64(this.#key(BATCH, 8), from, at), lt: writeU64(this.#key(BATCH, 8), to, at) };
  }

  #key(kind: number, extraBytes: number): Buffer {
    const key = Buffer.allocUnsafeSlow(this.#prefix.length + extraBytes);
    this.#prefix.copy(key);
    key[0] = kind;
    return key;
  }
}

/** Sorts behind every suffix that begins with a number below 2^32 - 1. */
const PAST_ALL = Buffer.from([0xff, 0xff, 0xff, 0xff]);
