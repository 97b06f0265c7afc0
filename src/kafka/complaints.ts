// What a listener tells people of clients that it cannot serve: once at first, then once a minute for what is alike, so that
// a client that reconnects in a loop is heard of and does not flood the log. Knows no protocol.
import type { LogLevel } from './apis/api.ts';

/** What is alike is told once in this time. */
const EVERY_MS = 60_000;
/** Lines in that time, whatever they are about. */
const LINES_MAX = 50;
/** Kinds remembered: a client that is another one each time must not fill the memory. */
const KINDS_MAX = 1000;

/** One line for people. */
export interface Complaint {
  readonly level: LogLevel;
  /** What complaints have in common that are told once: what happened, and whose client it was. */
  readonly kind: string;
  readonly message: string;
}

interface Told {
  atMs: number;
  /** Not told since. */
  unsaid: number;
}

export class Complaints {
  readonly #log: (level: LogLevel, message: string) => void;
  readonly #nowMs: () => number;
  readonly #told = new Map<string, Told>();
  #windowMs = -Infinity;
  #lines = 0;

  /** @param nowMs A clock that never goes back. */
  constructor(log: (level: LogLevel, message: string) => void, nowMs: () => number = () => performance.now()) {
    this.#log = log;
    this.#nowMs = nowMs;
  }

  /** Tells it, or counts it if the like was told a short while ago. */
  hear({ level, kind, message }: Complaint): void {
    const now = this.#nowMs();
    const before = this.#told.get(kind);
    if (before !== undefined && now - before.atMs < EVERY_MS) {
      before.unsaid += 1;
      return;
    }
    if (!this.#hasRoom(now)) return;
    this.#told.delete(kind);
    this.#told.set(kind, { atMs: now, unsaid: 0 });
    if (this.#told.size > KINDS_MAX) this.#told.delete(this.#told.keys().next().value!);
    const unsaid = before?.unsaid ?? 0;
    this.#log(level, unsaid === 0 ? message : `${message} (and ${unsaid} more of this kind since it was last told)`);
  }

  /** Whether a line may be written; says once that no more are. */
  #hasRoom(now: number): boolean {
    if (now - this.#windowMs >= EVERY_MS) [this.#windowMs, this.#lines] = [now, 0];
    this.#lines += 1;
    if (this.#lines === LINES_MAX + 1) {
      this.#log(
        'warn',
        `${LINES_MAX} different complaints about clients within a minute; no more are told until it is over`,
      );
    }
    return this.#lines <= LINES_MAX;
  }
}
