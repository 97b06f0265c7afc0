// What every Store must do: order, atomicity, ranges, survival. See runtime/ports.ts; repl; design section 2.
import { expect } from 'vitest';
import type { KeyRange, Store, StoreEntry, StoreFailure, StoreOp } from '../ports.ts';
import type { Case, Harness } from './harness.ts';

export interface StoreHarness extends Harness {
  /** The store as it is open now. */
  readonly store: Store;
  /** Ends the process as a kill would, as far as this implementation can, and opens the same data again. */
  reopen(): Promise<void>;
  /** Makes the next write that reaches the disk fail. */
  readonly failNextWrite?: () => void;
  /** Loses power: what no synced write covers may be gone. Opens again. */
  readonly losePower?: () => Promise<void>;
}

const key = (text: string): Buffer => Buffer.from(text, 'latin1');
const put = (name: string, value: string): StoreOp => ({ type: 'put', key: key(name), value: key(value) });
const del = (name: string): StoreOp => ({ type: 'del', key: key(name) });
const readable = (entries: readonly StoreEntry[]): string[] =>
  entries.map((entry) => `${entry.key.toString('latin1')}=${entry.value.toString('latin1')}`);

/** Writes and waits for the completion. */
async function written(
  harness: StoreHarness,
  ops: readonly StoreOp[],
  sync = false,
): Promise<StoreFailure | undefined> {
  let result: { failure: StoreFailure | undefined } | undefined;
  harness.store.write(ops, { sync }, (failure) => (result = { failure }));
  await harness.until(() => result !== undefined, 'a write completes');
  return result?.failure;
}

async function scanned(harness: StoreHarness, range: KeyRange): Promise<readonly StoreEntry[]> {
  let found: readonly StoreEntry[] | undefined;
  harness.store.scan(range, (entries, failure) => {
    expect(failure).toBeUndefined();
    found = entries;
  });
  await harness.until(() => found !== undefined, 'a scan completes');
  return found ?? [];
}

const ALL: KeyRange = { gte: Buffer.alloc(0), lt: Buffer.from([0xff, 0xff]) };

const WRITES: readonly Case<StoreHarness>[] = [
  {
    name: 'store: no completion comes inside the call that asked for it',
    async run(harness) {
      let inside = true;
      let completions = 0;
      const completed = (): void => {
        expect(inside).toBe(false);
        completions++;
      };
      harness.store.write([put('a', '1')], { sync: false }, completed);
      harness.store.write([], { sync: true }, completed);
      harness.store.scan(ALL, completed);
      inside = false;
      await harness.until(() => completions === 3, 'all three complete');
    },
  },
  {
    name: 'store: writes complete in the order of submission, whatever their size and sync',
    async run(harness) {
      const order: number[] = [];
      for (let i = 0; i < 40; i++) {
        const ops: StoreOp[] = [{ type: 'put', key: key(`k${i}`), value: Buffer.alloc(i % 3 === 0 ? 65536 : 8, i) }];
        harness.store.write(ops, { sync: i % 5 === 0 }, () => order.push(i));
      }
      await harness.until(() => order.length === 40, 'all writes complete');
      expect(order).toEqual(Array.from({ length: 40 }, (_, i) => i));
    },
  },
  {
    name: 'store: of two writes to one key under way, the later submitted wins',
    async run(harness) {
      let completions = 0;
      for (let i = 0; i < 20; i++) harness.store.write([put('same', String(i))], { sync: false }, () => completions++);
      await harness.until(() => completions === 20, 'all writes complete');
      expect(harness.store.get(key('same'))?.toString()).toBe('19');
    },
  },
  {
    name: 'store: a key under write answers old or new, and new once the completion has come',
    async run(harness) {
      await written(harness, [put('k', 'old')]);
      let done = false;
      harness.store.write([put('k', 'new')], { sync: false }, () => (done = true));
      const seen: string[] = [];
      await harness.until(() => {
        seen.push(harness.store.get(key('k'))?.toString() ?? 'nothing');
        return done;
      }, 'the write completes');
      expect(harness.store.get(key('k'))?.toString()).toBe('new');
      // Once new, never old again.
      expect([...seen].sort((a, b) => (a === b ? 0 : a === 'old' ? -1 : 1))).toEqual(seen);
      expect(new Set([...seen, 'old', 'new']).size).toBe(2);
    },
  },
  {
    name: 'store: operations of one batch apply in order',
    async run(harness) {
      await written(harness, [put('a', '1'), del('a'), put('b', '1'), put('b', '2'), del('c'), put('c', '3')]);
      expect(readable(await scanned(harness, ALL))).toEqual(['b=2', 'c=3']);
    },
  },
  {
    name: 'store: a write of nothing completes',
    async run(harness) {
      expect(await written(harness, [])).toBeUndefined();
      expect(await written(harness, [], true)).toBeUndefined();
    },
  },
];

const READS: readonly Case<StoreHarness>[] = [
  {
    name: 'store: get answers what was written, empty values included, and undefined for the rest',
    async run(harness) {
      await written(harness, [put('a', 'x'), { type: 'put', key: key('empty'), value: Buffer.alloc(0) }]);
      expect(harness.store.get(key('a'))?.toString()).toBe('x');
      expect(harness.store.get(key('empty'))?.length).toBe(0);
      expect(harness.store.get(key('b'))).toBeUndefined();
      await written(harness, [del('a')]);
      expect(harness.store.get(key('a'))).toBeUndefined();
    },
  },
  {
    name: 'store: what was written and what was read share no bytes with the store',
    async run(harness) {
      const value = key('value');
      await written(harness, [{ type: 'put', key: key('k'), value }]);
      value.fill(0);
      const first = harness.store.get(key('k'));
      expect(first?.toString()).toBe('value');
      first?.fill(0);
      const [entry] = await scanned(harness, ALL);
      entry?.value.fill(0);
      expect(harness.store.get(key('k'))?.toString()).toBe('value');
    },
  },
  {
    name: 'store: a scan is half-open, in byte order, and knows reverse and limit',
    async run(harness) {
      const bytes = [[0x00], [0x00, 0x00], [0x01], [0x7f], [0x80], [0x80, 0x00], [0xc3, 0xa9], [0xff]];
      const ops = bytes.map((b): StoreOp => ({ type: 'put', key: Buffer.from(b), value: Buffer.from(b) }));
      await written(harness, [...ops].reverse());
      const keys = async (range: KeyRange): Promise<number[][]> =>
        (await scanned(harness, range)).map((entry) => [...entry.key]);
      expect(await keys(ALL)).toEqual(bytes);
      const middle = { gte: Buffer.from([0x00, 0x00]), lt: Buffer.from([0xc3, 0xa9]) };
      expect(await keys(middle)).toEqual(bytes.slice(1, 6));
      expect(await keys({ ...middle, reverse: true })).toEqual(bytes.slice(1, 6).reverse());
      expect(await keys({ ...middle, limit: 2 })).toEqual(bytes.slice(1, 3));
      expect(await keys({ ...middle, reverse: true, limit: 2 })).toEqual([bytes[5], bytes[4]]);
      expect(await keys({ gte: Buffer.from([0x02]), lt: Buffer.from([0x02]) })).toEqual([]);
      expect(await keys({ gte: Buffer.from([0x02]), lt: Buffer.from([0x7f]) })).toEqual([]);
    },
  },
  {
    name: 'store: a scan sees every write that had completed when it was asked for',
    async run(harness) {
      for (let i = 0; i < 300; i++) await written(harness, [put(`k${String(i).padStart(4, '0')}`, 'v'.repeat(200))]);
      expect((await scanned(harness, ALL)).length).toBe(300);
    },
  },
];

const CRASHES: readonly Case<StoreHarness>[] = [
  {
    name: 'repl R-116: a completed write survives the end of its process, and a batch is there as a whole or not at all',
    async run(harness) {
      await written(harness, [put('kept', '1')]);
      for (let i = 0; i < 5; i++)
        harness.store.write([put(`x${i}`, '1'), put(`y${i}`, '1')], { sync: false }, () => undefined);
      await harness.reopen();
      expect(harness.store.get(key('kept'))?.toString()).toBe('1');
      let gone = false;
      for (let i = 0; i < 5; i++) {
        const [x, y] = [harness.store.get(key(`x${i}`)), harness.store.get(key(`y${i}`))];
        expect(x?.toString()).toBe(y?.toString());
        // What survives is a beginning of what was submitted.
        if (gone) expect(x).toBeUndefined();
        gone = x === undefined;
      }
    },
  },
  {
    name: 'repl R-114: the first failed write is the last: it and all after it fail, in order',
    needs: (harness) => harness.failNextWrite !== undefined,
    async run(harness) {
      await written(harness, [put('before', '1')]);
      harness.failNextWrite?.();
      const results: [number, boolean][] = [];
      for (let i = 0; i < 4; i++)
        harness.store.write([put(`k${i}`, '1')], { sync: false }, (failure) =>
          results.push([i, failure !== undefined]),
        );
      await harness.until(() => results.length === 4, 'all writes complete');
      expect(results).toEqual([0, 1, 2, 3].map((i) => [i, true]));
      expect(await written(harness, [put('later', '1')])).toBeDefined();
      expect(harness.store.get(key('before'))?.toString()).toBe('1');
      expect(harness.store.get(key('k1'))).toBeUndefined();
    },
  },
  {
    name: 'repl R-112: power loss takes at most what no synced write covers, from the end',
    needs: (harness) => harness.losePower !== undefined,
    async run(harness) {
      await written(harness, [put('a', '1')]);
      await written(harness, [put('b', '1')], true);
      for (let i = 0; i < 8; i++) await written(harness, [put(`u${i}`, '1'), put('b', `after ${i}`)]);
      await harness.losePower?.();
      expect(harness.store.get(key('a'))?.toString()).toBe('1');
      const kept = [0, 1, 2, 3, 4, 5, 6, 7].filter((i) => harness.store.get(key(`u${i}`)) !== undefined);
      expect(kept).toEqual(kept.map((_, i) => i));
      expect(harness.store.get(key('b'))?.toString()).toBe(kept.length === 0 ? '1' : `after ${kept.length - 1}`);
    },
  },
];

/** The suite. Pass it to `conformance` with a maker of harnesses, each on new, empty data. */
export const STORE_SUITE: readonly Case<StoreHarness>[] = [...WRITES, ...READS, ...CRASHES];
