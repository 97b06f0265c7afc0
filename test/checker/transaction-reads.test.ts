// Reads of aborted and undecided transactions, and what transactions change for lost writes, duplicates and skips: each
// on the anomaly and on its look-alikes.
import { describe, expect, test } from 'vitest';
import { checkHistory } from '../../src/checker/check.ts';
import type { AnomalyName } from '../../src/checker/findings.ts';
import { history, quiet, type Entries } from './histories.ts';
import { declared, log, producer, read } from './transaction-histories.ts';

const app = producer();
const checker =
  (name: AnomalyName) =>
  (...entries: Entries) =>
    checkHistory(history(...entries), [name]);
const clean = { anomalies: [], allowed: [], inconclusive: [] };

describe('aborted-read', () => {
  const check = checker('aborted-read');
  const aborted = [app.begin(1), app.send(1, 'a'), app.abort(1)];

  test('BUG-10, BUG-12: a record whose transaction was aborted, as its application was told', () => {
    expect(check(...aborted, read('rc', ['a'])).anomalies).toMatchObject([
      { details: { reader: 'rc', offset: 0, value: 'a', transactionalId: 'id' }, ops: [2, 5, 6] },
    ]);
  });
  test('BUG-10: a record that an ABORT marker ends, whoever sent it', () => {
    expect(check(read('rc', ['a']), log(['a:1', '!abort:1']), quiet()).anomalies).toMatchObject([{ ops: [0, 1] }]);
  });
  test('a record whose commit was refused', () => {
    const refused = [app.begin(1), app.send(1, 'a'), app.commit(1, 'fail')];
    expect(check(...refused, read('rc', ['a'])).anomalies).toMatchObject([{ ops: [2, 5, 6] }]);
  });
  test('is reported once, however often it was read', () => {
    expect(check(...aborted, read('rc', ['a']), read('other', ['a'])).anomalies).toHaveLength(1);
  });
  describe('is not', () => {
    test('a read_uncommitted reader of aborted data', () => {
      const uncommitted = read('ru', ['a'], { isolation: 'read_uncommitted' });
      expect(check(...aborted, uncommitted, log(['a:1', '!abort:1']), quiet())).toEqual(clean);
    });
    test('a commit with unknown outcome that took effect', () => {
      const unknown = [app.begin(1), app.send(1, 'a'), app.commit(1, 'info')];
      expect(check(...unknown, read('rc', ['a']), log(['a:1', '!commit:1']), quiet())).toEqual(clean);
    });
    test('a value that was sent again after the abort, and committed', () => {
      const again = [app.begin(2), app.send(2, 'a'), app.commit(2), read('rc', ['a@2'])];
      expect(check(...aborted, ...again, log(['a:1', '!abort:1', 'a:1', '!commit:1']), quiet())).toEqual(clean);
    });
    test('a plain record among aborted ones, and the data of another producer', () => {
      const texts = ['a:1', 'plain', 'b:2', '!commit:2', '!abort:1'];
      expect(check(...aborted, read('rc', ['plain@1', 'b@2']), log(texts), quiet())).toEqual(clean);
    });
    test('a late identical marker, which has no effect (txn T-89)', () => {
      const texts = ['a:1', '!commit:1', '!abort:1'];
      expect(check(read('rc', ['a']), log(texts), quiet())).toEqual(clean);
    });
  });
  test('is allowed after an unclean election, which may have taken the marker (W-20)', () => {
    const found = check(read('rc', ['a']), declared('unclean-election'), log(['a:1', '!abort:1']), quiet());
    expect(found).toMatchObject({ anomalies: [], allowed: [{ anomaly: 'aborted-read' }] });
  });
  test('cannot be decided while a commit is in doubt and no log was seen', () => {
    const doubt = [app.begin(1), app.send(1, 'a'), app.commit(1, 'info'), read('rc', ['a'])];
    expect(check(...doubt)).toMatchObject({ anomalies: [], inconclusive: [expect.stringContaining('orders-0')] });
  });
});

describe('precommitted-read', () => {
  const check = checker('precommitted-read');

  test('BUG-10: a record before its commit was asked for', () => {
    const entries = [app.begin(1), app.send(1, 'a'), read('rc', ['a']), app.commit(1)];
    expect(check(...entries, log(['a:1', '!commit:1']), quiet()).anomalies).toMatchObject([
      { details: { reader: 'rc', value: 'a' }, ops: [2, 4, 5] },
    ]);
  });
  test('a record of a transaction that nobody asked to commit, or that no marker ends', () => {
    expect(check(app.begin(1), app.send(1, 'a'), read('rc', ['a'])).anomalies).toMatchObject([{ ops: [2, 4] }]);
    expect(check(read('rc', ['a']), log(['a:1']), quiet()).anomalies).toMatchObject([{ ops: [0, 1] }]);
  });
  describe('is not', () => {
    const sent = [app.begin(1), app.send(1, 'a')];
    test('a read while the commit is under way, nor one of unknown outcome (txn INV-19)', () => {
      const [invoke, ok] = app.commit(1);
      expect(check(...sent, invoke!, read('rc', ['a']), ok!, log(['a:1', '!commit:1']), quiet())).toEqual(clean);
      expect(check(...sent, app.commit(1, 'info'), read('rc', ['a']))).toEqual(clean);
    });
    test('a read_uncommitted reader of an open transaction', () => {
      expect(check(...sent, read('ru', ['a'], { isolation: 'read_uncommitted' }), app.commit(1))).toEqual(clean);
    });
    test('a record outside transactions, at once', () => {
      expect(check(read('rc', ['plain']), log(['plain', 'a:1', '!commit:1']), quiet())).toEqual(clean);
    });
    test('the same value committed before, and sent again in an open transaction', () => {
      const entries = [...sent, app.commit(1), app.begin(2), app.send(2, 'a'), read('rc', ['a']), app.commit(2)];
      expect(check(...entries)).toEqual(clean);
    });
  });
});

describe('lost-write of transactions (txn INV-4)', () => {
  const check = checker('lost-write');
  const sent = [app.begin(1), app.send(1, 'a')];

  test('is a record gone, or aborted, though its commit was acknowledged', () => {
    expect(check(...sent, app.commit(1), log([]), quiet()).anomalies).toHaveLength(1);
    expect(check(...sent, app.commit(1), log(['a:1', '!abort:1']), quiet()).anomalies).toMatchObject([
      { details: { value: 'a', marker: 'abort' }, ops: [2, 3, 5, 6] },
    ]);
  });
  test('is not one whose transaction was aborted, whose commit is in doubt or was refused, or that nobody ended', () => {
    for (const end of [app.abort(1), app.commit(1, 'info'), app.commit(1, 'fail'), []])
      expect(check(...sent, end, log([]), quiet())).toEqual(clean);
  });
  test('is allowed where an admin aborted the transaction by hand (txn T-179)', () => {
    const entries = [...sent, declared('admin-abort'), app.commit(1), log(['a:1', '!abort:1', '!commit:1']), quiet()];
    expect(check(...entries)).toMatchObject({
      anomalies: [],
      allowed: [{ because: expect.stringContaining('admin-abort') }],
    });
    expect(check(...sent, app.commit(1), declared('admin-abort'), log([]), quiet()).anomalies).toHaveLength(1);
  });
});

describe('duplicate of transactions', () => {
  const check = checker('duplicate');
  const twice = [app.begin(1), app.send(1, 'a'), app.abort(1), app.begin(2), app.send(2, 'a'), app.commit(2)];

  test('BUG-07: one send stands twice', () => {
    const entries = [app.begin(1), app.send(1, 'a'), app.commit(1)];
    expect(check(...entries, log(['a:1', 'a:1', '!commit:1']), quiet()).anomalies).toHaveLength(1);
  });
  test('a value sent again is visible more often than it may have been committed', () => {
    const texts = ['a:1', '!commit:1', 'a:1', '!commit:1'];
    expect(check(...twice, log(texts), quiet()).anomalies).toMatchObject([{ details: { offset: 0, again: 2 } }]);
    expect(check(...twice, log(['a:1', '!abort:1', 'a:1', 'a:1', '!commit:1']), quiet()).anomalies).toHaveLength(1);
  });
  test('is not an aborted copy beside a committed one', () => {
    expect(check(...twice, log(['a:1', '!abort:1', 'a:1', '!commit:1']), quiet())).toEqual(clean);
  });
});

describe('poll-skip of read_committed readers', () => {
  const check = checker('poll-skip');
  const texts = ['a:1', 'p', '!abort:1', 'b:1', '!commit:1', 'c'];

  test('txn INV-3: a committed record is missed', () => {
    expect(check(read('rc', ['p@1', 'c@5']), log(texts), quiet()).anomalies).toMatchObject([
      { details: { missed: ['b'], offset: 3 } },
    ]);
  });
  test('is not what was aborted, nor a marker', () => {
    expect(check(read('rc', ['p@1', 'b@3', 'c@5']), log(texts), quiet())).toEqual(clean);
  });
  test('a read_uncommitted reader is owed aborted data too', () => {
    const uncommitted = read('ru', ['p@1', 'b@3', 'c@5'], { isolation: 'read_uncommitted' });
    expect(check(uncommitted, log(texts), quiet()).anomalies).toMatchObject([{ details: { missed: ['a'] } }]);
  });
});
