// Looks at every led partition for followers that lag, each half of replica.lag.time.max.ms (repl R-55). What lagging means
// is leader-role.ts's.
import type { NodeContext } from './context.ts';
import type { Replicas } from './replicas.ts';

export class LagChecks {
  readonly #context: NodeContext;
  readonly #replicas: Replicas;
  #started = false;
  #stopped = false;

  constructor(context: NodeContext, replicas: Replicas) {
    this.#context = context;
    this.#replicas = replicas;
  }

  get started(): boolean {
    return this.#started;
  }

  start(): void {
    this.#started = true;
    this.#context.runtime.clock.after(this.#context.config['replica.lag.time.max.ms'] / 2, () => {
      if (this.#stopped) return;
      for (const replica of this.#replicas) replica.leading?.shrinkLagging();
      this.start();
    });
  }

  stop(): void {
    this.#stopped = true;
  }
}
