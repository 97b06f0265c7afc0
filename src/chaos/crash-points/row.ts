// The contract of a row of the crash-point table (txn section 10): what the table says of it, and its schedule in the words of
// scenario files. A row is data. template.ts puts it into a whole scenario; how to write one:
//
// - `faults` are those of a scenario file. Every fault must fire, or the row is red: what may stay away says `optional`. The
//   fault named `crash` is the point of the row. If it kills a broker, a fault `back` that starts it again is added:
//   500 ms later in one cell, after everything is over in another ("stays dead"); see `back`.
// - The transaction that is judged is the first one of the client `app`, with the values a0 (orders-0) and a1 (orders-1) and
//   the offset 1 of input-0 for the group `copy`. `steps` replaces its steps. Behind it the same client runs another
//   one (b0), and a client `next` of the same transactional id, `checkout`, one more (c0, c1), which must succeed.
// - `${outcome}` stands for commit or abort, `${version}` for the version of the protocol, in any text.
import type { AnomalyName } from '../../checker/findings.ts';
import type { Scalar } from '../plan.ts';
import type { RawClient, RawExpectation, RawFault, RawScenario } from '../schema.ts';

/** What became of a transaction: committed everywhere, aborted everywhere, or it left nothing anywhere. */
export type Fate = 'C' | 'A' | 'N';
/** How the client ends the transaction. */
export type Ending = 'commit' | 'abort';
export type Version = 1 | 2;
/** What becomes of the broker that is killed: it is started again soon, or when everything is over (txn T-187). */
export type Back = 'restarts' | 'stays-dead';

/** Groups of the table, in its order. */
export const GROUPS = [
  'InitProducerId',
  'AddPartitions and AddOffsets',
  'Produce',
  'TxnOffsetCommit',
  'Commit decision',
  'Markers',
  'Completion',
  'Abort decision by the client',
  'Timeout abort',
  'Failover machinery',
  'Unclean data loss',
  'Producer and consumer',
  'Expiry',
] as const;
export type Group = (typeof GROUPS)[number];

export type RawSteps = NonNullable<RawClient['steps']>;

export interface CrashPoint {
  /** CP-36. */
  readonly id: string;
  readonly name: string;
  readonly group: Group;
  /** Whom it strikes, as the table has it: C, L, G, P, K, net, none. */
  readonly victim: string;
  /** Where exactly, in the words of the table. */
  readonly point: string;
  /** The outcome that the table asks for: C, A, C*, E, N, and what goes with it. */
  readonly requires: string;
  /** Fates that are right, by how the client ends the transaction. Absent: this cell does not apply, and `omits` says why. */
  readonly fates: Readonly<Partial<Record<Ending, readonly Fate[]>>>;
  /** Default: both. */
  readonly versions?: readonly Version[];
  /** Why some cells do not apply: a sentence. */
  readonly omits?: string;
  readonly faults: readonly RawFault[];
  /** Default: `restarts` and `stays-dead` if the fault `crash` kills a broker. Empty: no fault `back` is added. */
  readonly back?: readonly Back[];
  /** Steps of `app`, instead of the usual ones. */
  readonly steps?: RawSteps;
  /** More of `app`, such as timeout: or config:. With copy: it has no steps, and its transactions are what it reads. */
  readonly app?: Partial<RawClient>;
  /** When `next` starts. Default: app.done, which never comes for a client that is killed. */
  readonly nextAfter?: string;
  /** Clients beside app, next, and the readers rc and ru. */
  readonly clients?: readonly RawClient[];
  /** Topics beside orders (two partitions) and input. */
  readonly topics?: RawScenario['topics'];
  /** Settings of `orders`, beside min.insync.replicas: 2. */
  readonly orders?: Readonly<Record<string, Scalar>>;
  /** Safeguards that are off: a bug that the checkers must find. */
  readonly safeguards?: Readonly<Record<string, 'off'>>;
  readonly brokers?: number;
  /** Settings of all nodes. */
  readonly config?: Readonly<Record<string, Scalar>>;
  /** Beside what every row expects. */
  readonly expect?: readonly RawExpectation[];
  /** Anomalies that this schedule brings about legally, or is there to show. */
  readonly except?: readonly AnomalyName[];
}

/** The transactional id of app and next. */
export const ID = 'checkout';

/** `begin`, two partitions and an offset: what a transaction usually is before it ends. */
export const WORK: RawSteps = ['begin', 'send orders/0 a0', 'send orders/1 a1', offsets()];

/** The offset that the transaction commits. */
export function offsets(): RawSteps[number] {
  return { offsets: { 'input-0': 1 }, group: 'copy' };
}

/** A consumer of the group begins at the offset that is committed when its row has struck: behind i0 if the transaction counts. */
export const READS_ON: { readonly clients: readonly RawClient[]; readonly expect: readonly RawExpectation[] } = {
  clients: [
    { id: 'feed', produce: 'input', steps: ['send i0 i1'] },
    {
      ...{ id: 'member', consume: 'input', group: 'copy', start: { after: 'crash' } },
      config: { 'enable.auto.commit': false },
    },
  ],
  expect: [
    { eventually: 'visible(member, i1)' },
    { when: { outcome: 'commit' }, never: 'visible(member, i0)' },
    { when: { outcome: 'abort' }, eventually: 'visible(member, i0)' },
  ],
};

/** A reader of committed offsets is told to wait for the decision. */
export const UNSTABLE: RawFault = {
  ...{ id: 'unstable', at: 'rpc.OffsetFetch.response' },
  ...{ where: { topic: 'input', error: 'UNSTABLE_OFFSET_COMMIT' }, do: 'notify' },
};

/** The fault `crash` at a point of this transactional id's coordinator. */
export function crashAt(point: string, more: Partial<RawFault> = {}): RawFault {
  return strikeAt(point, { transactionalId: ID, ...more.where }, more);
}

/** The fault `crash` at any point: kills the node that is there. */
export function strikeAt(point: string, where: RawFault['where'], more: Partial<RawFault> = {}): RawFault {
  return { id: 'crash', at: point, do: { kill: 'node' }, ...more, ...(where === undefined ? {} : { where }) };
}

/** Records of the transaction log before the decision on the usual transaction: an identity, and three registrations. */
const DECISION = 4;

/** The decision stays on the coordinator that takes it: what would carry it to the others is lost, until the crash. */
export const UNREPLICATED_DECISION: RawFault = {
  ...{ id: 'unreplicated', at: 'rpc.Fetch.response' },
  where: { topic: '__transaction_state', baseOffset: DECISION },
  ...{ do: 'drop', until: 'crash' },
};

/** The marker of orders-1 is on its way when its coordinator dies: that of orders-0 is durable. */
export const PARTIALLY_WRITTEN: readonly RawFault[] = [
  { id: 'missing', at: 'txn.marker.received', where: { topic: 'orders', partition: 1 }, do: 'hold', until: 'crash' },
  {
    ...{ id: 'crash', at: 'txn.marker.durable', where: { topic: 'orders', partition: 0 } },
    ...{ do: { kill: `coordinator(${ID})` } },
  },
];

/** The next transaction of the id has to wait: its client is told so, or, in version 2, the leader that it writes to. */
export const MEANWHILE: Required<Pick<CrashPoint, 'faults' | 'expect'>> = {
  faults: (['AddPartitionsToTxn', 'VerifyTransactions'] as const).map((api, at) => ({
    ...{ id: `waits-${at + 1}`, at: `rpc.${api}.response`, where: { error: 'CONCURRENT_TRANSACTIONS' } },
    ...{ times: 1, do: 'notify', optional: true },
  })),
  expect: [1, 2].map((version) => ({ when: { version }, order: ['crash', `waits-${version}`, 'back'] })),
};
