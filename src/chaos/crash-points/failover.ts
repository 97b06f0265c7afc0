// Rows CP-71 to CP-80: one failover after another, and failovers that have to wait.
import type { RawFault } from '../schema.ts';
import { crashAt, ID, strikeAt, WORK, type CrashPoint } from './row.ts';

const FAILOVER = { group: 'Failover machinery' } as const;
const BOTH = { commit: ['C'], abort: ['A'] } as const;
const LOG = '__transaction_state-0';

/** The first failover: the decision is durable, and its coordinator dies. It is back in time for the next one. */
const DECIDED: readonly RawFault[] = [
  { id: 'decided', at: 'txn.prepare-${outcome}.durable', where: { transactionalId: ID }, do: { kill: 'node' } },
  { id: 'first-back', after: 'decided + 300ms', do: { start: 'decided.node' } },
];

export const FAILOVER_ROWS: readonly CrashPoint[] = [
  {
    ...FAILOVER,
    ...{ id: 'CP-71', name: 'election-gap', victim: 'K slow', point: 'transaction partition leaderless' },
    requires: 'No progress, no outcome change; COORDINATOR_NOT_AVAILABLE',
    fates: BOTH,
    faults: [
      {
        ...{ id: 'slow', at: 'txn.prepare-${outcome}.appended', where: { transactionalId: ID } },
        ...{ do: { pause: 'controller' } },
      },
      crashAt('txn.end.responding'),
      { id: 'awake', after: 'crash + 1500ms', do: { resume: 'controller' } },
    ],
  },
  {
    ...FAILOVER,
    ...{ id: 'CP-72', name: 'load-interrupted', victim: 'new C', point: 'dies while loading' },
    requires: 'Third C loads the same log; as if it never existed',
    fates: BOTH,
    faults: [...DECIDED, strikeAt('txn.load.started', { coordinatorEpoch: '>=1' })],
  },
  {
    ...FAILOVER,
    ...{ id: 'CP-73', name: 'load-lost-leadership', victim: 'none', point: 'resigns while loading' },
    requires: 'Partial cache discarded; nothing sent',
    fates: BOTH,
    faults: [
      ...DECIDED,
      { id: 'loading', at: 'txn.load.started', where: { coordinatorEpoch: 1 }, do: 'hold', until: 'crash' },
      {
        id: 'crash',
        after: `loading + isr(${LOG}) = [1, 2, 3]`,
        do: { elect: { partition: LOG, leader: 'decided.node' } },
      },
    ],
  },
  {
    ...FAILOVER,
    ...{ id: 'CP-74', name: 'load-done-before-resend', victim: 'new C', point: 'cache installed, markers not queued' },
    requires: 'Third C re-sends',
    fates: BOTH,
    faults: [...DECIDED, strikeAt('txn.load.finished', { coordinatorEpoch: '>=1', pending: '>=1' })],
  },
  {
    ...FAILOVER,
    ...{ id: 'CP-75', name: 'resend-partially-done', victim: 'new C', point: 'second failover in mid-resend' },
    requires: 'Outcome of the PrepareX record; three generations of markers allowed',
    fates: BOTH,
    faults: [...DECIDED, strikeAt('txn.marker.acked', { coordinatorEpoch: '>=1' }, { nth: 2 })],
  },
  {
    ...FAILOVER,
    ...{ id: 'CP-76', name: 'coordinator-flap', victim: 'leadership A to B to A' },
    point: "A's old in-flight appends complete late",
    requires: 'Old callbacks rejected by epoch; no transition from them',
    fates: BOTH,
    faults: [
      {
        ...{ id: 'in-flight', at: 'txn.prepare-${outcome}.appended', where: { coordinatorEpoch: 0 } },
        ...{ do: 'hold', until: 'again + 200ms' },
      },
      { id: 'crash', after: 'in-flight', do: { elect: { partition: LOG, leader: `followers(${LOG})` } } },
      { id: 'again', after: 'crash + 300ms', do: { elect: { partition: LOG, leader: 'in-flight.node' } } },
    ],
  },
  {
    ...FAILOVER,
    ...{
      id: 'CP-77',
      name: 'colocated-kill',
      victim: 'C = L = G on one broker',
      point: 'decision durable; any point above',
    },
    requires: 'Row outcomes combine; same code',
    fates: BOTH,
    steps: [
      ...WORK,
      { wait: 'leads-0 + leads-1 + leads-group + 300ms' },
      '${outcome}',
      'begin',
      'send orders/0 b0',
      'commit',
    ],
    faults: [
      ...[
        ['leads-0', 'orders-0'],
        ['leads-1', 'orders-1'],
        ['leads-group', '__consumer_offsets-0'],
      ].map(([id, partition]): RawFault => ({
        ...{ id: id!, after: 'app.send-offsets.ok' },
        do: { elect: { partition, leader: `coordinator(${ID})` } },
      })),
      crashAt('txn.prepare-${outcome}.durable'),
    ],
  },
  {
    ...FAILOVER,
    ...{ id: 'CP-78', name: 'controller-down-during-failover', victim: 'K then C', point: 'no election possible' },
    requires: 'Waits; outcome per durable state when K returns',
    fates: BOTH,
    faults: [
      {
        ...{ id: 'controller-down', at: 'txn.prepare-${outcome}.appended', where: { transactionalId: ID } },
        ...{ do: { kill: 'controller' } },
      },
      crashAt('txn.end.responding'),
      { id: 'controller-back', after: 'crash + 1500ms', do: { start: 'controller' } },
    ],
  },
  {
    ...FAILOVER,
    ...{ id: 'CP-79', name: 'all-transaction-replicas-down', victim: 'all ISR of the partition', point: 'unavailable' },
    requires: 'No outcome change after restart (no unclean election here)',
    fates: BOTH,
    brokers: 4,
    back: ['restarts'],
    faults: [crashAt('txn.prepare-${outcome}.durable', { do: { kill: `isr(${LOG})` } })],
  },
  {
    ...FAILOVER,
    ...{
      id: 'CP-80',
      name: 'whole-cluster-restart',
      victim: 'everyone',
      point: 'between any two steps: the decision is durable',
    },
    requires: 'Outcome per last durable record',
    fates: BOTH,
    back: ['restarts'],
    faults: [
      crashAt('txn.prepare-${outcome}.durable', { do: { kill: `replicas(${LOG})` } }),
      { id: 'controller-down', after: 'crash', do: { kill: 'controller' } },
      { id: 'controller-back', after: 'crash + 1s', do: { start: 'controller' } },
    ],
  },
];
