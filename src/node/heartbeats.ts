// A registered broker's signs of life, and what the controller's answers make of it: RECOVERY, RUNNING, shutdown (repl R-89,
// A replaced process only goes on asking; it never registers again (T-38).
import type { BrokerEpoch, InstantMs, NodeId, Offset } from '../base/units.ts';
import type { ResponseOf } from '../protocol/apis.ts';
import type { NodeConfig } from '../protocol/config.ts';
import type { Outcome, Runtime, Timer } from '../runtime/ports.ts';
import { CONTROLLER_RETRY_MS } from './alter-partition.ts';
import { ControllerContact } from './controller-contact.ts';
import type { ControllerEpochs } from './controller-epochs.ts';

/** Kafka sends the heartbeat after some answers sooner, so that a start or a stop need not wait for the interval. */
const AFTER_CAUGHT_UP_MS = 10;
const IN_SHUTDOWN_MS = 50;

export interface HeartbeatsOptions {
  readonly runtime: Runtime;
  readonly config: NodeConfig;
  readonly me: NodeId;
  readonly controller: NodeId;
  readonly controllers: ControllerEpochs;
  readonly brokerEpoch: BrokerEpoch;
  /** Metadata in force, and whether that is at least the first image. */
  metadata(): { readonly offset: Offset; readonly hasImage: boolean };
  /** The controller knows that this broker has applied its own registration. */
  caughtUp(): void;
  /** The broker is unfenced. Called once. */
  unfenced(): void;
  /** The broker may exit. Called once, after `shutDown`. */
  mayShutDown(): void;
}

export class Heartbeats {
  readonly #options: HeartbeatsOptions;
  #timer: Timer | undefined;
  #inFlight = false;
  /** One is due as soon as the one in flight is answered. */
  #due = false;
  #phase: 'starting' | 'recovery' | 'running' | 'shutting-down' | 'stopped' = 'starting';
  #shutdownAnswered = false;
  readonly #contact: ControllerContact;

  constructor(options: HeartbeatsOptions) {
    this.#options = options;
    this.#contact = new ControllerContact(options.config['broker.session.timeout.ms']);
    this.#send();
  }

  /** Whether the controller has heard of this broker within a session, and no session has ended unknown to it (txn W-23). */
  get inTouch(): boolean {
    const { runtime, metadata } = this.#options;
    return this.#contact.isInTouch(runtime.clock.now(), metadata().offset);
  }

  /** Something has changed that the controller should hear of now. */
  hurry(): void {
    if (this.#inFlight) this.#due = true;
    else this.#send();
  }

  /** Asks for controlled shutdown (repl R-94). */
  shutDown(): void {
    this.#phase = 'shutting-down';
    this.hurry();
  }

  stop(): void {
    this.#phase = 'stopped';
    this.#timer?.cancel();
  }

  #send(): void {
    this.#timer?.cancel();
    if (this.#phase === 'stopped') return;
    const { runtime, config, me, controller, brokerEpoch } = this.#options;
    const { offset, hasImage } = this.#options.metadata();
    this.#inFlight = true;
    this.#due = false;
    const request = {
      brokerId: me,
      ...{ brokerEpoch, currentMetadataOffset: offset },
      // Not before the controller has said isCaughtUp, though the first image holds the registration (repl R-89).
      ...{ wantFence: !hasImage || this.#phase === 'starting', wantShutDown: this.#phase === 'shutting-down' },
    };
    const timeoutMs = config['broker.session.timeout.ms'] / 2;
    const sentAtMs = runtime.clock.now();
    runtime.network.request(controller, 'BrokerHeartbeat', request, timeoutMs, (outcome) =>
      this.#onOutcome(outcome, sentAtMs),
    );
  }

  #onOutcome(outcome: Outcome<ResponseOf<'BrokerHeartbeat'>>, sentAtMs: InstantMs): void {
    this.#inFlight = false;
    if (this.#phase === 'stopped') return;
    const intervalMs = this.#options.config['broker.heartbeat.interval.ms'];
    const heard = outcome.kind === 'ok' && this.#options.controllers.accept(outcome.response.controllerEpoch);
    let waitMs = heard ? intervalMs : Math.min(CONTROLLER_RETRY_MS, intervalMs);
    if (heard && outcome.response.error === 'NONE') {
      this.#contact.heard({ sentAtMs, answeredAtMs: this.#options.runtime.clock.now(), ...outcome.response });
      waitMs = Math.min(waitMs, this.#onAnswer(outcome.response));
    }
    if (this.#due) this.#send();
    else this.#timer = this.#options.runtime.clock.after(waitMs, () => this.#send());
  }

  /** Returns when the next one should be sent at the latest, ms from now. */
  #onAnswer(response: ResponseOf<'BrokerHeartbeat'>): number {
    if (this.#phase === 'starting' && response.isCaughtUp) {
      this.#phase = 'recovery';
      this.#options.caughtUp();
      if (response.isFenced) return AFTER_CAUGHT_UP_MS;
    }
    if (this.#phase === 'recovery' && !response.isFenced) {
      this.#phase = 'running';
      this.#options.unfenced();
    }
    if (this.#phase !== 'shutting-down') return Infinity;
    if (response.shouldShutDown) {
      this.stop();
      this.#options.mayShutDown();
      return Infinity;
    }
    const first = !this.#shutdownAnswered;
    this.#shutdownAnswered = true;
    return first ? IN_SHUTDOWN_MS : Infinity;
  }
}
