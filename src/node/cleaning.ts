// Cleans the hosted logs whose cleanup.policy compacts, one after the other (txn T-114). Every replica cleans its own; what a
// pass does is the log's.
import type { NodeContext } from './context.ts';
import type { Partition } from './partition.ts';
import type { Replicas } from './replicas.ts';

export class Cleaning {
  readonly #context: NodeContext;
  readonly #replicas: Replicas;
  #stopped = false;

  constructor(context: NodeContext, replicas: Replicas) {
    this.#context = context;
    this.#replicas = replicas;
  }

  start(): void {
    const { runtime, config } = this.#context;
    if (!config['log.cleaner.enable']) return;
    runtime.clock.after(config['log.cleaner.backoff.ms'], () => {
      const compacted = [...this.#replicas].filter(({ topicId }) =>
        this.#context.topicConfig(topicId)['cleanup.policy'].includes('compact'),
      );
      this.#cleanFrom(compacted, 0);
    });
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Whether all assigned replicas are in sync, so that what is below the high watermark is on each of them (BUG-64). */
  #isEverywhere({ topicId, partition }: Partition): boolean {
    const { image, runtime } = this.#context;
    if (!runtime.safeguard('compact.replicaAware')) return true;
    const registered = image.partition(topicId, partition);
    return registered !== undefined && registered.replicas.every((id) => registered.isr.includes(id));
  }

  #cleanFrom(replicas: readonly Partition[], place: number): void {
    if (this.#stopped) return;
    const replica = replicas[place];
    if (replica === undefined) return this.start();
    const config = this.#context.topicConfig(replica.topicId);
    const settings = {
      deleteRetentionMs: config['delete.retention.ms'],
      minCleanableRatio: config['min.cleanable.dirty.ratio'],
      isEverywhere: this.#isEverywhere(replica),
    };
    replica.log.clean(settings, () => this.#cleanFrom(replicas, place + 1));
  }
}
