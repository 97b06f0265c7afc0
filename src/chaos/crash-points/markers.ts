// Rows CP-41 to CP-54: markers on their way from the coordinator to the leaders and into their logs.
import {
  crashAt,
  ID,
  MEANWHILE,
  PARTIALLY_WRITTEN,
  READS_ON,
  strikeAt,
  UNSTABLE,
  WORK,
  type CrashPoint,
} from './row.ts';

const MARKERS = { group: 'Markers' } as const;
const BOTH = { commit: ['C'], abort: ['A'] } as const;
const ORDERS_0 = { topic: 'orders', partition: 0 };
const OFFSETS = { topic: '__consumer_offsets' };

export const MARKER_ROWS: readonly CrashPoint[] = [
  {
    ...MARKERS,
    ...{ id: 'CP-41', name: 'marker-request-unsent', victim: 'C', point: 'queued, not sent' },
    requires: 'C by new C, all partitions',
    fates: BOTH,
    faults: [crashAt('txn.marker.sending')],
  },
  {
    ...MARKERS,
    ...{ id: 'CP-42', name: 'marker-request-in-flight', victim: 'C' },
    point: 'some leaders have the request, none answered',
    requires: 'C; duplicates allowed',
    fates: BOTH,
    faults: [
      { id: 'arrived', at: 'txn.marker.received', do: 'hold', until: 'crash' },
      { id: 'crash', after: 'arrived', do: { kill: `coordinator(${ID})` } },
    ],
  },
  {
    ...MARKERS,
    ...{ id: 'CP-43', name: 'markers-partially-written', victim: 'C', point: 'marker durable in some partitions only' },
    requires: 'C; the rest written by new C with higher coordinator epoch',
    fates: BOTH,
    faults: PARTIALLY_WRITTEN,
  },
  {
    ...MARKERS,
    ...{ id: 'CP-44', name: 'markers-partially-acked', victim: 'C', point: 'C removed some partitions from its set' },
    requires: 'C; new C re-sends to all (set in log is complete)',
    fates: BOTH,
    faults: [crashAt('txn.marker.acked', { nth: 2 })],
  },
  {
    ...MARKERS,
    ...{ id: 'CP-45', name: 'marker-before-leader-append', victim: 'L', point: 'request received, not appended' },
    requires: 'C; resent to the new leader',
    fates: BOTH,
    faults: [strikeAt('txn.marker.received', ORDERS_0)],
  },
  {
    ...MARKERS,
    ...{ id: 'CP-46', name: 'marker-appended-unreplicated', victim: 'L', point: 'marker on old leader only' },
    requires: 'C; LSO there stayed at the first offset; marker truncated or kept, resent',
    fates: BOTH,
    faults: [strikeAt('txn.marker.appended', ORDERS_0)],
  },
  {
    ...MARKERS,
    ...{ id: 'CP-47', name: 'marker-replicated-response-lost', victim: 'L or net' },
    point: 'marker below HW, answer lost',
    requires: 'C; second marker is a no-op (TV2: answered NONE per T-118)',
    fates: BOTH,
    faults: [strikeAt('txn.marker.durable', ORDERS_0)],
  },
  {
    ...MARKERS,
    ...{ id: 'CP-48', name: 'marker-min-isr-refused', victim: 'ISR < min at L' },
    point: 'NOT_ENOUGH_REPLICAS (offsets partition: appended, then REQUEST_TIMED_OUT)',
    requires: 'C once ISR recovers; CONCURRENT_TRANSACTIONS meanwhile',
    fates: BOTH,
    orders: { 'min.insync.replicas': 3 },
    steps: [...WORK, { wait: 'crash + 2500ms' }, '${outcome}', 'begin', 'send orders/0 b0', 'commit'],
    back: [],
    faults: [
      { id: 'crash', after: 'app.send-offsets.ok', do: { kill: 'leader(orders-1)' } },
      {
        ...{ id: 'refused', at: 'rpc.WriteTxnMarkers.response', where: { error: 'NOT_ENOUGH_REPLICAS' } },
        ...{ times: 1, do: 'notify' },
      },
      ...MEANWHILE.faults,
      { id: 'back', after: 'refused + 400ms', do: { start: 'crash.node' } },
    ],
    expect: MEANWHILE.expect,
  },
  {
    ...MARKERS,
    ...{ id: 'CP-49', name: 'marker-leader-unknown', victim: 'L', point: 'partition leaderless' },
    requires: 'C after election; waits in unknown queue',
    fates: BOTH,
    topics: [{ name: 'side', replicas: [2] }],
    steps: [...WORK, 'send side/0 a2', '${outcome}', 'begin', 'send orders/0 b0', 'commit'],
    back: [],
    faults: [
      { id: 'crash', at: 'txn.marker.sending', where: { topic: 'side' }, do: { kill: 'leader(side-0)' } },
      { id: 'leaderless', at: 'controller.elected', where: { topic: 'side', leader: -1 }, times: 1, do: 'notify' },
      { id: 'back', after: 'leaderless + 300ms', do: { start: 'crash.node' } },
    ],
  },
  {
    ...MARKERS,
    ...{ id: 'CP-50', name: 'marker-topic-deleted', victim: 'none', point: 'topic deleted while PrepareCommit' },
    requires: 'C for remaining partitions; completion not blocked',
    fates: BOTH,
    topics: [{ name: 'side', rf: 3, config: { 'min.insync.replicas': 2 } }],
    steps: [...WORK, 'send side/0 a2', '${outcome}', 'begin', 'send orders/0 b0', 'commit'],
    faults: [
      {
        ...{ id: 'crash', at: 'txn.marker.sending', where: { topic: 'side', coordinatorEpoch: 0 }, nth: 1 },
        ...{ do: { delete: 'side' } },
      },
    ],
  },
  {
    ...MARKERS,
    ...{ id: 'CP-51', name: 'marker-offsets-before-materialise', victim: 'G' },
    point:
      'marker durable in offsets partition, not answered (here the offsets are materialised with the append, T-71)',
    requires:
      'C; new G materialises on load; no reader sees old offsets as stable after the marker was acknowledged (T-71)',
    fates: BOTH,
    faults: [strikeAt('txn.marker.durable', OFFSETS)],
    ...READS_ON,
  },
  {
    ...MARKERS,
    ...{ id: 'CP-52', name: 'marker-offsets-unreplicated', victim: 'G', point: 'marker on old leader only' },
    requires: 'C; offsets become visible only after the resent marker is durable',
    fates: BOTH,
    clients: READS_ON.clients,
    faults: [
      strikeAt('txn.marker.appended', OFFSETS),
      UNSTABLE,
      {
        ...{ id: 'resent', at: 'txn.marker.received', where: { ...OFFSETS, leaderEpoch: '>=1' } },
        // Not before a reader has met the offsets without a marker; the longer it takes, the less there is to hold.
        ...{ do: 'hold', until: 'unstable', optional: true },
      },
      { id: 'visible', at: 'group.offsets.visible', where: { group: 'copy' }, do: 'notify', optional: true },
    ],
    expect: [
      { order: ['crash', 'unstable'] },
      { when: { outcome: 'commit' }, order: ['crash', 'unstable', 'visible'] },
      ...READS_ON.expect,
    ],
  },
  {
    ...MARKERS,
    ...{ id: 'CP-53', name: 'marker-zombie-coordinator', victim: 'C isolated, alive' },
    point: 'old C sends markers after new C was elected',
    requires: 'Same outcome (decision is durable); refused by TRANSACTION_COORDINATOR_FENCED where newer C has written',
    fates: BOTH,
    faults: [
      { id: 'unsent', at: 'txn.marker.sending', where: { coordinatorEpoch: 0 }, do: 'hold' },
      { id: 'crash', after: 'unsent', do: { cut: { from: 'controller', to: `coordinator(${ID})` } } },
      { id: 'zombie', after: `crash + txn(${ID}) = [CompleteCommit, CompleteAbort]`, do: { release: 'unsent' } },
      {
        ...{ id: 'fenced', at: 'rpc.WriteTxnMarkers.response', where: { error: 'TRANSACTION_COORDINATOR_FENCED' } },
        ...{ times: 1, do: 'notify' },
      },
      { id: 'mended', after: 'fenced + 200ms', do: { mend: { from: 'controller', to: 'unsent.node' } } },
    ],
  },
  {
    ...MARKERS,
    ...{ id: 'CP-54', name: 'marker-txnindex-write-failed', victim: 'L disk' },
    point: 'ABORT marker appended, index entry not (here the two are one write; L dies right behind it)',
    requires: 'LSO must not pass it until repaired; after recovery the entry exists',
    fates: { abort: ['A'] },
    omits: 'only what is aborted is indexed',
    faults: [strikeAt('txn.marker.appended', { ...ORDERS_0, outcome: 'abort' })],
  },
];
