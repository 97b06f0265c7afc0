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
  'hw.maximalIsr':
    'A leader that proposes a larger ISR counts on the new member at once, for the controller may have it already (KIP-497, ' +
    'repl R-43, R-82). Off: only on those of the ISR that it knows to be committed.',
  'hw.eligible':
    'Outside the ISR, only followers that may join it hold the high watermark back (KAFKA-15021, repl R-44, R-57). Off: also one ' +
    'that is gone, for as long as it counts as caught up.',
  'hw.knownForListOffsets':
    'A new leader does not say where the log ends before its high watermark has reached the start of its epoch (KIP-207, repl ' +
    'R-37). Off: it does, and the end goes backwards.',
  'trunc.leaderEpoch':
    'Followers truncate by leader epoch (KIP-101, repl R-72, R-73). Off: they truncate to their own high watermark on every ' +
    'become-follower and send no lastFetchedEpoch.',
  'trunc.epochWalk':
    'A leader asked for an epoch that it does not have tells where the one before it ends, and that it is that one (KIP-279, repl ' +
    'R-68, R-77). Off: it gives the offset as that of the epoch asked about, and the follower keeps too much.',
  'trunc.onEveryEpoch':
    'Followers compare their log with the leader in every epoch (KAFKA-7164, repl T-12). Off: only if the leader is another broker ' +
    'than before. With fetch.divergence on every fetch compares, and nothing is lost.',
  'fetch.epochFence':
    'Fetches carry the leader epoch of who asks; a leader of another one refuses them, and followers drop what is newer than theirs ' +
    '(KIP-320, repl R-24, R-6). Off: neither. With fetch.divergence on a follower whose log differs is still found out.',
  'fetch.divergence':
    'Every fetch of a follower says in which epoch its log ends, and one that shows a difference is no progress (KIP-595, KAFKA-13141, ' +
    'repl R-26, R-28). Off: it is said once, when it begins to follow, and counts as progress.',
  'fetch.responseMatch':
    'An answer to a fetch is taken only if leader, epoch and offset are those asked last (KAFKA-13207, KAFKA-18991, repl R-39). Off: ' +
    'as it comes, for whoever fetches the partition now.',
  'epochCache.complete':
    'Cutting a log at its very end removes the epoch of a leader that wrote nothing (KAFKA-10706, repl R-20, T-8). Off: it stays, and ' +
    'the follower that has it diverges for ever.',
  'isr.joinAtEpochStart':
    'A follower joins the ISR only once it has all that its leader had when its epoch began (KAFKA-7128, repl R-56, R-81). Off: the ' +
    'high watermark is enough, which a new leader knows late.',
  'isr.fetchInEpoch':
    'A new leader knows nothing of followers until they fetch in its epoch (repl R-42, T-21). Off: one that led before believes what it ' +
    'was told then.',
  'produce.minIsr':
    'acks=all is refused while the ISR is smaller than min.insync.replicas (repl R-13, R-15). Off: taken, and answered as soon ' +
    'as the high watermark allows; with hw.minIsrFreeze on it does not move, and the producer waits instead.',
  'retention.hwBound':
    'Nothing at or above the high watermark is deleted, by retention or by DeleteRecords (KAFKA-5634, repl R-19, R-118). Off: the ' +
    'log start goes up to the log end, and takes the high watermark along.',
  'follower.readBounds':
    'A reader at a follower ends where that follower ends (KIP-392, repl R-35, R-36): the leader points to none that holds ' +
    'less than it asks for, and one that has nothing there sends it back to the leader. Off: the leader points to any ' +
    'replica of the rack, and the end of a follower is taken for the end of the log.',
  'hw.truncateFirst':
    'A follower that is told where its log diverges cuts it, and follows the high watermark with the next answer ' +
    '(KAFKA-14704, repl R-39, T-10). Off: it raises its high watermark first, and shows what it is about to cut.',
} as const;
