// The database of a node that does not run, opened to be read: nothing is repaired. LevelDB itself keeps a running node's
// directory away from us. What it holds is the business of stored-logs.ts and stored-metadata.ts.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Level } from 'level';
import { NODE_FILES } from '../../agent/layout.ts';
import {
  explainOpenError,
  reasonOf,
  refuseForeignDirectory,
  StoreOpenError,
} from '../../runtime/real/leveldb-errors.ts';
import { LEVELDB_OPTIONS } from '../../runtime/real/leveldb-store.ts';
import { EXIT, Problem } from '../problem.ts';

export type StoredDatabase = Level<Buffer, Buffer>;

/**
 * Runs `use` with the database in `directory`, which is a node's folder or the database in it. A Problem if there is none,
 * if a process has it open, or if it turns out to be damaged.
 *
 * @param example Which folder of a node is meant, e.g. "broker-1".
 */
export async function withDatabase<T>(
  directory: string,
  example: string,
  use: (db: StoredDatabase) => Promise<T>,
): Promise<T> {
  const database = databaseIn(directory, example);
  const db = await open(database);
  try {
    return await use(db);
  } catch (error) {
    if (!isCorruption(error)) throw error;
    throw new Problem(
      'HW2501',
      `the database in ${database} is damaged: ${reasonOf(error)}. What was printed stands before the damage`,
      EXIT.failed,
    );
  } finally {
    await db.close();
  }
}

function databaseIn(directory: string, example: string): string {
  if (!existsSync(directory)) throw new Problem('HW2501', `${directory} does not exist`);
  const inside = join(directory, NODE_FILES.store);
  const database = existsSync(inside) ? inside : directory;
  if (existsSync(join(database, 'CURRENT'))) return database;
  throw new Problem(
    'HW2501',
    `${directory} is no data directory of a node: it holds no database. Give a node's folder, e.g. .../${example}`,
  );
}

async function open(database: string): Promise<StoredDatabase> {
  const db = new Level<Buffer, Buffer>(database, { ...LEVELDB_OPTIONS, createIfMissing: false });
  try {
    refuseForeignDirectory(database);
    await db.open();
    return db;
  } catch (error) {
    const { message } = error instanceof StoreOpenError ? error : explainOpenError(database, error);
    throw new Problem('HW5003', message, EXIT.conflict);
  }
}

/** LevelDB looks at its blocks only when it reads them. */
function isCorruption(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof Problem) return false;
  return (error as { code?: unknown }).code === 'LEVEL_CORRUPTION' || /^(?:Corruption|IO error):/.test(reasonOf(error));
}
