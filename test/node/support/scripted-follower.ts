// A follower that fetches from the broker what a test tells it to, message by message.
import type { NodeId } from '../../../src/base/units.ts';
import type { RequestOf, ResponseOf } from '../../../src/protocol/apis.ts';
import type { FetchedPartition, FetchPartition } from '../../../src/protocol/generated/index.ts';
import type { OutStream } from '../../../src/runtime/ports.ts';
import { BROKER, wanted } from './stage.ts';
import type { Stage } from './stage.ts';

export class ScriptedFollower {
  readonly answers: ResponseOf<'Fetch'>[] = [];
  readonly #stage: Stage;
  readonly #id: NodeId;
  readonly generation: number;
  readonly #out: OutStream<RequestOf<'Fetch'>>;
  #sequence = 0;
  /** How the stream closed; undefined while it is open. */
  closed: { readonly reason: string | undefined } | undefined;

  constructor(stage: Stage, id: NodeId, generation = 1) {
    this.#stage = stage;
    this.#id = id;
    this.generation = generation;
    this.#out = stage.runtime(id).network.open(BROKER, 'Fetch', {
      message: (response) => this.answers.push(response),
      closed: (reason) => (this.closed = { reason }),
    });
  }

  /** Sends a request; full unless said otherwise. */
  send(partitions: readonly FetchPartition[], more: Partial<RequestOf<'Fetch'>> = {}): void {
    this.#out.send({
      ...{ replicaId: this.#id, replicaEpoch: this.#stage.epochOf(this.#id), streamGeneration: this.generation },
      ...{ sequence: this.#sequence++, maxWaitMs: 500, minBytes: 1, maxBytes: 10_000_000, isolationLevel: 0 },
      ...{ full: true, partitions: [...partitions], forgotten: [], rackId: '', leaderOnly: false },
      ...more,
    });
  }

  /** Fetches partition 0 and waits for the answer of it; undefined if the answer left it out. */
  fetch(offset: number, more: Partial<FetchPartition> = {}, request: Partial<RequestOf<'Fetch'>> = {}) {
    const before = this.answers.length;
    this.send([wanted(offset, more)], request);
    this.#stage.until(() => this.answers.length > before);
    return this.answers.at(-1)!.partitions.find(({ partition }) => partition === 0);
  }

  /** Fetches without waiting at the broker. */
  poll(offset: number, more: Partial<FetchPartition> = {}): FetchedPartition {
    return this.fetch(offset, more, { maxWaitMs: 0 })!;
  }

  end(): void {
    this.#out.end();
  }
}
