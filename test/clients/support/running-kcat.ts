// kcat while it runs: what it prints, what it was assigned as a member of a group, what it sent, and how it ends.
import { spawn, type ChildProcess } from 'node:child_process';
import { STATE_MS, until, within } from './until.ts';

export class RunningKcat {
  /** Messages, in the order it printed them. */
  readonly messages: string[] = [];
  #complaint = '';
  #rest = '';
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;

  constructor(bootstrap: string, args: readonly string[]) {
    this.#child = spawn('kcat', ['-b', bootstrap, '-u', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child.stdout!.setEncoding('utf8').on('data', (text: string) => this.#onText(text));
    this.#child.stderr!.setEncoding('utf8').on('data', (text: string) => (this.#complaint += text));
    this.#ended = new Promise((resolve) => this.#child.once('close', resolve));
  }

  /** What it says about itself, for people. */
  get said(): string {
    return this.#complaint;
  }

  /** How often it was told its assignment. */
  get assignments(): readonly string[] {
    return [...this.#complaint.matchAll(/rebalanced \(memberid [^)]+\): assigned: (.*)/g)].map(([, list]) => list!);
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Waits until what it printed holds. */
  untilMessages(what: string, holds: (messages: readonly string[]) => boolean): Promise<unknown> {
    return until(
      `${what}; kcat said: ${this.#complaint}`,
      () => this.messages.length,
      () => holds(this.messages),
    );
  }

  untilAssigned(times: number): Promise<unknown> {
    return until(
      `assignment number ${times}`,
      () => this.#complaint,
      () => this.assignments.length >= times,
    );
  }

  /** Waits for its own end. */
  end(): Promise<number | null> {
    return within(STATE_MS, 'the end of kcat', this.#ended);
  }

  /** SIGTERM: it commits, and leaves unless it is static. */
  stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    return this.end();
  }

  /** SIGKILL. */
  kill(): Promise<number | null> {
    this.#child.kill('SIGKILL');
    return this.#ended;
  }

  #onText(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop()!;
    this.messages.push(...lines);
  }
}

/** kcat as a member of a group (-G). */
export function kcatMember(bootstrap: string, group: string, topic: string, more: readonly string[] = []): RunningKcat {
  const settings = ['auto.offset.reset=earliest', 'session.timeout.ms=6000', 'auto.commit.interval.ms=200'];
  return new RunningKcat(bootstrap, [...settings.flatMap((each) => ['-X', each]), ...more, '-G', group, topic]);
}
