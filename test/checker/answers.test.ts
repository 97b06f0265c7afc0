// Answers that were wrong: definite failures with an effect, and successes without theirs; and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { checkHistory } from '../../src/checker/check.ts';
import type { AnomalyName } from '../../src/checker/findings.ts';
import { agreed, budget, history, polled, quiet, replica, sent, type Entries } from './histories.ts';
import { commitOffsets, committed, declared, log, producer } from './transaction-histories.ts';

const app = producer();
const checker =
  (name: AnomalyName) =>
  (...entries: Entries) =>
    checkHistory(history(...entries), [name]);
const clean = { anomalies: [], allowed: [], inconclusive: [] };

describe('false-fail', () => {
  const check = checker('false-fail');

  test('repl I-25: a send that definitely failed stands in the log', () => {
    expect(check(sent('x', 'fail'), agreed(['a', 'x'])).anomalies).toMatchObject([
      { partition: 'orders-0', details: { process: 'p', op: 'send', value: 'x', offset: 1 }, ops: [1, 2] },
    ]);
  });
  test('or was read, though no log was seen', () => {
    expect(check(sent('x', 'fail'), polled('r', 4, ['x'])).anomalies).toMatchObject([
      { details: { value: 'x', offset: 4 }, ops: [1, 2] },
    ]);
  });
  test('BUG-56: one of several pipelined sends is refused although its first attempt was appended', () => {
    const sends = ['0', '1', '2'].map((value, at) => sent(value, at === 0 ? 'fail' : at, { idempotent: true }));
    expect(check(...sends, agreed(['0', '1', '2'])).anomalies).toMatchObject([{ details: { value: '0' } }]);
  });
  test('a commit that definitely failed, and its records are committed', () => {
    const entries = [app.begin(1), app.send(1, 'o'), app.commit(1, 'fail', { error: 'INVALID_TXN_STATE' })];
    expect(check(...entries, log(['o:1', '!commit:1']), quiet()).anomalies).toMatchObject([
      { details: { op: 'commit', value: 'o', offset: 0, error: 'INVALID_TXN_STATE', txn: 1 }, ops: [5, 6] },
    ]);
  });
  test('a commit of offsets that definitely failed, and is in force', () => {
    const entries = [commitOffsets('c', 3), commitOffsets('c', 9, 'fail'), committed({ 'in-0': 9 }), quiet()];
    expect(check(...entries).anomalies).toMatchObject([{ partition: 'in-0', details: { group: 'g', offset: 9 } }]);
  });

  describe('is not', () => {
    test('a send of unknown outcome that is there (repl R-17)', () =>
      expect(check(sent('x', 'info'), agreed(['x']))).toEqual(clean));
    test('a send that failed and is not there', () => expect(check(sent('x', 'fail'), agreed(['a']))).toEqual(clean));
    test('a value that its application sent again', () =>
      expect(check(sent('x', 'fail'), sent('x', 0), agreed(['x']))).toEqual(clean));
    test('the same value in another partition', () => {
      const elsewhere = { ...replica(1, ['x']), partition: 'other-0' } as const;
      expect(check(sent('x', 'fail'), elsewhere, agreed([]))).toEqual(clean);
    });
    test('a commit that failed, of a transaction that is aborted', () => {
      const entries = [app.begin(1), app.send(1, 'o'), app.commit(1, 'fail')];
      expect(check(...entries, log(['o:1', '!abort:1']), quiet())).toEqual(clean);
    });
    test('a commit in doubt whose repetition fails: it had happened', () => {
      const entries = [app.begin(1), app.send(1, 'o'), app.commit(1, 'info'), app.commit(1, 'fail')];
      expect(check(...entries, log(['o:1', '!commit:1']), quiet())).toEqual(clean);
    });
    test('an offset that another member committed as well', () => {
      const entries = [commitOffsets('c', 9, 'fail'), commitOffsets('d', 9), committed({ 'in-0': 9 }), quiet()];
      expect(check(...entries)).toEqual(clean);
    });
  });
});

describe('false-ok', () => {
  const check = checker('false-ok');

  test('BUG-90, repl I-18: an acknowledged offset holds another value, and the value stands elsewhere', () => {
    expect(check(sent('x', 0), agreed(['a', 'x'])).anomalies).toMatchObject([
      { partition: 'orders-0', details: { op: 'send', value: 'x', offset: 0, found: 1 }, ops: [0, 1, 2] },
    ]);
  });
  test('BUG-28: a commit was acknowledged, and one of its records is aborted', () => {
    const entries = [app.begin(1), app.send(1, 'a'), app.send(1, 'b'), app.commit(1)];
    const found = check(...entries, log(['a:1', '!abort:1', 'b:1', '!commit:1']), quiet());
    expect(found.anomalies).toMatchObject([{ details: { op: 'commit', value: 'a', offset: 0, txn: 1 } }]);
  });
  test('an abort was acknowledged, and a record is committed', () => {
    const entries = [app.begin(1), app.send(1, 'a'), app.abort(1)];
    expect(check(...entries, log(['a:1', '!commit:1']), quiet()).anomalies).toMatchObject([
      { details: { op: 'abort', value: 'a' } },
    ]);
  });
  test('BUG-15: a commit of offsets was acknowledged, and an older one is in force', () => {
    const entries = [commitOffsets('c', 5), commitOffsets('c', 100), committed({ 'in-0': 5 }), quiet()];
    expect(check(...entries).anomalies).toMatchObject([
      { partition: 'in-0', details: { op: 'commit-offsets', offset: 100, found: 5 } },
    ]);
  });

  describe('is not', () => {
    test('the offset where it is', () => expect(check(sent('x', 1), agreed(['a', 'x']))).toEqual(clean));
    test('a second copy by a retry of a producer that numbers nothing', () =>
      expect(check(sent('x', 2), agreed(['x', 'a', 'x']))).toEqual(clean));
    test('a value that is gone altogether: that is a lost write', () =>
      expect(check(sent('x', 0), agreed(['a']))).toEqual(clean));
    test('an answer with acks=1 from a leader that is gone (repl R-103)', () =>
      expect(check(sent('x', 0, { acks: 1 }), agreed(['a', 'x']))).toEqual(clean));
    test('an offset below the log start', () =>
      expect(check(sent('x', 0), replica(1, ['a', 'x'], { start: 3 }), quiet())).toEqual(clean));
    test('after an unclean election, which is listed', () =>
      expect(check(sent('x', 0), budget('unclean-election'), agreed(['a', 'x']))).toMatchObject({
        anomalies: [],
        allowed: [{ anomaly: 'false-ok' }],
      }));
    test('what an administrator aborted by hand (txn W-15), which is listed', () => {
      const entries = [app.begin(1), app.send(1, 'a'), app.send(1, 'b'), app.commit(1), declared('admin-abort')];
      const found = check(...entries, log(['a:1', '!abort:1', 'b:1', '!commit:1']), quiet());
      expect(found).toMatchObject({ anomalies: [], allowed: [{ anomaly: 'false-ok' }] });
    });
    test('a commit that is not acknowledged', () => {
      const entries = [app.begin(1), app.send(1, 'a'), app.commit(1, 'info')];
      expect(check(...entries, log(['a:1', '!abort:1']), quiet())).toEqual(clean);
    });
    test('while not all replicas were seen', () =>
      expect(check(sent('x', 0), replica(1, ['a', 'x']), quiet('orders-0'))).toEqual(clean));
  });
});
