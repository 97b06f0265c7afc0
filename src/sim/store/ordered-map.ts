// An ordered map of bytes for simulated disks: a hash map for values, and the keys in sorted chunks for scans. Keys are
// held as one-byte strings, whose order is byte order. Nodes write always and scan rarely, so new keys are sorted in when
// somebody looks at the order. Not a database: it neither logs nor shares.

/** Entries a chunk may hold before it is split. */
const CHUNK_MAX = 512;

/** Bytes as a string of the same order. */
export function textOf(key: Buffer): string {
  return key.toString('latin1');
}

export class OrderedMap {
  readonly #values = new Map<string, Buffer>();
  /** Sorted, never empty chunks of sorted keys. */
  readonly #chunks: string[][] = [];
  /** New keys that are not in a chunk yet; some may be gone again, or here twice. */
  #added: string[] = [];

  get size(): number {
    return this.#values.size;
  }

  get(key: string): Buffer | undefined {
    return this.#values.get(key);
  }

  /** Answers what it replaces. */
  set(key: string, value: Buffer): Buffer | undefined {
    const old = this.#values.get(key);
    this.#values.set(key, value);
    if (old === undefined) this.#added.push(key);
    return old;
  }

  /** Answers what it removes. */
  delete(key: string): Buffer | undefined {
    const old = this.#values.get(key);
    if (old === undefined) return undefined;
    this.#values.delete(key);
    const at = this.#chunkOf(key);
    const chunk = this.#chunks[at];
    const index = chunk === undefined ? 0 : lowerBound(chunk, key);
    if (chunk?.[index] !== key) return old;
    chunk.splice(index, 1);
    if (chunk.length === 0) this.#chunks.splice(at, 1);
    return old;
  }

  clear(): void {
    this.#values.clear();
    this.#chunks.length = 0;
    this.#added = [];
  }

  /** Keys in [gte, lt) in order, at most `limit`; from the end if `reverse`. */
  range(gte: string, lt: string, limit: number, reverse: boolean): string[] {
    this.#sortIn();
    const keys: string[] = [];
    const chunks = this.#chunks;
    if (gte >= lt || chunks.length === 0) return keys;
    for (let c = this.#chunkOf(gte); c < chunks.length && chunks[c]![0]! < lt; c++)
      for (let i = lowerBound(chunks[c]!, gte); i < chunks[c]!.length && chunks[c]![i]! < lt; i++) {
        keys.push(chunks[c]![i]!);
        if (!reverse && keys.length >= limit) return keys;
      }
    return reverse ? keys.reverse().slice(0, limit) : keys;
  }

  /** The key at this place in order, for faults that strike a random entry. */
  keyAt(index: number): string | undefined {
    this.#sortIn();
    let left = index;
    for (const chunk of this.#chunks) {
      if (left < chunk.length) return chunk[left];
      left -= chunk.length;
    }
    return undefined;
  }

  #sortIn(): void {
    for (const key of this.#added) if (this.#values.has(key)) this.#insert(key);
    this.#added = [];
  }

  #insert(key: string): void {
    if (this.#chunks.length === 0) this.#chunks.push([]);
    const at = this.#chunkOf(key);
    const chunk = this.#chunks[at]!;
    const index = lowerBound(chunk, key);
    if (chunk[index] === key) return;
    chunk.splice(index, 0, key);
    if (chunk.length > CHUNK_MAX) this.#chunks.splice(at + 1, 0, chunk.splice(CHUNK_MAX >> 1));
  }

  /** The last chunk that begins at or below `key`, else the first. */
  #chunkOf(key: string): number {
    let [low, high] = [0, this.#chunks.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#chunks[middle]![0]! <= key) low = middle;
      else high = middle;
    }
    return low;
  }
}

/** The first index whose key is at or above `key`. */
function lowerBound(keys: readonly string[], key: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
