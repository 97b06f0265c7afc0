// Protections of transactions: epochs, registration, markers, the last stable offset.

/** What each protects against, for people. */
export const TRANSACTIONS_SAFEGUARDS = {
  'txn.prepareDurable':
    'A coordinator acts on a decision once it is below the high watermark (txn T-18, T-80). Off: it answers and sends markers ' +
    'once the decision is in its own log.',
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
  'txn.markerIdempotent':
    'A repeated marker of the epoch that it has set is taken again (KAFKA-19999, txn T-118). Off: it is refused and the id stuck.',
  'txn.ownership': 'A coordinator that may have been replaced does not answer from its cache (txn W-23). Off: it does.',
  'epoch.retryIdentity':
    'A coordinator writes down the identities before the current one (txn T-11). Off: after a failover innocent retries are fenced.',
  'epoch.produceFence': 'Leaders refuse batches of older producer epochs (txn T-100, T-119). Off: a zombie writes on.',
  'epoch.perTxn':
    'Under transaction.version 2 every transaction has an epoch of its own (txn T-75). Off: as under version 1; a late request ' +
    'of one transaction hits the next.',
  'epoch.bumpOnInit':
    'InitProducerId fences the producer before (txn T-46, T-48). Off: both have the same epoch and go on.',
} as const;
