// Logs in the data directory of a broker that does not run: read straight from its database, nothing is repaired.
import { formatPartition, type Offset, type TopicPartition } from '../../base/units.ts';
import { FORMAT_KEY } from '../../controller/log-store.ts';
import { ALL_LOGS, decodeIdentity, decodeOffset, factKey, LogKeys } from '../../log/keys.ts';
import type { LogId } from '../../log/manager-api.ts';
import { OFFSETS_TOPIC, TRANSACTION_TOPIC } from '../../node/internal-topics.ts';
import { Problem } from '../problem.ts';
import { METADATA_TOPIC } from './metadata-records.ts';
import { withDatabase, type StoredDatabase } from './stored-database.ts';

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
  return withDatabase(directory, 'broker-1', async (db) => {
    if (db.getSync(factKey('format')) === undefined) throw notABrokers(db, directory);
    const id = await identityOf(db, directory, target);
    const keys = new LogKeys(id);
    const start = db.getSync(keys.logStart);
    return use({
      topicId: id.topicId,
      logStartOffset: start === undefined ? 0 : decodeOffset(start),
      batches: (from) => batchesOf(db, keys, from),
    });
  });
}

function notABrokers(db: StoredDatabase, directory: string): Problem {
  const hint =
    db.getSync(FORMAT_KEY) === undefined
      ? ''
      : `. It is a controller's: highwater log dump ${METADATA_TOPIC}-0 --data-dir ${directory}`;
  return new Problem('HW2501', `${directory} is no data directory of a broker: it holds no logs${hint}`);
}

async function identityOf(db: StoredDatabase, directory: string, target: TopicPartition): Promise<LogId> {
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

async function* batchesOf(db: StoredDatabase, keys: LogKeys, from: Offset): AsyncGenerator<StoredBatch> {
  const range = keys.batches(await startOf(db, keys, from));
  for await (const [key, bytes] of db.iterator({ gte: range.gte, lt: range.lt })) {
    const batch = { ...keys.decodeBatch(key), bytes };
    if (batch.lastOffset >= from) yield batch;
  }
}

/** Base offset of the last batch that begins at or before `from`. */
async function startOf(db: StoredDatabase, keys: LogKeys, from: Offset): Promise<Offset> {
  const { gte, lt } = keys.batches(0, from + 1);
  for await (const key of db.keys({ gte, lt, reverse: true, limit: 1 })) return keys.decodeBatch(key).baseOffset;
  return from;
}
