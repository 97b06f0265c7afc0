// Legal transitions (txn T-14), the steps of a write on an entry (txn T-18, T-22, T-48), and what no sequence of requests,
// failures and failovers breaks (txn INV-5, INV-6, INV-13).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reply } from '../../../src/coordinator/txn/decision.ts';
import type { Write } from '../../../src/coordinator/txn/decision.ts';
import { TRANSACTION_STATES } from '../../../src/coordinator/txn/metadata.ts';
import type { TransactionMetadata, TransactionState } from '../../../src/coordinator/txn/metadata.ts';
import { comparePartitions, partitionSet, withoutPartition } from '../../../src/coordinator/txn/partitions.ts';
import {
  applyWrite,
  assertTransition,
  beginFence,
  beginWrite,
  cancelFence,
  failWrite,
  isLegal,
} from '../../../src/coordinator/txn/transitions.ts';
import { A0, B1, MAX_EPOCH, OneId, P, at, entry, metadata } from './support.ts';

describe('txn T-14: the table', () => {
  const YES: Partial<Record<TransactionState, readonly TransactionState[]>> = {
    Empty: ['Empty', 'Ongoing', 'PrepareAbort', 'Dead'],
    Ongoing: ['Ongoing', 'PrepareCommit', 'PrepareAbort', 'PrepareEpochFence'],
    PrepareCommit: ['CompleteCommit'],
    PrepareAbort: ['CompleteAbort'],
    CompleteCommit: ['Empty', 'Ongoing', 'PrepareAbort', 'Dead'],
    CompleteAbort: ['Empty', 'Ongoing', 'PrepareAbort', 'Dead'],
    PrepareEpochFence: ['PrepareAbort'],
  };
  for (const from of TRANSACTION_STATES) {
    for (const to of TRANSACTION_STATES) {
      const legal = YES[from]?.includes(to) ?? false;
      test(`${from} to ${to}: ${legal ? 'yes' : 'no'}`, () => {
        const target = metadata({ state: to, clientTransactionVersion: 2 });
        expect(isLegal(metadata({ state: from }), target)).toBe(legal);
      });
    }
  }

  test.each(['Empty', 'CompleteCommit', 'CompleteAbort'] as const)('%s to PrepareAbort takes variant 2', (state) => {
    expect(isLegal(metadata({ state }), metadata({ state: 'PrepareAbort' }))).toBe(false);
  });
});

describe('what may not follow is our own mistake', () => {
  const from = metadata({ state: 'Ongoing' });
  test.each<[string, Partial<TransactionMetadata>]>([
    ['txn T-14', { state: 'CompleteCommit' }],
    ['txn T-13', { state: 'PrepareEpochFence' }],
    ['txn T-47', { producerEpoch: -1 }],
    ['txn T-47', { producerEpoch: 32768 }],
    ['txn INV-5', { producerEpoch: 4 }],
    ['txn INV-5', { producerId: 41, producerEpoch: 1 }],
    ['txn T-12', { previousProducerId: 39 }],
    ['txn T-16', { partitions: [B1] }],
    ['txn T-16', { state: 'PrepareCommit', partitions: [A0, B1] }],
    ['txn T-77', { state: 'PrepareCommit', producerId: 41, producerEpoch: 0 }],
  ])('%s: %j', (rule, over) => {
    expect(() => assertTransition(from, { ...from, ...over })).toThrow(rule);
  });

  test('what is Empty has nothing open; what is complete has no partition and no next id', () => {
    expect(() => assertTransition(metadata(), metadata({ partitions: [A0] }))).toThrow('txn T-46');
    expect(() => assertTransition(metadata(), metadata({ startTimeMs: 5 }))).toThrow('txn T-46');
    const prepared = metadata({ state: 'PrepareCommit' });
    expect(() => assertTransition(prepared, { ...prepared, state: 'CompleteCommit' })).toThrow('txn T-88');
    const next = { ...prepared, state: 'CompleteCommit', partitions: [], nextProducerId: 9 } as const;
    expect(() => assertTransition(prepared, next)).toThrow('txn T-88');
  });
});

describe('txn T-18: a write on an entry', () => {
  const write = (over: Partial<Write> = {}): Write => ({
    kind: 'write',
    point: 'txn.prepare-abort',
    target: metadata({ state: 'PrepareAbort' }),
    reply: reply('NONE'),
    ...over,
  });

  test('pending until it is in force, and only then the new state', () => {
    const one = entry({ state: 'Ongoing' });
    beginWrite(one, write());
    expect([one.metadata.state, one.pendingState]).toEqual(['Ongoing', 'PrepareAbort']);
    applyWrite(one, write());
    expect([one.metadata.state, one.pendingState]).toEqual(['PrepareAbort', undefined]);
  });

  test('one at a time', () => {
    const one = entry({ state: 'Ongoing' });
    beginWrite(one, write());
    expect(() => beginWrite(one, write())).toThrow('txn T-18');
    expect(() => beginFence(one)).toThrow('txn T-18');
    expect(() => applyWrite(one, write({ target: metadata({ state: 'PrepareCommit' }) }))).toThrow('txn T-18');
  });

  test('txn T-22: what fails leaves the state before', () => {
    const one = entry({ state: 'Ongoing' });
    beginWrite(one, write());
    failWrite(one, write());
    expect(one).toEqual(entry({ state: 'Ongoing' }));
  });

  test('txn T-48: a fence is followed by its abort alone, or called off', () => {
    const one = entry({ state: 'Ongoing' });
    beginFence(one);
    const commit = write({ target: metadata({ state: 'PrepareCommit' }) });
    expect(() => beginWrite(one, commit)).toThrow('txn T-18');
    cancelFence(one);
    expect(one).toEqual(entry({ state: 'Ongoing' }));
    expect(() => cancelFence(one)).toThrow('txn T-48');
    expect(() => beginFence(entry())).toThrow('txn T-14');
  });

  test('txn T-48: a raised epoch stays raised if the append fails, and is noted until the transaction completes', () => {
    const inForceNow = metadata({ state: 'Ongoing', producerEpoch: 6 });
    const fence = write({ inForceNow, target: { ...inForceNow, state: 'PrepareAbort' } });
    const one = entry({ state: 'Ongoing' });
    beginFence(one);
    beginWrite(one, fence);
    failWrite(one, fence);
    expect(one).toEqual({ metadata: inForceNow, pendingState: undefined, hasFailedEpochFence: true });
    beginWrite(one, fence);
    applyWrite(one, fence);
    expect(one.hasFailedEpochFence).toBe(true);
    beginWrite(
      one,
      write({ point: 'txn.complete', target: { ...fence.target, state: 'CompleteAbort', partitions: [] } }),
    );
    expect(one.hasFailedEpochFence).toBe(false);
  });
});

test('txn T-16: a set of partitions is sorted, has each once, and shrinks by one', () => {
  const x10 = { topic: 'x', partition: 10 };
  const x9 = { topic: 'x', partition: 9 };
  const upper = { topic: 'Z', partition: 1 };
  const set = partitionSet([x10, A0, x9, upper, A0]);
  expect(set).toEqual([upper, A0, x9, x10]);
  expect(withoutPartition(set, { ...x9 })).toEqual([upper, A0, x10]);
  expect(withoutPartition(set, B1)).toEqual(set);
  expect(comparePartitions(A0, { ...A0 })).toBe(0);
});

type Action =
  | { readonly do: 'init'; readonly expecting: boolean }
  | { readonly do: 'add'; readonly version: number }
  | { readonly do: 'end'; readonly outcome: 'commit' | 'abort'; readonly version: number }
  | { readonly do: 'time-out' | 'complete' | 'failover' | 'expire' | 'jump' };

const producer = fc.nat(3);
const action: fc.Arbitrary<Action & { readonly producer: number; readonly fails: boolean; readonly held: boolean }> = fc
  .tuple(
    fc.oneof(
      { weight: 3, arbitrary: fc.record({ do: fc.constant('init' as const), expecting: fc.boolean() }) },
      { weight: 5, arbitrary: fc.record({ do: fc.constant('add' as const), version: fc.constantFrom(0, 2) }) },
      {
        weight: 5,
        arbitrary: fc.record({
          do: fc.constant('end' as const),
          outcome: fc.constantFrom('commit' as const, 'abort' as const),
          version: fc.constantFrom(0, 2),
        }),
      },
      {
        weight: 4,
        arbitrary: fc.record({ do: fc.constantFrom('time-out', 'complete', 'failover', 'jump', 'expire') }),
      },
    ) as fc.Arbitrary<Action>,
    producer,
    fc.boolean(),
    fc.boolean(),
    fc.nat(3),
  )
  .map(([one, who, fails, held, rarely]) => ({ ...one, producer: who, fails: fails && rarely === 0, held }));

const ACTIONS = fc.array(action, { minLength: 20, maxLength: 60, size: 'max' });

/** Runs what may be run of the actions. Producers keep the identities they were last given. */
function run(id: OneId, actions: readonly (typeof action extends fc.Arbitrary<infer A> ? A : never)[]): void {
  const owners = [at(-1, -1), at(-1, -1), at(-1, -1), at(-1, -1)];
  const given = new Map<string, number>();
  for (const one of actions) {
    id.nowMs += 10;
    id.appendFails = one.fails;
    id.markersHeld = one.held;
    const me = owners[one.producer]!;
    const decided = id.entry?.metadata.state.startsWith('Prepare') === true;
    switch (one.do) {
      case 'init': {
        const { error, ...identity } = id.init(one.expecting && me.producerId !== -1 ? me : undefined);
        if (error !== 'NONE') break;
        owners[one.producer] = identity;
        // Txn T-47; and no two producers are given one identity, but by a retry with the same expectation.
        expect(identity.producerEpoch).toBeLessThanOrEqual(MAX_EPOCH);
        const key = `${identity.producerId}/${identity.producerEpoch}`;
        expect(one.expecting || !given.has(key), key).toBe(true);
        given.set(key, one.producer);
        break;
      }
      case 'add':
        id.add(me, one.fails ? A0 : B1, Math.min(one.version, id.level));
        break;
      case 'end': {
        const { error, ...identity } = id.end(me, one.outcome, Math.min(one.version, id.level));
        if (error === 'NONE' && identity.producerId !== -1) {
          expect(identity.producerEpoch).toBeLessThanOrEqual(MAX_EPOCH);
          owners[one.producer] = identity;
          given.set(`${identity.producerId}/${identity.producerEpoch}`, one.producer);
        }
        break;
      }
      case 'time-out':
        if (id.entry?.metadata.state === 'Ongoing') id.timeOut();
        break;
      case 'complete':
        if (decided) id.complete();
        break;
      case 'failover':
        id.failover();
        break;
      case 'expire':
        if (id.entry?.metadata.state === 'Empty') {
          id.expire();
          id.log.length = 0;
        }
        break;
      case 'jump':
        // Nearly used up: a rest of the session's epochs is skipped, as many transactions would.
        if (id.entry?.metadata.state === 'Empty' && id.stored.producerEpoch >= 0) jump(id, owners);
        break;
    }
    expectHistory(id);
  }
}

function jump(id: OneId, owners: { producerId: number; producerEpoch: number }[]): void {
  const { producerId, producerEpoch } = id.stored;
  const target = Math.max(producerEpoch, MAX_EPOCH - 2);
  owners.forEach((owner, i) => {
    if (owner.producerId === producerId && owner.producerEpoch === producerEpoch) owners[i] = at(target, producerId);
  });
  id.entry!.metadata = { ...id.stored, producerEpoch: target, lastProducerEpoch: -1 };
  id.log.push(id.stored);
}

/** INV-6 and INV-5 of all durable records, INV-13 of all ids. */
function expectHistory(id: OneId): void {
  const { log } = id;
  for (let i = 1; i < log.length; i++) {
    const [from, to] = [log[i - 1]!, log[i]!];
    const what = `${from.state} (${from.producerId}, ${from.producerEpoch}) to ${to.state} (${to.producerId}, ${to.producerEpoch})`;
    expect(isLegal(from, to), `txn INV-6: ${what}`).toBe(true);
    const grows = to.producerId === from.producerId && to.producerEpoch >= from.producerEpoch;
    const rotates = to.producerId !== from.producerId && to.producerEpoch === 0;
    expect(grows || rotates, `txn INV-5: ${what}`).toBe(true);
    if (rotates) {
      const before = log.slice(0, i).map((record) => record.producerId);
      expect(before, `txn INV-5: ${what}: an id of old`).not.toContain(to.producerId);
    }
  }
  expect(new Set(id.taken).size).toBe(id.taken.length);
}

describe('txn INV-5, INV-6, INV-13: any sequence of requests, failures, timeouts and failovers', () => {
  test.each([0, 1, 2])('level %i', (level) => {
    fc.assert(
      fc.property(ACTIONS, (actions) => run(new OneId({ level }), actions)),
      { seed: 14, numRuns: 400 },
    );
  });

  test('level 2, identities not written down, and epochs not bumped by EndTxn: records stay legal', () => {
    const id = () => new OneId({ off: ['epoch.perTxn'], without: ['previousProducerId', 'lastProducerEpoch'] });
    fc.assert(
      fc.property(ACTIONS, (actions) => run(id(), actions)),
      { seed: 15, numRuns: 200 },
    );
  });

  test('the actions reach every state, and rotate', () => {
    const seen = new Set<string>();
    let rotated = 0;
    for (const actions of fc.sample(ACTIONS, { seed: 14, numRuns: 200 })) {
      const id = new OneId();
      run(id, actions);
      id.log.forEach((record) => seen.add(record.state));
      rotated += id.log.filter((record) => record.producerId !== P && record.producerEpoch === 0).length;
    }
    expect([...seen].sort()).toEqual(TRANSACTION_STATES.slice(0, 6).sort());
    expect(rotated).toBeGreaterThan(10);
  });
});
