// Protections of replicas: what consumers are served, how followers copy and truncate, what a log keeps.

/** What each protects against, for people. */
export const REPLICATION_SAFEGUARDS = {
  'hw.bound': 'Consumers are served only below the high watermark (repl R-21). Off: they read up to the log end.',
  'trunc.leaderEpoch':
    'Followers truncate by leader epoch (KIP-101, repl R-72, R-73). Off: they truncate to their own high watermark on every ' +
    'become-follower and send no lastFetchedEpoch.',
} as const;
