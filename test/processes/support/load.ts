// Producers that never rest: numbered records with acks=all, a few under way at any time, and what became of each.
import type { HighwaterClient, Producer } from '../../../src/client/index.ts';

/** A record that was acknowledged, and where. */
export interface Acknowledged {
  readonly value: string;
  readonly partition: number;
  readonly offset: number;
}

const UNDER_WAY = 4;

export class Load {
  readonly acknowledged: Acknowledged[] = [];
  /** Sends that failed: such a record may be in the log or not (repl R-17). */
  readonly failed: string[] = [];
  readonly #producer: Producer;
  readonly #topic: string;
  #next = 0;
  #running = false;
  #workers: Promise<unknown> = Promise.resolve();

  constructor(client: HighwaterClient, topic: string) {
    this.#producer = client.producer({ acks: 'all' });
    this.#topic = topic;
    this.start();
  }

  start(): void {
    this.#running = true;
    this.#workers = Promise.all(Array.from({ length: UNDER_WAY }, () => this.#send()));
  }

  /** Resolves when nothing is under way any more. */
  async stop(): Promise<void> {
    this.#running = false;
    await this.#workers;
  }

  async #send(): Promise<void> {
    while (this.#running) {
      const value = String(this.#next);
      this.#next += 1;
      try {
        const { partition, offset } = await this.#producer.send({ topic: this.#topic, value });
        this.acknowledged.push({ value, partition, offset });
      } catch {
        this.failed.push(value);
      }
    }
  }
}
