// What a node answers to "how are you", gathered from its own events.
import type { NodeStatusBody } from '../rpc/services/status.ts';
import type { TraceEvent } from '../trace/events.ts';

export class StatusWatch {
  #body: NodeStatusBody;
  /** The cluster's identity; empty until it is known. Set once there is a core to ask. */
  clusterId: () => string = () => '';

  constructor(id: number, role: 'broker' | 'controller') {
    this.#body = { id, role, state: 'STARTING', clusterId: '', epoch: -1, metadataOffset: 0 };
  }

  get body(): NodeStatusBody {
    return { ...this.#body, clusterId: this.clusterId() };
  }

  /** Whether the node does its work: health answers SERVING. */
  get serving(): boolean {
    return this.#body.state === 'RUNNING';
  }

  observe(event: TraceEvent): void {
    switch (event.type) {
      case 'broker.state':
        this.#body = { ...this.#body, state: event.state, epoch: event.brokerEpoch };
        return;
      case 'metadata.applied':
        this.#body = { ...this.#body, metadataOffset: event.offset };
        return;
      case 'controller.started':
        this.#body = { ...this.#body, state: 'RUNNING', epoch: event.controllerEpoch, metadataOffset: event.offset };
        return;
      case 'metadata.committed':
        this.#body = { ...this.#body, metadataOffset: event.offset + 1 };
        return;
      default:
    }
  }
}
