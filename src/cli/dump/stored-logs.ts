// Logs in the data directory of a node that does not run: read straight from its database, nothing is repaired. LevelDB
// itself keeps a running node's directory away from us.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Level } from 'level';
import { NODE_FILES } from '../../agent/layout.ts';
import { formatPartition, type Offset, type TopicPartition } from '../../base/units.ts';
import { ALL_LOGS, decodeIdentity, decodeOffset, factKey, LogKeys } from '../../log/keys.ts';
import type { LogId } from '../../log/manager-api.ts';
import { OFFSETS_TOPIC, TRANSACTION_TOPIC } from '../../node/internal-topics.ts';
import { explainOpenError, refuseForeignDirectory, StoreOpenError } from '../../runtime/real/leveldb-errors.ts';
import { LEVELDB_OPTIONS } from '../../runtime/real/leveldb-store.ts';
import { EXIT, Problem } from '../problem.ts';

/** A batch as it is stored. */
export interface StoredBatch {
  readonly bytes: Buffer;
  readonly baseOffset: Offset;
  readonly lastOffset: Offset;
  /** Where the batch before it ended when this one was written: shows a lost one (repl R-110). */
  readonly previousEnd: Offset;
}

export interface StoredLog {
  readonly topicId: string;
  readonly logStartOffset: Offset;
  /** From the one that holds `from`, in offset order. */
  batches(from: Offset): AsyncIterable<StoredBatch>;
}

/** How many logs a message names. */
const NAMED_MAX = 10;
const INTERNAL_TOPICS: readonly string[] = [OFFSETS_TOPIC, TRANSACTION_TOPIC];

/** Runs `use` with the log of a partition in a data directory, which is a node's folder or the database in it. */
export async function withStoredLog<T>(
  directory: string,
  target: TopicPartition,
  use: (log: StoredLog) => Promise<T>,
): Promise<T> {
  const db = await open(databaseIn(directory));
  try {
    const id = await identityOf(db, directory, target);
    const keys = new LogKeys(id);
    const start = db.getSync(keys.logStart);
    return await use({
      topicId: id.topicId,
      logStartOffset: start === undefined ? 0 : decodeOffset(start),
      batches: (from) => batchesOf(db, keys, from),
    });
  } finally {
    await db.close();
  }
}

function databaseIn(directory: string): string {
  if (!existsSync(directory)) throw new Problem('HW2501', `${directory} does not exist`);
  const inside = join(directory, NODE_FILES.store);
  const database = existsSync(inside) ? inside : directory;
  if (existsSync(join(database, 'CURRENT'))) return database;
  throw new Problem(
    'HW2501',
    `${directory} is no data directory of a node: it holds no database. Give a node's folder, e.g. .../broker-1`,
  );
}

async function open(database: string): Promise<Level<Buffer, Buffer>> {
  const db = new Level<Buffer, Buffer>(database, { ...LEVELDB_OPTIONS, createIfMissing: false });
  try {
    refuseForeignDirectory(database);
    await db.open();
  } catch (error) {
    const { message } = error instanceof StoreOpenError ? error : explainOpenError(database, error);
    throw new Problem('HW5003', message, EXIT.conflict);
  }
  if (db.getSync(factKey('format')) !== undefined) return db;
  await db.close();
  throw new Problem('HW2501', `${database} is no data directory of a broker: it holds no logs`);
}

async function identityOf(db: Level<Buffer, Buffer>, directory: string, target: TopicPartition): Promise<LogId> {
  const logs: LogId[] = [];
  for await (const [key, value] of db.iterator({ gte: ALL_LOGS.gte, lt: ALL_LOGS.lt })) {
    logs.push(decodeIdentity(key, value));
  }
  const found = logs.filter(({ topic, partition }) => topic === target.topic && partition === target.partition);
  if (found.length === 1) return found[0]!;
  const place = formatPartition(target.topic, target.partition);
  if (found.length > 1) {
    const ids = found.map(({ topicId }) => topicId).join(', ');
    throw new Problem(
      'HW2501',
      `${directory} holds ${found.length} logs of ${place}, of topics ${ids}: start the node once`,
    );
  }
  const names = inOrder(logs).map(({ topic, partition }) => formatPartition(topic, partition));
  const more = names.length > NAMED_MAX ? `, and ${names.length - NAMED_MAX} more` : '';
  const there = names.length === 0 ? 'no log' : `${names.slice(0, NAMED_MAX).join(', ')}${more}`;
  throw new Problem('HW2501', `${directory} holds no log of ${place}. It holds ${there}`);
}

/** By name; what belongs to the cluster itself comes last. */
function inOrder(logs: readonly LogId[]): readonly LogId[] {
  const rank = ({ topic }: LogId): number => (INTERNAL_TOPICS.includes(topic) ? 1 : 0);
  return [...logs].sort(
    (a, b) => rank(a) - rank(b) || (a.topic === b.topic ? a.partition - b.partition : a.topic < b.topic ? -1 : 1),
  );
}

async function* batchesOf(db: Level<Buffer, Buffer>, keys: LogKeys, from: Offset): AsyncGenerator<StoredBatch> {
  const range = keys.batches(await startOf(db, keys, from));
  for await (const [key, bytes] of db.iterator({ gte: range.gte, lt: range.lt })) {
    const batch = { ...keys.decodeBatch(key), bytes };
    if (batch.lastOffset >= from) yield batch;
  }
}

/** Base offset of the last batch that begins at or before `from`. */
async function startOf(db: Level<Buffer, Buffer>, keys: LogKeys, from: Offset): Promise<Offset> {
  const { gte, lt } = keys.batches(0, from + 1);
  for await (const key of db.keys({ gte, lt, reverse: true, limit: 1 })) return keys.decodeBatch(key).baseOffset;
  return from;
}
