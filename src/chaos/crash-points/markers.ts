// Rows CP-41 to CP-54: markers on their way from the coordinator to the leaders and into their logs.
import { crashAt, ID, strikeAt, type CrashPoint } from './row.ts';

const MARKERS = { group: 'Markers' } as const;
const BOTH = { commit: ['C'], abort: ['A'] } as const;
const ORDERS_0 = { topic: 'orders', partition: 0 };
const ORDERS_1 = { topic: 'orders', partition: 1 };
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
    faults: [
      { id: 'missing', at: 'txn.marker.received', where: ORDERS_1, do: 'hold', until: 'crash' },
      { id: 'crash', at: 'txn.marker.durable', where: ORDERS_0, do: { kill: `coordinator(${ID})` } },
    ],
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
    ...{ id: 'CP-51', name: 'marker-offsets-before-materialise', victim: 'G' },
    point:
      'marker durable in offsets partition, not answered (here the offsets are materialised with the append, T-71)',
    requires:
      'C; new G materialises on load; no reader sees old offsets as stable after the marker was acknowledged (T-71)',
    fates: BOTH,
    faults: [strikeAt('txn.marker.durable', OFFSETS)],
  },
  {
    ...MARKERS,
    ...{ id: 'CP-52', name: 'marker-offsets-unreplicated', victim: 'G', point: 'marker on old leader only' },
    requires: 'C; offsets become visible only after the resent marker is durable',
    fates: BOTH,
    faults: [strikeAt('txn.marker.appended', OFFSETS)],
  },
];
