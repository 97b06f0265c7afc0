// How a broker process joins: it asks until it is let in, or gives up (repl R-86). What follows is heartbeats.ts's.
import type { BrokerEpoch, NodeId } from '../base/units.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import type { NodeConfig } from '../protocol/config.ts';
import type { Outcome, Runtime, Timer } from '../runtime/ports.ts';
import { CONTROLLER_RETRY_MS } from './alter-partition.ts';
import type { ControllerEpochs } from './controller-epochs.ts';

export interface RegistrationOptions {
  readonly runtime: Runtime;
  readonly config: NodeConfig;
  readonly controller: NodeId;
  readonly controllers: ControllerEpochs;
  readonly request: RequestOf<'BrokerRegistration'>;
}

/** What the controller let in. */
export interface Registered {
  readonly brokerEpoch: BrokerEpoch;
  readonly clusterId: string;
}

export class Registration {
  readonly #options: RegistrationOptions;
  readonly #done: (registered: Registered) => void;
  readonly #deadline: Timer;
  #lastAnswer = 'no answer from the controller';
  #over = false;

  /** Begins. `done` is called once, if it succeeds; if not, the node halts. */
  constructor(options: RegistrationOptions, done: (registered: Registered) => void) {
    this.#options = options;
    this.#done = done;
    const limitMs = options.config['initial.broker.registration.timeout.ms'];
    this.#deadline = options.runtime.clock.after(limitMs, () => this.#giveUp(`for ${limitMs} ms`));
    this.#ask();
  }

  /** Asks no more. */
  stop(): void {
    this.#over = true;
    this.#deadline.cancel();
  }

  #ask(): void {
    if (this.#over) return;
    const { runtime, config, controller, request } = this.#options;
    const timeoutMs = config['broker.session.timeout.ms'] / 2;
    runtime.network.request(controller, 'BrokerRegistration', request, timeoutMs, (outcome) =>
      this.#onOutcome(outcome),
    );
  }

  #onOutcome(outcome: Outcome<ResponseOf<'BrokerRegistration'>>): void {
    if (this.#over) return;
    const { runtime, config, controllers } = this.#options;
    if (outcome.kind !== 'ok' || !controllers.accept(outcome.response.controllerEpoch)) {
      runtime.clock.after(CONTROLLER_RETRY_MS, () => this.#ask());
      return;
    }
    const { error, brokerEpoch, clusterId } = outcome.response;
    if (error === 'NONE') {
      this.stop();
      return this.#done({ brokerEpoch, clusterId });
    }
    this.#lastAnswer = error;
    if (error === 'INCONSISTENT_CLUSTER_ID') return this.#giveUp('its data directory belongs to another cluster');
    runtime.clock.after(config['broker.heartbeat.interval.ms'], () => this.#ask());
  }

  #giveUp(why: string): void {
    if (this.#over) return;
    this.stop();
    this.#options.runtime.halt(`the broker could not register: ${why} (${this.#lastAnswer})`);
  }
}
