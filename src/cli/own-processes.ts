// Processes of this same program that do a share of its work each and print what they found. Ends them all if asked to.
import { spawn, type ChildProcess } from 'node:child_process';

/** How this program was started; others in tests. */
export type Program = readonly string[];

const THIS_PROGRAM: Program = [...process.execArgv, process.argv[1]!];

/** What came of one. */
export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export class OwnProcesses {
  readonly #program: Program;
  readonly #children = new Set<ChildProcess>();
  #stopped = false;

  constructor(program: Program = THIS_PROGRAM) {
    this.#program = program;
  }

  /** Whether `stop` was called: what a process had printed by then may be cut off anywhere. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** Runs one to its end, whatever that is. Rejects only if it cannot be started. */
  run(args: readonly string[]): Promise<Ran> {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [...this.#program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
      this.#children.add(child);
      let [stdout, stderr] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      child.once('error', reject);
      child.once('close', (code, signal) => {
        this.#children.delete(child);
        resolve({ stdout, stderr, code, signal });
      });
    });
  }

  /** Ends all of them. None may be started after it. */
  stop(): void {
    this.#stopped = true;
    for (const child of this.#children) child.kill('SIGKILL');
  }
}
