// A child process that prints a JSON value a line: what a client in a process of its own tells of itself.
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { STATE_MS, until } from './until.ts';

export class Lines<T> {
  /** Everything it has said, in order. */
  readonly said: T[] = [];
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #complaint = '';

  constructor(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    this.#child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...env } });
    this.#child.stdin!.on('error', () => undefined); // It may be gone.
    this.#child.stderr!.setEncoding('utf8').on('data', (text: string) => (this.#complaint += text));
    createInterface({ input: this.#child.stdout! }).on('line', (line) => this.said.push(JSON.parse(line) as T));
    this.#ended = new Promise((resolve) => this.#child.once('close', () => resolve()));
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Waits until what it has said holds; fails at once, with its complaint, when it ends before. */
  async until(what: string, holds: (said: readonly T[]) => boolean, maxMs = STATE_MS): Promise<void> {
    await until(
      what,
      () => this.said.length,
      () => holds(this.said) || this.hasEnded,
      maxMs,
    );
    if (!holds(this.said)) throw new Error(`it ended before ${what}: ${this.#complaint}`);
  }

  /** Closes its input, and waits for its end; kills it after the bound. */
  async end(maxMs = STATE_MS): Promise<void> {
    this.#child.stdin!.end();
    const late = setTimeout(() => void this.kill(), maxMs);
    await this.#ended;
    clearTimeout(late);
  }

  /** SIGKILL. */
  kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    return this.#ended;
  }
}
