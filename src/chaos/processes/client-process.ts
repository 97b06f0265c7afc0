// One workload client as a process of its own: commands go down its pipe, what it says comes up, and what a kill kept from
// coming up is read from its file. Freezes and ends like any process.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { ClientStart, Said, ToClient } from '../../workload/pipe.ts';

export interface ClientProcessOptions {
  /** dist/client/main.js. */
  readonly program: string;
  readonly start: ClientStart;
  /** Where its stderr goes. */
  readonly logFile: string;
  /** A line it said, in order. */
  readonly onLine: (line: Said) => void;
  /** It is gone, and everything it said has been told. */
  readonly onExit: () => void;
}

export class ClientProcess {
  readonly #options: ClientProcessOptions;
  readonly #child: ChildProcess;
  #rest = '';
  #linesHeard = 0;
  #gone = false;
  #paused = false;

  constructor(options: ClientProcessOptions) {
    this.#options = options;
    const log = openSync(options.logFile, 'a', 0o600);
    const file = options.start.file;
    this.#child = spawn(process.execPath, [options.program, file], { detached: true, stdio: ['pipe', 'pipe', log] });
    closeSync(log);
    this.#child.stdin?.on('error', () => undefined); // It died while we wrote: its exit tells.
    this.#child.stdout?.setEncoding('utf8').on('data', (chunk: string) => this.#hear(chunk));
    this.#child.once('close', () => this.#ended());
    this.#child.once('error', () => this.#ended());
    this.tell({ start: options.start });
  }

  get alive(): boolean {
    return !this.#gone;
  }
  get paused(): boolean {
    return this.#paused;
  }
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The signal that ended it; empty while it lives, and if none did. */
  get signal(): string {
    return this.#child.signalCode ?? '';
  }

  /** Lost if the process is gone. */
  tell(line: ToClient): void {
    if (!this.#gone) this.#child.stdin?.write(`${JSON.stringify(line)}\n`);
  }

  kill(): void {
    if (!this.#gone) this.#child.kill('SIGKILL');
  }

  pause(): void {
    this.#paused = this.#child.kill('SIGSTOP');
  }

  resume(): void {
    this.#child.kill('SIGCONT');
    this.#paused = false;
  }

  #hear(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#line(line);
  }

  #line(line: string): void {
    this.#linesHeard += 1;
    this.#options.onLine(JSON.parse(line) as Said);
  }

  #ended(): void {
    if (this.#gone) return;
    for (const line of this.#written().slice(this.#linesHeard)) this.#line(line);
    this.#gone = true;
    this.#options.onExit();
  }

  /** Whole lines of its own file; a torn last one never left the process as anything else. */
  #written(): string[] {
    try {
      return readFileSync(this.#options.start.file, 'utf8').split('\n').slice(0, -1);
    } catch {
      return [];
    }
  }
}
