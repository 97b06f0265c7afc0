// How long a run waits, and how: for something to hold, looked at whenever anything changed, or until patience is over.
import type { DurationMs } from '../base/units.ts';
import { clientConfig } from '../client/core/config.ts';
import type { TimerProfile } from '../protocol/config.ts';
import type { ClientSpec } from '../workload/spec.ts';
import type { ClusterDriver } from './driver.ts';
import type { RunPlan } from './plan.ts';

/** How long things are waited for, ms. */
export const PATIENCE = {
  /** For faults and late clients, once all producers are done. */
  pendingMs: 10_000,
  /** For producers to say something, once everything is healed; and so often again while they do. */
  producersMs: 20_000,
  producersRounds: 3,
  /** For brokers to be unfenced and replicas to agree (ux.md 3.2). */
  agreementMs: 10_000,
  /** Between two looks at the replicas. */
  lookMs: 100,
  /** For coordinators and leaders that are just being elected to say what they know. */
  answersMs: 3000,
  /** For consumers to read to the end. */
  drainMs: 5000,
  /** Beyond it, for programs of the user's own, which nobody can ask whether they have read all. */
  foreignMs: 30_000,
  /** For clients to end when told. */
  stopMs: 3000,
} as const;

/** The longest that a client of a run may leave a transaction open, ms; 0 without such clients. */
export function longestTransactionMs({ clients, cluster }: Pick<RunPlan, 'clients' | 'cluster'>): number {
  const timeouts = clients.map(({ spec }) =>
    spec.kind === 'copy' || spec.kind === 'transactional'
      ? clientConfig(spec.config, cluster.timers)['transaction.timeout.ms']
      : 0,
  );
  return Math.max(0, ...timeouts);
}

/** What a reader may wait for answers that never come until it has asked another broker, ms; 0 without readers. */
export function longestReadMs({ clients, cluster }: Pick<RunPlan, 'clients' | 'cluster'>): DurationMs {
  const timeouts = clients.map(({ spec }) =>
    spec.kind === 'consume' || spec.kind === 'group'
      ? clientConfig(spec.config, cluster.timers)['request.timeout.ms']
      : 0,
  );
  return LOST_ANSWERS * Math.max(0, ...timeouts);
}

/** An answer that is lost, and one more of the leader of before. */
const LOST_ANSWERS = 3;

/**
 * How long a member of a group that died is held to live, and the others do not know that its partitions are theirs, ms: its
 * session, and a heartbeat of theirs to hear of the rebalance. 0 of a client that is no member.
 */
export function longestSeatMs(spec: ClientSpec, timers: TimerProfile): DurationMs {
  if (!('group' in spec)) return 0;
  const settings = clientConfig(spec.config, timers);
  return settings['session.timeout.ms'] + 2 * settings['heartbeat.interval.ms'];
}

/** A send is given up after its delivery timeout; other calls return after `max.block.ms`, and are repeated. */
export function longestOperationMs({ config, kind }: ClientSpec, timers: TimerProfile): DurationMs {
  if (kind === 'external') return FOREIGN_MS;
  const settings = clientConfig(config, timers);
  return Math.max(settings['delivery.timeout.ms'], settings['max.block.ms']);
}

/** A program of the user's own may be silent on the wire as long as Kafka clients wait for an answer by default. */
const FOREIGN_MS = 30_000;

/** One wait at a time: a run has one thing that it waits for next. */
export class Patience {
  readonly #driver: Pick<ClusterDriver, 'after'>;
  #ready: (() => boolean) | undefined;
  #onReady: (() => void) | undefined;

  constructor(driver: Pick<ClusterDriver, 'after'>) {
    this.#driver = driver;
  }

  /** Calls `then` once `ready` holds, looked at whenever something changed, or after `maxMs`. Never inside this call. */
  await(maxMs: number, ready: () => boolean, then: (inTime: boolean) => void): void {
    const finish = (inTime: boolean): void => {
      timer.cancel();
      this.#ready = undefined;
      this.#onReady = undefined;
      then(inTime);
    };
    const timer = this.#driver.after(maxMs, () => finish(false));
    this.#ready = ready;
    this.#onReady = () => finish(true);
    this.#driver.after(0, () => this.changed());
  }

  /** Something may have changed. */
  changed(): void {
    if (this.#ready?.() === true) this.#onReady?.();
  }
}
