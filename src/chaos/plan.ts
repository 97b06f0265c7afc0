// A run, resolved: one variant and one cell of the matrix, with everything parsed and every name checked. What the engine
// carries out, on processes or in the simulator, and what a campaign draws from a seed.
import type { NodeId, Offset, TopicPartition } from '../base/units.ts';
import type { AnomalyName } from '../checker/findings.ts';
import type { Selector } from '../fault/selectors.ts';
import type { Safeguard } from '../fault/safeguards.ts';
import type { TimerProfile } from '../protocol/config.ts';
import type { ErrorName } from '../protocol/errors.ts';
import type { FaultFilter } from '../protocol/generated/index.ts';
import type { ClientSpec } from '../workload/spec.ts';
import type { Span } from './durations.ts';
import type { Condition, Moment } from './moments.ts';

export type Scalar = string | number | boolean;

export interface RunPlan {
  readonly name: string;
  readonly variant: string;
  /** The cell of the matrix; empty without one. */
  readonly cell: Readonly<Record<string, Scalar>>;
  readonly seed: string;
  /** Longest time from the first client's start until the healing, ms. */
  readonly timeoutMs: number;
  readonly cluster: ClusterPlan;
  readonly safeguardsOff: readonly Safeguard[];
  readonly topics: readonly TopicPlan[];
  readonly clients: readonly ClientPlan[];
  readonly faults: readonly FaultPlan[];
  readonly expectations: readonly Expectation[];
}

export interface ClusterPlan {
  /** Brokers 1 to this. */
  readonly brokers: number;
  readonly timers: TimerProfile;
  /** Settings of all nodes under Kafka's names. */
  readonly config: Readonly<Record<string, Scalar>>;
  /** Racks of the brokers in order, round and round if there are fewer. */
  readonly racks?: readonly string[];
}

export interface TopicPlan {
  readonly name: string;
  /** Replicas of each partition, the preferred leader first. */
  readonly assignments: readonly (readonly NodeId[])[];
  readonly config: Readonly<Record<string, Scalar>>;
}

export interface ClientPlan {
  readonly spec: ClientSpec;
  /** Moments of a producer's waits, by step. */
  readonly waits: ReadonlyMap<number, Moment>;
  /** Absent: it starts with the run. */
  readonly start?: Moment;
  readonly pause?: { readonly from: Moment; readonly until: Moment };
}

/** Whom an action strikes: nodes by role, a client, or the nodes that another fault struck. */
export type Target =
  | { readonly kind: 'nodes'; readonly selector: Selector; readonly text: string }
  | { readonly kind: 'client'; readonly client: string }
  | { readonly kind: 'struck-by'; readonly fault: string }
  /** One node, a broker's or a client's: what an action struck is what is taken back. */
  | { readonly kind: 'node'; readonly node: NodeId };

/** What is done to a flow or to the node at the point where it is. */
export type OwnAction =
  | { readonly kind: 'kill' | 'pause' | 'hold' | 'notify' }
  | { readonly kind: 'drop' | 'duplicate' | 'reorder' | 'disconnect' | 'lose-response' }
  | { readonly kind: 'disk:full' | 'disk:write-error' | 'disk:read-error' | 'disk:flip-bit' }
  | { readonly kind: 'delay' | 'disk:slow'; readonly span: Span }
  | { readonly kind: 'error'; readonly error: ErrorName };

/** What is done to something else. */
export type ElsewhereAction =
  | { readonly kind: 'kill' | 'pause' | 'resume' | 'stop'; readonly target: Target }
  | { readonly kind: 'start'; readonly target: Target; readonly wipe: boolean; readonly truncateTail: number }
  | {
      readonly kind: 'elect';
      readonly of: TopicPartition;
      readonly type: 'PREFERRED' | 'UNCLEAN' | 'TO';
      /** TO: whom. */
      readonly leader?: Target;
    }
  | { readonly kind: 'cut' | 'mend'; readonly from: Target; readonly to: Target; readonly oneWay: boolean }
  /**
   * Ends what hangs in a partition, as an operator does: what no coordinator knows of (txn T-179, T-180). `abort-open`: all
   * that is open there, whoever owns it.
   */
  | { readonly kind: 'abort-hanging' | 'abort-open'; readonly of: TopicPartition }
  /** Deletes what lies before an offset, as an operator does. */
  | { readonly kind: 'delete-records'; readonly of: TopicPartition; readonly before: Offset }
  /** Somebody ends a transaction under an epoch that lies so far ahead of its owner's (BUG-54). */
  | { readonly kind: 'end-txn'; readonly transactionalId: string; readonly committed: boolean; readonly ahead: number }
  /** Moves a partition's replicas to these brokers (repl R-107); null: calls off what is under way. */
  | { readonly kind: 'reassign'; readonly of: TopicPartition; readonly replicas: readonly NodeId[] | null }
  /** A topic is deleted with all it holds: nothing is promised of it any more. */
  | { readonly kind: 'delete'; readonly topic: string }
  | { readonly kind: 'release'; readonly fault: string }
  | { readonly kind: 'switch'; readonly safeguard: Safeguard; readonly on: boolean };

export type Trigger =
  | {
      readonly kind: 'at';
      readonly point: string;
      readonly where: readonly FaultFilter[];
      readonly nth: number;
      readonly probability: number;
    }
  | { readonly kind: 'after'; readonly moment: Moment }
  | { readonly kind: 'every'; readonly span: Span };

export interface FaultPlan {
  readonly id: string;
  readonly trigger: Trigger;
  readonly action: { readonly own: OwnAction } | { readonly elsewhere: ElsewhereAction };
  /** Strikes at most this often; 0: no limit. */
  readonly times: number;
  readonly until?: Moment;
  /** The effect ends after this long: a pause is resumed, a cut mended, a kill started again, a hold removed. */
  readonly for?: Span;
  /** Act this much later and do not hold the flow. */
  readonly later?: Span;
  /** That it never fired is no reason for doubt. */
  readonly optional: boolean;
}

/** Fields of a finding as an expectation names them. */
export type Fields = Readonly<Record<string, Scalar | readonly Scalar[]>>;

export type Expectation =
  | {
      readonly kind: 'never';
      readonly anomalies: readonly AnomalyName[];
      /** Only findings with these fields count. */
      readonly with?: Fields;
    }
  | {
      readonly kind: 'finds';
      readonly anomaly: AnomalyName;
      /** Fields the finding must have: partition, or any of its details. */
      readonly with: Fields;
    }
  /** Acknowledged at these offsets and gone, legally. */
  | { readonly kind: 'allows'; readonly offsets: readonly number[] }
  /** Holds within this time after the healing. */
  | { readonly kind: 'eventually'; readonly condition: Condition; readonly text: string; readonly withinMs: number }
  /** Came about in this order, by the end of the run. */
  | { readonly kind: 'order'; readonly moment: Moment }
  /** A client was never given one of these values. */
  | { readonly kind: 'unseen'; readonly client: string; readonly values: readonly string[] }
  /** Some operation of a client ended this way. */
  | {
      readonly kind: 'operation';
      readonly client: string;
      readonly operations: readonly string[];
      readonly outcome: 'ok' | 'error';
      /** Empty: whatever error. */
      readonly errors: readonly ErrorName[];
    }
  /** A program of the user's own ended by itself with this code. */
  | { readonly kind: 'exits'; readonly client: string; readonly code: number }
  /** The epoch that a client was given is above another's, both of one transactional id. */
  | { readonly kind: 'epoch'; readonly transactionalId: string; readonly of: string; readonly above: string }
  /** The final log has a marker that ends the transaction of a value. */
  | {
      readonly kind: 'marker';
      readonly partition: string;
      readonly marker: 'commit' | 'abort';
      readonly closes: string;
    };

/** Whether programs of the user's own take part. */
export function hasForeign({ clients }: Pick<RunPlan, 'clients'>): boolean {
  return clients.some(({ spec }) => spec.kind === 'external');
}

/** What programs of the user's own do is seen on the wire alone, value by value. */
export function recordedIfForeign(plan: RunPlan): RunPlan['cluster'] {
  const { cluster } = plan;
  if (!hasForeign(plan)) return cluster;
  return { ...cluster, config: { ...cluster.config, 'kafka.record': 'plain' } };
}
