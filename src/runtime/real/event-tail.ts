// Reads an event file from a line on, as it grows: for the node's own TailEvents, and for an agent whose node is dead.
// Only whole lines are told; a torn one is read again later, for it may be cut and written anew (see event-file.ts).
import { open, type FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

export interface EventTailOptions {
  readonly path: string;
  /** First line wanted, from 0. */
  readonly fromLine: number;
  /** False ends at the end of the file. */
  readonly follow: boolean;
  /** Ends the reading. */
  readonly signal: AbortSignal;
}

/** A line and its number. */
export interface NumberedLine {
  readonly line: number;
  readonly json: string;
}

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;
/** How often a file that is followed is looked at. */
const POLL_MS = 50;

/** Lines in chunks, so that a reader who awaits slows the reading down. A file that is not there yet is empty. */
export async function* tailEvents(options: EventTailOptions): AsyncGenerator<NumberedLine[]> {
  const { path, fromLine, follow, signal } = options;
  const state = { place: 0, line: 0, chunkBytes: CHUNK_BYTES };
  while (!signal.aborted) {
    const lines = await readLines(path, state);
    if (lines === undefined) {
      if (!follow) return;
      await sleep(POLL_MS, undefined, { signal, ref: false }).catch(() => undefined);
      continue;
    }
    const wanted = lines.filter(({ line }) => line >= fromLine);
    if (wanted.length > 0) yield wanted;
  }
}

interface Place {
  /** Where the next line starts, bytes. */
  place: number;
  /** Its number. */
  line: number;
  /** Grows if a line is longer. */
  chunkBytes: number;
}

/** The whole lines of the next chunk, or undefined if there is none yet. */
async function readLines(path: string, state: Place): Promise<NumberedLine[] | undefined> {
  const chunk = await readChunk(path, state.place, state.chunkBytes);
  const end = chunk.lastIndexOf(NEWLINE);
  if (end < 0) {
    if (chunk.length < state.chunkBytes) return undefined;
    state.chunkBytes *= 2;
    return [];
  }
  const texts = chunk.toString('utf8', 0, end).split('\n');
  const lines = texts.map((json, index) => ({ line: state.line + index, json }));
  state.place += end + 1;
  state.line += texts.length;
  return lines;
}

async function readChunk(path: string, place: number, bytes: number): Promise<Buffer> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
  try {
    const chunk = Buffer.alloc(bytes);
    const { bytesRead } = await file.read(chunk, 0, bytes, place);
    return chunk.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
