// Rows CP-67 to CP-70: transactions that last too long, and the coordinator that ends them. The producer stands still until it is
// over, and only then asks for the end it has in mind.
import type { RawExpectation } from '../schema.ts';
import { crashAt, ID, WORK, type CrashPoint, type RawSteps } from './row.ts';

const TIMEOUT = { group: 'Timeout abort', app: { timeout: '1s' } } as const;
const ABORTED = { commit: ['A'], abort: ['A'] } as const;
const ASKS: RawSteps = ['${outcome}', 'begin', 'send orders/0 b0', 'commit'];
const TOO_LATE: RawSteps = [...WORK, { wait: `txn(${ID}) = CompleteAbort` }, ...ASKS];

/** Txn T-73, T-189, W-8: only an abort of version 2 finds itself done already. */
const FENCED: readonly RawExpectation[] = [
  { when: { outcome: 'commit' }, client: 'app', op: 'commit', outcome: 'error', code: 'PRODUCER_FENCED' },
  { when: { outcome: 'abort', version: 1 }, client: 'app', op: 'abort', outcome: 'error', code: 'PRODUCER_FENCED' },
  { when: { outcome: 'abort', version: 2 }, client: 'app', op: 'abort', outcome: 'ok' },
  { when: { outcome: 'abort', version: 2 }, client: 'app', op: 'commit', outcome: 'ok' },
];

export const TIMEOUT_ROWS: readonly CrashPoint[] = [
  {
    ...TIMEOUT,
    ...{ id: 'CP-67', name: 'timeout-scan-before-fence', victim: 'C', point: 'expired, not fenced' },
    requires: 'A at first scan of new C (start time is persisted); unless P commits first: C',
    fates: ABORTED,
    steps: TOO_LATE,
    faults: [crashAt('txn.timeout')],
    expect: [{ order: ['crash', `txn(${ID}) = PrepareAbort`, `txn(${ID}) = CompleteAbort`] }, ...FENCED],
  },
  {
    ...TIMEOUT,
    ...{ id: 'CP-68', name: 'timeout-fenced-before-append', victim: 'C', point: 'fence in memory only' },
    requires: 'As timeout-scan-before-fence; P is not fenced at new C yet (TV2: nor at the old one)',
    fates: ABORTED,
    steps: TOO_LATE,
    faults: [crashAt('txn.prepare-abort.deciding', { where: { reason: 'timeout' } })],
    expect: [{ order: ['crash', `txn(${ID}) = PrepareAbort`, `txn(${ID}) = CompleteAbort`] }, ...FENCED],
  },
  {
    ...TIMEOUT,
    ...{ id: 'CP-69', name: 'timeout-prepare-abort-replicated', victim: 'C', point: 'durable' },
    requires:
      "A; TV1: P's commit or abort gets PRODUCER_FENCED. TV2: commit PRODUCER_FENCED (W-8), abort NONE with the new epoch (T-189)",
    fates: ABORTED,
    steps: TOO_LATE,
    faults: [crashAt('txn.prepare-abort.durable', { where: { reason: 'timeout' } })],
    expect: FENCED,
  },
  {
    ...TIMEOUT,
    ...{ id: 'CP-70', name: 'timeout-races-commit', victim: 'none' },
    point: 'EndTxn(COMMIT) arrives while the scan holds pendingState, or the reverse (transaction of "reverse")',
    requires:
      'Exactly one wins; the loser sees CONCURRENT_TRANSACTIONS (TV1: PRODUCER_FENCED at once), then the answer of CP-69 or nothing',
    fates: ABORTED,
    steps: [...WORK, { wait: 'crash' }, ...ASKS],
    clients: [
      {
        ...{ id: 'reverse', transactional: 'reverse', timeout: '1s' },
        steps: ['begin', 'send orders/0 r0', 'send orders/1 r1', 'commit'],
      },
    ],
    faults: [
      crashAt('txn.prepare-abort.appended', { where: { reason: 'timeout' }, do: 'hold', until: 'refused' }),
      // Version 1 raises the epoch at once, and looks at it first (txn T-48, T-72).
      {
        ...{ id: 'refused', at: 'rpc.EndTxn.response' },
        ...{ where: { error: ['CONCURRENT_TRANSACTIONS', 'PRODUCER_FENCED'] }, do: 'notify' },
      },
      // Longer than its timeout and a scan.
      {
        ...{ id: 'decided', at: 'txn.prepare-commit.appended', where: { transactionalId: 'reverse' } },
        ...{ do: 'hold', until: 'decided + 1500ms' },
      },
    ],
    expect: [...FENCED, { client: 'reverse', op: 'commit', outcome: 'ok' }, { eventually: 'visible(rc, r0)' }],
  },
];
