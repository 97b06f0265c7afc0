// A simulated disk: what a node's LevelDB holds, across the node's processes. It knows which writes are synced, so that
// power can be lost, and it can be full, broken, wiped or damaged. It keeps no time: see store.ts.
import type { Prng } from '../../base/prng.ts';
import type { KeyRange, StoreEntry, StoreFailure } from '../../runtime/ports.ts';
import { OrderedMap, textOf } from './ordered-map.ts';

/** One operation, ready to be applied: `undefined` deletes. The value is the disk's own. */
export interface DiskOp {
  readonly key: string;
  readonly value: Buffer | undefined;
}

/** What a batch overwrote, in order. */
type Undo = readonly DiskOp[];

/** The kernel writes dirty pages back by itself in the end: at least this many of the last batches can be lost. */
const UNSYNCED_MAX = 2048;

export class SimDisk {
  readonly #entries = new OrderedMap();
  #sizeBytes = 0;
  /** One entry a batch that no synced write has covered yet, oldest first. */
  #unsynced: Undo[] = [];
  #failNext = false;
  /** A write that would need more than this fails: a full disk. */
  budgetBytes = Infinity;
  /** Multiplies the time that everything takes: a slow disk. */
  slowdown = 1;

  /** Bytes of keys and values. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  get keyCount(): number {
    return this.#entries.size;
  }

  /** The next batch fails. */
  failNextWrite(): void {
    this.#failNext = true;
  }

  /** Applies a batch as a whole, or not at all. */
  apply(ops: readonly DiskOp[], sync: boolean): StoreFailure | undefined {
    if (this.#failNext) {
      this.#failNext = false;
      return { reason: 'input/output error (injected)' };
    }
    let growth = 0;
    for (const { key, value } of ops) if (value !== undefined) growth += key.length + value.length;
    if (this.#sizeBytes + growth > this.budgetBytes) return { reason: 'no space left on device (injected)' };
    const undo: DiskOp[] = [];
    for (const { key, value } of ops) undo.push({ key, value: this.#put(key, value) });
    if (sync) this.#unsynced = [];
    else if (undo.length > 0) this.#remember(undo);
    return undefined;
  }

  get(key: Buffer): Buffer | undefined {
    const value = this.#entries.get(textOf(key));
    return value === undefined ? undefined : Buffer.from(value);
  }

  scan(range: KeyRange): StoreEntry[] {
    const { gte, lt, limit = Infinity, reverse = false } = range;
    return this.#entries
      .range(textOf(gte), textOf(lt), limit, reverse)
      .map((key) => ({ key: Buffer.from(key, 'latin1'), value: Buffer.from(this.#entries.get(key)!) }));
  }

  /** Power is lost: of the batches after the last synced one, a beginning drawn from `random` survives (repl R-112). */
  losePower(random: Prng): void {
    const kept = random.below(this.#unsynced.length + 1);
    for (const undo of this.#unsynced.splice(kept).reverse())
      for (let i = undo.length - 1; i >= 0; i--) this.#put(undo[i]!.key, undo[i]!.value);
    this.#unsynced = [];
  }

  /** A new, empty disk. */
  wipe(): void {
    this.#entries.clear();
    this.#unsynced = [];
    this.#sizeBytes = 0;
  }

  /** Flips one bit of one value; `key` or, without it, an entry drawn from `random`. False if there is nothing to damage. */
  flipBit(random: Prng, key?: Buffer): boolean {
    const at = key === undefined ? this.#entries.keyAt(random.below(Math.max(1, this.keyCount))) : textOf(key);
    const value = at === undefined ? undefined : this.#entries.get(at);
    if (at === undefined || value === undefined || value.length === 0) return false;
    const damaged = Buffer.from(value);
    const bit = random.below(damaged.length * 8);
    damaged[bit >> 3] = damaged[bit >> 3]! ^ (1 << (bit & 7));
    this.#entries.set(at, damaged);
    return true;
  }

  #remember(undo: Undo): void {
    this.#unsynced.push(undo);
    if (this.#unsynced.length > 2 * UNSYNCED_MAX) this.#unsynced.splice(0, UNSYNCED_MAX);
  }

  /** Answers what it replaces. */
  #put(key: string, value: Buffer | undefined): Buffer | undefined {
    const old = value === undefined ? this.#entries.delete(key) : this.#entries.set(key, value);
    if (old !== undefined) this.#sizeBytes -= key.length + old.length;
    if (value !== undefined) this.#sizeBytes += key.length + value.length;
    return old;
  }
}
