// The known weaknesses of the protocol (txn section 13) and where each is reproduced: in a scenario, with variants in
// which it appears and variants in which it does not; or, where no schedule of a whole cluster can say it, in a test of
// its core.

export type Weakness = { readonly number: number; readonly name: string; readonly defence: string } & (
  | {
      /** File of the scenario. */
      readonly file: string;
      /** Variants in which it appears; the others are clean. */
      readonly weak: readonly string[];
      /** What it looks like, if checkers have no name for it. */
      readonly seen?: string;
    }
  /** The test that cites it, by its own number or another, and why no scenario can say it. */
  | { readonly test: string; readonly cites?: string; readonly why: string }
);

const inStory = (name: string): string => `scenarios/${name}.yaml`;
const inWeakness = (name: string): string => `scenarios/weaknesses/${name}.yaml`;
const SCHEDULES = 'test/coordinator/txn/schedules.test.ts';

/** W-1 to W-24. */
export const WEAKNESSES: readonly Weakness[] = [
  {
    ...{ number: 1, name: 'delayed EndTxn', defence: 'transaction.version 2; switch epoch.perTxn' },
    ...{ file: inStory('delayed-endtxn'), weak: ['version-1', 'one-epoch'] },
  },
  {
    ...{ number: 2, name: 'delayed Produce', defence: 'switches txn.verify, epoch.bumpOnRecovery' },
    ...{ file: inStory('hanging-transaction'), weak: ['version-1-unverified', 'version-1-same-epoch'] },
  },
  {
    ...{ number: 3, name: 'unregistered write', defence: 'switch txn.verify (the bug: txn.register)' },
    ...{ file: inWeakness('w03-unregistered-write'), weak: ['unverified'] },
  },
  {
    ...{ number: 4, name: 'ABA on verification', defence: 'switch txn.guard' },
    ...{ file: inWeakness('w04-stale-verification'), weak: ['no-guard'] },
  },
  {
    ...{ number: 5, name: 'late duplicate marker', defence: 'transaction.version 2; switch txn.markerEpoch' },
    ...{ file: inWeakness('w05-late-marker'), weak: ['no-strict-epoch', 'version-1'] },
  },
  {
    ...{ number: 6, name: 'strict marker epoch livelock', defence: 'switch txn.markerIdempotent' },
    ...{ file: inWeakness('w06-repeated-marker'), weak: ['no-repeat'] },
  },
  {
    ...{ number: 7, name: 'identity fields not persisted', defence: 'switch epoch.retryIdentity' },
    ...{ file: inWeakness('w07-lost-identity'), weak: ['no-identity'] },
  },
  {
    ...{ number: 8, name: "commit against the coordinator's abort", defence: 'always on: PRODUCER_FENCED' },
    ...{ file: inWeakness('w08-commit-after-timeout'), weak: [] },
  },
  {
    ...{ number: 9, name: 'overflow reply', defence: 'always on: the identity to go on with' },
    ...{ test: SCHEDULES, why: 'it takes 32766 transactions of one producer' },
  },
  {
    ...{ number: 10, name: 'fence at epoch 32766', defence: 'always on: the id rotates' },
    ...{ test: SCHEDULES, why: 'it takes 32766 transactions of one producer' },
  },
  {
    ...{
      number: 11,
      name: 'markers dropped by stale metadata',
      defence: 'always on: an unknown partition is waited for',
    },
    ...{
      test: 'test/coordinator/txn/markers.test.ts',
      why: 'metadata is one ordered log here: who is elected has seen every topic that was there before',
    },
  },
  {
    ...{ number: 12, name: 'give-up on one partition', defence: 'none in Kafka or here: the next coordinator goes on' },
    ...{ file: inWeakness('w12-given-up'), weak: ['default'], seen: 'the id stands still until a failover' },
  },
  {
    ...{ number: 13, name: 'offsets materialised late', defence: 'switch txn.markersBeforeAck' },
    ...{ file: 'scenarios/corpus/bug-38-late-offsets.yaml', weak: ['before'] },
  },
  {
    ...{ number: 14, name: 'swallowed load error', defence: 'always on: what cannot be read is not served (T-28)' },
    ...{ test: 'test/coordinator/txn/failover.test.ts', cites: 'T-28' },
    why: 'no fault of ours makes a log unreadable for one reader',
  },
  {
    ...{ number: 15, name: 'admin abort of a live transaction', defence: 'none: txn abort asks for --force' },
    ...{ file: inWeakness('w15-admin-abort'), weak: ['default'] },
  },
  {
    ...{ number: 16, name: 'old TxnOffsetCommit', defence: 'clients that say which member they are (KIP-447)' },
    ...{ file: inWeakness('w16-bare-offset-commit'), weak: ['default'] },
  },
  {
    ...{ number: 17, name: 'init race', defence: 'none: it is correct' },
    ...{ file: inWeakness('w17-init-race'), weak: ['default'], seen: 'who heard last is fenced at once' },
  },
  {
    ...{ number: 18, name: 'exhausted epoch, unexpected expectation', defence: 'always on: an answer' },
    ...{ test: SCHEDULES, why: 'it takes 32766 transactions of one producer' },
  },
  {
    ...{
      number: 19,
      name: 'deduplication after expiry',
      defence: 'producer.id.expiration.ms above delivery.timeout.ms',
    },
    ...{ file: inWeakness('w19-forgotten-producer'), weak: ['short-memory'] },
  },
  {
    ...{ number: 20, name: 'unclean election', defence: 'unclean.leader.election.enable=false, the default' },
    ...{ file: inWeakness('w20-unclean-election'), weak: ['default'] },
  },
  {
    ...{ number: 21, name: 'recovery after id expiry', defence: 'clients: INVALID_PRODUCER_ID_MAPPING is fatal' },
    ...{ test: SCHEDULES, why: 'no client of ours goes on after that error (test/client/txn-errors.test.ts)' },
  },
  {
    ...{ number: 22, name: 'early Produce', defence: 'switch txn.openEpoch' },
    ...{ file: inWeakness('w22-early-record'), weak: ['no-open-epoch', 'kafka-4-0-0-rc'] },
  },
  {
    ...{ number: 23, name: 'answers from a stale coordinator cache', defence: 'switch txn.ownership' },
    ...{
      test: 'test/coordinator/txn/failover.test.ts',
      why: 'it takes a leader whose metadata stands still while its session goes on',
    },
  },
  {
    ...{ number: 24, name: 'fenced owner adopts the fence epoch', defence: 'none: what finishes fences' },
    ...{ file: inWeakness('w24-fence-adopted'), weak: ['default'], seen: 'a takeover has to fence twice' },
  },
];
