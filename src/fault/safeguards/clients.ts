// Protections that are a client's own work: a broker cannot do it for them. Off: an application or a client with a bug.

/** What each protects against, for people. */
export const CLIENTS_SAFEGUARDS = {
  'consumer.truncationDetect':
    'Consumers check their position against the leader epoch after a leader change (KIP-320, repl R-36). Off: they go on ' +
    'where they were.',
  'seq.unresolved':
    'A producer leaves the sequence of a batch whose fate it does not know, and takes another epoch (txn T-163). Off: a client ' +
    'with a bug; its next record has that sequence and is taken for a retry.',
  'txn.register':
    'A producer of version 1 registers a partition with its coordinator before it writes there (txn T-54, T-153). Off: a ' +
    'client with a bug; what it writes belongs to no transaction (W-3).',
  'txn.filter':
    'read_committed readers leave out what was aborted (txn T-143). Off: they deliver all below the last stable offset.',
  'epoch.bumpOnRecovery':
    'Under transaction.version 1 a producer whose record failed takes another epoch before its next transaction (KIP-360, ' +
    'txn T-158). Off: as clients before; a late record of one transaction joins the next.',
  'ctp.rewind':
    'A worker that aborts reads its input again from what is committed (txn T-170). Off: an application with a bug; it goes on ' +
    'where it was, and what it read is missing in its output.',
} as const;
