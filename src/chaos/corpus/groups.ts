// Failures of the corpus: groups.
import type { CorpusRows } from './row.ts';

export const CORPUS_GROUPS: CorpusRows = {
  14: {
    title: 'A replaced member of a group commits the same input once more: no epoch fences it, as its id is its own',
    file: 'bug-14-zombie-member',
  },
  15: {
    title: 'A deposed group coordinator acknowledges a commit of offsets that does not exist any more',
    file: 'bug-15-deposed-coordinator',
  },
  37: {
    title: 'The offset before an undecided one is handed out, and its input is read twice',
    file: 'bug-37-unstable-offsets',
  },
  38: { title: 'WriteTxnMarkers answered before the group coordinator applied it', open: 'not built' },
  40: {
    title: 'A coordinator drops what it had only after it has loaded again, and serves empty groups',
    file: 'bug-40-late-unload',
  },
  70: { title: 'Partially failed commit leaves a phantom "pending" offset', open: 'not built' },
  72: {
    title: 'Static member rejoin during CompletingRebalance gets an empty assignment; identity not persisted',
    open: 'not built',
  },
  86: { title: 'Fetching continues while the pre-revocation commit is in flight → duplicates', open: 'not built' },
};
