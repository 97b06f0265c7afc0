// One supervised node: starts its process, keeps its lifeline, and records how it ended. Never restarts it on its own.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { FaultAction } from '../protocol/generated/index.ts';
import { nodeEnvironment } from './node-environment.ts';
import { isFrozen } from './node-traces.ts';
import { commandLineOf, signalProcess, startTimeOf } from './process-identity.ts';

/** As proto/agent.proto names them. */
export type NodeProcessState = 'starting' | 'running' | 'paused' | 'stopped' | 'killed' | 'dead';

export interface NodeProcessOptions {
  readonly id: number;
  readonly role: 'broker' | 'controller';
  readonly dataDir: string;
  readonly startFile: string;
  /** The program that a node runs: dist/node/main.js. */
  readonly program: string;
  /** It prints where this process does, instead of to a file of its own. */
  readonly inheritsStderr?: boolean;
  readonly onChange: () => void;
  /** Carries out an action that the node's fault aims at something else; empty if done, else why not. */
  readonly elsewhere: (action: FaultAction) => Promise<string>;
}

/** One line of a node's stdout. */
interface Announcement {
  readonly ready?: boolean;
  /** Why it cannot start or go on. */
  readonly error?: string;
  /** A fault's action on another target; answered by a line on stdin with the same id. */
  readonly elsewhere?: { readonly id: number; readonly action: FaultAction };
}

/** Longest time until a started node says that it is ready. */
const READY_WITHIN_MS = 30_000;

export class NodeProcess {
  readonly id: number;
  readonly role: 'broker' | 'controller';
  readonly dataDir: string;
  readonly #options: NodeProcessOptions;
  #child: ChildProcess | undefined;
  #startTime = '';
  #ready = false;
  #paused = false;
  #intent: { readonly signal: 'stop' | 'kill'; readonly cause: string } | undefined;
  #state: NodeProcessState = 'stopped';
  exitCode = -1;
  exitSignal = '';
  cause = '';
  starts = 0;
  #lastWords = '';
  readonly #waiters = new Set<() => void>();

  constructor(options: NodeProcessOptions) {
    this.id = options.id;
    this.role = options.role;
    this.dataDir = options.dataDir;
    this.#options = options;
  }

  get state(): NodeProcessState {
    return this.#paused ? 'paused' : this.#state;
  }
  get pid(): number {
    return this.#child?.pid ?? 0;
  }
  get startTime(): string {
    return this.#startTime;
  }
  get alive(): boolean {
    return this.#child !== undefined;
  }
  /** Whether it is stopped by a signal, ours or its own (a fault may freeze the node that carries it). */
  get frozen(): boolean {
    return this.alive && (this.#paused || isFrozen(this.pid));
  }

  /** Starts the process. Resolves when it is ready, or rejects with what it said when it ended instead. */
  async start(): Promise<void> {
    if (this.alive) throw new Error(`node ${this.id} is already running (pid ${this.pid})`);
    const { role, dataDir, startFile, program, inheritsStderr = false } = this.#options;
    const log = inheritsStderr ? undefined : openSync(join(dataDir, 'node.log'), 'a', 0o600);
    const flags = ['--role', role, '--id', String(this.id), '--data-dir', dataDir, '--start-file', startFile];
    const child = spawn(process.execPath, [program, ...flags], {
      // Its own session: Ctrl-C in a terminal reaches the agent alone, which then stops the nodes in order.
      detached: true,
      stdio: ['pipe', 'pipe', log ?? 'inherit'],
      env: nodeEnvironment(process.env),
    });
    if (log !== undefined) closeSync(log);
    this.#child = child;
    [this.#ready, this.#paused, this.#intent, this.#lastWords] = [false, false, undefined, ''];
    [this.#state, this.cause, this.exitCode, this.exitSignal] = ['starting', '', -1, ''];
    this.starts += 1;
    this.#startTime = startTimeOf(child.pid ?? 0) ?? '';
    child.stdin?.on('error', () => undefined); // The node died while we wrote: its exit tells.
    this.#listen(child);
    child.once('error', (error) => this.#ended(-1, '', `could not be started: ${error.message}`));
    child.once('exit', (code, signal) => this.#ended(code ?? -1, signal ?? '', ''));
    this.#options.onChange();
    await this.#until(() => this.#ready || !this.alive, READY_WITHIN_MS, `node ${this.id} did not become ready`);
    if (!this.#ready)
      throw new Error(this.#lastWords || `node ${this.id} ended before it was ready (${this.#describeExit()})`);
  }

  /** Asks for a clean stop and waits for the exit; after `graceMs` the process is killed. Returns whether it was clean. */
  async stop(cause: string, graceMs: number): Promise<boolean> {
    if (!this.alive) return true;
    this.resume(); // Whoever froze it, perhaps it itself: a frozen process hears nothing.
    this.#intent = { signal: 'stop', cause };
    this.#child?.stdin?.write('stop\n');
    try {
      await this.#until(() => !this.alive, graceMs, '');
      return true;
    } catch {
      await this.kill(`${cause}: no clean stop within ${graceMs} ms`);
      return false;
    }
  }

  /** SIGKILL; resolves when the process is gone. */
  async kill(cause: string): Promise<void> {
    if (!this.alive) return;
    this.#intent = { signal: 'kill', cause };
    this.#signal('SIGKILL');
    await this.#until(() => !this.alive, 10_000, `node ${this.id} survived SIGKILL`);
  }

  pause(cause: string): void {
    this.#signal('SIGSTOP');
    this.#paused = true;
    this.cause = cause;
    this.#options.onChange();
  }

  resume(): void {
    this.#signal('SIGCONT');
    this.#paused = false;
    this.cause = '';
    this.#options.onChange();
  }

  /** Resolves when the process is gone. */
  async gone(withinMs: number): Promise<void> {
    await this.#until(() => !this.alive, withinMs, `node ${this.id} did not end`);
  }

  #signal(signal: NodeJS.Signals): void {
    const recorded = { pid: this.pid, startTime: this.#startTime };
    if (recorded.startTime === '' || !commandLineOf(recorded.pid).includes(this.dataDir)) return;
    signalProcess(recorded, signal);
  }

  /** The node announces readiness, and its reason if it cannot start, in JSON lines on its stdout. */
  #listen(child: ChildProcess): void {
    let rest = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#hear(line);
    });
  }

  #hear(line: string): void {
    try {
      const said = JSON.parse(line) as Announcement;
      if (said.ready === true) {
        this.#ready = true;
        this.#state = 'running';
      }
      if (said.error !== undefined) this.#lastWords = said.error;
      if (said.elsewhere !== undefined) this.#carryOut(said.elsewhere);
      this.#changed();
    } catch {
      // Not an announcement: something a library printed.
    }
  }

  #carryOut(asked: NonNullable<Announcement['elsewhere']>): void {
    const answer = (refused: string): void => {
      this.#child?.stdin?.write(JSON.stringify({ done: asked.id, refused }) + '\n');
    };
    this.#options.elsewhere(asked.action).then(answer, (error: Error) => answer(error.message));
  }

  #ended(code: number, signal: string, why: string): void {
    if (this.#child === undefined) return;
    this.#child = undefined;
    this.#paused = false;
    [this.exitCode, this.exitSignal] = [code, signal];
    const asked = this.#intent;
    if (asked?.signal === 'kill' && signal === 'SIGKILL') this.#state = 'killed';
    else if (code === 0) this.#state = 'stopped';
    else this.#state = signal === 'SIGKILL' ? 'killed' : 'dead';
    this.cause = asked?.cause ?? (why || this.#lastWords);
    this.#changed();
  }

  #describeExit(): string {
    return this.exitSignal !== '' ? this.exitSignal : `exit code ${this.exitCode}`;
  }

  #changed(): void {
    for (const waiter of [...this.#waiters]) waiter();
    this.#options.onChange();
  }

  #until(condition: () => boolean, withinMs: number, problem: string): Promise<void> {
    if (condition()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const settle = (outcome: () => void): void => {
        clearTimeout(timer);
        this.#waiters.delete(look);
        outcome();
      };
      const look = (): void => {
        if (condition()) settle(resolve);
      };
      const timer = setTimeout(() => settle(() => reject(new Error(`${problem} within ${withinMs} ms`))), withinMs);
      this.#waiters.add(look);
    });
  }
}
