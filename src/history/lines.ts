// A history as text: one JSON line an entry. A process that was killed may have left half a line at the end; everything
// before it is whole. Says what is wrong and where, and never drops a line in silence.
import { Compact } from './compact.ts';
import type { HistoryEntry } from './operations.ts';

/** One line, with its end. */
export function historyLine(entry: HistoryEntry): string {
  return `${JSON.stringify(entry)}\n`;
}

export interface ReadHistory {
  readonly entries: readonly HistoryEntry[];
  /** Line (from 1) at which the text ends inside an entry. What stands before it is whole. */
  readonly tornAt?: number;
}

/** A line that is no history entry. `line` counts from 1. */
export class HistoryError extends Error {
  override name = 'HistoryError';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Reads a history. Throws HistoryError at a line that is whole but no entry, or out of order. */
export function readHistory(text: string): ReadHistory {
  const lines = new HistoryLines();
  lines.take(text);
  return lines.end();
}

/** Reads a history piece by piece, so that a long one never is one text. */
export class HistoryLines {
  readonly #entries: HistoryEntry[] = [];
  readonly #compact = new Compact();
  /** Pieces of a line whose end has not come yet: the log of a replica is one line, and may be many pieces long. */
  #open: string[] = [];

  /** The next piece. Throws HistoryError as `readHistory` does. */
  take(text: string): void {
    const [first, ...lines] = text.split('\n');
    this.#open.push(first!);
    for (const line of lines) {
      this.#takeLine(this.#open.join(''));
      this.#open = [line];
    }
  }

  /** There are no more pieces. */
  end(): ReadHistory {
    const entries = this.#entries;
    return this.#open.every((text) => text === '') ? { entries } : { entries, tornAt: entries.length + 1 };
  }

  #takeLine(line: string): void {
    if (line !== '') this.#entries.push(this.#compact.take(parseEntry(line, this.#entries.length)));
  }
}

/**
 * Whether the run of a history came to its end: everything was quiet. What was recorded from the wire has no end, and is
 * judged as far as it goes.
 */
export function isWhole(entries: readonly HistoryEntry[]): boolean {
  return entries.length === 0 || entries.some(({ f }) => f === 'quiesce' || f === 'recorded');
}

const KINDS = new Set<string>([
  ...(['send', 'poll', 'end-offset', 'position', 'fault', 'budget', 'recorded', 'replica', 'quiesce'] as const),
  ...(['init', 'begin', 'send-offsets', 'commit', 'abort', 'commit-offsets', 'fetch-offsets'] as const),
  ...(['assigned', 'revoked', 'lost', 'transaction', 'open-transactions', 'committed', 'scan'] as const),
] satisfies HistoryEntry['f'][]);
const TYPES = new Set(['invoke', 'ok', 'fail', 'info']);

function parseEntry(line: string, at: number): HistoryEntry {
  let entry: Partial<HistoryEntry>;
  try {
    entry = JSON.parse(line) as Partial<HistoryEntry>;
  } catch {
    throw new HistoryError(at + 1, `line ${at + 1} is not JSON`);
  }
  if (typeof entry !== 'object' || entry === null || !KINDS.has(String(entry.f)) || !TYPES.has(String(entry.type))) {
    throw new HistoryError(
      at + 1,
      `line ${at + 1} is no history entry: it needs f (${[...KINDS].join(', ')}) and type`,
    );
  }
  if (entry.index !== at) {
    throw new HistoryError(
      at + 1,
      `line ${at + 1} has index ${entry.index}, expected ${at}: lines are missing or swapped`,
    );
  }
  return entry as HistoryEntry;
}
