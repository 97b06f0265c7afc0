// What compaction takes out of a partition is no anomaly; what it may not take, and what comes back, is (txn T-114, BUG-64).
import { describe, expect, test } from 'vitest';
import { checkHistory } from '../../src/checker/check.ts';
import type { NewEntry } from '../../src/history/operations.ts';
import { history, polled, quiet, replica, sent, type Entries } from './histories.ts';
import { log, producer, read } from './transaction-histories.ts';

const compacted: NewEntry = { f: 'budget', type: 'info', process: 'c', what: 'compaction', partition: 'orders-0' };

const found = (...entries: Entries): string[] =>
  checkHistory(history(...entries)).anomalies.map(({ anomaly, details }) => `${anomaly} ${String(details['value'])}`);

/** Two replicas that agree. */
const both = (...values: readonly string[]): Entries => [replica(1, values), replica(2, values), quiet()];

describe('of a compacted partition', () => {
  const sends = [sent('k=a', 0), sent('j=b', 1), sent('k=c', 2)];

  test('a record that a later one of its key supersedes may be gone, from one replica as well', () => {
    expect(found(compacted, ...sends, ...both('-', 'j=b', 'k=c'))).toEqual([]);
    expect(
      found(compacted, ...sends, replica(1, ['k=a', 'j=b', 'k=c']), replica(2, ['-', 'j=b', 'k=c']), quiet()),
    ).toEqual([]);
    expect(found(...sends, ...both('-', 'j=b', 'k=c'))).toEqual(['lost-write k=a']);
  });

  test('the latest of a key may not', () => {
    expect(found(compacted, ...sends, ...both('k=a', '-', '-'))).toEqual(['lost-write j=b', 'lost-write k=c']);
  });

  test('what was refused, or landed before, supersedes nothing; what may have been appended does', () => {
    expect(found(compacted, sent('k=a', 1), sent('k=b', 0), sent('k=c', 'fail'), ...both('k=b', '-'))).toEqual([
      'lost-write k=a',
    ]);
    expect(found(compacted, sent('k=a', 1), sent('k=c', 'info'), ...both('-', '-'))).toEqual([]);
  });

  test('a reader that was given it saw no ghost, and one that was not has missed nothing', () => {
    const early = polled('early', 0, ['k=a', 'j=b', 'k=c']);
    const late = { ...polled('late', 0, []), to: 3, records: [{ offset: 2, value: 'k=c' }] };
    expect(found(compacted, ...sends, early, ...both('-', 'j=b', 'k=c'))).toEqual([]);
    expect(found(compacted, ...sends, late as typeof early, ...both('k=a', 'j=b', 'k=c'))).toEqual([
      expect.stringMatching(/^poll-skip/),
    ]);
  });

  test('two records at one offset, or one that a replica lacks, are what they always are', () => {
    expect(found(compacted, replica(1, ['k=a']), replica(2, ['k=b']), quiet())).toEqual(['log-divergence undefined']);
    expect(found(compacted, sent('k=a', 0), replica(1, ['k=a', 'j=b']), replica(2, ['-', 'j=b']), quiet())).toEqual([
      'log-divergence undefined',
    ]);
  });
});

describe('a tombstone', () => {
  const sends = [sent('k=a', 0), sent('k=', 1), sent('j=b', 2)];

  test('goes once what it deletes is nowhere', () => {
    expect(found(compacted, ...sends, ...both('-', '-', 'j=b'))).toEqual([]);
    expect(found(compacted, ...sends, ...both('-', 'k=', 'j=b'))).toEqual([]);
  });

  test('BUG-64: is lost if that is back', () => {
    expect(
      found(compacted, ...sends, replica(1, ['k=a', '-', 'j=b']), replica(2, ['-', '-', 'j=b']), quiet()),
    ).toContain('lost-write k=');
  });
});

describe('txn T-114: of transactions', () => {
  const app = producer();
  const aborted = [app.begin(1), app.send(1, 'k=x'), app.abort(1), app.begin(2), app.send(2, 'j=y'), app.commit(2)];
  const kept = log(['k=x:1', '!abort:1', 'j=y:1', '!commit:1'], 'orders-0', [1]);
  const cleaned = log(['-', '-', 'j=y:1', '!commit:1'], 'orders-0', [2]);

  test('what was aborted, and its marker, may be gone from one replica; whoever read it uncommitted saw no ghost', () => {
    const ru = read('ru', ['k=x'], { isolation: 'read_uncommitted' });
    expect(found(compacted, ...aborted, ru, cleaned, kept, quiet())).toEqual([]);
    expect(found(...aborted, cleaned, kept, quiet())).toContain('log-divergence undefined');
  });

  test('BUG-64: it may not be read as committed', () => {
    expect(found(compacted, ...aborted, read('rc', ['k=x']), cleaned, kept, quiet())).toContain('aborted-read k=x');
  });

  test('it may not be read as committed either if a later one of its key was committed', () => {
    const superseded = [
      app.begin(1),
      app.send(1, 'k=x'),
      app.abort(1),
      app.begin(2),
      app.send(2, 'k=y'),
      app.commit(2),
    ];
    const end = log(['-', '-', 'k=y:1', '!commit:1'], 'orders-0', [1, 2]);
    expect(found(compacted, ...superseded, read('rc', ['k=x']), end, quiet())).toContain('aborted-read k=x');
    expect(found(compacted, ...superseded, read('rc', ['k=y'], { from: 2 }), end, quiet())).toEqual([]);
  });

  test('what was aborted, or refused, and sent again supersedes what it supersedes', () => {
    const again = [app.begin(2), app.send(2, 'k=x'), app.commit(2)];
    const end = log(['-', '-', '-', 'k=x:1', '!commit:1'], 'orders-0', [1, 2]);
    const ru = read('ru', ['k=x'], { isolation: 'read_uncommitted', from: 3 });
    const aborted = [app.begin(1), app.send(1, 'k=x'), app.abort(1)];
    expect(found(compacted, sent('k=a', 0), ...aborted, ...again, ru, end, quiet())).toEqual([]);
    const refused = [app.begin(1), app.send(1, 'k=x', 'fail'), app.abort(1)];
    expect(found(compacted, sent('k=a', 0), ...refused, ...again, ru, end, quiet())).toEqual([]);
  });

  test('what an aborted one sent supersedes nothing', () => {
    const sends = [sent('k=a', 0), app.begin(1), app.send(1, 'k=x'), app.abort(1)];
    expect(found(compacted, ...sends, ...both('-', '-', '-'))).toEqual(['lost-write k=a']);
  });
});
