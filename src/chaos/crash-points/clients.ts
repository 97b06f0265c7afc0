// Rows CP-83 to CP-95: producers that die or stand still, their successors, and readers whose leader dies. A producer that is dead
// does not come back: `next` is its successor, and takes over at once.
import type { RawFault } from '../schema.ts';
import { ID, strikeAt, WORK, type CrashPoint } from './row.ts';

const CLIENTS = { group: 'Producer and consumer' } as const;
const BOTH = { commit: ['C'], abort: ['A'] } as const;
const ORDERS_1 = { topic: 'orders', partition: 1 };

/** The producer dies before it says how its transaction ends. */
const UNDECIDED = {
  ...CLIENTS,
  omits: 'the producer dies before it says how it ends',
  back: [],
  nextAfter: 'crash',
} as const;
/** It has said so. */
const DECIDED = { ...CLIENTS, fates: BOTH, back: [], nextAfter: 'crash' } as const;

/** The fault `crash` at a point of `app`: kills its process. */
function killAt(point: string, more: Partial<RawFault> = {}): RawFault {
  return { id: 'crash', at: `client.app.${point}`, ...more, do: { kill: 'node' } };
}

/** Copies input to orders, a transaction a poll. */
const COPY = { copy: { from: 'input', to: 'orders' }, group: 'copy', config: { 'session.timeout.ms': 1000 } } as const;
const AGAIN: readonly RawFault[] = [{ id: 'again', after: 'crash', do: { start: 'client(app)' } }];

export const CLIENT_ROWS: readonly CrashPoint[] = [
  {
    ...UNDECIDED,
    ...{ id: 'CP-83', name: 'producer-kill-after-init', victim: 'P', point: 'no transaction' },
    requires: 'N; epoch advanced',
    fates: { commit: ['N'] },
    faults: [killAt('init.end')],
    expect: [{ epoch: ID, of: 'next', above: 'app' }],
  },
  {
    ...UNDECIDED,
    ...{ id: 'CP-84', name: 'producer-kill-after-begin', victim: 'P', point: 'begin is local', requires: 'N' },
    fates: { commit: ['N'] },
    faults: [killAt('begin.end')],
  },
  {
    ...UNDECIDED,
    ...{ id: 'CP-85', name: 'producer-kill-with-unsent-batches', victim: 'P', point: 'some batches never sent' },
    requires: "A by timeout or by the successor's init",
    fates: { commit: ['A'] },
    faults: [strikeAt('rpc.Produce.request', { ...ORDERS_1, transactionalId: ID })],
    expect: [{ log: 'orders-0', marker: 'abort', closes: 'a0' }, { never: 'visible(ru, a1)' }],
  },
  {
    ...UNDECIDED,
    ...{ id: 'CP-86', name: 'producer-kill-after-flush', victim: 'P', point: 'all data durable, no EndTxn' },
    requires: 'A, here by the timeout',
    fates: { commit: ['A'] },
    app: { timeout: '1s' },
    nextAfter: `txn(${ID}) = CompleteAbort`,
    faults: [killAt('send.end', { where: { value: 'a1' } })],
    expect: [
      { log: 'orders-0', marker: 'abort', closes: 'a0' },
      { log: 'orders-1', marker: 'abort', closes: 'a1' },
    ],
  },
  {
    ...UNDECIDED,
    ...{ id: 'CP-87', name: 'producer-kill-after-offsets', victim: 'P', point: 'data and offsets pending' },
    requires: 'A; committed offset unchanged',
    fates: { commit: ['A'] },
    faults: [killAt('send-offsets.end')],
  },
  {
    ...DECIDED,
    ...{ id: 'CP-88', name: 'producer-kill-commit-in-flight', victim: 'P', point: 'EndTxn sent, answer unknown' },
    requires: "E; successor's init waits for PrepareX to finish, then reads committed offsets",
    faults: [
      { id: 'unsent', at: 'txn.marker.sending', where: { transactionalId: ID }, do: 'hold', until: 'waits' },
      { id: 'crash', at: 'rpc.EndTxn.response', nth: 1, do: { kill: 'client(app)' } },
      { id: 'waits', at: 'rpc.InitProducerId.response', where: { error: 'CONCURRENT_TRANSACTIONS' }, do: 'notify' },
    ],
    expect: [{ order: ['crash', 'waits', 'next.init.ok'] }],
  },
  {
    ...DECIDED,
    ...{ id: 'CP-89', name: 'producer-kill-after-commit-ok', victim: 'P' },
    point: 'success seen, application state not updated',
    requires: 'C',
    faults: [killAt('${outcome}.end')],
  },
  {
    ...CLIENTS,
    ...{ id: 'CP-90', name: 'producer-pause-past-timeout', victim: 'P paused', point: 'transaction timed out' },
    requires: 'A; on wake-up T-167 (TV1: fenced; TV2: recovers by aborting)',
    fates: { commit: ['A'], abort: ['A'] },
    app: { timeout: '1s' },
    steps: [...WORK, 'send orders/0 a2', '${outcome}', 'begin', 'send orders/0 b0', 'commit'],
    faults: [
      { id: 'crash', at: 'client.app.send-offsets.end', nth: 1, do: { pause: 'node' } },
      { id: 'awake', after: `crash + txn(${ID}) = CompleteAbort`, do: { resume: 'client(app)' } },
    ],
    expect: [
      { client: 'app', op: 'send', outcome: 'error', code: 'INVALID_PRODUCER_EPOCH' },
      { when: { version: 1 }, client: 'app', op: 'abort', outcome: 'error', code: 'PRODUCER_FENCED' },
      { when: { version: 2 }, client: 'app', op: 'abort', outcome: 'ok' },
      { when: { version: 2 }, client: 'app', op: 'commit', outcome: 'ok' },
      { never: 'visible(rc, a2)' },
    ],
  },
  {
    ...CLIENTS,
    ...{ id: 'CP-91', name: 'producer-pause-and-replaced', victim: 'P paused', point: 'successor initialised' },
    requires: 'Old transaction A; zombie never commits',
    fates: { commit: ['A'], abort: ['A'] },
    steps: [...WORK, 'send orders/0 a2', '${outcome}', 'begin', 'send orders/0 b0', 'commit'],
    nextAfter: 'crash',
    faults: [
      { id: 'crash', at: 'client.app.send-offsets.end', nth: 1, do: { pause: 'node' } },
      { id: 'awake', after: 'next.init.ok', do: { resume: 'client(app)' } },
    ],
    expect: [
      { epoch: ID, of: 'next', above: 'app' },
      { client: 'app', op: 'send | abort', outcome: 'error', code: ['PRODUCER_FENCED', 'INVALID_PRODUCER_EPOCH'] },
      { never: 'visible(rc, a2 | b0)' },
    ],
  },
  {
    ...CLIENTS,
    ...{ id: 'CP-92', name: 'ctp-kill-after-poll', victim: 'P+consumer', point: 'input read, no transaction' },
    requires: 'N; input re-read from committed offset',
    fates: { commit: ['N'] },
    omits: UNDECIDED.omits,
    app: COPY,
    nextAfter: 'visible(rc, i0)',
    clients: [{ id: 'feed', produce: 'input', steps: ['send i0'] }],
    faults: [killAt('begin.start', { nth: 1, times: 1 }), ...AGAIN],
    back: [],
    expect: [{ order: ['crash', 'again', 'visible(rc, i0)'] }],
  },
  {
    ...CLIENTS,
    ...{ id: 'CP-93', name: 'ctp-kill-between-commit-and-poll', victim: 'P+consumer', point: 'committed' },
    requires: 'C; next start resumes after it; no duplicate',
    fates: { commit: ['C'] },
    omits: 'what it reads, it commits',
    app: COPY,
    nextAfter: 'visible(rc, i1)',
    clients: [{ id: 'feed', produce: 'input', steps: ['send a0', { wait: 'again' }, 'send i1'] }],
    faults: [killAt('commit.end', { nth: 1, times: 1 }), ...AGAIN],
    back: [],
    expect: [{ order: ['crash', 'again', 'visible(rc, i1)'] }],
  },
  {
    ...CLIENTS,
    ...{ id: 'CP-94', name: 'ctp-abort-without-rewind', victim: 'application bug', point: 'abort, no seek' },
    requires: 'Input lost from output: the checker must detect it',
    fates: { commit: ['A'] },
    omits: 'it aborts because its offsets are refused, whatever it wants',
    app: COPY,
    nextAfter: 'visible(rc, i1)',
    clients: [{ id: 'feed', produce: 'input', steps: ['send a0', { wait: 'app.abort.ok' }, 'send i1'] }],
    safeguards: { 'ctp.rewind': 'off' },
    faults: [
      {
        ...{ id: 'crash', at: 'rpc.TxnOffsetCommit.response', where: { topic: 'input' }, nth: 1, times: 1 },
        ...{ do: { error: 'ILLEGAL_GENERATION' } },
      },
    ],
    except: ['eos-violation'],
    expect: [{ finds: 'eos-violation', with: { partition: 'input-0', how: 'missing', input: 0 } }],
  },
  {
    ...CLIENTS,
    ...{ id: 'CP-95', name: 'reader-failover-mid-fetch', victim: 'L' },
    point: 'read_committed consumer between fetches, in the midst of the transaction',
    requires: 'No record repeated or skipped; filter state is per response',
    fates: BOTH,
    topics: [{ name: 'quiet', rf: 3, config: { 'min.insync.replicas': 2 } }],
    steps: [...WORK, 'send quiet/0 a2 a3 a4', '${outcome}', 'begin', 'send quiet/0 b0', 'commit'],
    // It takes a batch at a time.
    clients: [
      {
        ...{ id: 'slow', consume: 'quiet', isolation: 'read_committed', start: { after: 'app.done' } },
        config: { 'max.partition.fetch.bytes': 1, 'max.poll.records': 1 },
      },
    ],
    nextAfter: 'crash',
    faults: [
      {
        ...{ id: 'crash', at: 'rpc.ConsumerFetch.request', where: { topic: 'quiet', offset: 1 } },
        ...{ do: { kill: 'leader(quiet-0)' } },
      },
    ],
    expect: [
      { eventually: 'visible(slow, b0)' },
      { when: { outcome: 'commit' }, eventually: 'visible(slow, a4)' },
      { when: { outcome: 'abort' }, never: 'visible(slow, a2 | a3 | a4)' },
    ],
  },
];
