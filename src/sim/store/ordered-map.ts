// An ordered map of bytes for simulated disks: a hash map for values, and the keys in sorted chunks for scans. Keys are
// held as one-byte strings, whose order is byte order. Not a database: it neither logs nor shares.

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

  get size(): number {
    return this.#values.size;
  }

  get(key: string): Buffer | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: Buffer): void {
    const { size } = this.#values;
    this.#values.set(key, value);
    if (this.#values.size > size) this.#insert(key);
  }

  delete(key: string): void {
    if (!this.#values.delete(key)) return;
    const at = this.#chunkOf(key);
    const chunk = this.#chunks[at]!;
    chunk.splice(lowerBound(chunk, key), 1);
    if (chunk.length === 0) this.#chunks.splice(at, 1);
  }

  clear(): void {
    this.#values.clear();
    this.#chunks.length = 0;
  }

  /** Keys in [gte, lt) in order, at most `limit`; from the end if `reverse`. */
  range(gte: string, lt: string, limit: number, reverse: boolean): string[] {
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
    let left = index;
    for (const chunk of this.#chunks) {
      if (left < chunk.length) return chunk[left];
      left -= chunk.length;
    }
    return undefined;
  }

  #insert(key: string): void {
    if (this.#chunks.length === 0) this.#chunks.push([]);
    const at = this.#chunkOf(key);
    const chunk = this.#chunks[at]!;
    // Logs append: most keys go to the end of a chunk.
    if (chunk.length === 0 || chunk[chunk.length - 1]! < key) chunk.push(key);
    else chunk.splice(lowerBound(chunk, key), 0, key);
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
