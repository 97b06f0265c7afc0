// Lost writes and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { checkHistory } from '../../src/checker/check.ts';
import { agreed, budget, history, polled, quiet, replica, sent, type Entries } from './histories.ts';

const check = (...entries: Entries): ReturnType<typeof checkHistory> =>
  checkHistory(history(...entries), ['lost-write']);

describe('lost-write', () => {
  test('a value acknowledged with acks=all is on no replica', () => {
    const found = check(sent('m0', 0), sent('m1', 1), agreed(['m0']));
    expect(found.anomalies).toMatchObject([
      { anomaly: 'lost-write', partition: 'orders-0', details: { offset: 1, value: 'm1', acks: -1 }, ops: [2, 3] },
    ]);
  });

  test('a reader passed over it, where the final logs are not known', () => {
    const found = check(
      sent('m0', 0),
      sent('m1', 1),
      sent('m2', 2),
      polled('r', 0, ['m0'], 1),
      polled('r', 1, [], 2),
      quiet('orders-0'),
    );
    expect(found.anomalies).toMatchObject([{ details: { value: 'm1' }, ops: [2, 3, 7] }]);
    expect(found.inconclusive).toHaveLength(1); // m0 was read; m2 lies beyond every reader
  });

  describe('is not', () => {
    test('what nobody has read: a reader may be behind', () => {
      expect(check(sent('m0', 0), sent('m1', 1), polled('r', 0, ['m0']), agreed(['m0', 'm1'])).anomalies).toEqual([]);
    });

    test('a value that a reader which started behind it could not see', () => {
      const found = check(sent('m0', 0), sent('m1', 1), polled('r', 1, ['m1']), quiet('orders-0'));
      expect(found.anomalies).toEqual([]);
      expect(found.inconclusive).toHaveLength(1);
    });

    test('what failed, or whose outcome is unknown', () => {
      expect(check(sent('m0', 'fail'), sent('m1', 'info'), agreed([])).anomalies).toEqual([]);
    });

    test('a retried value that stands elsewhere than acknowledged, or twice', () => {
      expect(check(sent('m0', 1), agreed(['m0', 'm0'])).anomalies).toEqual([]);
      expect(check(sent('m0', 0), agreed(['other', 'm0'])).anomalies).toEqual([]);
    });

    test('what was acknowledged with acks=0 or 1: counted as allowed', () => {
      const found = check(sent('5', 5, { acks: 1 }), sent('6', 6, { acks: 1 }), agreed(['a', 'b', 'c', 'd', 'e', '8']));
      expect(found.anomalies).toEqual([]);
      expect(found.allowed).toMatchObject([
        { details: { offset: 5, value: '5' } },
        { details: { offset: 6, value: '6' } },
      ]);
    });

    test('what a declared loss took: counted, if the loss came after the send', () => {
      expect(check(sent('m0', 0), budget('power-loss', 2), agreed([]))).toMatchObject({
        anomalies: [],
        allowed: [{ ops: [0, 1, 2], because: 'the run declared power-loss of node 2' }],
      });
      expect(check(budget('power-loss', 2), sent('m0', 0), agreed([])).anomalies).toHaveLength(1);
    });

    test('what an unclean election took, whenever: a zombie may acknowledge after it (repl R-103)', () => {
      expect(check(budget('unclean-election'), sent('m0', 0), agreed([]))).toMatchObject({
        anomalies: [],
        allowed: [{}],
      });
    });

    test('another partition', () => {
      const elsewhere = sent('m0', 0, { partition: 'payments-0' });
      expect(check(elsewhere, sent('m1', 0), agreed(['m1'])).anomalies).toEqual([]);
    });

    test('what was deleted from the front of the log', () => {
      const entries = [replica(1, ['m2'], { start: 2 }), replica(2, ['m2'], { start: 2 }), quiet()];
      expect(check(sent('m0', 0), sent('m2', 2), entries).anomalies).toEqual([]);
    });
  });

  test('cannot be decided when replicas were missing and nobody passed it', () => {
    const found = check(sent('m0', 0), sent('m1', 1), replica(1, ['m0']), quiet('orders-0'));
    expect(found.anomalies).toEqual([]);
    expect(found.inconclusive).toEqual([expect.stringContaining('1 values acknowledged with acks=all on orders-0')]);
  });

  test('is conclusive in spite of missing replicas when the values are on those seen', () => {
    expect(check(sent('m0', 0), replica(1, ['m0']), quiet('orders-0'))).toMatchObject({
      anomalies: [],
      inconclusive: [],
    });
  });
});
