// The event file of a node: one JSON line an event, in the order they happened, over all its starts. Events of a turn are
// gathered and written with one synchronous write before anything they caused leaves the process (design section 7), so
// that kill -9 can take an event only together with all its consequences. A line that a kill tore is cut at the next open.
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import type { NodeId } from '../../base/units.ts';
import type { Stamped, TraceEvent } from '../../trace/events.ts';
import type { LamportClock } from '../lamport.ts';

/** Name of the event file in a node's data directory. */
export const EVENT_FILE = 'events.ndjson';

export interface EventFileOptions {
  readonly path: string;
  readonly node: NodeId;
  /** Stamps events, and goes on from the last one in the file. */
  readonly lamport: LamportClock;
  /**
   * Hears, once, that the file cannot be written, and must not return if anything could still leave the process: events
   * come before what they caused. Left out: `flush` throws.
   */
  readonly onFailure?: (reason: string) => void;
}

const NEWLINE = 0x0a;
const TAIL_CHUNK_BYTES = 64 * 1024;
/** Written in between if a turn has so much to tell. */
const BUFFERED_BYTES_MAX = 1024 * 1024;

export class EventFile {
  readonly #fd: number;
  readonly #node: NodeId;
  readonly #lamport: LamportClock;
  #nextSeq = 0;
  #buffered = '';
  #flushing: NodeJS.Immediate | undefined;
  /** Takes no more events. */
  #closed = false;
  #open = true;
  readonly #onFailure: (reason: string) => void;

  /** Opens the file, or makes it (readable by its owner only), and cuts a torn last line. */
  constructor(options: EventFileOptions) {
    this.#node = options.node;
    this.#lamport = options.lamport;
    this.#onFailure =
      options.onFailure ??
      ((reason) => {
        throw new Error(reason);
      });
    this.#fd = openSync(options.path, 'a+', 0o600);
    const last = this.#cutTornTail();
    if (last !== undefined) {
      this.#nextSeq = last.seq + 1;
      this.#lamport.observe(last.lamport);
    }
  }

  /** Number of the next line. */
  get nextSeq(): number {
    return this.#nextSeq;
  }

  /** Adds an event. It is in the file by the end of the event loop's turn, or at the next `flush`. */
  append(event: TraceEvent): void {
    if (this.#closed) return;
    // A Stamped, written out: this runs for every step of every record.
    const stamp = `{"node":${this.#node},"seq":${this.#nextSeq},"lamport":${this.#lamport.tick()},"time":${Date.now()}`;
    this.#nextSeq += 1;
    this.#buffered += `${stamp},"event":${JSON.stringify(event)}}\n`;
    if (this.#buffered.length > BUFFERED_BYTES_MAX) this.flush();
    else this.#flushing ??= setImmediate(() => this.flush());
  }

  /** Writes what was gathered. Called before anything leaves the process. */
  flush(): void {
    if (this.#flushing !== undefined) clearImmediate(this.#flushing);
    this.#flushing = undefined;
    if (this.#buffered === '') return;
    const bytes = Buffer.from(this.#buffered, 'utf8');
    this.#buffered = '';
    try {
      for (let written = 0; written < bytes.length;) written += writeSync(this.#fd, bytes, written);
    } catch (error) {
      // What comes after a hole would lie about the order of things.
      this.#closed = true;
      this.#onFailure(`cannot write the event file: ${(error as Error).message}`);
    }
  }

  close(): void {
    if (!this.#closed) this.flush();
    this.#closed = true;
    if (this.#open) closeSync(this.#fd);
    this.#open = false;
  }

  /** Leaves only whole lines that can be read, and answers the last. */
  #cutTornTail(): Stamped | undefined {
    let size = fstatSync(this.#fd).size;
    while (size > 0) {
      const end = lastNewlineBefore(this.#fd, size) + 1;
      if (end < size) ftruncateSync(this.#fd, end);
      if (end === 0) return undefined;
      const start = lastNewlineBefore(this.#fd, end - 1) + 1;
      const line = parseEventLine(readRange(this.#fd, start, end - 1).toString('utf8'));
      if (line !== undefined) return line;
      ftruncateSync(this.#fd, start);
      size = start;
    }
    return undefined;
  }
}

/** Reads one line of an event file; undefined if it is not one. */
export function parseEventLine(line: string): Stamped | undefined {
  try {
    const parsed = JSON.parse(line) as Partial<Stamped> | null;
    const whole = typeof parsed?.seq === 'number' && typeof parsed.lamport === 'number' && parsed.event !== undefined;
    return whole ? (parsed as Stamped) : undefined;
  } catch {
    return undefined;
  }
}

function readRange(fd: number, start: number, end: number): Buffer {
  const bytes = Buffer.alloc(end - start);
  readSync(fd, bytes, 0, bytes.length, start);
  return bytes;
}

/** Place of the last newline below `end`, -1 if there is none. */
function lastNewlineBefore(fd: number, end: number): number {
  for (let upTo = end; upTo > 0;) {
    const from = Math.max(0, upTo - TAIL_CHUNK_BYTES);
    const at = readRange(fd, from, upTo).lastIndexOf(NEWLINE);
    if (at >= 0) return from + at;
    upTo = from;
  }
  return -1;
}
