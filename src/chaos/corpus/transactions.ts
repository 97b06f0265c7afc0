// Failures of the corpus: transactions.
import type { CorpusRows } from './row.ts';

export const CORPUS_TRANSACTIONS: CorpusRows = {
  9: {
    title: 'Zombie producer: paused instance wakes up and keeps writing / commits after its successor took over',
    file: 'bug-09-zombie-writes',
  },
  10: {
    title: 'Readers of committed data are given a record of an open transaction, which is aborted later',
    file: 'bug-10-open-record-read',
  },
  11: {
    title: 'A record that comes after its transaction was aborted hangs, and stops all readers of committed data',
    file: 'bug-11-hanging-transaction',
  },
  12: {
    title: 'A delayed EndTxn ends the next transaction: torn, and read although it was aborted',
    file: 'bug-12-delayed-commit',
  },
  13: {
    title: 'The next coordinator has never heard of a transaction, and commits only its second half',
    file: 'bug-13-forgotten-registration',
  },
  20: {
    title: 'A batch of an aborted transaction that comes late is adopted by the next one',
    file: 'bug-20-adopted-batch',
  },
  21: {
    title: 'A coordinator acts on a decision that dies with it, and the next one decides anew',
    file: 'bug-21-decision-not-durable',
  },
  22: {
    title: 'Frozen old coordinator wakes up and re-sends a marker into a newer transaction',
    file: 'bug-22-zombie-coordinator',
  },
  28: {
    title: 'A coordinator aborts a slow producer without fencing it; it goes on and commits the rest',
    file: 'bug-28-unfenced-timeout',
  },
  36: { title: 'A fetch that has waited is answered without what was aborted', file: 'bug-36-late-answer' },
  42: {
    title: 'A marker that is sent again is refused for the epoch that it has set itself; the transaction is never over',
    file: 'bug-42-repeated-marker',
  },
  44: {
    title: 'A transaction is completed twice, the second time in the middle of the next one',
    file: 'bug-44-completed-twice',
  },
  46: { title: 'Marker dropped because an error was classified as permanent', file: 'bug-46-marker-lost' },
  48: {
    title: 'The epochs of a producer are used up, and its next transaction fences itself',
    file: 'bug-48-last-epoch',
  },
  49: {
    title: 'A coordinator forgets which identity came before, and fences a producer that asks again',
    file: 'bug-49-lost-identity',
  },
  50: {
    title: 'Fences that cannot be written use the epochs of a producer up',
    test: 'test/coordinator/txn/schedules.test.ts',
    why: 'it would take 32766 fences that fail; that one that failed is not raised again shows after two',
  },
  52: {
    title: 'The first record of the next transaction overtakes the marker of the last one',
    file: 'bug-52-early-record',
  },
  54: { title: 'An EndTxn of a newer epoch than the owner’s is accepted', file: 'bug-54-newer-epoch' },
  64: {
    title: 'The cleaner drops a marker or tombstone before a replica that was away has seen it',
    file: 'bug-64-marker-cleaned-away',
  },
  65: {
    title: 'The cleaner drops the marker of a transaction of which records stay',
    file: 'bug-65-marker-of-what-stays',
  },
  66: {
    title: 'The index of aborted transactions and the log part ways',
    test: 'test/log/transactions.test.ts',
    why: 'marker and entry are one atomic write of the store, which happens or does not: there is nothing between to fail at',
  },
  67: { title: 'A producer dies in the middle of a transaction, and nobody ends it', file: 'bug-67-dead-producer' },
  68: {
    title: 'A transactional id expires, or never came into being, and its producer comes back',
    test: 'test/coordinator/txn/scans.test.ts',
    why: 'no client of ours goes on after INVALID_PRODUCER_ID_MAPPING, which is fatal to it (txn W-21)',
  },
  82: {
    title: 'A producer writes under its next identity before the abort of the last one is in the log',
    file: 'bug-82-postponed-abort',
  },
};
