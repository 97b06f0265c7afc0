// Failures of the corpus: idempotence.
import type { CorpusRows } from './row.ts';

export const CORPUS_IDEMPOTENCE: CorpusRows = {
  7: { title: 'A retry after a failover of the leader is written twice', file: 'bug-07-retry-after-failover' },
  8: {
    title: 'Idempotent producer silently loses its first batch because the partition accepted a later one first',
    file: 'bug-08-first-batch-lost',
  },
  30: {
    title: 'UNKNOWN_PRODUCER_ID after retention: client resets to seq 0 and re-appends an already written batch',
    open: 'not built',
  },
  56: {
    title: 'Batches that were under way together are sent again, and the leader does not know all of them',
    file: 'bug-56-pipelined-retries',
  },
  58: {
    title: 'After an epoch bump, partitions that had nothing in flight keep their old sequence',
    open: 'not built',
  },
  60: { title: 'Cancelled record reuses its sequence; the NEXT record is swallowed as a duplicate', open: 'not built' },
  62: { title: 'Follower without producer state refuses the leader’s batches for ever', open: 'not built' },
};
