// Protections of consumer groups and their offsets.

/** What each protects against, for people. */
export const GROUPS_SAFEGUARDS = {
  'group.txnCommitFence':
    'Transactional offset commits of another generation are refused (KIP-447, txn T-63). Off: a replaced worker commits offsets.',
  'group.stableOffsets':
    'Offsets under an undecided transaction are not handed out (txn T-70). Off: the last decided ones are, and input is read twice.',
} as const;
