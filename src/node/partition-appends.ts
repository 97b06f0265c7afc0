// What a partition is given to append and what it says of it, as leader and as follower. Types only; partition.ts appends.
import type { LeaderEpoch, Offset } from '../base/units.ts';
import type { AppendInfo, LeaderAppend } from '../log/api.ts';
import type { Marker } from '../log/control-batch.ts';
import type { VerificationGuard } from '../log/transactions-api.ts';

/** A batch for the leader's log. */
export interface Append {
  /** One whole batch, unpacked; its bytes must not change until the outcome. */
  readonly batch: Buffer;
  readonly acks: number;
  readonly origin: 'client' | 'coordinator';
  /** Of a transactional batch that was verified (txn T-99). */
  readonly guard?: VerificationGuard;
  readonly reached?: Reached;
}

/** A marker for the leader's log (txn T-115 to T-118). */
export interface AppendMarker {
  readonly marker: Marker;
  /** Client transaction version of the id (txn T-118). */
  readonly transactionVersion: number;
  readonly acks: number;
  readonly reached?: Reached;
}

/**
 * Stands between the append and those who wait for it: the log end has moved, and nobody was woken yet. Must call `proceed`,
 * once; until then the partition's steps wait. Not called for duplicates.
 */
export type Reached = (info: AppendInfo, proceed: () => void) => void;

/** An append that is counted: the log end moved past it, in this epoch or, if it is a duplicate, earlier. */
export interface Appended extends AppendInfo {
  readonly leaderEpoch: LeaderEpoch;
}

/** Who appends as leader, and how. */
export interface Leading {
  readonly acks: number;
  readonly reached: Reached | undefined;
  readonly done: (appended: Appended) => void;
}

/** What every append of a leader goes by. */
export type Place = Pick<LeaderAppend, 'leaderEpoch' | 'now' | 'config'>;

/** Records as a follower fetched them. */
export interface Fetched {
  readonly records: Buffer;
  /** The offset asked for. */
  readonly offset: Offset;
  /** The epoch the fetch was sent with. */
  readonly leaderEpoch: LeaderEpoch;
}

/** What a follower hears of its append, if it was taken. */
export interface FetchedAppendEvents {
  /** The step after the append is over: `done` came before, unless a fault holds the step. */
  counted(): void;
  /** The log end has moved, and nothing holds the partition. */
  done(): void;
}
