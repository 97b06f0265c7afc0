// Reads a history for `check` from its file, piece by piece: a long one is no single text. What is cut or no history is
// refused, and the refusal says what can be done.
import { closeSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { HistoryError, HistoryLines, isWhole, type ReadHistory } from '../history/lines.ts';
import type { HistoryEntry } from '../history/operations.ts';
import { Problem } from './problem.ts';

/** Read at once. */
const PIECE_BYTES = 1 << 20;

export interface HistoryFile {
  readonly entries: readonly HistoryEntry[];
  /** It ends before its run did: it can never say pass. */
  readonly torn: boolean;
}

/** Throws a Problem if the file is no history, or ends before its run did and `partial` does not ask for what is there. */
export function readHistoryFile(file: string, partial: boolean): HistoryFile {
  const { entries, tornAt } = readPieces(file);
  if (tornAt !== undefined && !partial) {
    const whole = `${entries.length} entries are whole`;
    throw new Problem('HW2601', `${file}:${tornAt} ends inside an entry; ${whole}. Check those with --partial`);
  }
  const unfinished = tornAt === undefined && !isWhole(entries);
  if (unfinished && !partial) {
    const why = `${file} ends before its run did: after ${entries.length} entries nothing says that everything was quiet`;
    throw new Problem('HW2601', `${why}. Check what is there with --partial`);
  }
  return { entries, torn: tornAt !== undefined || unfinished };
}

function readPieces(file: string): ReadHistory {
  const lines = new HistoryLines();
  const decoder = new StringDecoder('utf8');
  const piece = Buffer.alloc(PIECE_BYTES);
  let handle: number | undefined;
  try {
    handle = openSync(file, 'r');
    for (let length = readSync(handle, piece); length > 0; length = readSync(handle, piece))
      lines.take(decoder.write(piece.subarray(0, length)));
    lines.take(decoder.end());
    return lines.end();
  } catch (error) {
    const why = error instanceof HistoryError ? `: ${error.message}` : ` cannot be read: ${(error as Error).message}`;
    throw new Problem('HW2601', `${file}${why}`);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
