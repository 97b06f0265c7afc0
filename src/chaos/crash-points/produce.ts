// Rows CP-16 to CP-25: records of a transaction on their way into a leader's log, verified and not, replicated and not.
import { ID, offsets, strikeAt, type CrashPoint, type RawSteps } from './row.ts';

const PRODUCE = { group: 'Produce' } as const;
const BOTH = { commit: ['C'], abort: ['A'] } as const;
const ORDERS_0 = { topic: 'orders', partition: 0 };
const NEXT: RawSteps = ['${outcome}', 'begin', 'send orders/0 b0', 'commit'];

/** Brokers that are no preferred leader of orders-0: who verifies again is one of them. */
const OTHERS = [2, 3];

export const PRODUCE_ROWS: readonly CrashPoint[] = [
  {
    ...PRODUCE,
    ...{ id: 'CP-16', name: 'produce-verify-in-flight', victim: 'C', point: 'L waits for verification' },
    requires: 'Retriable error to P, nothing appended, retry verifies at new C',
    fates: BOTH,
    faults: [
      {
        ...{ id: 'crash', at: 'rpc.VerifyTransactions.request', where: { node: 1, transactionalId: ID } },
        ...{ do: { kill: `coordinator(${ID})` } },
      },
      { id: 'verified', at: 'txn.verified', where: ORDERS_0, do: 'notify' },
    ],
    expect: [{ order: ['crash', 'verified', 'app.send(a0).ok'] }],
  },
  {
    ...PRODUCE,
    ...{ id: 'CP-17', name: 'produce-verified-before-append', victim: 'L', point: 'verified, not appended' },
    requires: 'Nothing in log; retry at new L verifies again (guards are not inherited)',
    fates: BOTH,
    faults: [
      strikeAt('txn.verified', ORDERS_0),
      { id: 'again', at: 'txn.verified', where: { ...ORDERS_0, node: OTHERS }, do: 'notify' },
    ],
    expect: [{ order: ['crash', 'again', 'app.send(a0).ok'] }],
  },
  {
    ...PRODUCE,
    ...{ id: 'CP-18', name: 'produce-verified-then-aborted', victim: 'none (delay)' },
    point: 'abort completes between verification and append',
    requires: 'Append refused (guard gone); no hanging transaction',
    fates: { commit: ['A'], abort: ['A'] },
    app: { config: { 'request.timeout.ms': 500, 'delivery.timeout.ms': 505 } },
    steps: ['begin', 'send orders/1 a1', 'send orders/0 a0', '${outcome}', { wait: 'refused' }, ...NEXT.slice(1)],
    faults: [
      {
        id: 'crash',
        at: 'txn.verified',
        where: ORDERS_0,
        nth: 1,
        do: 'hold',
        until: `app.abort.ok + txn(${ID}) = [CompleteAbort, Empty]`,
      },
      {
        ...{ id: 'refused', at: 'rpc.Produce.response' },
        ...{ where: { ...ORDERS_0, error: ['INVALID_TXN_STATE', 'INVALID_PRODUCER_EPOCH'] }, do: 'notify' },
      },
    ],
    expect: [{ order: ['crash', 'app.abort.ok', 'refused'] }, { never: 'visible(ru, a0)' }],
  },
  {
    ...PRODUCE,
    ...{ id: 'CP-19', name: 'produce-appended-unreplicated', victim: 'L', point: 'batch on old leader only' },
    requires: 'Batch survives or is truncated; same-sequence retry appends it exactly once',
    fates: BOTH,
    faults: [strikeAt('log.append.leader', ORDERS_0)],
    expect: [{ order: ['crash', 'app.send(a0).ok'] }],
  },
  {
    ...PRODUCE,
    ...{ id: 'CP-20', name: 'produce-replicated-ack-lost', victim: 'L and net' },
    point: 'batch below HW, no answer: the first is lost, the second dies with L',
    requires: 'Retry answered with original offset; one copy',
    fates: BOTH,
    app: { config: { 'request.timeout.ms': 500 } },
    faults: [
      { id: 'lost', at: 'rpc.Produce.response', where: { ...ORDERS_0, node: 1 }, nth: 1, times: 1, do: 'drop' },
      strikeAt('rpc.Produce.response', { ...ORDERS_0, node: 1 }, { nth: 2 }),
    ],
    expect: [{ order: ['lost', 'crash', 'app.send(a0).ok'] }],
  },
  {
    ...PRODUCE,
    ...{ id: 'CP-21', name: 'produce-window-lost', victim: 'L restart' },
    point: 'retry of 2nd newest batch after snapshot reload: both answers are lost, and L stops and starts',
    requires: 'Success or OUT_OF_ORDER (then abort); never a second copy',
    fates: BOTH,
    topics: [{ name: 'solo', replicas: [1], config: { 'min.insync.replicas': 1 } }],
    app: { inFlight: 2 },
    steps: ['begin', 'send solo/0 a2', 'send orders/0 a0', 'send orders/1 a1', offsets(), 'send solo/0 a3 a4', ...NEXT],
    faults: [
      { id: 'lost', at: 'rpc.Produce.response', where: { topic: 'solo', offset: [1, 2] }, do: 'drop', until: 'crash' },
      { id: 'crash', after: 'end(solo-0) >= 3', do: { stop: 'leader(solo-0)' } },
      { id: 'back', after: 'crash', do: { start: 'crash.node' } },
    ],
    // The snapshot of a clean stop has one batch of each producer; the other one is found in the log (txn T-111).
    expect: [{ client: 'app', op: 'send', outcome: 'ok' }],
  },
  {
    ...PRODUCE,
    ...{ id: 'CP-22', name: 'produce-zombie-leader', victim: 'L isolated', point: 'old leader appends, no ISR acks' },
    requires: 'Not acknowledged with acks = all, HW does not move there, suffix truncated on rejoin',
    fates: BOTH,
    // A timeout is no news of a new leader; the age of what it knows makes the producer ask.
    app: { config: { 'request.timeout.ms': 500, 'metadata.max.age.ms': 500 } },
    steps: [
      'begin',
      'send orders/0 a0',
      'send orders/1 a1',
      offsets(),
      { wait: 'cut-off' },
      'send orders/0 a2',
      ...NEXT,
    ],
    faults: [
      { id: 'crash', after: 'app.send-offsets.ok', do: { cut: { from: 1, to: 'replicas(orders-0)' } } },
      { id: 'cut-off', after: 'crash', do: { cut: { from: 1, to: 'controller' } } },
      { id: 'zombie', at: 'log.append.leader', where: { ...ORDERS_0, node: 1 }, nth: 2, do: 'notify' },
      { id: 'mended', after: 'app.send(a2).ok', do: { mend: { from: 1, to: 'replicas(orders-0)' } } },
      { id: 'back', after: 'mended', do: { mend: { from: 1, to: 'controller' } } },
      { id: 'truncated', at: 'log.truncated', where: { ...ORDERS_0, node: 1 }, do: 'notify' },
    ],
    expect: [{ order: ['crash', 'zombie', 'fenced(1)', 'app.send(a2).ok', 'back', 'truncated'] }],
  },
  {
    ...PRODUCE,
    ...{ id: 'CP-23', name: 'leader-kill-mid-transaction', victim: 'L' },
    point: 'several batches durable, transaction open',
    requires: 'New leader has the same currentTxnFirstOffset, window and LSO; transaction continues; C*',
    fates: BOTH,
    steps: [
      'begin',
      'send orders/0 a0 a2',
      'send orders/1 a1',
      offsets(),
      { wait: 'crash' },
      'send orders/0 a3',
      ...NEXT,
    ],
    faults: [{ id: 'crash', after: 'app.send-offsets.ok', do: { kill: 'leader(orders-0)' } }],
    expect: [{ order: ['crash', 'leader(orders-0) = 2', 'lso(orders-0) = 0', 'app.send(a3).ok'] }],
  },
  {
    ...PRODUCE,
    ...{ id: 'CP-24', name: 'leader-restart-no-snapshot', victim: 'L' },
    point:
      "open transaction; orders-0 has no snapshot, rolled-0 only one below the transaction's last batches " +
      '(a damaged one: test/log/producer-state.test.ts, T-112)',
    requires: 'State rebuilt by replay from an older snapshot or log start; same LSO',
    fates: BOTH,
    back: ['restarts'],
    topics: [{ name: 'rolled', rf: 3, config: { 'min.insync.replicas': 2, 'segment.bytes': 100 } }],
    steps: [
      ...['begin', 'send orders/0 a0 a2', 'send orders/1 a1', 'send rolled/0 a3 a4', offsets()],
      ...[{ wait: 'led + led-rolled' }, 'send orders/0 a5', 'send rolled/0 a6', ...NEXT],
    ],
    faults: [
      { id: 'crash', after: 'app.send-offsets.ok', do: { kill: 1 } },
      { id: 'led', after: caughtUp('orders-0'), do: { elect: { partition: 'orders-0', leader: 1 } } },
      { id: 'led-rolled', after: caughtUp('rolled-0'), do: { elect: { partition: 'rolled-0', leader: 1 } } },
    ],
    expect: [
      { order: ['crash', 'back', 'led', 'leader(orders-0) = 1', 'lso(orders-0) = 0', 'app.send(a5).ok'] },
      { order: ['crash', 'back', 'led-rolled', 'leader(rolled-0) = 1', 'lso(rolled-0) = 0', 'app.send(a6).ok'] },
      { eventually: 'lso(rolled-0) = hw' },
    ],
  },
  {
    ...PRODUCE,
    ...{ id: 'CP-25', name: 'follower-promoted-before-hw-catchup', victim: 'L' },
    point: "new leader's HW lags: L dies as its own rises over the marker, and the other follower is slow",
    requires:
      'LSO <= new HW; ListOffsets answers OFFSET_NOT_AVAILABLE until HW reaches the epoch start; nothing undecided served',
    fates: BOTH,
    clients: [{ id: 'late', consume: 'orders', from: 'latest', start: { after: 'leader(orders-0) = 2' } }],
    faults: [
      strikeAt('replica.hw.advanced', { ...ORDERS_0, role: 'leader', offset: 2 }),
      { id: 'slow', at: 'rpc.Fetch.request', where: { ...ORDERS_0, from: 3, to: 2 }, do: 'hold', until: 'unavailable' },
      {
        ...{ id: 'unavailable', at: 'rpc.ListOffsets.response' },
        ...{ where: { ...ORDERS_0, error: 'OFFSET_NOT_AVAILABLE' }, do: 'notify' },
      },
    ],
    expect: [{ order: ['crash', 'leader(orders-0) = 2', 'unavailable'] }],
  },
];

/** The old leader is back, behind a new one. */
function caughtUp(partition: string): string {
  return `back + leader(${partition}) = 2 + isr(${partition}) = [1, 2, 3]`;
}
