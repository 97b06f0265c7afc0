// Deletes what is too old or too much of the hosted logs whose cleanup.policy deletes (repl R-19). Every replica does so on its
// own, as far as its high watermark; what a log would lose is the log's to say.
import { Repeated } from '../runtime/repeated.ts';
import type { NodeContext } from './context.ts';
import type { Replicas } from './replicas.ts';

export class Retention {
  readonly #context: NodeContext;
  readonly #replicas: Replicas;
  readonly #looks: Repeated;

  constructor(context: NodeContext, replicas: Replicas) {
    this.#context = context;
    this.#replicas = replicas;
    const { runtime, config } = context;
    this.#looks = new Repeated(runtime.clock, config['log.retention.check.interval.ms'], () => this.#look());
  }

  start(): void {
    this.#looks.start();
  }

  stop(): void {
    this.#looks.stop();
  }

  #look(): void {
    for (const replica of this.#replicas) {
      const config = this.#context.topicConfig(replica.topicId);
      if (!config['cleanup.policy'].includes('delete')) continue;
      const limits = { retentionMs: config['retention.ms'], retentionBytes: config['retention.bytes'] };
      const offset = replica.log.retainedFrom(limits);
      if (offset > replica.log.logStartOffset) replica.raiseLogStart(offset, () => undefined);
    }
  }
}
