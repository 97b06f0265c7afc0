// Rows CP-81 and CP-82: what an unclean election loses, legally. The records of one partition, `loose`, live on two brokers: one dies
// before the other has everything, and is made leader when that one is dead as well.
import type { RawExpectation, RawFault } from '../schema.ts';
import { ID, offsets, type CrashPoint, type RawSteps } from './row.ts';

/** Brokers that have `loose`: its leader, and the one that does not get everything. */
const [LEADER, BEHIND] = [1, 2];
const LOOSE = { topic: 'loose', partition: 0 };

const UNCLEAN: Pick<CrashPoint, 'group' | 'victim' | 'fates' | 'back' | 'topics'> = {
  group: 'Unclean data loss',
  victim: 'L, unclean election',
  fates: { commit: ['C'], abort: ['A'] },
  back: [],
  topics: [
    {
      name: 'loose',
      replicas: [LEADER, BEHIND],
      config: { 'min.insync.replicas': 1, 'unclean.leader.election.enable': true },
    },
  ],
};

const AFTERWARDS: RawSteps = ['begin', 'send orders/0 b0', 'commit'];

/** The leader dies, the broker that lacks something leads, and the old leader comes back behind it. */
function lostBy(moment: string): readonly RawFault[] {
  return [
    { id: 'crash', after: moment, do: { kill: LEADER } },
    { id: 'first', after: `crash + fenced(${LEADER})`, do: { start: 'behind.node' } },
    { id: 'elected', at: 'controller.leader.unclean', where: LOOSE, do: 'notify' },
    { id: 'back', after: 'elected', do: { start: 'crash.node' } },
  ];
}

/** What is gone at its offset in `loose` was promised if the transaction was committed, and is a legal loss. */
const LEGAL: RawExpectation = {
  ...{ when: { outcome: 'commit' }, allows: [0] },
  because: 'the topic allows unclean elections',
};

export const UNCLEAN_ROWS: readonly CrashPoint[] = [
  {
    ...UNCLEAN,
    ...{ id: 'CP-81', name: 'unclean-loses-marker', point: 'marker durable, then lost with CompleteX logged' },
    requires:
      'Partition hangs: C will not re-send. Checker must classify as unclean loss; repair = find-hanging + abort',
    steps: [
      ...['begin', 'send loose/0 a2', 'send orders/0 a0', 'send orders/1 a1'],
      ...[offsets(), { wait: 'behind' }, '${outcome}', { wait: `back + isr(loose-0) = [${LEADER}, ${BEHIND}]` }],
      ...AFTERWARDS,
    ],
    faults: [
      { id: 'behind', after: `app.send-offsets.ok + replicated(loose-0, 1)`, do: { kill: BEHIND } },
      { id: 'marked', at: 'txn.marker.durable', where: LOOSE, do: 'notify' },
      ...lostBy(`marked + txn(${ID}) = [CompleteCommit, CompleteAbort]`),
      { id: 'repaired', after: 'next.done + lso(loose-0) = 0', do: { 'abort-hanging': 'loose-0' } },
    ],
    expect: [
      { order: ['marked', 'crash', 'elected', 'next.done', 'lso(loose-0) = 0', 'repaired'] },
      { log: 'loose-0', marker: 'abort', closes: 'a2' },
      { eventually: 'lso(loose-0) = hw' },
      LEGAL,
    ],
  },
  {
    ...UNCLEAN,
    ...{ id: 'CP-82', name: 'unclean-loses-data', point: 'transactional data lost before commit' },
    requires:
      "C with missing data in that partition (not detected by C; the producer's next batch gets OUT_OF_ORDER if sequences gap)",
    steps: [
      ...['begin', { wait: `behind + isr(loose-0) = [${LEADER}]` }, 'send loose/0 a2'],
      ...[{ wait: 'back' }, 'send orders/0 a0', 'send orders/1 a1', offsets(), '${outcome}'],
      ...AFTERWARDS,
    ],
    faults: [{ id: 'behind', after: 'app.begin.ok', do: { kill: BEHIND } }, ...lostBy('app.send(a2).ok')],
    expect: [{ order: ['app.send(a2).ok', 'crash', 'elected', 'app.send(a0).ok'] }, LEGAL],
  },
];
