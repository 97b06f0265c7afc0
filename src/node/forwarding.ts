// Passes on to the controller what clients ask any broker for (wire W-77): a bounded wait, tried again while nobody is there.
// Decides nothing of what is asked.
import type { DurationMs, NodeId } from '../base/units.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import type { ErrorName } from '../protocol/errors.ts';
import type { Runtime } from '../runtime/ports.ts';

/** What the controller decides for clients. */
export type ControllerApi =
  | 'CreateTopics'
  | 'DeleteTopics'
  | 'CreatePartitions'
  | 'AlterConfigs'
  | 'ElectLeaders'
  | 'AlterPartitionReassignments'
  | 'ListPartitionReassignments'
  | 'UnregisterBroker';

/**
 * What became of it. Without an answer: NOT_CONTROLLER if no controller could be reached, REQUEST_TIMED_OUT if one was
 * asked, so that it may have been done.
 */
export type Forwarded<A extends ControllerApi> =
  | { readonly kind: 'answered'; readonly response: ResponseOf<A> }
  | { readonly kind: 'unanswered'; readonly error: Extract<ErrorName, 'NOT_CONTROLLER' | 'REQUEST_TIMED_OUT'> };

const RETRY_MS: DurationMs = 100;

export class Forwarding {
  readonly #runtime: Runtime;
  readonly #controller: NodeId;

  constructor(runtime: Runtime, controller: NodeId) {
    this.#runtime = runtime;
    this.#controller = controller;
  }

  /** Answers within about `timeoutMs`, once. */
  forward<A extends ControllerApi>(
    api: A,
    request: RequestOf<A>,
    timeoutMs: DurationMs,
    answer: (outcome: Forwarded<A>) => void,
  ): void {
    const { clock, network } = this.#runtime;
    const deadlineMs = clock.now() + Math.max(timeoutMs, 1);
    const attempt = (): void => {
      network.request(this.#controller, api, request, deadlineMs - clock.now(), (outcome) => {
        if (outcome.kind === 'ok') return answer({ kind: 'answered', response: outcome.response });
        if (outcome.kind === 'timed-out') return answer({ kind: 'unanswered', error: 'REQUEST_TIMED_OUT' });
        if (clock.now() + RETRY_MS >= deadlineMs) return answer({ kind: 'unanswered', error: 'NOT_CONTROLLER' });
        clock.after(RETRY_MS, attempt);
      });
    };
    attempt();
  }
}
