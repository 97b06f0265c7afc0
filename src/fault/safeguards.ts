// The protections of the protocol that a run can switch off, to see the failure each prevents. Names as in the
// corpus of failures; all are on unless a scenario or a person switches one off.

/** What each safeguard protects against, for people. */
export const SAFEGUARDS = {
  'hw.bound': 'Consumers are served only below the high watermark (repl R-21). Off: they read up to the log end.',
  'trunc.leaderEpoch':
    'Followers truncate by leader epoch (KIP-101, repl R-72, R-73). Off: they truncate to their own high watermark on every ' +
    'become-follower and send no lastFetchedEpoch.',
  'consumer.truncationDetect':
    'Consumers check their position against the leader epoch after a leader change (KIP-320, repl R-36). Off: they go on ' +
    'where they were.',
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
} as const;

export type Safeguard = keyof typeof SAFEGUARDS;

export function isSafeguard(name: string): name is Safeguard {
  return Object.hasOwn(SAFEGUARDS, name);
}
