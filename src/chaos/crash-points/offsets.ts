// Rows CP-26 to CP-31: offsets that a transaction commits, on their way into the group coordinator's log, and groups that move
// on meanwhile.
import { strikeAt, type CrashPoint } from './row.ts';

const OFFSETS = { group: 'TxnOffsetCommit' } as const;
const BOTH = { commit: ['C'], abort: ['A'] } as const;
const COPY = { group: 'copy' };

export const OFFSET_ROWS: readonly CrashPoint[] = [
  {
    ...OFFSETS,
    ...{ id: 'CP-26', name: 'txnoffset-before-append', victim: 'G', point: 'validated, nothing written' },
    requires: 'Retry at new G; offsets not pending meanwhile',
    fates: BOTH,
    faults: [strikeAt('group.txn-offset.deciding', COPY)],
    expect: [{ order: ['crash', 'app.send-offsets.ok'] }],
  },
  {
    ...OFFSETS,
    ...{ id: 'CP-27', name: 'txnoffset-appended-unreplicated', victim: 'G', point: 'batch on old leader only' },
    requires: 'Survives or not; retry rewrites it; one effective value',
    fates: BOTH,
    faults: [strikeAt('group.txn-offset.appended', COPY)],
    expect: [{ order: ['crash', 'app.send-offsets.ok'] }],
  },
  {
    ...OFFSETS,
    ...{ id: 'CP-28', name: 'txnoffset-replicated-ack-lost', victim: 'G and net' },
    point: 'durable, no answer: the first is lost, the second dies with G',
    requires: 'Retry allowed; later record wins at COMMIT',
    fates: BOTH,
    app: { config: { 'request.timeout.ms': 500 } },
    faults: [
      { id: 'lost', at: 'rpc.TxnOffsetCommit.response', where: { topic: 'input' }, nth: 1, times: 1, do: 'drop' },
      strikeAt('group.txn-offset.durable', COPY, { nth: 2 }),
    ],
    expect: [{ order: ['lost', 'crash', 'app.send-offsets.ok'] }],
  },
];
