// A broker put together from its core and a runtime that can be broken. The simulator and the node's main call this and
// nothing below it.
import { CONTROLLER_ID, type NodeId } from '../base/units.ts';
import type { FaultEffects } from '../fault/effects.ts';
import type { BrokerApi } from '../node/api.ts';
import { Broker } from '../node/broker.ts';
import type { NodeConfig } from '../protocol/config.ts';
import type { Endpoint } from '../protocol/generated/index.ts';
import { attachCoordinators } from './coordinators.ts';
import { furnish, type BareRuntime, type FaultControls, type FaultSettings } from './furnish.ts';

export interface BrokerHostOptions {
  readonly id: NodeId;
  readonly config: NodeConfig;
  /** Where clients and peers reach this broker: REPLICATION and, if it speaks it, KAFKA. */
  readonly endpoints: readonly Endpoint[];
  readonly effects: FaultEffects;
  readonly settings: FaultSettings;
  /** Emulated power loss at this start (0 none, -1 all that is unflushed, n that many batches of each partition). */
  readonly truncateTail: number;
  /** The data directory was emptied on purpose before this start (repl I-29 cannot hold). */
  readonly wiped?: boolean;
}

export interface BrokerHost extends FaultControls {
  readonly broker: Broker;
  readonly api: BrokerApi;
  /** Serves the network and joins the cluster. */
  start(): void;
  /** Controlled shutdown (repl R-94), then flush and the clean-shutdown marker. */
  shutDown(done: () => void): void;
}

/** Puts a broker together. Nothing happens before `start`. */
export function createBrokerHost(bare: BareRuntime, options: BrokerHostOptions): BrokerHost {
  const { id, config, endpoints, effects, settings, truncateTail, wiped = false } = options;
  const names = (topicId: string): string | undefined => broker.api.topicName(topicId);
  const { runtime, engine, safeguards } = furnish(bare, effects, settings, names);
  const broker = new Broker(runtime, { id, config, endpoints, truncateTail, wiped, controllerId: CONTROLLER_ID });
  attachCoordinators(broker);
  return {
    ...{ broker, engine, safeguards, api: broker.api },
    start: () => {
      runtime.network.serve(broker.handlers());
      broker.start();
    },
    shutDown: (done) => broker.shutDown(done),
  };
}
