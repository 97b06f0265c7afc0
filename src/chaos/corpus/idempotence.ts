// Failures of the corpus: idempotence.
import type { CorpusRows } from './row.ts';

export const CORPUS_IDEMPOTENCE: CorpusRows = {
  7: { title: 'A retry after a failover of the leader is written twice', file: 'bug-07-retry-after-failover' },
  8: {
    title: 'Idempotent producer silently loses its first batch because the partition accepted a later one first',
    file: 'bug-08-first-batch-lost',
  },
  30: {
    title: 'A leader forgets a producer with its records, and a retry looks new',
    file: 'bug-30-forgotten-with-data',
  },
  56: {
    title: 'Batches that were under way together are sent again, and the leader does not know all of them',
    file: 'bug-56-pipelined-retries',
  },
  57: {
    title: 'The sequences of a producer are used up, and what comes next is out of order',
    test: 'test/client/sequence-wrap.test.ts',
    why: 'it takes two thousand million records of one producer',
  },
  58: {
    title: 'The first batch of a new epoch is overtaken in a partition that had nothing under way',
    file: 'bug-58-epoch-overtaken',
  },
  60: {
    title: 'A record that was given up leaves its sequence to the next one, which is taken for a retry',
    file: 'bug-60-reused-sequence',
  },
  62: {
    title: 'A follower that has missed the beginning of a producer refuses what follows',
    file: 'bug-62-distrustful-follower',
  },
};
