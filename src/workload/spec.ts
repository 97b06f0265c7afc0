// What workload clients are told and what they tell: plain data, so that it is the same over a pipe and in one thread.
import type { DurationMs, NodeId, Offset } from '../base/units.ts';
import type { NewEntry } from '../history/operations.ts';
import type { TimerProfile } from '../protocol/config.ts';

/** One step of a producer. */
export type ProduceStep =
  /** One record each, in a batch of its own; the next is sent when this one's fate is known, or `inFlight` allows. */
  | { readonly kind: 'send'; readonly values: readonly string[] }
  /** Stand still until told to go on: whoever drives the run watches the condition. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'sleep'; readonly ms: number };

/** Sends values to one topic and then is done. */
export interface ProducerSpec {
  readonly kind: 'produce';
  readonly id: string;
  readonly topic: string;
  /** Partitions of the topic that it uses, in turn. */
  readonly partitions: readonly number[];
  readonly acks: 0 | 1 | -1;
  readonly steps: readonly ProduceStep[];
  /** Sends under way at once; 1 keeps the order that a history shows. */
  readonly inFlight: number;
  /** Client settings under Kafka's names. */
  readonly config: Readonly<Record<string, string | number | boolean>>;
}

/** Reads partitions for ever, or until it is told to stop. */
export interface ConsumerSpec {
  readonly kind: 'consume';
  readonly id: string;
  readonly partitions: readonly { readonly topic: string; readonly partition: number }[];
  readonly from: 'earliest' | 'latest' | Offset;
  /** How long after an answer it asks again where its partitions end. Absent: it does not ask. */
  readonly endsEveryMs?: DurationMs;
  readonly config: Readonly<Record<string, string | number | boolean>>;
}

/** One step of a transactional producer. `wait` and `sleep` as of a producer. */
export type TransactionStep =
  | { readonly kind: 'init' | 'begin' | 'commit' | 'abort' }
  /** Sends, and does not wait: a commit waits for all of them. `confirm` waits for each. */
  | { readonly kind: 'send'; readonly topic: string; readonly partition: number; readonly values: readonly string[] }
  | { readonly kind: 'confirm' }
  | {
      readonly kind: 'send-offsets';
      readonly group: string;
      readonly offsets: readonly { readonly topic: string; readonly partition: number; readonly offset: Offset }[];
    }
  | { readonly kind: 'wait' }
  | { readonly kind: 'sleep'; readonly ms: number };

/** Runs transactions step by step. An error that can be aborted is; a fatal one ends it. */
export interface TransactionalSpec {
  readonly kind: 'transactional';
  readonly id: string;
  readonly transactionalId: string;
  readonly steps: readonly TransactionStep[];
  /** Sends of one step under way at once. Default: 1, which keeps the order that a history shows. */
  readonly inFlight?: number;
  readonly config: Readonly<Record<string, string | number | boolean>>;
}

/** Reads as a member of a group, until it is told to stop. */
export interface GroupConsumerSpec {
  readonly kind: 'group';
  readonly id: string;
  readonly group: string;
  readonly topics: readonly string[];
  readonly config: Readonly<Record<string, string | number | boolean>>;
}

/** Consume-transform-produce (txn T-168): each input record becomes one output record, exactly once. */
export interface CopySpec {
  readonly kind: 'copy';
  readonly id: string;
  readonly transactionalId: string;
  readonly group: string;
  readonly from: string;
  readonly to: string;
  /** Input records of one transaction at most. */
  readonly batch: number;
  readonly config: Readonly<Record<string, string | number | boolean>>;
}

/** A program of the user's own, in whatever language: what it does is seen on the wire alone. */
export interface ExternalSpec {
  readonly kind: 'external';
  readonly id: string;
  /** For the shell. */
  readonly command: string;
  /** Where it runs: the folder of its scenario. '': where the run was started. */
  readonly folder: string;
  /** It does not end by itself. */
  readonly forever: boolean;
  /** Each value that it writes to the one topic it has read from the other: what its outputs were made from. */
  readonly copies?: { readonly from: string; readonly to: string };
  readonly config: Readonly<Record<string, string | number | boolean>>;
}

/** What we implement ourselves. */
export type OwnSpec = ProducerSpec | ConsumerSpec | TransactionalSpec | GroupConsumerSpec | CopySpec;
export type ClientSpec = OwnSpec | ExternalSpec;

/** How a client reaches the cluster. */
export interface ClientSurroundings {
  readonly profile: TimerProfile;
  /** Brokers that may be asked first. */
  readonly bootstrap: readonly NodeId[];
}

export type ClientCommand =
  /** Go on behind the wait at this step. */
  | { readonly kind: 'go'; readonly step: number }
  /** Send or poll no more until `resume`. A consumer's position stays. */
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  /** End what is under way and report `done`. */
  | { readonly kind: 'stop' };

/** What a client says. In order, and an entry before anything it caused can happen. */
export type ClientReport =
  | { readonly kind: 'entry'; readonly entry: NewEntry }
  /** A producer stands at the wait of this step. */
  | { readonly kind: 'waiting'; readonly step: number }
  /** A consumer's poll began after the one before had ended, and was given nothing. */
  | { readonly kind: 'polled-empty' }
  /** All steps are over, or it was told to stop. Nothing comes after. */
  | { readonly kind: 'done' }
  /** A program of the user's has ended by itself, so. Then comes `done`. */
  | { readonly kind: 'exited'; readonly code: number };

export type Report = (report: ClientReport) => void;

/** A running client. */
export interface WorkloadClient {
  command(command: ClientCommand): void;
}
