// Looks from time to time for producers that every hosted log may forget (txn T-109). When that is so is the log's.
import type { NodeContext } from './context.ts';
import type { Replicas } from './replicas.ts';

export class ProducerExpiry {
  readonly #context: NodeContext;
  readonly #replicas: Replicas;
  #stopped = false;

  constructor(context: NodeContext, replicas: Replicas) {
    this.#context = context;
    this.#replicas = replicas;
  }

  start(): void {
    const { runtime, config } = this.#context;
    runtime.clock.after(config['producer.id.expiration.check.interval.ms'], () => {
      if (this.#stopped) return;
      for (const replica of this.#replicas) replica.log.expireProducers();
      this.start();
    });
  }

  stop(): void {
    this.#stopped = true;
  }
}
