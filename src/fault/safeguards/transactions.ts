// Protections of transactions: epochs, registration, markers, the last stable offset.

/** What each protects against, for people. */
export const TRANSACTIONS_SAFEGUARDS = {
  'txn.prepareDurable':
    'A coordinator acts on a decision once it is below the high watermark (txn T-18, T-80). Off: it answers and sends markers ' +
    'once the decision is in its own log.',
  'txn.verify':
    'Leaders take transactional writes of registered partitions only (txn T-119 to T-123). Off: whatever comes, so that late ' +
    'or unregistered data opens a transaction that nobody ends.',
  'txn.durableRegistration':
    'A coordinator answers that a partition is registered once that is below the high watermark (txn T-18, T-56). Off: once ' +
    'it knows it itself; the next coordinator has never heard of it.',
  'txn.guard':
    'What a leader was told of a write holds until the next marker or write of its producer only (txn T-122, W-4). Off: for ' +
    'ever; a write that was held up is taken though its transaction is over.',
  'txn.openEpoch':
    'An open transaction is open for its own epoch only (KAFKA-18575, txn T-99, W-22). Off: for its producer; a record of the ' +
    'next transaction slips into the one whose marker is still on its way.',
  'txn.lsoBound':
    'read_committed is served only below the last stable offset (txn T-133). Off: up to the high watermark.',
  'txn.lsoFollowsHw':
    'A marker is replicated, and the last stable offset goes on, as soon as the high watermark has passed it (txn T-127, INV-16). ' +
    'Off: with the next rise; where nothing more is written what was committed last is never read.',
  'txn.abortedIndex':
    'Whatever is read of committed data comes with what was aborted in it (KAFKA-5376, txn T-140). Off: not in the answer to a ' +
    'fetch that has waited.',
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
  'txn.pendingCas':
    'While a transition of an id is under way nothing else begins, and exactly one answer ends a transaction (KAFKA-10080, ' +
    'txn T-18, T-45, T-88). Off: what was looked at may have changed since.',
  'txn.timeout':
    'A transaction that lasts longer than its producer asked for is aborted (txn T-34). Off: the transaction of a producer ' +
    'that died stays open, and readers of committed data stand before it.',
  'txn.ownership': 'A coordinator that may have been replaced does not answer from its cache (txn W-23). Off: it does.',
  'epoch.rotatePid':
    'Where the epochs of a producer id are used up its transactional id gets another one (KAFKA-18660, txn T-46, T-77). Off: ' +
    'the epoch that is kept for fencing is given out.',
  'epoch.retryIdentity':
    'A coordinator writes down the identities before the current one (txn T-11). Off: after a failover innocent retries are fenced.',
  'epoch.produceFence': 'Leaders refuse batches of older producer epochs (txn T-100, T-119). Off: a zombie writes on.',
  'epoch.bumpOnTimeout':
    'Who is aborted by its coordinator is fenced (KAFKA-6119, txn T-34, T-49). Off: it goes on under its epoch, in a ' +
    'transaction of which the first half is aborted.',
  'epoch.strictEndTxn':
    'Only the epoch that owns a transaction ends it (KAFKA-9600, txn T-73, T-75). Off: any that is not older.',
  'epoch.perTxn':
    'Under transaction.version 2 every transaction has an epoch of its own (txn T-75). Off: as under version 1; a late request ' +
    'of one transaction hits the next.',
  'epoch.bumpOnInit':
    'InitProducerId fences the producer before (txn T-46, T-48). Off: both have the same epoch and go on.',
  'txn.markersBeforeAck':
    'A group coordinator answers a marker once the offsets it decides count (KAFKA-17507, wire G-46). Off: they count whenever it ' +
    'gets round to it, and perhaps those of the next transaction in their place.',
  'compact.replicaAware':
    'The cleaner drops markers and tombstones only while all assigned replicas are in sync (BUG-64). Off: once delete.retention.ms ' +
    'is over; a replica that comes back later keeps what they were to undo.',
  'compact.keepMarkers':
    'The cleaner keeps a marker as long as a batch of its transaction, and delete.retention.ms (KAFKA-14055, txn T-114). Off: it ' +
    'drops it at once, and after a restart nothing ends the transaction.',
} as const;
