// Where each safeguard is shown: a scenario with a variant without it, and one that differs in nothing else; or, where
// none can be, a test of its core. The one table; a safeguard that nothing shows is said to be open, and red wherever
// it is printed.
import type { AnomalyName } from '../../checker/findings.ts';
import type { Safeguard } from '../../fault/safeguards.ts';
import type { Scalar } from '../plan.ts';

/** A pair of runs. */
export interface Shown {
  /** File of the scenario. */
  readonly file: string;
  /** The variant without the safeguard, and the one with it. */
  readonly off: string;
  readonly on: string;
  /** The cell of its matrix, if it has one. */
  readonly cell?: Readonly<Record<string, Scalar>>;
  /** What is found without it and not with it: an anomaly of a checker, or an invariant of the specification. */
  readonly finds: AnomalyName | `repl I-${number}`;
}

const inStory = (name: string): string => `scenarios/${name}.yaml`;
const inWeakness = (name: string): string => `scenarios/weaknesses/${name}.yaml`;
const inSafeguard = (name: string): string => `scenarios/safeguards/${name}.yaml`;

/** Where no schedule of a whole cluster can say it: a test of its core shows both, and `why`. */
export interface ShownByTest {
  readonly test: string;
  readonly why: string;
}

/** By safeguard, in the order of their table. */
export const SHOWN_IN: Readonly<Record<Safeguard, Shown | ShownByTest | { readonly open: string }>> = {
  'hw.bound': { file: inStory('ghost-read'), off: 'no-hw-kip320', on: 'kafka', finds: 'inconsistent-offsets' },
  'trunc.leaderEpoch': { file: inStory('kip-101-loss'), off: 'no-epochs', on: 'kafka', finds: 'lost-write' },
  'consumer.truncationDetect': {
    ...{ file: inStory('ghost-read'), off: 'no-hw', on: 'no-hw-kip320', finds: 'poll-skip' },
  },
  'seq.dedup': { file: inStory('retry-twice'), off: 'no-dedup', on: 'kafka', finds: 'duplicate' },
  'seq.gapReject': { file: inStory('overtaken'), off: 'no-gap-reject', on: 'kafka', finds: 'reorder' },
  'seq.firstIsZero': { file: inSafeguard('first-batch-lost'), off: 'kafka', on: 'highwater', finds: 'repl I-26' },
  'seq.replicatedState': { file: inStory('retry-twice'), off: 'no-replicated-state', on: 'kafka', finds: 'duplicate' },
  'txn.prepareDurable': {
    file: inSafeguard('decision-not-durable'),
    off: 'not-durable',
    on: 'kafka',
    finds: 'torn-txn',
  },
  'txn.register': {
    file: inWeakness('w03-unregistered-write'),
    off: 'unverified',
    on: 'no-bug-unverified',
    finds: 'hanging-txn',
  },
  'txn.verify': {
    ...{ file: inStory('hanging-transaction'), off: 'version-1-unverified', on: 'version-1' },
    ...{ cell: { next: 'payments/0' }, finds: 'hanging-txn' },
  },
  'txn.guard': { file: inWeakness('w04-stale-verification'), off: 'no-guard', on: 'kafka', finds: 'hanging-txn' },
  'txn.openEpoch': { file: inWeakness('w22-early-record'), off: 'no-open-epoch', on: 'kafka', finds: 'stall' },
  'txn.lsoBound': {
    ...{ file: inStory('long-transaction'), off: 'no-lso', on: 'kafka', cell: { end: 'abort' }, finds: 'aborted-read' },
  },
  'txn.coordEpochFence': {
    file: inSafeguard('zombie-coordinator'),
    off: 'no-fence',
    on: 'kafka',
    finds: 'aborted-read',
  },
  'txn.markerRetry': { file: inSafeguard('marker-lost'), off: 'no-retry', on: 'kafka', finds: 'hanging-txn' },
  'txn.markerEpoch': { file: inWeakness('w05-late-marker'), off: 'no-strict-epoch', on: 'kafka', finds: 'torn-txn' },
  'txn.markerRepeat': { file: inWeakness('w06-repeated-marker'), off: 'no-repeat', on: 'kafka', finds: 'stall' },
  'txn.ownership': {
    test: 'test/coordinator/txn/failover.test.ts',
    why: 'it takes a leader whose metadata stands still while its session goes on',
  },
  'txn.identity': { file: inWeakness('w07-lost-identity'), off: 'no-identity', on: 'kafka', finds: 'self-fence' },
  'txn.filter': { file: inSafeguard('aborted-delivered'), off: 'no-filter', on: 'kafka', finds: 'aborted-read' },
  'epoch.produceFence': { file: inSafeguard('zombie-writes'), off: 'unfenced', on: 'unverified', finds: 'hanging-txn' },
  'epoch.perTxn': { file: inStory('delayed-endtxn'), off: 'one-epoch', on: 'kafka', finds: 'torn-txn' },
  'epoch.bumpOnInit': { file: inSafeguard('zombie-writes'), off: 'no-bump', on: 'kafka', finds: 'lost-write' },
  'epoch.bumpOnRecovery': {
    ...{ file: inStory('hanging-transaction'), off: 'version-1-same-epoch', on: 'version-1' },
    ...{ cell: { next: 'orders/0' }, finds: 'aborted-read' },
  },
  'group.txnCommitFence': {
    ...{ file: inStory('consume-transform-produce'), off: 'no-group-fence', on: 'kafka' },
    ...{ cell: { successor: 'copier-2' }, finds: 'eos-violation' },
  },
  'group.requireStable': {
    ...{ file: inSafeguard('unstable-offsets'), off: 'unstable', on: 'kafka', finds: 'eos-violation' },
  },
  'ctp.rewind': { file: inSafeguard('unrewound-copy'), off: 'no-rewind', on: 'kafka', finds: 'eos-violation' },
};
