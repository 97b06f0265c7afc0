// Protections of the sequences of idempotent producers.

/** What each protects against, for people. */
export const IDEMPOTENCE_SAFEGUARDS = {
  'seq.dedup':
    'Leaders know the last five batches of a producer again and answer them as before (KIP-98, txn T-98). Off: a repeated ' +
    'batch is out of order, its producer bumps its epoch and appends it once more.',
  'seq.gapReject':
    "Leaders take a producer's batches in the order of their sequences only (txn T-101). Off: any sequence is taken.",
  'seq.firstIsZero':
    'A log that has all it ever held takes sequence 0 first of a producer it does not know (KAFKA-15591). Off: any, as in ' +
    'Kafka (txn T-101): a first batch that was refused can be overtaken and is lost.',
  'seq.replicatedState':
    'What is known of producers follows from the log, on followers and after restarts (txn T-91, T-112). Off: a replica ' +
    'knows only what it appended itself as leader, in this process.',
  'seq.wholeWindow':
    'A replica that starts, or cuts its log, finds the last five batches of a producer in it. Off: the newest alone, as in ' +
    'Kafka, whose snapshots hold no more (txn T-111): a retry of one before it is out of order, and appended once more.',
  'seq.trustLeader':
    'Followers take what their leader has appended and learn of its producers from it (KAFKA-6003, txn T-91). Off: a follower ' +
    'judges it as a leader does, and one that has missed the beginning refuses the rest for ever.',
  'seq.retainState':
    'What is known of a producer outlives its records (KIP-360, KIP-854). Off: it goes with them, and a retry looks new.',
  'seq.wrap':
    'Behind the largest sequence comes 0 (KAFKA-7692, txn T-102). Off: a number that no batch can have; the producer stands still.',
  'seq.newEpochStartsAtZero':
    'The first batch of a new epoch has sequence 0 (KIP-360, txn T-101). Off: any, so that one that was lost is overtaken.',
} as const;
