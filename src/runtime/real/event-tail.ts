// Reads an event file from a line on, as it grows: for the node's own TailEvents, and for an agent whose node is dead.
// Only whole lines are told; a torn one is read again later, for it may be cut and written anew (see event-file.ts).
import { open, stat, type FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

export interface EventTailOptions {
  readonly path: string;
  /** First line wanted, from 0. */
  readonly fromLine: number;
  /** Byte at which that line begins, if it is known: nothing before it is read. */
  readonly fromPlace?: number;
  /**
   * Of what stands in the file when the reading begins, only the lines that this wants. A line without text then tells where
   * what is new begins.
   */
  readonly written?: (json: string) => boolean;
  /** False ends at the end of the file. */
  readonly follow: boolean;
  /** Ends the reading. */
  readonly signal: AbortSignal;
}

/** A line and its number. */
export interface NumberedLine {
  readonly line: number;
  readonly json: string;
  /** Byte at which the next line begins. */
  readonly nextPlace: number;
}

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;
/** How often a file that is followed is looked at. */
const POLL_MS = 20;

/** Lines in chunks, so that a reader who awaits slows the reading down. A file that is not there yet is empty. */
export async function* tailEvents(options: EventTailOptions): AsyncGenerator<NumberedLine[]> {
  const { path, fromLine, fromPlace = 0, follow, signal, written } = options;
  const state = { place: fromPlace, line: fromPlace > 0 ? fromLine : 0, chunkBytes: CHUNK_BYTES };
  if (written !== undefined) yield* writtenLines(options, state, written);
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

/** What stands in the file now, as far as it is wanted, and where it ends. */
async function* writtenLines(
  { path, fromLine, signal }: EventTailOptions,
  state: Place,
  written: (json: string) => boolean,
): AsyncGenerator<NumberedLine[]> {
  const end = await sizeOf(path);
  while (!signal.aborted) {
    const lines = await readLines(path, state, end);
    if (lines === undefined) break;
    const wanted = lines.filter(({ line, json }) => line >= fromLine && written(json));
    if (wanted.length > 0) yield wanted;
  }
  yield [{ line: state.line, json: '', nextPlace: state.place }];
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
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

/** The whole lines of the next chunk, or undefined if there is none yet. Nothing behind the byte `limit` is read. */
async function readLines(path: string, state: Place, limit = Infinity): Promise<NumberedLine[] | undefined> {
  const bytes = Math.min(state.chunkBytes, limit - state.place);
  const chunk = bytes > 0 ? await readChunk(path, state.place, bytes) : Buffer.alloc(0);
  const end = chunk.lastIndexOf(NEWLINE);
  if (end < 0) {
    if (chunk.length < state.chunkBytes) return undefined;
    state.chunkBytes *= 2;
    return [];
  }
  const texts = chunk.toString('utf8', 0, end).split('\n');
  let nextPlace = state.place;
  const lines = texts.map((json, index) => {
    nextPlace += Buffer.byteLength(json) + 1;
    return { line: state.line + index, json, nextPlace };
  });
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
