// Protections of replicas: what consumers are served, how followers copy and truncate, what a log keeps.

/** What each protects against, for people. */
export const REPLICATION_SAFEGUARDS = {
  'hw.bound': 'Consumers are served only below the high watermark (repl R-21). Off: they read up to the log end.',
  'hw.allIsr':
    'acks=all is answered once every in-sync replica has the batch (repl R-13, R-15). Off: after the append of the leader, as ' +
    'acks=1 is.',
  'hw.minIsrFreeze':
    'The high watermark stands still while the ISR is smaller than min.insync.replicas (KAFKA-15583, repl R-45). Off: it goes ' +
    'on; what too few replicas hold is read.',
  'hw.knownForListOffsets':
    'A new leader does not say where the log ends before its high watermark has reached the start of its epoch (KIP-207, repl ' +
    'R-37). Off: it does, and the end goes backwards.',
  'trunc.leaderEpoch':
    'Followers truncate by leader epoch (KIP-101, repl R-72, R-73). Off: they truncate to their own high watermark on every ' +
    'become-follower and send no lastFetchedEpoch.',
  'produce.minIsr':
    'acks=all is refused while the ISR is smaller than min.insync.replicas (repl R-13, R-15). Off: taken, and answered as soon ' +
    'as the high watermark allows; with hw.minIsrFreeze on it does not move, and the producer waits instead.',
  'follower.readBounds':
    'A reader at a follower ends where that follower ends (KIP-392, repl R-35, R-36): the leader points to none that holds ' +
    'less than it asks for, and one that has nothing there sends it back to the leader. Off: the leader points to any ' +
    'replica of the rack, and the end of a follower is taken for the end of the log.',
} as const;
