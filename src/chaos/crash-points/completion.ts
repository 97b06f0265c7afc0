// Rows CP-55 to CP-59: every partition has its marker, and the end of the transaction is written down.
import { crashAt, MEANWHILE, type CrashPoint } from './row.ts';

const COMPLETION = { group: 'Completion' } as const;
const BOTH = { commit: ['C'], abort: ['A'] } as const;

export const COMPLETION_ROWS: readonly CrashPoint[] = [
  {
    ...COMPLETION,
    ...{ id: 'CP-55', name: 'complete-before-append', victim: 'C', point: 'all markers acked' },
    requires: 'C; new C re-sends all markers, then completes',
    fates: BOTH,
    faults: [crashAt('txn.complete.deciding')],
  },
  {
    ...COMPLETION,
    ...{ id: 'CP-56', name: 'complete-append-refused', victim: 'ISR < min', point: 'CompleteCommit append fails' },
    requires: 'C; append retried; id answers CONCURRENT_TRANSACTIONS',
    fates: BOTH,
    config: { 'transaction.state.log.min.isr': 3 },
    back: [],
    faults: [
      {
        ...{ id: 'crash', at: 'txn.marker.sending', where: { topic: 'orders', dataPartition: 0 } },
        ...{ do: { kill: 'leader(orders-1)' } },
      },
      { id: 'retried', at: 'txn.complete.deciding', nth: 2, times: 1, do: 'notify' },
      ...MEANWHILE.faults,
      { id: 'back', after: 'retried + 400ms', do: { start: 'crash.node' } },
    ],
    expect: MEANWHILE.expect,
  },
  {
    ...COMPLETION,
    ...{ id: 'CP-57', name: 'complete-appended-unreplicated', victim: 'C', point: 'record on old leader only' },
    requires: 'C; if lost, markers re-sent',
    fates: BOTH,
    faults: [crashAt('txn.complete.appended')],
  },
  {
    ...COMPLETION,
    ...{ id: 'CP-58', name: 'complete-replicated-before-cache', victim: 'C', point: 'durable, cache not updated' },
    requires: 'C; new C starts in CompleteCommit, no markers',
    fates: BOTH,
    faults: [crashAt('txn.complete.durable')],
  },
  {
    ...COMPLETION,
    ...{ id: 'CP-59', name: 'complete-then-next-begin', victim: 'C', point: 'next AddPartitions races with the crash' },
    requires:
      'Next transaction is separate; duplicate markers of the first precede its data in every partition (T-186)',
    fates: BOTH,
    faults: [crashAt('txn.add-partitions.deciding', { nth: 3 })],
  },
];
