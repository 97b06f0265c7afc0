// Rows CP-1 to CP-8: a producer asks for its identity, and a second one for the same id while a transaction is open.
import { crashAt, ID, WORK, type CrashPoint } from './row.ts';

const INIT = { group: 'InitProducerId' } as const;
/** The client asks again, and its transaction goes as planned. */
const AS_ENDED = { commit: ['C'], abort: ['A'] } as const;
/** Its successor fences it, whatever it does then. */
const FENCED = { commit: ['A'], abort: ['A'] } as const;

/** The old owner has an open transaction when its successor asks, and ends it when that is over. */
const TAKEN_OVER: Pick<CrashPoint, 'steps' | 'nextAfter' | 'fates'> = {
  steps: [...WORK, { wait: 'next.done' }, '${outcome}'],
  nextAfter: 'app.send-offsets.ok',
  fates: FENCED,
};

export const INIT_ROWS: readonly CrashPoint[] = [
  {
    ...INIT,
    ...{ id: 'CP-1', name: 'init-before-append', victim: 'C', point: 'request validated, nothing appended' },
    requires: 'N. Retry at new C succeeds; an unknown id may get another PID. Here the client retries and goes on',
    fates: AS_ENDED,
    faults: [crashAt('txn.init.deciding')],
  },
  {
    ...INIT,
    ...{ id: 'CP-2', name: 'init-appended-unreplicated', victim: 'C', point: 'Empty record on old leader only' },
    requires: 'Record survives or not; retry gives a strictly higher identity',
    fates: AS_ENDED,
    faults: [crashAt('txn.init.appended')],
  },
  {
    ...INIT,
    ...{
      id: 'CP-3',
      name: 'init-replicated-response-lost',
      victim: 'C or net',
      point: 'Empty record durable, no answer',
    },
    requires: 'Same as above, record survived. Epoch numbers may skip',
    fates: AS_ENDED,
    faults: [crashAt('txn.init.responding')],
  },
  {
    ...INIT,
    ...{ id: 'CP-4', name: 'init-fence-before-append', victim: 'C' },
    point: 'old transaction Ongoing, fence only in memory',
    requires:
      'Old transaction still Ongoing at new C with old epoch; its owner is not fenced until the init retry; then A',
    ...TAKEN_OVER,
    faults: [crashAt('txn.prepare-abort.deciding', { where: { reason: 'init' } })],
  },
  {
    ...INIT,
    ...{ id: 'CP-5', name: 'init-fence-append-refused', victim: 'ISR < min' },
    point: 'PrepareAbort append fails, nobody dies',
    requires: 'Old owner not fenced in the log; A once ISR is back (TV2: or C if the owner commits first)',
    ...TAKEN_OVER,
    config: { 'transaction.state.log.min.isr': 3 },
    nextAfter: 'crash + 1500ms',
    back: [],
    faults: [
      { id: 'crash', after: 'app.send-offsets.ok', do: { kill: 'leader(orders-1)' } },
      {
        ...{ id: 'refused', at: 'rpc.InitProducerId.response', where: { error: 'COORDINATOR_NOT_AVAILABLE' } },
        ...{ times: 1, do: 'notify' },
      },
      { id: 'back', after: 'refused + 200ms', do: { start: 'crash.node' } },
    ],
  },
  {
    ...INIT,
    ...{ id: 'CP-6', name: 'init-fence-prepared', victim: 'C', point: 'PrepareAbort durable, no marker sent' },
    requires: 'A for the old transaction, by new C; init retry then succeeds',
    ...TAKEN_OVER,
    faults: [crashAt('txn.prepare-abort.durable', { where: { reason: 'init' } })],
  },
  {
    ...INIT,
    ...{ id: 'CP-7', name: 'init-fence-between-abort-and-retry', victim: 'P (new)' },
    point: 'CompleteAbort durable, new P never retries',
    requires:
      'A; TV1: old P stays fenced. TV2: its Produce and commit are refused, its abort adopts the fenced epoch (T-189)',
    fates: FENCED,
    steps: [...WORK, { wait: 'crash' }, '${outcome}'],
    clients: [{ id: 'usurper', transactional: ID, start: { after: 'app.send-offsets.ok' }, steps: ['init'] }],
    faults: [
      {
        ...{ id: 'unheard', at: 'rpc.InitProducerId.response', where: { error: 'CONCURRENT_TRANSACTIONS' } },
        ...{ do: 'drop', until: 'crash' },
      },
      { id: 'crash', after: `unheard + txn(${ID}) = CompleteAbort`, do: { kill: 'client(usurper)' } },
    ],
    expect: [
      { when: { outcome: 'commit' }, client: 'app', op: 'commit', outcome: 'error' },
      { when: { outcome: 'abort', version: 1 }, client: 'app', op: 'abort', outcome: 'error' },
      { when: { outcome: 'abort', version: 2 }, client: 'app', op: 'abort', outcome: 'ok' },
    ],
  },
  {
    ...INIT,
    ...{ id: 'CP-8', name: 'pid-block-lost', victim: 'broker or K' },
    point: 'block allocated and persisted, not used or not answered',
    requires: 'Ids skipped, never reused, no two producers share a PID',
    fates: AS_ENDED,
    faults: [{ id: 'crash', at: 'rpc.AllocateProducerIds.response', do: 'kill' }],
    back: ['restarts'],
    clients: [
      {
        id: 'other',
        transactional: 'other',
        start: { after: 'app.done' },
        steps: ['begin', 'send orders/0 d0', 'commit'],
      },
    ],
    expect: [{ client: 'other', op: 'commit', outcome: 'ok' }],
  },
];
