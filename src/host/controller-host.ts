// A controller put together from its core and a runtime that can be broken. The simulator and the node's main call this.
import { Controller } from '../controller/controller.ts';
import type { FaultEffects } from '../fault/effects.ts';
import type { NodeConfig } from '../protocol/config.ts';
import { furnish, type BareRuntime, type FaultControls, type FaultSettings } from './furnish.ts';

export interface ControllerHostOptions {
  readonly config: NodeConfig;
  readonly effects: FaultEffects;
  readonly settings: FaultSettings;
}

export interface ControllerHost extends FaultControls {
  readonly controller: Controller;
  /** Reads the metadata log, then serves. `ready` is called when it decides. */
  start(ready: () => void): void;
  stop(done: () => void): void;
}

/** Puts a controller together. Nothing happens before `start`. */
export function createControllerHost(bare: BareRuntime, options: ControllerHostOptions): ControllerHost {
  const names = (topicId: string): string | undefined => controller.image.topics.get(topicId)?.name;
  const { runtime, engine, safeguards } = furnish(bare, options.effects, options.settings, names);
  const controller = new Controller(runtime, { config: options.config });
  return {
    ...{ controller, engine, safeguards },
    start: (ready) => {
      runtime.network.serve(controller.handlers());
      controller.start(ready);
    },
    stop: (done) => controller.stop(done),
  };
}
