// Protections of consumer groups and their offsets.

/** What each protects against, for people. */
export const GROUPS_SAFEGUARDS = {
  'group.generationFence':
    'Commits of offsets are taken of members of the generation at hand only (wire G-32). Off: of anybody; a member that was ' +
    'replaced takes its group back to where it had been.',
  'group.txnCommitFence':
    'Transactional offset commits of another generation are refused (KIP-447, txn T-63). Off: a replaced worker commits offsets.',
  'group.stableOffsets':
    'Offsets under an undecided transaction are not handed out (txn T-70). Off: the last decided ones are, and input is read twice.',
  'group.ackAfterHwOwnEpoch':
    'A group coordinator answers once the high watermark of its own leader epoch covers what it wrote (KAFKA-20634). Off: that ' +
    'of any; one that was deposed takes what its successor wrote in the place of its own for its own.',
  'group.loadOrder':
    'A group coordinator that is elected again keeps what it has loaded, though it only now comes to drop what it had before ' +
    '(KAFKA-10614, wire G-7). Off: it drops what it has, and serves groups that have nothing.',
  'group.logOrderWins':
    'Of several commits of an offset the one that stands last in the log counts, in a transaction or not (KAFKA-14505, wire G-47). ' +
    'Off: the one that is decided last.',
  'group.expiryGuards':
    'Offsets do not expire while a member may need them or a transaction may change them (KAFKA-13636, wire G-41). Off: they do, by ' +
    'the age of the commit alone.',
  'group.ownership':
    'A partition that moves between members that hold on to theirs is given up in one generation and handed on in the next ' +
    '(KIP-429, KAFKA-16147). Off: both in one; two members have it until the one hears of it.',
  'group.staticFence':
    'A static member that takes its place over is told so once its new id is durable (KIP-345, wire G-23). Off: at once, and it ' +
    'is written nowhere; the next coordinator takes the old one for the member, and fences the new one.',
} as const;
