// Programs that tests start as processes: bundled from TypeScript once a test file, next to the dependencies they need, and
// ended by their pid. Nothing here waits for a time: only for lines and exits.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
// They are made as the product's programs are.
import { buildProgram } from '../../tools/build.mjs';

const top = join(dirname(fileURLToPath(import.meta.url)), '../..');

export interface Programs {
  /** Path of a program by the path of its source. */
  path(source: string): string;
  remove(): void;
}

/** Bundles programs, given by their sources relative to the project. */
export async function buildPrograms(...sources: readonly string[]): Promise<Programs> {
  const cache = join(top, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const directory = mkdtempSync(join(cache, 'highwater-test-'));
  const path = (source: string): string => join(directory, source.replaceAll('/', '-').replace(/\.ts$/, '.mjs'));
  for (const source of sources) await buildProgram(join(top, source), path(source));
  return { path, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

/** A started program: its lines on stdout, and its end. */
export class Child {
  readonly process: ChildProcess;
  readonly lines: string[] = [];
  readonly ended: Promise<string>;
  #waiters: (() => void)[] = [];

  constructor(program: string, args: readonly string[]) {
    this.process = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
    let rest = '';
    this.process.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      this.lines.push(...lines);
      for (const wake of this.#waiters.splice(0)) wake();
    });
    this.process.stdin?.on('error', () => undefined);
    this.ended = new Promise((resolve) => {
      this.process.once('close', (code, signal) => {
        resolve(signal ?? `exit ${code}`);
        for (const wake of this.#waiters.splice(0)) wake();
      });
    });
  }

  get pid(): number {
    return this.process.pid!;
  }

  /** The first line of which `condition` holds. Rejects if the program ends first. */
  async line(condition: (line: string) => boolean): Promise<string> {
    for (;;) {
      const found = this.lines.find(condition);
      if (found !== undefined) return found;
      if (this.process.exitCode !== null || this.process.signalCode !== null) {
        throw new Error(`it ended with ${await this.ended} after: ${this.lines.slice(-3).join(' | ')}`);
      }
      await new Promise<void>((resolve) => this.#waiters.push(resolve));
    }
  }

  say(line: string): void {
    this.process.stdin?.write(line + '\n');
  }

  /** Ends it with SIGKILL, also when it is stopped, and waits. */
  async kill(): Promise<string> {
    this.process.kill('SIGKILL');
    return this.ended;
  }
}
