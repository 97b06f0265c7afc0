// Carries ISR proposals to the controller: at most one a partition, one request a broker, retried for ever (repl R-59,
// What an answer means for a partition is isr-state.ts's.
import { NO_EPOCH } from '../base/units.ts';
import type { BrokerEpoch, NodeId } from '../base/units.ts';
import type { ResponseOf } from '../protocol/apis.ts';
import type { NodeConfig } from '../protocol/config.ts';
import type { ErrorName } from '../protocol/errors.ts';
import type { AlterPartitionEntry } from '../protocol/generated/index.ts';
import type { Outcome, Runtime } from '../runtime/ports.ts';
import type { IsrProposals, PartitionName } from './context.ts';
import type { ControllerEpochs } from './controller-epochs.ts';
import { sessionKey } from './fetch-session.ts';
import type { IsrAnswer, Proposal } from './isr-state.ts';

/** Wait before a request is sent again that the controller did not answer, or answered with an error (repl R-61). */
export const CONTROLLER_RETRY_MS = 50;

interface Item {
  readonly entry: AlterPartitionEntry;
  readonly done: (answer: IsrAnswer) => void;
}

interface AlterPartitionOptions {
  readonly runtime: Runtime;
  readonly config: NodeConfig;
  readonly me: NodeId;
  readonly controller: NodeId;
  readonly controllers: ControllerEpochs;
  brokerEpoch(): BrokerEpoch;
}

export class AlterPartitions implements IsrProposals {
  readonly #options: AlterPartitionOptions;
  /** Not answered yet, in the order they came. */
  readonly #items = new Map<string, Item>();
  #sequence = 0;
  #inFlight = false;
  #closed = false;

  constructor(options: AlterPartitionOptions) {
    this.#options = options;
  }

  propose(of: PartitionName, proposal: Proposal, done: (answer: IsrAnswer) => void): void {
    const key = sessionKey(of.topicId, of.partition);
    if (this.#items.has(key)) {
      this.#options.runtime.clock.after(0, () => done(notAnswered('OPERATION_NOT_ATTEMPTED')));
      return;
    }
    const { leaderEpoch, partitionEpoch, newIsr } = proposal;
    const { topicId, partition } = of;
    const state = { newIsr: [...newIsr], leaderRecoveryState: 'RECOVERED' };
    this.#items.set(key, { entry: { topicId, partition, leaderEpoch, partitionEpoch, ...state }, done });
    this.#send();
  }

  /** Sends nothing more; what is in flight may still be applied. */
  close(): void {
    this.#closed = true;
  }

  #send(): void {
    if (this.#inFlight || this.#closed || this.#items.size === 0) return;
    this.#inFlight = true;
    const { runtime, config, me, controller, controllers } = this.#options;
    const partitions = [...this.#items.values()].map((item) => item.entry);
    // An attempt that was given up may still be on its way: its number tells that this one is newer.
    const order = { sequence: this.#sequence++, controllerEpoch: controllers.newest };
    const request = { brokerId: me, brokerEpoch: this.#options.brokerEpoch(), ...order, partitions };
    const timeoutMs = config['request.timeout.ms'];
    runtime.network.request(controller, 'AlterPartition', request, timeoutMs, (outcome) => this.#onOutcome(outcome));
  }

  /** Without an answer, or with one that concerns the whole request, everything is sent again (repl R-61). */
  #onOutcome(outcome: Outcome<ResponseOf<'AlterPartition'>>): void {
    const answered =
      outcome.kind === 'ok' && outcome.response.error === 'NONE' ? outcome.response.partitions : undefined;
    const stale = answered?.some((partition) => partition.error === 'NOT_CONTROLLER') ?? true;
    if (answered === undefined || stale) {
      this.#options.runtime.clock.after(CONTROLLER_RETRY_MS, () => {
        this.#inFlight = false;
        this.#send();
      });
      return;
    }
    this.#inFlight = false;
    for (const partition of answered) {
      const key = sessionKey(partition.topicId, partition.partition);
      const item = this.#items.get(key);
      this.#items.delete(key);
      item?.done(partition);
    }
    this.#send();
  }
}

function notAnswered(error: ErrorName): IsrAnswer {
  return { error, leaderEpoch: NO_EPOCH, partitionEpoch: NO_EPOCH, isr: [] };
}
