// The metadata log in the data directory of a controller that does not run: its records and its newest snapshot, one by one,
// damaged ones too. Nothing is repaired.
import { crc32c } from '../../base/crc32c.ts';
import type { Offset } from '../../base/units.ts';
import * as layout from '../../controller/log-store.ts';
import { factKey } from '../../log/keys.ts';
import { decodeRecord } from '../../metadata/records.ts';
import type { KeyRange } from '../../runtime/ports.ts';
import { Problem } from '../problem.ts';
import type { MetadataAt, MetadataFacts } from './metadata-source.ts';
import { withDatabase, type StoredDatabase } from './stored-database.ts';

export interface StoredMetadata {
  readonly facts: MetadataFacts;
  /** Records from an offset on. */
  records(from: Offset): AsyncIterable<MetadataAt>;
  /** Records of the newest whole snapshot, from one of them on. */
  snapshot(from: number): AsyncIterable<MetadataAt>;
}

/** Runs `use` with the metadata log in a data directory, which is the controller's folder or the database in it. */
export async function withStoredMetadata<T>(
  directory: string,
  use: (stored: StoredMetadata) => Promise<T>,
): Promise<T> {
  return withDatabase(directory, 'controller', async (db) => {
    if (db.getSync(layout.FORMAT_KEY) === undefined) throw notAControllers(db, directory);
    const problem = layout.formatProblem(layout.readNumber(db.getSync(layout.FORMAT_KEY)));
    if (problem !== undefined) throw new Problem('HW2501', problem);
    const mark = markOf(db, directory);
    return use({
      facts: {
        directory,
        startOffset: (await endOf(db, false)) ?? mark?.endOffset ?? 0,
        endOffset: ((await endOf(db, true)) ?? (mark?.endOffset ?? 0) - 1) + 1,
        ...(mark === undefined ? {} : { snapshotOffset: mark.endOffset, snapshotRecords: mark.count }),
      },
      records: (from) => recordsOf(db, from),
      snapshot: (from) => snapshotOf(db, mark, from),
    });
  });
}

function notAControllers(db: StoredDatabase, directory: string): Problem {
  const hint =
    db.getSync(factKey('format')) === undefined ? '' : ". It is a broker's; the metadata log is in .../controller";
  return new Problem('HW2501', `${directory} is no data directory of a controller: it holds no metadata log${hint}`);
}

function markOf(db: StoredDatabase, directory: string): layout.SnapshotMark | undefined {
  try {
    return layout.readSnapshotMark(db.getSync(layout.SNAPSHOT_MARK_KEY));
  } catch {
    throw new Problem('HW2501', `${directory} is damaged: what says which snapshot is whole cannot be read`);
  }
}

/** Offset of the first record, or of the last one. */
async function endOf(db: StoredDatabase, last: boolean): Promise<Offset | undefined> {
  const { gte, lt } = layout.RECORD_RANGE;
  for await (const key of db.keys({ gte, lt, reverse: last, limit: 1 })) return layout.offsetOfKey(key);
  return undefined;
}

async function* recordsOf(db: StoredDatabase, from: Offset): AsyncGenerator<MetadataAt> {
  const range = { gte: layout.recordKey(from), lt: layout.RECORD_RANGE.lt };
  for await (const [key, value] of iterate(db, range)) yield read(layout.offsetOfKey(key), value);
}

async function* snapshotOf(
  db: StoredDatabase,
  mark: layout.SnapshotMark | undefined,
  from: number,
): AsyncGenerator<MetadataAt> {
  if (mark === undefined) return;
  const range = { gte: layout.snapshotKey(mark.endOffset, 0), lt: layout.snapshotKey(mark.endOffset + 1, 0) };
  const values: Buffer[] = [];
  for await (const [, value] of iterate(db, range)) values.push(value);
  const isSound = crc32c(Buffer.concat(values)) === mark.crc;
  if (values.length !== mark.count || !isSound) {
    const damage = `${values.length} of ${mark.count} records, ${isSound ? 'and' : 'not'} the checksum it was written with`;
    yield { warning: `the snapshot at offset ${mark.endOffset} is damaged: ${damage}. No controller starts from it` };
  }
  for (const [at, value] of values.entries()) if (at >= from) yield read(at, value);
}

function iterate(db: StoredDatabase, { gte, lt }: KeyRange): AsyncIterable<[Buffer, Buffer]> {
  return db.iterator({ gte: Buffer.from(gte), lt: Buffer.from(lt) });
}

function read(offset: Offset, value: Buffer): MetadataAt {
  try {
    return { offset, record: decodeRecord(value) };
  } catch (error) {
    return { offset, unread: `cannot be read (${(error as Error).message})` };
  }
}
