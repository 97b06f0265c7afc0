// A program of the user's own as a client of a run: told where the cluster is by its environment, watched on the wire, and ended
// with everything it has started. Only ever started by the run of a file that the user named on this machine.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { ToClient } from '../../workload/pipe.ts';
import type { ExternalSpec } from '../../workload/spec.ts';

/** After SIGTERM, until it is killed. */
const GRACE_MS = 2000;

export interface ExternalProgramOptions {
  readonly spec: ExternalSpec;
  /** Brokers as Kafka clients write them: host:port,host:port. */
  readonly bootstrap: string;
  /** Where what it writes goes. */
  readonly logFile: string;
  /** It is gone. `code` is null if a signal ended it. */
  readonly onExit: (code: number | null, told: boolean) => void;
}

export class ExternalProgram {
  readonly #child: ChildProcess;
  readonly #options: ExternalProgramOptions;
  #gone = false;
  /** It was told to stop. */
  #told = false;
  #paused = false;

  constructor(options: ExternalProgramOptions) {
    const { spec, bootstrap, logFile } = options;
    this.#options = options;
    const log = openSync(logFile, 'a', 0o600);
    this.#child = spawn('/bin/sh', ['-c', spec.command], {
      ...(spec.folder === '' ? {} : { cwd: spec.folder }),
      detached: true, // a process group of its own
      stdio: ['ignore', log, log],
      env: { ...process.env, HIGHWATER_BOOTSTRAP: bootstrap, HIGHWATER_CLIENT_ID: spec.id.replaceAll('~', '-') },
    });
    closeSync(log);
    this.#child.once('exit', (code) => this.#ended(code));
    this.#child.once('error', () => this.#ended(null));
  }

  get alive(): boolean {
    return !this.#gone;
  }
  get paused(): boolean {
    return this.#paused;
  }
  /** The signal that ended it; empty while it lives, and if none did. */
  get signal(): string {
    return this.#child.signalCode ?? '';
  }

  /** It knows one command: to stop. */
  tell(line: ToClient): void {
    if (!('command' in line) || line.command.kind !== 'stop' || this.#gone) return;
    this.#told = true;
    this.#signal('SIGTERM');
    setTimeout(() => this.kill(), GRACE_MS).unref();
  }

  kill(): void {
    this.#signal('SIGKILL');
  }
  pause(): void {
    this.#paused = true;
    this.#signal('SIGSTOP');
  }
  resume(): void {
    this.#signal('SIGCONT');
    this.#paused = false;
  }

  #ended(code: number | null): void {
    if (this.#gone) return;
    this.#signal('SIGKILL'); // What it has started ends with it.
    this.#gone = true;
    this.#options.onExit(code, this.#told);
  }

  /** Signals its whole group, as long as somebody of it is there. */
  #signal(name: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined || this.#gone) return;
    try {
      process.kill(-pid, name);
    } catch {
      // Nobody is left.
    }
  }
}
