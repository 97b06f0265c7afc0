// The surroundings of one row: a temporary HIGHWATER_HOME and whatever it started. Closing it ends and removes all of it,
// also when the row failed, took too long, or was interrupted.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPart, type Part } from './part.ts';

type Closer = () => void | Promise<void>;

export class Room {
  /** HIGHWATER_HOME of everything in this room. */
  readonly home = mkdtempSync(join(tmpdir(), 'highwater-bench-'));
  readonly #closers: Closer[] = [];
  #closing: Promise<void> | undefined;

  /** Runs when the room is closed, before what was there earlier is ended. */
  onClose(closer: Closer): void {
    this.#closers.push(closer);
  }

  /** A folder of its own. */
  folder(name: string): string {
    return mkdtempSync(join(this.home, `${name}-`));
  }

  /** Starts a process of the benchmark; it is killed with the room. */
  async part(name: string): Promise<Part> {
    if (this.#closing !== undefined) throw new Error('the room is closed');
    const part = startPart(name);
    this.onClose(() => part.kill());
    await part.ready;
    return part;
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#end());
  }

  async #end(): Promise<void> {
    for (const closer of this.#closers.reverse()) {
      await Promise.resolve(closer()).catch((error: Error) => {
        process.stderr.write(`bench: not closed in order: ${error.message}\n`);
      });
    }
    rmSync(this.home, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Ends a wait for `work` after `limitMs`; what it started is ended by closing the room. */
export async function within<T>(limitMs: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${limitMs / 1000} s`)), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
