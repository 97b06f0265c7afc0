// LevelDB as the store of a node: what cannot be opened is explained, and the first failed write is the last (repl R-114).
import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DiskFailure } from '../../src/runtime/disk-failure.ts';
import type { KeyRange, StoreFailure, StoreOp } from '../../src/runtime/ports.ts';
import { explainOpenError, StoreOpenError } from '../../src/runtime/real/leveldb-errors.ts';
import { openLevelStore, type LevelStore, type LevelStoreOptions } from '../../src/runtime/real/leveldb-store.ts';
import { Turns } from '../../src/runtime/real/turns.ts';
import { until } from '../rpc/harness.ts';

let directory: string;
const stores: LevelStore[] = [];
beforeEach(() => (directory = join(mkdtempSync(join(tmpdir(), 'highwater-leveldb-')), 'store')));
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  rmSync(join(directory, '..'), { recursive: true, force: true });
});

const newTurns = (): Turns =>
  new Turns((error) => {
    throw error;
  });

async function open(settings: Partial<LevelStoreOptions> = {}) {
  const store = await openLevelStore({ directory, turns: newTurns(), ...settings });
  stores.push(store);
  return store;
}

const refusal = (opening: Promise<unknown>): Promise<Error> =>
  opening.then(
    () => new Error('it opened'),
    (error: Error) => error,
  );

describe('opening', () => {
  test('a directory in use by another is named, with what to do', async () => {
    await open();
    const error = await refusal(open());
    expect(error).toBeInstanceOf(StoreOpenError);
    expect(error.message).toBe(
      `${directory} is in use by another process. Stop that node first, or give this one another data directory.`,
    );
  });

  test('a directory that holds something else is refused and left as it was', async () => {
    mkdirSync(directory);
    writeFileSync(join(directory, 'thesis.tex'), 'precious');
    const error = await refusal(open());
    expect(error).toBeInstanceOf(StoreOpenError);
    expect(error.message).toContain('is not a data directory of Highwater: it holds thesis.tex');
    expect(readdirSync(directory)).toEqual(['thesis.tex']);
  });

  test('a damaged database is called damaged', async () => {
    await (await open()).close();
    writeFileSync(join(directory, 'CURRENT'), 'MANIFEST-9');
    const error = await refusal(open());
    expect(error).toBeInstanceOf(StoreOpenError);
    expect(error.message).toMatch(/^the database in .* is damaged: .*\. Start the node with an empty directory/);
  });

  test('a path that cannot be a directory is explained', async () => {
    writeFileSync(directory, '');
    const error = await refusal(open());
    expect(error).toBeInstanceOf(StoreOpenError);
    expect(error.message).toContain(directory);
  });

  test.each([
    ['IO error: /d/LOCK: Permission denied', /^\/d is not writable for this user/],
    ['IO error: /d/MANIFEST-1: Read-only file system', /^\/d is not writable for this user/],
    ['IO error: /d/000005.log: No space left on device', /^no space is left on the disk of \/d/],
    ['Invalid argument: x: does not match existing comparator : y', /holds a database that Highwater did not make/],
    ['Corruption: 3 missing files', /is damaged/],
    ['IO error: /d/LOCK: Too many open files', /^the database in \/d cannot be opened: IO error/],
  ])('%s', (words, sentence) => {
    const error = new Error('Database failed to open', { cause: new Error(words) });
    expect(explainOpenError('/d', error).message).toMatch(sentence);
  });
});

const value = Buffer.alloc(16 * 1024, 7);
const key = (index: number): Buffer => Buffer.from(`k${String(index).padStart(6, '0')}`);

describe('writing', () => {
  test('repl R-114: the first failed write is the last: all after it fail, in order, though LevelDB would go on', async () => {
    const store = await open({ writeBufferSizeBytes: 64 * 1024 });
    const results: (StoreFailure | undefined)[] = [];
    let submitted = 0;
    const write = (): void =>
      store.write([{ type: 'put', key: key(submitted++), value }], { sync: false }, (failure) => results.push(failure));
    write();
    await until(() => results.length === 1, 'the first write completes');
    // The next file that LevelDB begins cannot be made.
    rmSync(directory, { recursive: true });
    while (store.failure === undefined) {
      write();
      const count = submitted;
      await until(() => results.length === count, 'a write completes');
    }
    const good = results.indexOf(store.failure);
    expect(results.slice(0, good).every((failure) => failure === undefined)).toBe(true);
    mkdirSync(directory);
    for (let i = 0; i < 3; i++) write();
    await until(() => results.length === submitted, 'all writes complete');
    expect(results.slice(good).every((failure) => failure === store.failure)).toBe(true);
    expect(store.failure?.reason).toMatch(/^LevelDB could not write: /);
  });

  test('repl R-114: a damaged table: a get says so in a sentence, and a scan fails', async () => {
    let store = await open();
    let done = 0;
    for (let i = 0; i < 20; i++) store.write([{ type: 'put', key: key(i), value }], { sync: false }, () => done++);
    await until(() => done === 20, 'all complete');
    await store.close();
    // What it finds in its log while it opens is too large to stay in memory.
    await (await open({ writeBufferSizeBytes: 64 * 1024 })).close();
    const tables = readdirSync(directory).filter((name) => name.endsWith('.ldb'));
    expect(tables).not.toEqual([]);
    for (const name of tables) truncateSync(join(directory, name), 10);
    store = await open();
    expect(() => store.get(key(0))).toThrow(DiskFailure);
    expect(() => store.get(key(0))).toThrow(/^cannot read the data directory: .* so the node stops \(repl R-114\)/);
    let failure: StoreFailure | undefined;
    store.scan({ gte: key(0), lt: key(9) }, (_entries, why) => (failure = why));
    await until(() => failure !== undefined, 'the scan ends');
    expect(failure?.reason).toMatch(/^LevelDB could not read: /);
  });

  test('what arrives while a write is under way goes into one next batch, up to about 1 MiB', async () => {
    const store = await open();
    const order: number[] = [];
    const inside: number[] = [];
    for (let i = 0; i < 200; i++) {
      store.write([{ type: 'put', key: key(i), value }], { sync: i === 150 }, () => order.push(i));
      inside.push(order.length);
    }
    expect(new Set(inside)).toEqual(new Set([0]));
    await until(() => order.length === 200, 'all complete');
    expect(order).toEqual(Array.from({ length: 200 }, (_, i) => i));
  });

  test('closing waits for the write under way; completions that have not come never come', async () => {
    const store = await open();
    let completions = 0;
    for (let i = 0; i < 50; i++)
      store.write([{ type: 'put', key: key(i), value }], { sync: true }, () => completions++);
    await store.close();
    expect(completions).toBe(0);
    expect(store.get(key(0))).toBeUndefined();
    store.write([{ type: 'put', key: key(1), value }], { sync: false }, () => completions++);
    store.scan({ gte: key(0), lt: key(9) }, () => completions++);
    await new Promise((resolve) => setImmediate(resolve));
    expect(completions).toBe(0);
  });

  test('a node that has stopped writes nothing more and hears of nothing', async () => {
    const turns = newTurns();
    const store = await open({ turns });
    let heard = 0;
    turns.stop();
    store.write([{ type: 'put', key: key(0), value }], { sync: false }, () => heard++);
    await store.close();
    const again = await open();
    expect([heard, again.get(key(0))]).toEqual([0, undefined]);
  });
});

describe('keys apart', () => {
  const apart = { gte: Buffer.from('p'), lt: Buffer.from('q') };
  const [one, other] = [Buffer.from('p1'), Buffer.from('p2')];

  async function write(store: LevelStore, ops: StoreOp[]): Promise<void> {
    let over = false;
    store.write(ops, { sync: false }, () => (over = true));
    await until(() => over, 'the write completes');
  }

  async function keysIn(store: LevelStore, range: KeyRange): Promise<string[]> {
    let keys: string[] | undefined;
    store.scan(range, (entries) => (keys = entries.map((entry) => entry.key.toString())));
    await until(() => keys !== undefined, 'the scan completes');
    return keys!;
  }

  test('are found again by the next start, as the others of the same write are', async () => {
    const store = await open({ apart });
    await write(store, [
      { type: 'put', key: key(1), value: Buffer.from('a') },
      { type: 'put', key: one, value: Buffer.from('b') },
      { type: 'put', key: other, value: Buffer.from('c') },
    ]);
    await write(store, [{ type: 'del', key: other }]);
    await store.close();
    const again = await open({ apart });
    expect([key(1), one, other].map((each) => again.get(each)?.toString())).toEqual(['a', 'b', undefined]);
    expect(await keysIn(again, apart)).toEqual(['p1']);
    expect(await keysIn(again, { gte: key(0), lt: key(9) })).toEqual([key(1).toString()]);
  });

  test('lie in a folder of the store, so that wiping it takes them along', async () => {
    const store = await open({ apart });
    await write(store, [{ type: 'put', key: one, value: Buffer.from('b') }]);
    await store.close();
    rmSync(directory, { recursive: true });
    expect((await open({ apart })).get(one)).toBeUndefined();
  });

  test('completions come in the order of the writes, whichever database they go to', async () => {
    const store = await open({ apart });
    const order: number[] = [];
    for (let i = 0; i < 40; i++) {
      const ops: StoreOp[] = [{ type: 'put', key: i % 3 === 0 ? one : key(i), value }];
      store.write(ops, { sync: i % 10 === 0 }, () => order.push(i));
    }
    await until(() => order.length === 40, 'all complete');
    expect(order).toEqual(Array.from({ length: 40 }, (_, i) => i));
  });
});
