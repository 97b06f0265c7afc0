// Where the events of all simulated nodes come together: each is handed to the listeners at once, in the one order in
// which everything happened, and can be hashed. Two runs are the same run if their hashes are equal.
import { createHash, type Hash } from 'node:crypto';
import type { Stamped } from '../trace/events.ts';

export type EventListener = (stamped: Stamped) => void;

/** Lines are hashed in pieces of about this many characters. */
const PIECE_LENGTH = 1 << 16;

export class TraceLog {
  readonly #listeners: EventListener[] = [];
  readonly #hash: Hash | undefined;
  #piece = '';
  #count = 0;

  /** Hashing costs several times what a simulated event costs: only where a run is compared. */
  constructor(options: { readonly hashed: boolean }) {
    this.#hash = options.hashed ? createHash('sha256') : undefined;
  }

  /** Events so far. */
  get count(): number {
    return this.#count;
  }

  /** Whether anybody wants events; if not, they need not be made. */
  get wanted(): boolean {
    return this.#hash !== undefined || this.#listeners.length > 0;
  }

  /** Hears every event from now on, synchronously. It must not change the event. */
  listen(listener: EventListener): void {
    this.#listeners.push(listener);
  }

  record(stamped: Stamped): void {
    this.#count++;
    if (this.#hash !== undefined) {
      this.#piece += canonicalJson(stamped) + '\n';
      if (this.#piece.length >= PIECE_LENGTH) this.#flush(this.#hash);
    }
    for (const listener of this.#listeners) listener(stamped);
  }

  /** SHA-256 over the events so far as JSON lines, keys sorted. */
  hash(): string {
    if (this.#hash === undefined) throw new Error('this world does not hash its trace: make it with `hashed: true`');
    this.#flush(this.#hash);
    return this.#hash.copy().digest('hex');
  }

  #flush(hash: Hash): void {
    hash.update(this.#piece);
    this.#piece = '';
  }
}

/** JSON with the keys of every object in the order of their UTF-16 code units; undefined values are left out. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((element) => canonicalJson(element ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const fields = value as Readonly<Record<string, unknown>>;
  const parts: string[] = [];
  for (const key of Object.keys(fields).sort())
    if (fields[key] !== undefined) parts.push(`${JSON.stringify(key)}:${canonicalJson(fields[key])}`);
  return `{${parts.join(',')}}`;
}
