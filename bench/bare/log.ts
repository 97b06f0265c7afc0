// One LevelDB taking batches, as bare as can be. Equal to the product: LevelDB's settings, one key a batch, at most one
// write under way, what arrives meanwhile goes into the next one up to 1 MiB, no sync. Left out: everything about logs.
import { Level } from 'level';
import { LEVELDB_OPTIONS } from '../../src/runtime/real/leveldb-store.ts';

const GROUP_BYTES_MAX = 1024 * 1024;
const KEY_BYTES = 8;

interface Waiting {
  readonly batches: readonly Buffer[];
  readonly sizeBytes: number;
  readonly done: () => void;
}

export class BareLog {
  readonly #db: Level<Buffer, Buffer>;
  #queue: Waiting[] = [];
  #writing = false;
  #nextKey = 0;

  constructor(db: Level<Buffer, Buffer>) {
    this.#db = db;
  }

  static async open(directory: string): Promise<BareLog> {
    const db = new Level<Buffer, Buffer>(directory, LEVELDB_OPTIONS);
    await db.open();
    return new BareLog(db);
  }

  /** Appends batches; `done` when LevelDB has them. */
  append(batches: readonly Buffer[], done: () => void): void {
    const sizeBytes = batches.reduce((sum, { length }) => sum + length, 0);
    this.#queue.push({ batches, sizeBytes, done });
    if (!this.#writing) this.#writeNext();
  }

  #writeNext(): void {
    const group = this.#takeGroup();
    this.#writing = group.length > 0;
    if (!this.#writing) return;
    const ops = group.flatMap(({ batches }) =>
      batches.map((value) => ({ type: 'put', key: this.#newKey(), value }) as const),
    );
    this.#db.batch(ops, { sync: false }).then(() => {
      this.#writeNext();
      for (const { done } of group) done();
    }, crash);
  }

  #takeGroup(): Waiting[] {
    let sizeBytes = 0;
    let count = 0;
    for (const waiting of this.#queue) {
      sizeBytes += waiting.sizeBytes;
      if (count > 0 && sizeBytes > GROUP_BYTES_MAX) break;
      count += 1;
    }
    return this.#queue.splice(0, count);
  }

  #newKey(): Buffer {
    const key = Buffer.alloc(KEY_BYTES);
    key.writeUInt32BE(this.#nextKey++, KEY_BYTES - 4);
    return key;
  }
}

/** A yardstick that cannot write measures nothing. */
function crash(error: unknown): void {
  setImmediate(() => {
    throw error;
  });
}
