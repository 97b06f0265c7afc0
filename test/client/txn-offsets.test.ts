// Offsets that are committed with a transaction, and what people ask of groups, on real brokers in the simulated world (txn
// T-60 to T-70, wire G-35 to G-39).
import { describe, expect, test } from 'vitest';
import type { AdminResult } from '../../src/client/core/admin.ts';
import type { TxnResult } from '../../src/client/core/txn/states.ts';
import { OK, T0, aWorld, asValue } from './support/transactions-on-cluster.ts';
import { waitFor } from './support/wait.ts';

describe.each([1, 2] as const)('transaction.version %d', (version) => {
  test('offsets sent with a transaction are committed with it', () => {
    const { world, client, init, begin, commit, abort, txn } = aWorld(version);
    init();
    const commitOffset = (offset: number, end: () => TxnResult): void => {
      begin();
      const sent = waitFor<TxnResult>(world, (done) => txn.sendOffsets([{ ...T0, offset }], { groupId: 'g' }, done));
      expect([sent, end()]).toEqual([OK, OK]);
    };
    commitOffset(5, commit);
    commitOffset(9, abort);
    const { groups } = client.admin();
    const of = { partitions: [T0], requireStable: true };
    const offsets = waitFor<AdminResult<readonly { offset: number }[]>>(world, (done) => groups.offsets('g', of, done));
    expect(asValue(offsets).map(({ offset }) => offset)).toEqual([5]);
    const ask = <Value>(start: (done: (result: AdminResult<Value>) => void) => void): Value =>
      asValue(waitFor<AdminResult<Value>>(world, start));
    expect(ask(groups.list.bind(groups, {}))).toMatchObject({ groups: [{ groupId: 'g', state: 'Empty' }], silent: [] });
    expect(ask(groups.describe.bind(groups, ['g', 'none']))).toMatchObject([{ state: 'Empty' }, { state: 'Dead' }]);
    expect(ask(groups.deleteOffsets.bind(groups, 'g', [T0]))).toMatchObject([{ error: 'NONE' }]);
    expect(ask(groups.delete.bind(groups, ['g', 'none']))).toMatchObject([
      { groupId: 'g' },
      { groupId: 'none', error: 'GROUP_ID_NOT_FOUND' },
    ]);
  });
});
