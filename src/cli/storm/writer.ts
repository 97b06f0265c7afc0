// Writes numbered records with acks=all during a storm, to one partition after the other, and puts every send into the
// history: before it leaves, and when it is known what became of it (repl R-17).
import { setTimeout as delay } from 'node:timers/promises';
import { formatPartition } from '../../base/units.ts';
import { SendError, type HighwaterClient, type Producer } from '../../client/index.ts';
import type { NewEntry } from '../../history/operations.ts';

/** Where the records of a storm go, and where what happens is written down. */
export interface StormTopic {
  readonly topic: string;
  readonly partitions: number;
  readonly record: (entry: NewEntry) => void;
}

/** The writer's name in the history. */
export const WRITER = 'writer';

/** Between two sends: some hundred records a second are enough to be hit. */
const PAUSE_MS = 5;
/** So many sends may wait for their answers, or a cluster that stands still would fill the memory. */
const UNDER_WAY_MAX = 2000;
const LOOK_MS = 20;

export class Writer {
  readonly #producer: Producer;
  readonly #to: StormTopic;
  readonly #underWay = new Set<Promise<void>>();
  /** Number of the last record that was acknowledged, by partition. */
  readonly #lastAcknowledged: number[];
  #next = 0;
  #acknowledged = 0;
  #unacknowledged = 0;
  #writing: Promise<void> | undefined;
  #stop = false;

  constructor(client: HighwaterClient, to: StormTopic) {
    this.#producer = client.producer({ acks: 'all' });
    this.#to = to;
    this.#lastAcknowledged = Array<number>(to.partitions).fill(-1);
  }

  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** Sends that failed: such a record may be there or not. */
  get unacknowledged(): number {
    return this.#unacknowledged;
  }

  /** Writes from now on. */
  begin(): void {
    this.#writing = this.#write();
  }

  /** Writes no more; resolves when it is known of every record what became of it, or after so long. */
  async end(withinMs: number): Promise<void> {
    this.#stop = true;
    await this.#writing;
    const bound = new AbortController();
    const late = delay(withinMs, undefined, { signal: bound.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.#underWay), late]);
    bound.abort();
  }

  /**
   * Waits until every partition has acknowledged something that was sent from now on. Answers those that have not within
   * this time; of an aborted wait none.
   */
  async progress(withinMs: number, signal: AbortSignal): Promise<readonly string[]> {
    const since = this.#next;
    const end = performance.now() + withinMs;
    const waiting = (): number[] =>
      this.#lastAcknowledged.flatMap((last, partition) => (last < since ? [partition] : []));
    while (waiting().length > 0 && !signal.aborted) {
      if (performance.now() > end) return waiting().map((partition) => formatPartition(this.#to.topic, partition));
      await delay(LOOK_MS);
    }
    return [];
  }

  async #write(): Promise<void> {
    while (!this.#stop) {
      if (this.#underWay.size < UNDER_WAY_MAX) this.#send();
      await delay(PAUSE_MS);
    }
  }

  #send(): void {
    const { topic, partitions, record } = this.#to;
    const op = this.#next++;
    const partition = op % partitions;
    const value = String(op);
    const what = { f: 'send', process: WRITER, op, partition: formatPartition(topic, partition), value } as const;
    const common = { ...what, acks: -1, idempotent: true } as const;
    record({ ...common, type: 'invoke' });
    const sent = this.#producer.send({ topic, partition, value }).then(
      ({ offset, retried }) => {
        this.#acknowledged += 1;
        this.#lastAcknowledged[partition] = Math.max(op, this.#lastAcknowledged[partition]!);
        record({ ...common, type: 'ok', offset, retried });
      },
      (error: unknown) => {
        this.#unacknowledged += 1;
        const [definite, code] = error instanceof SendError ? [error.definite, error.code] : [false, String(error)];
        record({ ...common, type: definite ? 'fail' : 'info', error: code });
      },
    );
    this.#underWay.add(sent);
    void sent.finally(() => this.#underWay.delete(sent));
  }
}
