// The corpus of failures that real systems had, by number: each has the schedule that shows it without its protection and
// is clean with it, or a reason why it has none.
import { CORPUS_GROUPS } from './corpus/groups.ts';
import { CORPUS_IDEMPOTENCE } from './corpus/idempotence.ts';
import { CORPUS_REPLICATION } from './corpus/replication.ts';
import { CORPUS_TRANSACTIONS } from './corpus/transactions.ts';
import type { CorpusRows } from './corpus/row.ts';

/** By number, ascending. */
export const CORPUS: CorpusRows = {
  ...CORPUS_REPLICATION,
  ...CORPUS_IDEMPOTENCE,
  ...CORPUS_TRANSACTIONS,
  ...CORPUS_GROUPS,
};
