// Rows CP-32 to CP-40, the decision to commit, and CP-60 to CP-66, the decision of the client to abort. The two are twins:
// a row of one applies to that ending alone.
import { crashAt, ID, UNREPLICATED_DECISION, type CrashPoint } from './row.ts';

const COMMIT = { group: 'Commit decision', omits: 'the abort twin is a row of its own (CP-60 to CP-65)' } as const;
const ABORT = {
  group: 'Abort decision by the client',
  omits: 'the commit twin is a row of its own (CP-32 to CP-40)',
} as const;

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
    faults: [crashAt('txn.end.responding')],
  },
  {
    ...COMMIT,
    ...{ id: 'CP-39', name: 'prepare-commit-response-lost', victim: 'net', point: 'answered, client never saw it' },
    requires: 'C; same retry behaviour',
    fates: { commit: ['C'] },
    faults: [{ id: 'crash', at: 'rpc.EndTxn.response', nth: 1, times: 1, do: 'drop' }],
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
];
