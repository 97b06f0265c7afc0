// Reads a node's event file as it grows, synchronously, whole lines only: what a node wrote before it died is there when
// its death is noticed.
import { closeSync, openSync, readSync } from 'node:fs';
import type { Stamped } from '../../trace/events.ts';

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

export class EventReader {
  readonly #path: string;
  readonly #buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  #place = 0;
  /** The beginning of a line whose end has not been written, or not been read yet. */
  #rest = Buffer.alloc(0);

  constructor(path: string) {
    this.#path = path;
  }

  /** Events since the last call. A torn last line stays for the next; a node cuts it when it starts again. */
  read(): Stamped[] {
    let fd: number;
    try {
      fd = openSync(this.#path, 'r');
    } catch {
      return []; // Not written yet.
    }
    try {
      const found: Stamped[] = [];
      for (;;) {
        const bytes = readSync(fd, this.#buffer, 0, CHUNK_BYTES, this.#place);
        if (bytes === 0) return found;
        this.#place += bytes;
        this.#take(this.#buffer.subarray(0, bytes), found);
      }
    } finally {
      closeSync(fd);
    }
  }

  /** The node is dead: what it left torn will be cut, so the next line begins there. */
  forgetTornLine(): void {
    this.#place -= this.#rest.length;
    this.#rest = Buffer.alloc(0);
  }

  #take(chunk: Buffer, found: Stamped[]): void {
    const end = chunk.lastIndexOf(NEWLINE);
    if (end < 0) {
      this.#rest = Buffer.concat([this.#rest, chunk]);
      return;
    }
    const text = Buffer.concat([this.#rest, chunk.subarray(0, end)]).toString('utf8');
    this.#rest = Buffer.from(chunk.subarray(end + 1));
    for (const line of text.split('\n')) if (line !== '') found.push(JSON.parse(line) as Stamped);
  }
}
