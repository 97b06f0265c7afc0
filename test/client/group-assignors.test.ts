// Assignors and the bytes that consumers tell each other: examples by hand, then properties over random groups.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatPartition, type TopicPartition } from '../../src/base/units.ts';
import type { AssignedMember, Assignments, Assignor } from '../../src/client/core/group/assignor.ts';
import { assignorsOf, protocolOf } from '../../src/client/core/group/assignors.ts';
import {
  decodeAssignment,
  decodeSubscription,
  encodeAssignment,
  encodeSubscription,
} from '../../src/client/core/group/consumer-protocol.ts';
import { RANGE, ROUND_ROBIN } from '../../src/client/core/group/simple-assignors.ts';
import { balanced, COOPERATIVE_STICKY } from '../../src/client/core/group/sticky-assignor.ts';

const member = (memberId: string, topics: string[], more: Partial<AssignedMember> = {}): AssignedMember => ({
  ...{ memberId, instanceId: '', topics, userData: null, owned: [], generationId: -1 },
  ...more,
});
const name = ({ topic, partition }: TopicPartition): string => formatPartition(topic, partition);
const parse = (names: string): TopicPartition[] =>
  names === '' ? [] : names.split(' ').map((one) => ({ topic: one.slice(0, -2), partition: Number(one.slice(-1)) }));
const shown = (assignments: Assignments): Record<string, string> =>
  Object.fromEntries([...assignments].map(([id, partitions]) => [id, partitions.map(name).sort().join(' ')]));
const counts = (...of: [string, number][]): Map<string, number> => new Map(of);

describe('range', () => {
  test('each topic is cut into runs; the first members get what is left over', () => {
    const members = [member('b', ['t', 'u']), member('a', ['t', 'u'])];
    expect(shown(RANGE.assign(counts(['t', 3], ['u', 3]), members))).toEqual({
      a: 't-0 t-1 u-0 u-1',
      b: 't-2 u-2',
    });
  });

  test('static members come first, by name, whatever their ids are', () => {
    const members = [member('a', ['t']), member('z', ['t'], { instanceId: 'i' })];
    expect(shown(RANGE.assign(counts(['t', 1]), members))).toEqual({ a: '', z: 't-0' });
  });

  test('topics that nobody knows give nothing', () => {
    expect(shown(RANGE.assign(counts(), [member('a', ['t'])]))).toEqual({ a: '' });
  });
});

describe('roundrobin', () => {
  test('partitions are dealt out over topics', () => {
    const members = [member('a', ['t', 'u']), member('b', ['t', 'u'])];
    expect(shown(ROUND_ROBIN.assign(counts(['t', 3], ['u', 3]), members))).toEqual({
      a: 't-0 t-2 u-1',
      b: 't-1 u-0 u-2',
    });
  });

  test('who does not subscribe is passed over', () => {
    const members = [member('a', ['t']), member('b', ['t', 'u']), member('c', ['u'])];
    expect(shown(ROUND_ROBIN.assign(counts(['t', 2], ['u', 2]), members))).toEqual({
      a: 't-0',
      b: 't-1 u-1',
      c: 'u-0',
    });
  });
});

describe('cooperative-sticky', () => {
  const owns = (id: string, names: string, generationId = 5): AssignedMember =>
    member(id, ['t'], { owned: parse(names), generationId });

  test('a partition that moves is given to nobody until its holder has let it go', () => {
    const first = COOPERATIVE_STICKY.assign(counts(['t', 2]), [owns('a', 't-0 t-1'), owns('b', '')]);
    expect(shown(first)).toEqual({ a: 't-0', b: '' });
    const second = COOPERATIVE_STICKY.assign(counts(['t', 2]), [owns('a', 't-0'), owns('b', '')]);
    expect(shown(second)).toEqual({ a: 't-0', b: 't-1' });
    // BUG-71: without group.ownership two have it.
    const inHaste = COOPERATIVE_STICKY.assign(counts(['t', 2]), [owns('a', 't-0 t-1'), owns('b', '')], true);
    expect(shown(inHaste)).toEqual({ a: 't-0', b: 't-1' });
  });

  test('of two that claim a partition the newer generation has it; of one generation, neither is believed', () => {
    const older = [owns('a', 't-0', 3), owns('b', 't-0', 4)];
    expect(shown(balanced(counts(['t', 1]), older))).toEqual({ a: '', b: 't-0' });
    const same = [owns('a', ''), owns('b', 't-0'), owns('c', 't-0')];
    expect(shown(balanced(counts(['t', 1]), same))).toEqual({ a: 't-0', b: '', c: '' });
    expect(shown(COOPERATIVE_STICKY.assign(counts(['t', 1]), same))).toEqual({ a: '', b: '', c: '' });
  });

  test('members of older versions say their generation in the user data', () => {
    const old = member('a', ['t'], { owned: parse('t-0'), userData: COOPERATIVE_STICKY.userData!(9) });
    expect(shown(balanced(counts(['t', 1]), [old, owns('b', 't-0', 8)]))).toEqual({ a: 't-0', b: '' });
  });

  test('what is gone, or not subscribed to any more, is not kept', () => {
    const one = member('a', ['u'], { owned: parse('t-0 u-5'), generationId: 1 });
    expect(shown(balanced(counts(['t', 1], ['u', 1]), [one]))).toEqual({ a: 'u-0' });
  });
});

// ---- properties

const TOPICS = ['t', 'u', 'v'];
const aGroup = fc.record({
  counts: fc.tuple(fc.nat(7), fc.nat(7), fc.nat(7)).map((of) => new Map(TOPICS.map((topic, at) => [topic, of[at]!]))),
  subscriptions: fc.array(fc.subarray(TOPICS, { minLength: 1 }), { minLength: 1, maxLength: 6 }),
});
type RandomGroup = { readonly counts: Map<string, number>; readonly subscriptions: readonly string[][] };

const known = (of: ReadonlyMap<string, number>): Map<string, number> =>
  new Map([...of].filter(([, count]) => count > 0));
const membersOf = ({ subscriptions }: RandomGroup): AssignedMember[] =>
  subscriptions.map((topics, at) => member(`m${at}`, topics));

/** Each partition that somebody subscribes to has one owner, who subscribes to it. */
function expectWhole(group: RandomGroup, members: readonly AssignedMember[], assignments: Assignments): void {
  const owned = [...assignments].flatMap(([id, partitions]) => partitions.map((of) => [id, of] as const));
  for (const [id, { topic }] of owned) expect(members.find(({ memberId }) => memberId === id)!.topics).toContain(topic);
  const wanted = TOPICS.filter((topic) => members.some(({ topics }) => topics.includes(topic))).flatMap((topic) =>
    Array.from({ length: group.counts.get(topic)! }, (_, partition) => formatPartition(topic, partition)),
  );
  expect(owned.map(([, of]) => name(of)).sort()).toEqual(wanted.sort());
}

const holding = (members: readonly AssignedMember[], has: Assignments, generationId: number): AssignedMember[] =>
  members.map((one) => ({ ...one, owned: has.get(one.memberId) ?? [], generationId }));

describe.each<[string, Assignor['assign']]>([
  ['range', RANGE.assign],
  ['roundrobin', ROUND_ROBIN.assign],
  ['the aim of cooperative-sticky', balanced],
])('%s', (_name, assign) => {
  test('gives every partition to one subscriber, whatever the order of the members', () => {
    fc.assert(
      fc.property(aGroup, (group) => {
        const members = membersOf(group);
        const assignments = assign(known(group.counts), members);
        expectWhole(group, members, assignments);
        expect(shown(assign(known(group.counts), [...members].reverse()))).toEqual(shown(assignments));
      }),
      { seed: 1, numRuns: 200 },
    );
  });
});

describe('cooperative-sticky over random groups', () => {
  test('is balanced: no member has two more than another that could take one of them', () => {
    fc.assert(
      fc.property(aGroup, (group) => {
        const members = membersOf(group);
        const assignments = balanced(known(group.counts), members);
        for (const giver of members) {
          const has = assignments.get(giver.memberId)!;
          for (const taker of members) {
            const could = has.some(({ topic }) => taker.topics.includes(topic));
            if (could) expect(has.length - assignments.get(taker.memberId)!.length).toBeLessThan(2);
          }
        }
      }),
      { seed: 2, numRuns: 300 },
    );
  });

  test('is stable: who has the balanced assignment keeps it', () => {
    fc.assert(
      fc.property(aGroup, (group) => {
        const members = membersOf(group);
        const has = balanced(known(group.counts), members);
        expect(shown(COOPERATIVE_STICKY.assign(known(group.counts), holding(members, has, 1)))).toEqual(shown(has));
      }),
      { seed: 3, numRuns: 200 },
    );
  });

  test('moves no more than balance asks for when all subscribe to the same, and converges in two generations', () => {
    const group = fc.record({ count: fc.integer({ min: 1, max: 20 }), before: fc.integer({ min: 1, max: 6 }) });
    fc.assert(
      fc.property(group, fc.integer({ min: 1, max: 6 }), ({ count, before }, after) => {
        const topics = counts(['t', count]);
        const names = (size: number) => Array.from({ length: size }, (_, at) => member(`m${at}`, ['t']));
        const had = balanced(topics, names(before));
        const now = holding(names(after), had, 1);
        const least = Math.floor(count / after);
        // Of those that are still there, only what is above the even share may go.
        const kept = balanced(topics, now);
        for (const { memberId, owned } of now) {
          const stays = kept.get(memberId)!.filter((of) => owned.some((one) => name(one) === name(of))).length;
          expect(stays).toBeGreaterThanOrEqual(Math.min(owned.length, least));
        }
        const first = COOPERATIVE_STICKY.assign(topics, now);
        for (const { memberId, owned } of now) {
          const others = now.filter((one) => one.memberId !== memberId).flatMap((one) => one.owned.map(name));
          const added = first.get(memberId)!.filter((of) => !owned.some((one) => name(one) === name(of)));
          expect(added.filter((of) => others.includes(name(of)))).toEqual([]);
        }
        const second = COOPERATIVE_STICKY.assign(topics, holding(names(after), first, 2));
        expectWhole({ counts: topics, subscriptions: [] }, now, second);
        const loads = [...second.values()].map(({ length }) => length);
        expect(Math.max(...loads) - Math.min(...loads)).toBeLessThan(2);
      }),
      { seed: 4, numRuns: 300 },
    );
  });
});

describe("Kafka's bytes (wire G-40)", () => {
  test('a subscription, byte by byte', () => {
    const bytes = encodeSubscription({
      ...{ topics: ['b', 'a'], userData: null, generationId: 7 },
      owned: parse('a-1 a-2'),
    });
    const expected =
      '0003' +
      '00000002' +
      '000161' +
      '000162' +
      'ffffffff' + // topics sorted, no user data
      '00000001' +
      '000161' +
      '00000002' +
      '00000001' +
      '00000002' + // owned
      '00000007' +
      'ffff'; // generation, no rack
    expect(bytes.toString('hex')).toBe(expected);
  });

  test('an assignment, byte by byte', () => {
    const bytes = encodeAssignment({ partitions: parse('t-0 t-3'), userData: null });
    expect(bytes.toString('hex')).toBe(
      '0003' + '00000001' + '000174' + '00000002' + '00000000' + '00000003' + 'ffffffff',
    );
  });

  test('what is written is read', () => {
    const subscription = { topics: ['t', 'u'], userData: Buffer.from('x'), owned: parse('t-1'), generationId: 3 };
    expect(decodeSubscription(encodeSubscription(subscription))).toEqual(subscription);
    const assignment = { partitions: parse('t-1 u-2'), userData: Buffer.from('y') };
    expect(decodeAssignment(encodeAssignment(assignment))).toEqual(assignment);
  });

  test('older versions lack fields, newer ones are read as far as they are known', () => {
    const v0 = Buffer.from('0000' + '00000001' + '000174' + 'ffffffff', 'hex');
    expect(decodeSubscription(v0)).toEqual({ topics: ['t'], userData: null, owned: [], generationId: -1 });
    const v1 = Buffer.from('0001' + '00000001' + '000174' + 'ffffffff' + '00000000', 'hex');
    expect(decodeSubscription(v1)).toMatchObject({ topics: ['t'], owned: [], generationId: -1 });
    const newer = encodeSubscription({ topics: ['t'], userData: null, owned: [], generationId: 2 });
    newer.writeInt16BE(9);
    expect(decodeSubscription(Buffer.concat([newer, Buffer.from('more')]))).toMatchObject({ generationId: 2 });
  });

  test('an empty assignment is none; what cannot be read is told apart', () => {
    expect(decodeAssignment(Buffer.alloc(0))).toEqual({ partitions: [], userData: null });
    expect(decodeAssignment(Buffer.from('0000ff', 'hex'))).toBeUndefined();
    expect(decodeSubscription(Buffer.from('ffff', 'hex'))).toBeUndefined();
  });
});

test('partition.assignment.strategy: a list of names; cooperative only if all are', () => {
  expect(protocolOf(assignorsOf('range,cooperative-sticky'))).toBe('eager');
  expect(protocolOf(assignorsOf('cooperative-sticky'))).toBe('cooperative');
  expect(() => assignorsOf('range,sticky')).toThrow('known: range, roundrobin, cooperative-sticky');
  expect(() => assignorsOf('range, range')).toThrow('"range" twice');
});
