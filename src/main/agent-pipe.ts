// The pipe between a node and its agent: the node announces itself on stdout, the agent commands on stdin, JSON lines both
// ways ("stop" is a word). When stdin closes, the agent is gone and so is the node (design section 1).
import type { ActElsewhere } from '../runtime/real/effects.ts';

export interface AgentPipeOptions {
  /** A clean stop is asked for. */
  readonly onStop: () => void;
  /** The agent is gone. */
  readonly onGone: () => void;
}

/** What a node announces; see NodeProcess of the agent. */
export interface Announcement {
  readonly ready?: boolean;
  readonly grpcPort?: number;
  readonly kafkaPort?: number;
  /** Why it cannot start or go on. */
  readonly error?: string;
}

export class AgentPipe {
  readonly #waiting = new Map<number, (refused?: string) => void>();
  #nextId = 1;
  #rest = '';

  constructor(options: AgentPipeOptions) {
    process.stdin.setEncoding('utf8');
    process.stdin.on('data', (chunk: string) => {
      const lines = (this.#rest + chunk).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) this.#hear(line.trim(), options.onStop);
    });
    for (const end of ['end', 'close', 'error']) process.stdin.once(end, options.onGone);
    // Nobody reads any more: stdin says so as well.
    process.stdout.on('error', () => undefined);
  }

  /** One line on stdout. */
  announce(what: Announcement): void {
    process.stdout.write(JSON.stringify(what) + '\n');
  }

  /** Has the agent carry out a fault's action on another target. */
  readonly elsewhere: ActElsewhere = (action, done) => {
    const id = this.#nextId;
    this.#nextId += 1;
    this.#waiting.set(id, done);
    process.stdout.write(JSON.stringify({ elsewhere: { id, action } }) + '\n');
  };

  #hear(line: string, onStop: () => void): void {
    if (line === 'stop') {
      onStop();
      return;
    }
    try {
      const { done, refused } = JSON.parse(line) as { done?: number; refused?: string };
      const waiter = this.#waiting.get(done ?? 0);
      this.#waiting.delete(done ?? 0);
      waiter?.(refused === '' ? undefined : refused);
    } catch {
      // Not for us.
    }
  }
}
