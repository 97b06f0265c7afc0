// Who owns what, who was fenced, what stands still: each on the anomaly and on its look-alikes.
import { describe, expect, test } from 'vitest';
import { checkHistory } from '../../src/checker/check.ts';
import type { AnomalyName } from '../../src/checker/findings.ts';
import { history, quiet, replica, sent, type Entries } from './histories.ts';
import { described, fault, member, producer, waited } from './transaction-histories.ts';

const checker =
  (name: AnomalyName) =>
  (...entries: Entries) =>
    checkHistory(history(...entries), [name]);
const clean = { anomalies: [], allowed: [], inconclusive: [] };

describe('double-owner', () => {
  const check = checker('double-owner');

  test('BUG-72: one partition, two members of one generation', () => {
    expect(check(member('assigned', 'a', 3), member('assigned', 'b', 3)).anomalies).toMatchObject([
      { partition: 'orders-0', details: { group: 'g', generation: 3, members: ['a', 'b'] }, ops: [0, 1] },
    ]);
  });
  test('BUG-71: given to one while another, who is in the generation as well, has not given it up', () => {
    const [had, given] = [member('assigned', 'a', 2), member('assigned', 'b', 3)];
    expect(check(had, given, member('revoked', 'a', 3)).anomalies).toMatchObject([
      { partition: 'orders-0', details: { group: 'g', generation: 3, members: ['b', 'a'] }, ops: [1, 2] },
    ]);
  });
  test('txn INV-14: two coordinators answer for one shard at one epoch', () => {
    expect(
      check(described('Empty', { node: 1 }), described('Empty', { node: 2, id: 'other' })).anomalies,
    ).toMatchObject([
      { partition: '__transaction_state-0', details: { nodes: [1, 2], coordinatorEpoch: 0 }, ops: [0, 1] },
    ]);
  });
  describe('is not', () => {
    test('a rebalance with revocation, and a zombie of an older generation that was not told', () => {
      expect(check(member('assigned', 'a', 3), member('revoked', 'a', 3), member('assigned', 'b', 4))).toEqual(clean);
      expect(check(member('assigned', 'a', 3), member('assigned', 'b', 4), member('lost', 'a', 3))).toEqual(clean);
    });
    test('handed over within a generation after it was given up', () => {
      const [had, given] = [member('assigned', 'a', 2), member('assigned', 'b', 3)];
      expect(check(had, member('revoked', 'a', 3), given, member('revoked', 'b', 3))).toEqual(clean);
      expect(check(had, given, member('revoked', 'a', 2), member('revoked', 'c', 3))).toEqual(clean);
      expect(check(member('assigned', 'a', 3), member('revoked', 'a', 3), member('assigned', 'b', 3))).toEqual(clean);
    });
    test('a static member that came back under a new member id', () => {
      const [before, after] = ['a', 'a2'].map((name) => member('assigned', name, 3, { instance: 'i' }));
      expect(check(before!, after!)).toEqual(clean);
    });
    test('another group, another partition, the same member told twice', () => {
      const others = [
        member('assigned', 'b', 3, { group: 'h' }),
        member('assigned', 'c', 3, { partition: 'orders-1' }),
      ];
      expect(check(member('assigned', 'a', 3), member('assigned', 'a', 3), ...others)).toEqual(clean);
    });
    test('a shard that moved, at another epoch; several ids of one broker', () => {
      expect(check(described('Empty', { node: 1 }), described('Empty', { node: 2, epoch: 1 }))).toEqual(clean);
      expect(check(described('Empty'), described('Empty', { id: 'other' }))).toEqual(clean);
    });
  });
});

describe('self-fence', () => {
  const check = checker('self-fence');
  const [app, rival] = [producer('app'), producer('rival')];
  const fenced = (at?: number) =>
    app.commit(1, 'fail', { error: 'PRODUCER_FENCED', ...(at === undefined ? {} : { at }) });

  test('BUG-48, W-9: fenced without a rival and in time', () => {
    expect(check(app.init(), app.begin(1), fenced()).anomalies).toMatchObject([
      { details: { process: 'app', transactionalId: 'id', error: 'PRODUCER_FENCED', op: 'commit' }, ops: [1, 5] },
    ]);
  });
  test('a send is refused', () => {
    const refused = app.send(1, 'a', 'fail', { error: 'INVALID_PRODUCER_EPOCH' });
    expect(check(app.init(), app.begin(1), refused).anomalies).toMatchObject([{ details: { op: 'send' } }]);
  });
  test('W-7: its own initialisation, repeated after an answer was lost', () => {
    const again = app.init('fail', { error: 'PRODUCER_FENCED' });
    expect(check(app.init(), again).anomalies).toMatchObject([{ details: { op: 'init' } }]);
  });
  describe('is not', () => {
    test('a successor that took over, or only tried to (W-24)', () => {
      for (const outcome of ['ok', 'info', 'fail', 'never'] as const)
        expect(check(app.init(), app.begin(1), rival.init(outcome), fenced())).toEqual(clean);
    });
    test('W-17: two instances at once, and the answer of the other came first', () => {
      const [mine, theirs] = [app.init(), rival.init()];
      expect(check(mine[0]!, theirs[0]!, theirs[1]!, mine[1]!, app.begin(1), fenced())).toEqual(clean);
    });
    test('a transaction that timed out, so that its commit comes too late (txn T-189, W-8)', () => {
      expect(check(app.init(), app.begin(1), fenced(5000))).toEqual(clean);
    });
    test('its own initialisation that it gave up on and that arrived late', () => {
      expect(check(app.init('info'), app.init(), app.begin(1), fenced())).toEqual(clean);
    });
    test('another error', () => {
      const end = app.commit(1, 'fail', { error: 'INVALID_TXN_STATE' });
      expect(check(app.init(), app.begin(1), end)).toEqual(clean);
    });
  });
  test('a rival for another id, or one that came later, is no excuse', () => {
    expect(check(app.init(), producer('x', 'y').init(), app.begin(1), fenced(), rival.init()).anomalies).toHaveLength(
      1,
    );
  });
  test('cannot be decided if clocks were stepped', () => {
    expect(check(app.init(), app.begin(1), fault({ skews: true }), fenced())).toMatchObject({
      anomalies: [],
      inconclusive: [expect.stringContaining('clocks')],
    });
  });
});

describe('stall', () => {
  const check = checker('stall');
  const app = producer('app');

  test('BUG-42: an operation never ended, though the run waited for it', () => {
    expect(check(app.begin(1), app.commit(1, 'never'), waited('app')).anomalies).toMatchObject([
      { details: { process: 'app', op: 'commit' }, ops: [2, 3] },
    ]);
    expect(check(sent('a', 'info').slice(0, 1), waited('p')).anomalies).toHaveLength(1);
  });
  test('W-12: a coordinator cannot complete what it decided', () => {
    expect(check(described('PrepareCommit', { partitions: ['orders-0'] }), waited()).anomalies).toMatchObject([
      { partition: '__transaction_state-0', details: { transactionalId: 'id', state: 'PrepareCommit' } },
    ]);
  });
  test('BUG-62: a replica never has what the others hold', () => {
    const behind = [replica(1, ['a', 'b']), replica(2, ['a', 'b']), replica(3, ['a'])];
    expect(check(...behind, { ...waited(), missing: ['orders-0'] } as (typeof behind)[0]).anomalies).toMatchObject([
      { partition: 'orders-0', details: { replica: 3, logEndOffset: 1 }, ops: [2, 3] },
    ]);
    expect(check(...behind, quiet('orders-0')).anomalies).toEqual([]);
  });
  describe('is not', () => {
    test('what ended, in whatever way', () => {
      for (const outcome of ['ok', 'fail', 'info'] as const)
        expect(check(app.begin(1), app.commit(1, outcome), described('CompleteCommit'), waited('app'))).toEqual(clean);
    });
    test('a paused or killed process', () => {
      expect(check(app.commit(1, 'never'), fault({ halts: ['app'] }), waited('app'))).toEqual(clean);
    });
    test('an open transaction that nobody is asked to end', () => {
      expect(check(app.begin(1), described('Ongoing'), waited('app'))).toEqual(clean);
    });
  });
  test('a process that went on is not excused', () => {
    const faults = [fault({ halts: ['app'] }), fault({ frees: ['app'] })];
    expect(check(app.commit(1, 'never'), ...faults, waited('app')).anomalies).toHaveLength(1);
  });
  test('cannot be decided if nobody waited', () => {
    expect(check(app.commit(1, 'never'), quiet()).inconclusive).toHaveLength(1);
  });
});
