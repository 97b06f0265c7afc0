// Rows CP-32 to CP-40, the decision to commit, and CP-60 to CP-66, the decision of the client to abort. The two are twins:
// a row of one applies to that ending alone.
import type { RawFault } from '../schema.ts';
import { crashAt, ID, PARTIALLY_WRITTEN, UNREPLICATED_DECISION, WORK, type CrashPoint } from './row.ts';

const COMMIT = { group: 'Commit decision', omits: 'the abort twin is a row of its own (CP-60 to CP-65)' } as const;
const ABORT = {
  group: 'Abort decision by the client',
  omits: 'the commit twin is a row of its own (CP-32 to CP-40)',
} as const;

/** The markers wait until a retry of EndTxn was told that the transaction is being completed. */
function untilConcurrent(where: NonNullable<RawFault['where']>): readonly RawFault[] {
  const concurrent = { error: 'CONCURRENT_TRANSACTIONS' };
  return [
    {
      id: 'unsent',
      at: 'txn.marker.sending',
      where: { transactionalId: ID, ...where },
      do: 'hold',
      until: 'concurrent',
    },
    { id: 'concurrent', at: 'rpc.EndTxn.response', where: concurrent, times: 1, do: 'notify' },
  ];
}

export const COMMIT_DECISION: readonly CrashPoint[] = [
  {
    ...COMMIT,
    ...{
      id: 'CP-32',
      name: 'endtxn-request-lost',
      victim: 'net',
      point: 'EndTxn(COMMIT) never reaches C',
      requires: 'C*',
    },
    fates: { commit: ['C'] },
    faults: [{ id: 'crash', at: 'rpc.EndTxn.request', where: { transactionalId: ID }, nth: 1, times: 1, do: 'drop' }],
  },
  {
    ...COMMIT,
    ...{
      id: 'CP-33',
      name: 'endtxn-before-prepare-append',
      victim: 'C',
      point: 'validated, nothing appended',
      requires: 'C*',
    },
    fates: { commit: ['C'] },
    faults: [crashAt('txn.prepare-commit.deciding')],
  },
  {
    ...COMMIT,
    ...{
      id: 'CP-34',
      name: 'prepare-commit-append-refused',
      victim: 'ISR < min',
      point: 'append fails before writing',
    },
    requires: 'C*; state Ongoing; COORDINATOR_NOT_AVAILABLE',
    fates: { commit: ['C'] },
    config: { 'transaction.state.log.min.isr': 3 },
    steps: [...WORK, { wait: 'crash + 2500ms' }, '${outcome}', 'begin', 'send orders/0 b0', 'commit'],
    back: [],
    faults: [
      { id: 'crash', after: 'app.send-offsets.ok', do: { kill: 'leader(orders-1)' } },
      {
        id: 'refused',
        at: 'rpc.EndTxn.response',
        where: { error: 'COORDINATOR_NOT_AVAILABLE' },
        times: 1,
        do: 'notify',
      },
      { id: 'back', after: 'refused + 200ms', do: { start: 'crash.node' } },
    ],
  },
  {
    ...COMMIT,
    ...{ id: 'CP-35', name: 'prepare-commit-append-timeout', victim: 'followers slow', point: 'written, wait expired' },
    requires:
      'E; if the record becomes the last durable one C, if a later PrepareAbort is durable A; no marker for the loser',
    fates: { commit: ['C', 'A'] },
    app: { timeout: '1500ms' },
    faults: [
      { ...UNREPLICATED_DECISION, id: 'crash', until: 'expired' },
      {
        id: 'expired',
        at: 'rpc.EndTxn.response',
        where: { error: 'COORDINATOR_NOT_AVAILABLE' },
        times: 1,
        do: 'notify',
      },
    ],
  },
  {
    ...COMMIT,
    ...{ id: 'CP-36', name: 'prepare-commit-appended-unreplicated', victim: 'C', point: 'record on old leader only' },
    requires: 'E: new leader has it: C. Else C*. Never a marker before durability',
    fates: { commit: ['C'] },
    faults: [
      UNREPLICATED_DECISION,
      { id: 'crash', after: 'unreplicated + 200ms', do: { kill: `coordinator(${ID})` } },
      {
        ...{ id: 'early-marker', at: 'rpc.WriteTxnMarkers.request', where: { topic: 'orders', partition: 1 } },
        ...{ do: 'drop', until: 'crash', optional: true },
      },
    ],
  },
  {
    ...COMMIT,
    ...{ id: 'CP-37', name: 'prepare-commit-replicated-before-cache', victim: 'C', point: 'durable, callback not run' },
    requires: 'C',
    fates: { commit: ['C'] },
    faults: [crashAt('txn.prepare-commit.durable')],
  },
  {
    ...COMMIT,
    ...{ id: 'CP-38', name: 'prepare-commit-replicated-before-response', victim: 'C' },
    point: 'cache updated, no answer',
    requires: 'C; retry sees CONCURRENT_TRANSACTIONS, then NONE',
    fates: { commit: ['C'] },
    faults: [crashAt('txn.end.responding'), ...untilConcurrent({ coordinatorEpoch: '>=1' })],
    expect: [{ order: ['crash', 'concurrent', 'app.commit.ok'] }],
  },
  {
    ...COMMIT,
    ...{ id: 'CP-39', name: 'prepare-commit-response-lost', victim: 'net', point: 'answered, client never saw it' },
    requires: 'C; same retry behaviour',
    fates: { commit: ['C'] },
    faults: [{ id: 'crash', at: 'rpc.EndTxn.response', nth: 1, times: 1, do: 'drop' }, ...untilConcurrent({})],
    expect: [{ order: ['crash', 'concurrent', 'app.commit.ok'] }],
  },
  {
    ...COMMIT,
    ...{ id: 'CP-40', name: 'prepare-commit-answered-before-first-marker', victim: 'C' },
    point: 'client has success, no marker sent',
    requires: 'C (acknowledged commit)',
    fates: { commit: ['C'] },
    faults: [
      { id: 'unsent', at: 'txn.marker.sending', where: { coordinatorEpoch: 0 }, do: 'hold', until: 'crash' },
      { id: 'crash', after: 'unsent + app.commit.ok', do: { kill: `coordinator(${ID})` } },
    ],
  },
];

export const ABORT_DECISION: readonly CrashPoint[] = [
  {
    ...ABORT,
    ...{ id: 'CP-60', name: 'abort-request-lost', victim: 'net', point: 'EndTxn(ABORT) never reaches C' },
    requires: 'A (by retry or timeout); never C',
    fates: { abort: ['A'] },
    faults: [{ id: 'crash', at: 'rpc.EndTxn.request', where: { transactionalId: ID }, nth: 1, times: 1, do: 'drop' }],
  },
  {
    ...ABORT,
    ...{ id: 'CP-61', name: 'abort-before-prepare-append', victim: 'C', point: 'validated, nothing appended' },
    requires: 'A (by retry or timeout); never C',
    fates: { abort: ['A'] },
    faults: [crashAt('txn.prepare-abort.deciding')],
  },
  {
    ...ABORT,
    ...{ id: 'CP-62', name: 'prepare-abort-appended-unreplicated', victim: 'C', point: 'record on old leader only' },
    requires: 'A either way',
    fates: { abort: ['A'] },
    faults: [crashAt('txn.prepare-abort.appended')],
  },
  {
    ...ABORT,
    ...{ id: 'CP-63', name: 'prepare-abort-replicated-before-response', victim: 'C', point: 'durable', requires: 'A' },
    fates: { abort: ['A'] },
    faults: [crashAt('txn.end.responding')],
  },
  {
    ...ABORT,
    ...{
      id: 'CP-64',
      name: 'abort-markers-partially-written',
      victim: 'C',
      point: 'marker durable in some partitions only',
    },
    requires: 'A',
    fates: { abort: ['A'] },
    faults: PARTIALLY_WRITTEN,
  },
  {
    ...ABORT,
    ...{ id: 'CP-65', name: 'complete-abort-appended-unreplicated', victim: 'C', point: 'record on old leader only' },
    requires: 'A',
    fates: { abort: ['A'] },
    faults: [crashAt('txn.complete.appended')],
  },
  {
    ...ABORT,
    ...{ id: 'CP-66', name: 'abort-empty-tv2', victim: 'C', point: 'PrepareAbort with no partitions unreplicated' },
    requires: 'A (nothing to do); epoch bump may or may not survive; client retry gets one identity',
    fates: { abort: ['N'] },
    versions: [2],
    omits:
      'an empty transaction is aborted at the coordinator under version 2 only, and is never committed there (T-76)',
    app: { config: { 'delivery.timeout.ms': 600, 'request.timeout.ms': 300 } },
    steps: ['begin', 'send orders/0 a0', '${outcome}', 'begin', 'send orders/0 b0', 'commit'],
    faults: [
      { id: 'unsent', at: 'rpc.Produce.request', where: { transactionalId: ID }, do: 'drop', until: 'crash' },
      crashAt('txn.prepare-abort.appended'),
    ],
  },
];
