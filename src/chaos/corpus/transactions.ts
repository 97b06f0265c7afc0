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
    title: 'Coordinator failover forgets an open transaction; the client commits only its second half',
    open: 'not built',
  },
  20: {
    title: 'A batch of an aborted transaction that comes late is adopted by the next one',
    file: 'bug-20-adopted-batch',
  },
  22: {
    title: 'Frozen old coordinator wakes up and re-sends a marker into a newer transaction',
    file: 'bug-22-zombie-coordinator',
  },
  28: {
    title: 'Coordinator times a transaction out without bumping the epoch; the slow producer continues inside nothing',
    open: 'not built',
  },
  36: { title: 'Long-poll fetch completes without the aborted-transactions list', open: 'not built' },
  42: {
    title: 'A marker that is sent again is refused for the epoch that it has set itself; the transaction is never over',
    file: 'bug-42-repeated-marker',
  },
  44: {
    title: 'Transaction completed twice; the second completion wipes out the next transaction’s registration',
    open: 'not built',
  },
  46: { title: 'Marker dropped because an error was classified as permanent', file: 'bug-46-marker-lost' },
  48: { title: 'Producer epoch overflow family', open: 'not built' },
  50: {
    title: 'Epoch burned to exhaustion by fencing attempts that cannot be written (PREPARE_EPOCH_FENCE)',
    open: 'not built',
  },
  52: { title: 'First write of the next transaction races the previous marker (TV2)', open: 'not built' },
  54: { title: 'Client EndTxn with a HIGHER epoch accepted', open: 'not built' },
  64: { title: 'Compaction removes a marker/tombstone before an offline replica saw it', open: 'not built' },
  66: { title: 'Failure while writing the aborted index duplicates offsets / exposes aborted data', open: 'not built' },
  68: { title: 'Transactional-id expiry family', open: 'not built' },
  82: { title: 'Aborting one epoch aborts other transactions of the same producer id', open: 'not built' },
};
