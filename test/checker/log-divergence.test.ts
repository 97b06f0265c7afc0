// Log divergence and its innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { checkHistory } from '../../src/checker/check.ts';
import { budget, history, quiet, replica, sent, type Entries } from './histories.ts';

const check = (...entries: Entries): ReturnType<typeof checkHistory> =>
  checkHistory(history(...entries), ['log-divergence']);

describe('log-divergence', () => {
  test('BUG-02: one offset, two records', () => {
    const found = check(replica(1, ['m0', 'm1', 'm3/1']), replica(2, ['m0', 'm2/1', 'm3/1']), quiet());
    expect(found.anomalies).toMatchObject([
      { details: { offset: 1, nodes: [1, 2], first: 'm1', later: 'm2' }, ops: [0, 1] },
    ]);
  });

  test('the same bytes of another epoch, or a record that one lacks', () => {
    expect(check(replica(1, ['m0']), replica(2, ['m0/1']), quiet()).anomalies).toHaveLength(1);
    expect(check(replica(1, ['m0', '-', 'm2']), replica(2, ['m0', 'm1', 'm2']), quiet()).anomalies).toMatchObject([
      { details: { offset: 1, first: undefined, later: 'm1' } },
    ]);
    expect(check(replica(1, ['m0', 'm1', 'm2']), replica(2, ['m0', '-', 'm2']), quiet()).anomalies).toMatchObject([
      { details: { offset: 1, first: 'm1', later: undefined } },
    ]);
  });

  test('is named at its first offset, once for each replica that differs', () => {
    const found = check(replica(1, ['a', 'b']), replica(2, ['x', 'y']), replica(3, ['a', 'z']), quiet());
    expect(found.anomalies.map(({ details }) => details['offset'])).toEqual([0, 1]);
  });

  test('no declared loss excuses it', () => {
    expect(check(budget('power-loss', 1), replica(1, ['a']), replica(2, ['b']), quiet()).anomalies).toHaveLength(1);
  });

  test('is found even if the replicas did not agree in time', () => {
    const found = check(replica(1, ['a']), replica(2, ['b']), quiet('orders-0'));
    expect(found).toMatchObject({ anomalies: [{}], inconclusive: [] });
  });

  test('is not a tail above a high watermark, a shorter log, or a later log start', () => {
    expect(check(replica(1, ['a', 'x'], { hw: 1 }), replica(2, ['a', 'y']), quiet()).anomalies).toEqual([]);
    expect(check(replica(1, ['a']), replica(2, ['a', 'b']), quiet()).anomalies).toEqual([]);
    expect(check(replica(1, ['b'], { start: 1 }), replica(2, ['a', 'b']), quiet()).anomalies).toEqual([]);
  });

  test('cannot be decided when a replica is missing, or nothing was observed at all', () => {
    expect(check(replica(1, ['a']), quiet('orders-0')).inconclusive).toHaveLength(1);
    expect(check(sent('a', 0)).inconclusive).toHaveLength(1);
  });
});
