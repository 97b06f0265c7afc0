// The agent of a cluster as `up` starts it: a process of its own that carries its data directory on its command line, does
// nothing until told to run, and ends when its starter does unless it is let go.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../agent/make-folder.ts';
import { clusterFolder } from '../agent/home.ts';
import { startTimeOf } from '../agent/process-identity.ts';
import { programPath } from './version.ts';

export interface AgentPlace {
  readonly cluster: string;
  readonly home: string;
  /** The cluster's data directory. */
  readonly dir: string;
}

/** How an agent takes its leave: ready to serve, or why not. */
interface FirstWord {
  readonly ready?: boolean;
  readonly error?: string;
}

export class AgentProcess {
  readonly #child: ChildProcess;
  readonly startTime: string;
  /** Resolves when all nodes run; rejects with the reason if they cannot. */
  readonly ready: Promise<void>;
  /** Resolves when the process is gone, with its exit code (-1: by a signal). */
  readonly ended: Promise<number>;

  /** What it prints goes to agent.log in the cluster's folder. */
  constructor({ cluster, home, dir }: AgentPlace) {
    const folder = clusterFolder(cluster, home);
    makeFolder(folder);
    const logFile = join(folder, 'agent.log');
    const log = openSync(logFile, 'a', 0o600);
    const flags = ['--cluster', cluster, '--data-dir', dir, '--home', home];
    // A session of its own: Ctrl-C in a terminal reaches the starter alone, which then tells it.
    this.#child = spawn(process.execPath, [programPath('agent'), ...flags], {
      detached: true,
      stdio: ['pipe', 'pipe', log],
    });
    closeSync(log);
    this.startTime = startTimeOf(this.pid) ?? '';
    this.#child.stdin?.on('error', () => undefined); // It died while we wrote: its end tells.
    this.ended = new Promise((resolve) => {
      this.#child.once('error', () => resolve(-1)).once('exit', (code) => resolve(code ?? -1));
    });
    this.ready = firstWord(this.#child.stdout!, `its agent ended; see ${logFile}`).then(({ error }) => {
      if (error !== undefined) throw new Error(error);
    });
    this.ready.catch(() => undefined); // Whoever waits for it hears it.
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Has it start its nodes. */
  run(): void {
    this.#say('run');
  }

  /** Asks it to stop its nodes in order and end. */
  stop(): void {
    this.#say('stop');
  }

  /** Asks it to kill its nodes and end. */
  kill(): void {
    this.#say('stop');
    this.#say('kill');
  }

  /** Lets go of it: it outlives this process. */
  async detach(): Promise<void> {
    await new Promise<void>((resolve) => this.#child.stdin?.end('detach\n', () => resolve()));
    this.#child.stdout?.destroy();
    this.#child.unref();
  }

  #say(line: string): void {
    this.#child.stdin?.write(line + '\n');
  }
}

/** The first line on stdout; a closed pipe means that it died. */
function firstWord(stream: NodeJS.ReadableStream, otherwise: string): Promise<FirstWord> {
  return new Promise((resolve) => {
    let text = '';
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      text += chunk;
      const end = text.indexOf('\n');
      if (end >= 0) resolve(JSON.parse(text.slice(0, end)) as FirstWord);
    });
    stream.on('end', () => resolve({ error: otherwise }));
  });
}
