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
} as const;

export type Safeguard = keyof typeof SAFEGUARDS;

export function isSafeguard(name: string): name is Safeguard {
  return Object.hasOwn(SAFEGUARDS, name);
}
