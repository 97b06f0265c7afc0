// Waits for moments. Told of everything that happens in a run, it runs what was asked for when a moment has come. A part of
// a moment is watched for once those before it are met; what stays true (a fault that fired, a send that ended, a client
// that is done) needs not happen again, and a condition is looked at anew at every event.
import type { ClientStep, Condition, Moment, Part } from './moments.ts';
import { drawMs } from './durations.ts';

export interface WatchParts {
  readonly after: (delayMs: number, run: () => void) => { cancel(): void };
  /** In [0, 1), for ranges of time. */
  readonly next: () => number;
  readonly holds: (condition: Condition) => boolean;
}

interface Waiting {
  readonly moment: Moment;
  readonly come: () => void;
  at: number;
  /** polled-empty: how many were seen since the part is watched for. */
  emptyPolls: number;
  /** A time is under way. */
  timing: boolean;
  over: boolean;
}

/** An empty poll seen first may have begun before the part was watched for; the one after it has not. */
const EMPTY_POLLS_NEEDED = 2;

export class Watch {
  readonly #parts: WatchParts;
  readonly #fired = new Set<string>();
  readonly #done = new Set<string>();
  /** "client value outcome" of every send that ended, and "client * outcome". */
  readonly #sent = new Set<string>();
  /** "client step outcome". */
  readonly #stepped = new Set<string>();
  #waiting: Waiting[] = [];
  /** True while moments are looked at: what they cause is looked at in the next round, not inside this one. */
  #looking = false;
  #lookAgain = false;

  constructor(parts: WatchParts) {
    this.#parts = parts;
  }

  /** Calls `come` once, when the moment has come; perhaps inside this call. The answer stops waiting. */
  when(moment: Moment, come: () => void): () => void {
    const waiting: Waiting = { moment, come, at: 0, emptyPolls: 0, timing: false, over: false };
    this.#waiting.push(waiting);
    this.look();
    return () => {
      waiting.over = true;
    };
  }

  faultFired(fault: string): void {
    this.#fired.add(fault);
    this.look();
  }

  sent(client: string, value: string, outcome: 'ok' | 'fail' | 'info'): void {
    for (const what of [value, '*']) for (const how of [outcome, 'any']) this.#sent.add(`${client} ${what} ${how}`);
    this.look();
  }

  /** A step of a transactional client, or of a member of a group, ended. */
  stepped(client: string, step: ClientStep, outcome: 'ok' | 'fail' | 'info'): void {
    for (const how of [outcome, 'any']) this.#stepped.add(`${client} ${step} ${how}`);
    this.look();
  }

  clientDone(client: string): void {
    this.#done.add(client);
    this.look();
  }

  polledEmpty(client: string): void {
    for (const waiting of this.#waiting) {
      const part = waiting.moment.parts[waiting.at];
      if (part?.kind === 'polled-empty' && part.client === client) waiting.emptyPolls += 1;
    }
    this.look();
  }

  /** Conditions may have changed. */
  look(): void {
    this.#lookAgain = true;
    if (this.#looking) return;
    this.#looking = true;
    while (this.#lookAgain) {
      this.#lookAgain = false;
      for (const waiting of [...this.#waiting]) this.#advance(waiting);
      this.#waiting = this.#waiting.filter(({ over }) => !over);
    }
    this.#looking = false;
  }

  #advance(waiting: Waiting): void {
    while (!waiting.over && !waiting.timing) {
      const part = waiting.moment.parts[waiting.at];
      if (part === undefined) {
        waiting.over = true;
        waiting.come();
        return;
      }
      if (part.kind === 'time') {
        waiting.timing = true;
        this.#parts.after(drawMs(part.span, this.#parts.next), () => {
          waiting.timing = false;
          waiting.at += 1;
          this.look();
        });
        return;
      }
      if (!this.#met(part, waiting)) return;
      waiting.at += 1;
      waiting.emptyPolls = 0;
    }
  }

  #met(part: Exclude<Part, { kind: 'time' }>, waiting: Waiting): boolean {
    switch (part.kind) {
      case 'fault':
        return this.#fired.has(part.fault);
      case 'done':
        return this.#done.has(part.client);
      case 'sent':
        return this.#sent.has(`${part.client} ${part.value ?? '*'} ${part.outcome}`);
      case 'step':
        return this.#stepped.has(`${part.client} ${part.step} ${part.outcome}`);
      case 'polled-empty':
        return this.#done.has(part.client) || waiting.emptyPolls >= EMPTY_POLLS_NEEDED;
      case 'condition':
        return this.#parts.holds(part.condition);
    }
  }
}
