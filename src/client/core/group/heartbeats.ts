// The clocks of a member: when to say that it lives, when its coordinator has been silent for too long, and when its
// application has (max.poll.interval.ms). Sends nothing and decides nothing about the group.
import type { InstantMs } from '../../../base/units.ts';
import type { Clock, Timer } from '../../../runtime/ports.ts';
import type { ClientConfig } from '../config.ts';

export interface HeartbeatEvents {
  /** It is time for a heartbeat. `sent` or `stop` must follow, or none comes any more. */
  readonly due: () => void;
  /** No heartbeat was answered for session.timeout.ms: the coordinator may have dropped the member. */
  readonly sessionExpired: () => void;
  /** The application has not polled for max.poll.interval.ms. */
  readonly pollExpired: () => void;
}

type Settings = Pick<
  ClientConfig,
  'heartbeat.interval.ms' | 'session.timeout.ms' | 'max.poll.interval.ms' | 'retry.backoff.ms'
>;

export class Heartbeats {
  readonly #clock: Clock;
  readonly #config: Settings;
  readonly #events: HeartbeatEvents;
  #heartbeat: Timer | undefined;
  #session: Timer | undefined;
  #poll: Timer | undefined;
  #pollDeadline: InstantMs = Infinity;

  constructor(clock: Clock, config: Settings, events: HeartbeatEvents) {
    this.#clock = clock;
    this.#config = config;
    this.#events = events;
  }

  /** The member is in a generation: heartbeats from now on. */
  start(): void {
    this.answered();
  }

  /** A heartbeat was answered: the session begins anew, and the next one is due in heartbeat.interval.ms. */
  answered(): void {
    this.#session?.cancel();
    this.#session = this.#clock.after(this.#config['session.timeout.ms'], () => {
      this.#events.sessionExpired();
    });
    this.#next(this.#config['heartbeat.interval.ms']);
  }

  /** A heartbeat was not answered, or by no coordinator: sooner again. */
  failed(): void {
    this.#next(this.#config['retry.backoff.ms']);
  }

  /** The member is in no generation, or asks for one: no heartbeats. */
  stop(): void {
    this.#heartbeat?.cancel();
    this.#session?.cancel();
  }

  /** The application polls. */
  polled(): void {
    this.#pollDeadline = this.#clock.now() + this.#config['max.poll.interval.ms'];
    if (this.#poll === undefined) this.#watchPolls();
  }

  /** Nothing is heard of any more. */
  close(): void {
    this.stop();
    this.#poll?.cancel();
    this.#poll = undefined;
    this.#pollDeadline = Infinity;
  }

  #next(delayMs: number): void {
    this.#heartbeat?.cancel();
    this.#heartbeat = this.#clock.after(delayMs, this.#events.due);
  }

  /** One timer, looked at again when it fires: polls are too frequent for one each. */
  #watchPolls(): void {
    this.#poll = this.#clock.after(Math.max(0, this.#pollDeadline - this.#clock.now()), () => {
      this.#poll = undefined;
      if (this.#clock.now() < this.#pollDeadline) return this.#watchPolls();
      this.#events.pollExpired();
    });
  }
}
