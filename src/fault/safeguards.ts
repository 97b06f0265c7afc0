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
  'txn.prepareDurable':
    'A coordinator acts on a decision once it is below the high watermark (txn T-18, T-80). Off: it answers and sends markers ' +
    'once the decision is in its own log.',
  'txn.register':
    'A producer of version 1 registers a partition with its coordinator before it writes there (txn T-54, T-153). Off: a ' +
    'client with a bug; what it writes belongs to no transaction (W-3).',
  'txn.verify':
    'Leaders take transactional writes of registered partitions only (txn T-119 to T-123). Off: whatever comes, so that late ' +
    'or unregistered data opens a transaction that nobody ends.',
  'txn.guard':
    'What a leader was told of a write holds until the next marker or write of its producer only (txn T-122, W-4). Off: for ' +
    'ever; a write that was held up is taken though its transaction is over.',
  'txn.openEpoch':
    'An open transaction is open for its own epoch only (KAFKA-18575, txn T-99, W-22). Off: for its producer; a record of the ' +
    'next transaction slips into the one whose marker is still on its way.',
  'txn.lsoBound':
    'read_committed is served only below the last stable offset (txn T-133). Off: up to the high watermark.',
  'txn.coordEpochFence':
    'Leaders refuse markers of a coordinator that a newer one has replaced (txn T-116). Off: the zombie is obeyed.',
  'txn.markerRetry':
    'Markers are sent until every partition has its own (txn T-86), after a failover too (txn T-26). Off: once; a partition ' +
    'that missed it stays open.',
  'txn.markerEpoch':
    'Under transaction.version 2 a marker must be newer than what its producer wrote before (KIP-1228, txn T-118). Off: a late ' +
    'duplicate ends the next transaction.',
  'txn.markerRepeat':
    'A repeated marker of the epoch that it has set is taken again (KAFKA-19999, txn T-118). Off: it is refused and the id stuck.',
  'txn.ownership': 'A coordinator that may have been replaced does not answer from its cache (txn W-23). Off: it does.',
  'txn.identity':
    'A coordinator writes down the identities before the current one (txn T-11). Off: after a failover innocent retries are fenced.',
  'txn.filter':
    'read_committed readers leave out what was aborted (txn T-143). Off: they deliver all below the last stable offset.',
  'epoch.produceFence': 'Leaders refuse batches of older producer epochs (txn T-100, T-119). Off: a zombie writes on.',
  'epoch.perTxn':
    'Under transaction.version 2 every transaction has an epoch of its own (txn T-75). Off: as under version 1; a late request ' +
    'of one transaction hits the next.',
  'epoch.bumpOnInit':
    'InitProducerId fences the producer before (txn T-46, T-48). Off: both have the same epoch and go on.',
  'epoch.bumpOnRecovery':
    'Under transaction.version 1 a producer whose record failed takes another epoch before its next transaction (KIP-360, ' +
    'txn T-158). Off: as clients before; a late record of one transaction joins the next.',
  'group.txnCommitFence':
    'Transactional offset commits of another generation are refused (KIP-447, txn T-63). Off: a replaced worker commits offsets.',
  'group.requireStable':
    'Offsets under an undecided transaction are not handed out (txn T-70). Off: the last decided ones are, and input is read twice.',
  'ctp.rewind':
    'A worker that aborts reads its input again from what is committed (txn T-170). Off: an application with a bug; it goes on ' +
    'where it was, and what it read is missing in its output.',
} as const;

export type Safeguard = keyof typeof SAFEGUARDS;

export function isSafeguard(name: string): name is Safeguard {
  return Object.hasOwn(SAFEGUARDS, name);
}
