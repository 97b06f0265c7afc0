// Rows CP-26 to CP-31: offsets that a transaction commits, on their way into the group coordinator's log, and groups that move
// on meanwhile.
import { READS_ON, strikeAt, UNSTABLE, WORK, type CrashPoint } from './row.ts';

const OFFSETS = { group: 'TxnOffsetCommit' } as const;
const BOTH = { commit: ['C'], abort: ['A'] } as const;
const COPY = { group: 'copy' };

const MEMBER = { group: 'copy', config: { 'session.timeout.ms': 1000 } };

/** Two workers of a group, one after the other; the second writes elsewhere, so that it can be told who wrote what. */
const WORKERS: Pick<CrashPoint, 'app' | 'topics' | 'clients'> = {
  app: { copy: { from: 'input', to: 'orders' }, ...MEMBER },
  topics: [{ name: 'again', rf: 3, config: { 'min.insync.replicas': 2 } }],
  clients: [
    { id: 'feed', produce: 'input', steps: ['send a0'] },
    {
      ...{ id: 'other', copy: { from: 'input', to: 'again' }, transactional: 'other', start: { after: 'crash' } },
      ...MEMBER,
    },
    { id: 'redone', consume: 'again', isolation: 'read_committed' },
  ],
};

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
  {
    ...OFFSETS,
    ...{ id: 'CP-29', name: 'group-reload-with-pending', victim: 'G', point: 'pending offsets exist' },
    requires: 'New G rebuilds pending; requireStable readers still get UNSTABLE_OFFSET_COMMIT',
    fates: BOTH,
    steps: [...WORK, { wait: 'unstable' }, '${outcome}', 'begin', 'send orders/0 b0', 'commit'],
    clients: READS_ON.clients,
    faults: [{ id: 'crash', after: 'app.send-offsets.ok', do: { kill: 'group-coordinator(copy)' } }, UNSTABLE],
    expect: [{ order: ['crash', 'unstable', 'app.${outcome}.ok'] }, ...READS_ON.expect],
  },
  {
    ...OFFSETS,
    ...{ id: 'CP-30', name: 'rebalance-before-txnoffset', victim: 'none' },
    point: 'generation moves on: the worker stands still with its output written, and another one takes over',
    requires: 'ILLEGAL_GENERATION (no member any more: UNKNOWN_MEMBER_ID); A; input reprocessed by the new owner',
    fates: { commit: ['A'] },
    omits: 'a worker does not choose to abort',
    ...WORKERS,
    nextAfter: 'app.abort.ok',
    faults: [
      { id: 'crash', at: 'client.app.send.end', where: { value: 'a0' }, nth: 1, do: { pause: 'node' } },
      { id: 'awake', after: 'other.commit.ok', do: { resume: 'client(app)' } },
    ],
    expect: [
      { client: 'app', op: 'send-offsets', outcome: 'error', code: ['ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID'] },
      { eventually: 'visible(redone, a0)' },
    ],
  },
  {
    ...OFFSETS,
    ...{ id: 'CP-31', name: 'rebalance-after-txnoffset', victim: 'none' },
    point: 'generation moves on behind the offsets of the worker, EndTxn follows',
    requires: 'C or A as P decides; new owner waits for the decision before reading',
    fates: { commit: ['C'] },
    omits: 'a worker does not choose to abort',
    ...WORKERS,
    nextAfter: 'app.commit.ok + idle(other)',
    faults: [
      { id: 'crash', at: 'client.app.send-offsets.end', nth: 1, do: { pause: 'node' } },
      UNSTABLE,
      { id: 'awake', after: 'unstable', do: { resume: 'client(app)' } },
    ],
    expect: [{ order: ['crash', 'unstable', 'app.commit.ok', 'idle(other)'] }, { never: 'visible(redone, a0)' }],
  },
];
