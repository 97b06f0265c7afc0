// Failures of the corpus: transactions.
import type { CorpusRows } from './row.ts';

export const CORPUS_TRANSACTIONS: CorpusRows = {
  9: {
    title: 'Zombie producer: paused instance wakes up and keeps writing / commits after its successor took over',
    file: 'bug-09-zombie-writes',
  },
  10: {
    title: 'read_committed consumer sees a record of an open (later aborted) transaction: LSO used one too far',
    open: 'not built',
  },
  11: {
    title:
      'Hanging transaction: a late Produce lands after the abort marker and freezes read_committed readers for ever',
    open: 'not built',
  },
  12: {
    title: 'A delayed EndTxn decides the fate of the NEXT transaction (torn + aborted read + lost write)',
    open: 'not built',
  },
  13: {
    title: 'Coordinator failover forgets an open transaction; the client commits only its second half',
    open: 'not built',
  },
  20: { title: 'A timed-out batch of an aborted transaction is adopted by the next one', open: 'not built' },
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
    title: 'Retried marker refused because its epoch is already the current one → transaction hangs (TV2)',
    open: 'not built',
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
