// The command line as people use it: each command a process of its own, in a home that the test owns. What a test starts is
// ended by its pid, and at the end nothing of it may be left.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readState, type ClusterState } from '../../../src/agent/home.ts';
import { processesWith, type ListedProcess } from './process-list.ts';
import { builtProgram } from './package.ts';
import { until } from './until.ts';

/** How a command ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command under way. */
export class Command {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  stdout = '';
  stderr = '';

  constructor(file: string, args: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv; input?: string }) {
    const { input, ...where } = options;
    this.child = spawn(file, args, { ...where, stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] });
    this.child.stdin?.end(input);
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.ended = new Promise((resolve, reject) => {
      this.child.once('error', reject);
      this.child.once('close', (code, signal) => resolve({ code, signal, stdout: this.stdout, stderr: this.stderr }));
    });
  }

  get pid(): number {
    return this.child.pid!;
  }
}

export class Highwater {
  /** HIGHWATER_HOME of all commands. */
  readonly home: string;
  readonly #commands: Command[] = [];

  constructor() {
    this.home = mkdtempSync(join(tmpdir(), 'highwater-home-'));
  }

  /** A folder of the test's own, below the home's. */
  folder(name: string): string {
    return mkdtempSync(join(this.home, `${name}-`));
  }

  /** Starts a command, with `input` on its stdin. It runs in `/`: no command may depend on where it is typed. */
  start(args: readonly string[], env: NodeJS.ProcessEnv = {}, input?: string): Command {
    const command = new Command(process.execPath, [builtProgram('cli'), ...args], {
      cwd: '/',
      env: { ...process.env, HIGHWATER_HOME: this.home, HIGHWATER_CLUSTER: '', ...env },
      ...(input === undefined ? {} : { input }),
    });
    this.#commands.push(command);
    return command;
  }

  /** Runs a command to its end, whatever that is. */
  run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return this.start(args, env).ended;
  }

  /** Runs a line in a shell where `highwater` is this program. */
  paste(line: string): Promise<Ended> {
    const name = `highwater() { "${process.execPath}" "${builtProgram('cli')}" "$@"; }`;
    const env = { ...process.env, HIGHWATER_HOME: this.home, HIGHWATER_CLUSTER: '' };
    const command = new Command('/bin/sh', ['-c', `${name}\n${line}`], { cwd: '/', env });
    this.#commands.push(command);
    return command.ended;
  }

  /** Runs a command that must succeed, and answers what it printed. */
  async ok(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(args);
    if (code !== 0) throw new Error(`highwater ${args.join(' ')} ended with ${code}: ${stderr}${stdout}`);
    return stdout;
  }

  /** The one JSON document that a command prints. */
  async json<Document = { readonly data: never }>(...args: readonly string[]): Promise<Document> {
    return JSON.parse(await this.ok(...args, '--json')) as Document;
  }

  /** Starts a cluster with quick timers on free ports. */
  up(cluster: string, ...args: readonly string[]): Promise<string> {
    return this.ok('up', '--cluster', cluster, '--detach', '--timers', 'fast', '--port-base', '0', ...args);
  }

  /** What is recorded of a cluster. */
  state(cluster: string): ClusterState {
    const state = readState(cluster, this.home);
    if ('problem' in state) throw new Error(state.problem);
    return state;
  }

  /** Processes of all clusters of this home. */
  processes(): ListedProcess[] {
    const commands = new Set(this.#commands.map((command) => command.pid));
    return processesWith(this.home).filter(({ pid }) => !commands.has(pid));
  }

  /** Resolves when no process of any cluster of this home is left. */
  async untilNothingRuns(): Promise<void> {
    await until('no process of a cluster is left', () => this.processes().length === 0);
  }

  /** Ends what a failed test may have left, and answers what that was. */
  async close(): Promise<readonly string[]> {
    for (const { child } of this.#commands)
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await Promise.all(this.#commands.map((command) => command.ended.catch(() => undefined)));
    const left = this.processes();
    for (const { pid } of left) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended by itself.
      }
    }
    await this.untilNothingRuns();
    rmSync(this.home, { recursive: true, force: true });
    return left.map(({ command }) => command);
  }
}
