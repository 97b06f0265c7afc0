// Creates topics that clients ask for (wire W-69): at the controller, with the cluster's defaults, at most one request a
// topic at a time. Nobody waits for it; the client asks again.
import type { NodeId } from '../base/units.ts';
import type { NodeConfig } from '../protocol/config.ts';
import type { Runtime } from '../runtime/ports.ts';

export class AutoTopics {
  readonly #runtime: Runtime;
  readonly #config: NodeConfig;
  readonly #controller: NodeId;
  readonly #inFlight = new Set<string>();

  constructor(runtime: Runtime, config: NodeConfig, controller: NodeId) {
    this.#runtime = runtime;
    this.#config = config;
    this.#controller = controller;
  }

  /** Asks for a topic, if auto.create.topics.enable is on. The outcome is the metadata log's to tell. */
  create(name: string): void {
    if (!this.#config['auto.create.topics.enable'] || this.#inFlight.has(name)) return;
    this.#inFlight.add(name);
    const topic = { name, numPartitions: -1, replicationFactor: -1, assignments: [], configs: [] };
    const request = { topics: [topic], validateOnly: false };
    this.#runtime.network.request(this.#controller, 'CreateTopics', request, this.#config['request.timeout.ms'], () =>
      this.#inFlight.delete(name),
    );
  }
}
