// The Store port on LevelDB (design section 4). One write per database is under way; what arrives meanwhile goes into the
// next one, in order: LevelDB swaps unawaited writes, and one large batch costs less than many. A write is in the kernel
// when its completion comes, so kill -9 loses nothing counted (repl R-116). The first write error is the last write
// (repl R-114).
import { join } from 'node:path';
import { Level } from 'level';
import type { KeyRange, Store, StoreEntry, StoreFailure, StoreOp } from '../ports.ts';
import { DiskFailure, diskFails } from '../disk-failure.ts';
import { APART, explainOpenError, foreignDatabase, reasonOf, refuseForeignDirectory } from './leveldb-errors.ts';
import type { Turns } from './turns.ts';

export interface LevelStoreOptions {
  /** Holds nothing but the database. Made if it is not there. */
  readonly directory: string;
  readonly turns: Turns;
  /**
   * Keys that live in a small database of their own, inside `directory`. A write of both kinds goes there first; it is
   * atomic for each kind alone, and `sync` makes durable only the kinds that a write holds. For keys that are written
   * again and again and would make LevelDB rewrite what lies between them and the newest.
   */
  readonly apart?: Span;
  /** A key that every database of this kind has: one that holds others without it is refused. */
  readonly mark?: Buffer;
  /** In memory before a table file is written: larger stalls less and reopens later after kill -9. Default 16 MiB. */
  readonly writeBufferSizeBytes?: number;
  /** Default 64 MiB. */
  readonly maxFileSizeBytes?: number;
}

/** Half-open, in byte order. */
export type Span = Pick<KeyRange, 'gte' | 'lt'>;

const MIB = 1024 * 1024;

/** How every database of ours is opened. */
export const LEVELDB_OPTIONS = {
  keyEncoding: 'buffer',
  valueEncoding: 'buffer',
  writeBufferSize: 16 * MIB,
  maxFileSize: 64 * MIB,
} as const;

/** One LevelDB batch takes about this much; a single write may be larger. */
const BATCH_BYTES_MAX = MIB;
const SCAN_CHUNK_BYTES = 4 * MIB;
const SCAN_CHUNK_ENTRIES = 1000;
const SYNC = { sync: true };

interface Write {
  readonly ops: readonly StoreOp[];
  readonly sync: boolean;
  readonly sizeBytes: number;
  readonly done: (failure?: StoreFailure) => void;
}

/** Opens the store of a node. Rejects with a StoreOpenError that says what to do. */
export async function openLevelStore(options: LevelStoreOptions): Promise<LevelStore> {
  const { directory } = options;
  refuseForeignDirectory(directory);
  const { writeBufferSize, maxFileSize } = LEVELDB_OPTIONS;
  const db = new Level<Buffer, Buffer>(directory, {
    ...LEVELDB_OPTIONS,
    writeBufferSize: options.writeBufferSizeBytes ?? writeBufferSize,
    maxFileSize: options.maxFileSizeBytes ?? maxFileSize,
  });
  try {
    await db.open();
  } catch (error) {
    throw explainOpenError(directory, error);
  }
  if (
    options.mark !== undefined &&
    db.getSync(options.mark) === undefined &&
    (await db.keys({ limit: 1 }).all()).length > 0
  ) {
    await db.close();
    throw foreignDatabase(directory);
  }
  if (options.apart === undefined) return new LevelStore(db, options.turns);
  try {
    return new LevelStore(db, options.turns, await openApart(directory, options.apart));
  } catch (error) {
    await db.close();
    throw explainOpenError(directory, error);
  }
}

interface Apart {
  readonly db: Level<Buffer, Buffer>;
  readonly span: Span;
}

async function openApart(directory: string, span: Span): Promise<Apart> {
  const db = new Level<Buffer, Buffer>(join(directory, APART), { ...LEVELDB_OPTIONS, writeBufferSize: MIB });
  await db.open();
  return { db, span };
}

function isIn({ gte, lt }: Span, key: Buffer): boolean {
  return key.compare(gte) >= 0 && key.compare(lt) < 0;
}

export class LevelStore implements Store {
  readonly #db: Level<Buffer, Buffer>;
  readonly #turns: Turns;
  readonly #apart: Apart | undefined;
  #queue: Write[] = [];
  #writing = false;
  #failure: StoreFailure | undefined;
  #closed = false;
  #idle: (() => void)[] = [];

  constructor(db: Level<Buffer, Buffer>, turns: Turns, apart?: Apart) {
    this.#db = db;
    this.#turns = turns;
    this.#apart = apart;
  }

  /** Why the store refuses writes, once one has failed. */
  get failure(): StoreFailure | undefined {
    return this.#failure;
  }

  get(key: Buffer): Buffer | undefined {
    if (this.#closed) return undefined;
    try {
      return this.#databaseOf(key).getSync(key);
    } catch (error) {
      throw new DiskFailure(diskFails('read', `LevelDB could not read: ${reasonOf(error)}`), { cause: error });
    }
  }

  write(ops: readonly StoreOp[], options: { readonly sync: boolean }, done: (failure?: StoreFailure) => void): void {
    let sizeBytes = 0;
    for (const op of ops) sizeBytes += op.key.length + (op.type === 'put' ? op.value.length : 0);
    this.#turns.depart(() => {
      this.#queue.push({ ops, sync: options.sync, sizeBytes, done });
      if (!this.#writing) this.#writeNext();
    });
  }

  scan(range: KeyRange, done: (entries: readonly StoreEntry[], failure?: StoreFailure) => void): void {
    const deliver = (entries: readonly StoreEntry[], failure?: StoreFailure): void => {
      if (!this.#closed) this.#turns.deliver(() => done(entries, failure));
    };
    this.#turns.depart(() => {
      this.#collect(range).then(
        (entries) => deliver(entries),
        (error: unknown) => deliver([], { reason: `LevelDB could not read: ${reasonOf(error)}` }),
      );
    });
  }

  /** Ends after the write under way. Completions that have not come by then never come. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#queue = [];
    if (this.#writing) await new Promise<void>((resolve) => this.#idle.push(resolve));
    await Promise.all([this.#db.close(), this.#apart?.db.close()]);
  }

  #databaseOf(key: Buffer): Level<Buffer, Buffer> {
    const { db, span } = this.#apart ?? {};
    return db !== undefined && isIn(span!, key) ? db : this.#db;
  }

  async #collect(range: KeyRange): Promise<StoreEntry[]> {
    const iterator = this.#databaseOf(range.gte).iterator({
      gte: range.gte,
      lt: range.lt,
      reverse: range.reverse ?? false,
      limit: range.limit ?? -1,
      highWaterMarkBytes: SCAN_CHUNK_BYTES,
    });
    const entries: StoreEntry[] = [];
    try {
      for (;;) {
        const chunk = await iterator.nextv(SCAN_CHUNK_ENTRIES);
        if (chunk.length === 0) return entries;
        for (const [key, value] of chunk) entries.push({ key, value });
      }
    } finally {
      await iterator.close();
    }
  }

  /** Starts the next group: the writes that wait, in order, up to the cap. */
  #writeNext(): void {
    const group = this.#takeGroup();
    if (group.length === 0) {
      this.#writing = false;
      for (const resolve of this.#idle.splice(0)) resolve();
      return;
    }
    this.#writing = true;
    this.#commit(group).then(
      () => this.#complete(group, undefined),
      (error: unknown) => {
        this.#failure ??= { reason: `LevelDB could not write: ${reasonOf(error)}` };
        this.#complete(group, this.#failure);
      },
    );
  }

  #takeGroup(): Write[] {
    let count = 0;
    let sizeBytes = 0;
    for (const write of this.#queue) {
      if (count > 0 && sizeBytes + write.sizeBytes > BATCH_BYTES_MAX) break;
      count += 1;
      sizeBytes += write.sizeBytes;
    }
    return this.#queue.splice(0, count);
  }

  async #commit(group: readonly Write[]): Promise<void> {
    if (this.#failure !== undefined) throw new Error(this.#failure.reason);
    const ops = group.length === 1 ? group[0]!.ops : group.flatMap((write) => write.ops);
    // level copies the options into every operation: mostly there are none.
    const options = group.some((write) => write.sync) ? SYNC : {};
    const { apart, others } = this.#split(ops);
    if (apart.length > 0) await this.#apart!.db.batch(apart, options);
    if (others.length > 0) await this.#db.batch(others, options);
  }

  #split(ops: readonly StoreOp[]): { readonly apart: StoreOp[]; readonly others: StoreOp[] } {
    const span = this.#apart?.span;
    const apart = span === undefined ? [] : ops.filter(({ key }) => isIn(span, key));
    if (apart.length === 0) return { apart, others: ops as StoreOp[] };
    return { apart, others: ops.filter(({ key }) => !isIn(span!, key)) };
  }

  #complete(group: readonly Write[], failure: StoreFailure | undefined): void {
    // The disk works on the next group while this one's completions run.
    this.#writeNext();
    for (const { done } of group) {
      if (!this.#closed) this.#turns.deliver(() => done(failure));
    }
  }
}
