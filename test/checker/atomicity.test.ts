// Torn and hanging transactions, committed offsets, exactly-once copies: each on the anomaly and on its look-alikes.
import { describe, expect, test } from 'vitest';
import { checkHistory } from '../../src/checker/check.ts';
import type { AnomalyName } from '../../src/checker/findings.ts';
import type { NewEntry } from '../../src/history/operations.ts';
import { history, quiet, type Entries } from './histories.ts';
import {
  commitOffsets,
  committed,
  declared,
  described,
  fetchOffsets,
  log,
  member,
  open,
  producer,
  read,
} from './transaction-histories.ts';

const app = producer();
const checker =
  (name: AnomalyName) =>
  (...entries: Entries) =>
    checkHistory(history(...entries), [name]);
const clean = { anomalies: [], allowed: [], inconclusive: [] };
const payments = { partition: 'payments-0' };

describe('torn-txn', () => {
  const check = checker('torn-txn');
  const both = [app.begin(1), app.send(1, 'o'), app.send(1, 'p', 'ok', payments), app.commit(1, 'info')];
  const torn = [log(['o:1', '!commit:1']), log(['p:1', '!abort:1'], 'payments-0'), quiet()];

  test('txn INV-2: committed in one partition and aborted in another', () => {
    expect(check(...both, ...torn).anomalies).toMatchObject([
      { details: { transactionalId: 'id', committed: 'o', aborted: 'p', abortedIn: 'payments-0' }, ops: [2, 4, 8, 11] },
    ]);
  });
  test('BUG-12: torn within one partition', () => {
    const entries = [app.begin(1), app.send(1, 'b'), app.send(1, 'c'), app.abort(1)];
    const found = check(...entries, log(['b:1', '!commit:1', 'c:1', '!abort:1']), quiet());
    expect(found.anomalies).toMatchObject([{ details: { committed: 'b', aborted: 'c' } }]);
  });
  test('BUG-13: its records are committed and its offsets are not, or the other way round', () => {
    const entries = [app.begin(1), app.send(1, 'o'), app.offsets(1, 5), app.commit(1, 'info')];
    expect(check(...entries, log(['o:1', '!commit:1']), committed({ 'in-0': -1 }), quiet()).anomalies).toMatchObject([
      { partition: 'in-0', details: { group: 'g', offset: 5, found: -1 } },
    ]);
    expect(check(...entries, log(['o:1', '!abort:1']), committed({ 'in-0': 5 }), quiet()).anomalies).toMatchObject([
      { partition: 'in-0', details: { group: 'g', offset: 5, found: 5 } },
    ]);
  });
  describe('is not', () => {
    test('one outcome in all partitions, whatever the application knows', () => {
      for (const kind of ['commit', 'abort']) {
        const logs = [log(['o:1', `!${kind}:1`]), log(['p:1', `!${kind}:1`], 'payments-0')];
        expect(check(...both, ...logs, quiet())).toEqual(clean);
      }
    });
    test('a timeout abort that the producer then adopts by aborting (txn T-189)', () => {
      const next = [app.abort(1), app.begin(2), app.send(2, 'o2'), app.commit(2)];
      const logs = [log(['o:1', '!abort:1', 'o2:1', '!commit:1']), log(['p:1', '!abort:1'], 'payments-0')];
      expect(check(...both.slice(0, 3), ...next, ...logs, quiet())).toEqual(clean);
    });
    test('a partition in which nothing is decided yet', () => {
      expect(check(...both, log(['o:1', '!commit:1']), log(['p:1'], 'payments-0'), quiet())).toEqual(clean);
    });
    test('a value sent again by a later transaction', () => {
      const entries = [app.begin(1), app.send(1, 'o'), app.abort(1), app.begin(2), app.send(2, 'o'), app.commit(2)];
      expect(check(...entries, log(['o:1', '!abort:1', 'o:1', '!commit:1']), quiet())).toEqual(clean);
    });
    test('offsets that a later commit replaced', () => {
      const entries = [app.begin(1), app.send(1, 'o'), app.offsets(1, 5), app.commit(1, 'info'), commitOffsets('m', 3)];
      expect(check(...entries, log(['o:1', '!commit:1']), committed({ 'in-0': 3 }), quiet())).toEqual(clean);
    });
  });
  test('is allowed by an admin abort (W-15) and by an unclean election (W-20)', () => {
    for (const what of ['admin-abort', 'unclean-election'] as const) {
      const found = check(...both, declared(what, 'payments-0'), ...torn);
      expect(found).toMatchObject({ anomalies: [], allowed: [{ anomaly: 'torn-txn' }] });
    }
  });
  test('cannot be decided without the logs', () => {
    expect(check(...both).inconclusive).toHaveLength(2);
  });
});

describe('hanging-txn', () => {
  const check = checker('hanging-txn');
  const wrote = [app.begin(1), app.send(1, 'a')];

  test('BUG-11: a late record that no coordinator knows of', () => {
    const found = check(...wrote, app.abort(1), log(['!abort:1', 'a:1']), described('CompleteAbort'), open(1), quiet());
    expect(found.anomalies).toMatchObject([{ details: { offset: 1, producerId: 1, value: 'a' }, ops: [2, 10] }]);
  });
  test('BUG-13: another partition is in its coordinator, this one is not', () => {
    expect(check(...wrote, described('Ongoing', elsewhere), open(0)).anomalies).toHaveLength(1);
  });
  test('its coordinator never times it out', () => {
    const late = open(0, { idleMs: 1000 + 70_001 });
    expect(check(...wrote, described('Ongoing', { partitions: ['orders-0'] }), late).anomalies).toHaveLength(1);
  });
  test('the log alone shows it', () => {
    expect(check(...wrote, log(['a:1']), described('Empty'), quiet()).anomalies).toMatchObject([
      { details: { offset: 0 } },
    ]);
  });
  describe('is not', () => {
    test('a transaction that its coordinator knows and will time out', () => {
      expect(check(...wrote, described('Ongoing', { partitions: ['orders-0'] }), open(0, { idleMs: 900 }))).toEqual(
        clean,
      );
    });
    test('one that is decided and waits for its marker', () => {
      expect(check(...wrote, described('PrepareCommit', { partitions: ['orders-0'] }), open(0))).toEqual(clean);
    });
    test('one that is over; nor is a marker without data', () => {
      expect(
        check(...wrote, app.abort(1), log(['a:1', '!abort:1', '!abort:1']), described('CompleteAbort'), quiet()),
      ).toEqual(clean);
      expect(check(...wrote, described('CompleteAbort'), open())).toEqual(clean);
    });
  });
  test('is allowed where an unclean election may have taken its marker', () => {
    const found = check(...wrote, declared('unclean-election'), described('CompleteAbort'), open(0));
    expect(found).toMatchObject({ anomalies: [], allowed: [{ anomaly: 'hanging-txn' }] });
  });
  test('cannot be decided if its coordinator was not heard, or the partition not seen', () => {
    expect(check(...wrote, open(0))).toMatchObject({ anomalies: [], inconclusive: [expect.stringContaining('id')] });
    expect(check(...wrote, described('Ongoing'))).toMatchObject({ anomalies: [], inconclusive: [expect.anything()] });
  });
});

const elsewhere = { partitions: ['payments-0'] };

describe('lost-offset-commit', () => {
  const check = checker('lost-offset-commit');

  test('BUG-15: an acknowledged commit is gone, or an older one is there', () => {
    expect(check(commitOffsets('m', 5), committed({ 'in-0': -1 })).anomalies).toMatchObject([
      { partition: 'in-0', details: { group: 'g', offset: 5, found: -1 }, ops: [0, 1, 2] },
    ]);
    expect(check(commitOffsets('m', 5), commitOffsets('m', 9), committed({ 'in-0': 5 })).anomalies).toMatchObject([
      { details: { offset: 9, found: 5 }, ops: [2, 3, 4] },
    ]);
  });
  test('txn INV-4: offsets of a committed transaction are gone', () => {
    expect(check(app.begin(1), app.offsets(1, 5), app.commit(1), committed({ 'in-0': -1 })).anomalies).toMatchObject([
      { details: { offset: 5, transactionalId: 'id' }, ops: [2, 3, 5, 6] },
    ]);
  });
  describe('is not', () => {
    test('one that a later commit replaced, a smaller one too (a reset)', () => {
      expect(check(commitOffsets('m', 5), commitOffsets('admin', 2), committed({ 'in-0': 2 }))).toEqual(clean);
    });
    test('one beside another at the same time, or one in doubt before it that came late', () => {
      const [a, b] = [commitOffsets('m', 5), commitOffsets('n', 4)];
      expect(check(a[0]!, b[0]!, a[1]!, b[1]!, committed({ 'in-0': 5 }))).toEqual(clean);
      expect(check(commitOffsets('m', 5, 'info'), commitOffsets('m', 9), committed({ 'in-0': 5 }))).toEqual(clean);
    });
    test('offsets of an aborted transaction', () => {
      expect(check(app.begin(1), app.offsets(1, 5), app.abort(1), committed({ 'in-0': -1 }))).toEqual(clean);
    });
    test('a commit in a transaction of unknown outcome', () => {
      for (const found of [-1, 5])
        expect(check(app.begin(1), app.offsets(1, 5), app.commit(1, 'info'), committed({ 'in-0': found }))).toEqual(
          clean,
        );
    });
    test('a refused commit of a member that was fenced', () => {
      expect(check(commitOffsets('m', 5), commitOffsets('late', 9, 'fail'), committed({ 'in-0': 5 }))).toEqual(clean);
    });
    test('offsets sent early and committed late: a plain commit between is later in the log', () => {
      const entries = [app.begin(1), app.offsets(1, 5), commitOffsets('m', 7), app.commit(1)];
      expect(check(...entries, committed({ 'in-0': 7 }))).toEqual(clean);
    });
  });
  test('is allowed where the offsets topic lost data', () => {
    const found = check(
      commitOffsets('m', 5),
      declared('unclean-election', '__consumer_offsets-3'),
      committed({ 'in-0': -1 }),
    );
    expect(found).toMatchObject({ anomalies: [], allowed: [{ anomaly: 'lost-offset-commit' }] });
  });
  test('cannot be decided if nobody asked, or the answer is undecided', () => {
    expect(check(commitOffsets('m', 5)).inconclusive).toHaveLength(1);
    expect(check(commitOffsets('m', 5), committed({}, ['in-0'])).inconclusive).toHaveLength(1);
  });
});

describe('offset-regression', () => {
  const check = checker('offset-regression');
  /** A commit of generation 1 that is answered when others are in generation `next`. */
  const late = (next: number): NewEntry[] => {
    const [sent, answered] = commitOffsets('old', 5) as [NewEntry, NewEntry];
    const stale = [sent, answered].map((entry) => ({ ...entry, generation: 1 }) as NewEntry);
    const taken = member('assigned', 'n', next);
    const between = [taken, ...commitOffsets('n', 9), ...fetchOffsets('n', 9)];
    return [stale[0]!, ...between, stale[1]!, ...fetchOffsets('m', 5)];
  };

  /** `old` is w; then `name` is given partitions as `instance`, in the same generation; then `old` commits. */
  const replaced = (instance: string, name: string): NewEntry[] => {
    const inGeneration = (entries: readonly NewEntry[]) =>
      entries.map((entry) => ({ ...entry, generation: 1 }) as NewEntry);
    const own = member('assigned', 'old', 1, { instance: 'w' });
    const other = { ...member('assigned', `${name}2`, 1, { instance }), process: name } as NewEntry;
    const newer = [...commitOffsets('new', 9), ...fetchOffsets('n', 9)];
    return [own, other, ...newer, ...inGeneration(commitOffsets('old', 5)), ...fetchOffsets('n', 5)];
  };

  test('BUG-72: a commit of a static member that was replaced', () => {
    expect(check(...replaced('w', 'new')).anomalies).toMatchObject([{ details: { before: 9, offset: 5 } }]);
  });
  test('BUG-23: a commit of a generation that is over, which no coordinator takes', () => {
    expect(check(...late(2)).anomalies).toMatchObject([{ details: { before: 9, offset: 5 } }]);
    // Sent when it was over already.
    const [sent, ...rest] = late(2);
    const behind = [...rest.slice(0, -3), sent!, ...rest.slice(-3)];
    expect(check(member('assigned', 'old', 1), ...behind).anomalies).toHaveLength(1);
  });

  test('a committed offset goes back, and no commit says so', () => {
    const entries = [commitOffsets('m', 5), commitOffsets('m', 9), fetchOffsets('n', 9), fetchOffsets('n', 5)];
    expect(check(...entries).anomalies).toMatchObject([
      { partition: 'in-0', details: { group: 'g', before: 9, offset: 5 }, ops: [5, 7] },
    ]);
    expect(check(fetchOffsets('n', 9), committed({ 'in-0': -1 })).anomalies).toHaveLength(1);
  });
  describe('is not', () => {
    test('a reset that was committed', () => {
      const entries = [commitOffsets('m', 9), fetchOffsets('n', 9), commitOffsets('admin', 2), fetchOffsets('n', 2)];
      expect(check(...entries)).toEqual(clean);
    });
    test('a commit in doubt that came late', () => {
      const entries = [
        commitOffsets('old', 5, 'info'),
        commitOffsets('m', 9),
        fetchOffsets('n', 9),
        fetchOffsets('n', 5),
      ];
      expect(check(...entries)).toEqual(clean);
    });
    test('a late commit of a static member that came back under another id, and was not replaced', () => {
      expect(check(...replaced('w', 'old'))).toEqual(clean);
      expect(check(...replaced('v', 'new'))).toEqual(clean);
    });
    test('a late commit of a generation of which nobody knows that it is over', () => {
      expect(check(...late(1))).toEqual(clean);
    });
    test('a reset by a member of a group that was deleted, and counts its generations anew', () => {
      const [sent, answered] = commitOffsets('n', 5).map((entry) => ({ ...entry, generation: 1 }) as NewEntry);
      const before = [member('assigned', 'm', 4), ...commitOffsets('m', 9), ...fetchOffsets('m', 9)];
      const entries = [...before, member('assigned', 'n', 1), sent!, answered!, ...fetchOffsets('n', 5)];
      expect(check(...entries)).toEqual(clean);
    });
    test('two answers that overlapped', () => {
      const [a, b] = [fetchOffsets('m', 9), fetchOffsets('n', 5)];
      expect(check(commitOffsets('m', 5), commitOffsets('m', 9), a[0]!, b[0]!, a[1]!, b[1]!)).toEqual(clean);
    });
    test('another group, another partition', () => {
      expect(check(fetchOffsets('n', 9), fetchOffsets('n', 5, 'in-1'), committed({ 'in-0': 1 }, [], 'h'))).toEqual(
        clean,
      );
    });
  });
});

describe('eos-violation (txn INV-8, T-174)', () => {
  const check = checker('eos-violation');
  const copy = (who: ReturnType<typeof producer>, txn: number, input: number, end: 'ok' | 'info' | 'abort' = 'ok') => [
    who.begin(txn),
    who.send(txn, `out${input}`, 'ok', { partition: 'out-0', from: [`in-0@${input}`] }),
    who.offsets(txn, input + 1),
    end === 'abort' ? who.abort(txn) : who.commit(txn, end),
  ];
  const input = log(['i0', 'i1'], 'in-0');
  const once = log(['out0:1', '!commit:1', 'out1:1', '!commit:1'], 'out-0');
  const ended = (offset: number) => [input, committed({ 'in-0': offset }), quiet()];

  test('BUG-14: two members copy the same input', () => {
    const other = producer('other', 'id-2');
    const twice = log(['out0:1', 'out0:2', '!commit:1', '!commit:2'], 'out-0');
    expect(check(...copy(app, 1, 0), ...copy(other, 1, 0), twice, ...ended(1)).anomalies).toMatchObject([
      { partition: 'in-0', details: { how: 'duplicated', input: 0, outputs: ['out0'], group: 'g' } },
    ]);
  });
  test('BUG-14: and give their outputs different values', () => {
    const other = producer('other', 'id-2');
    const again = [other.begin(1), other.send(1, 'x', 'ok', { partition: 'out-0', from: ['in-0@0'] }), other.commit(1)];
    const twice = log(['out0:1', 'x:2', '!commit:1', '!commit:2'], 'out-0');
    const found = check(...copy(app, 1, 0), ...again, other.offsets(2, 1), twice, ...ended(1));
    expect(found.anomalies).toMatchObject([{ details: { how: 'duplicated', input: 0 } }]);
  });
  test('BUG-13: input below the committed offset has no output', () => {
    const lost = log(['out0:1', '!commit:1', 'out1:1', '!abort:1'], 'out-0');
    expect(check(...copy(app, 1, 0), ...copy(app, 2, 1), lost, ...ended(2)).anomalies).toMatchObject([
      { details: { how: 'missing', input: 1, committed: 2 } },
    ]);
  });
  test('BUG-15: an output is visible, and its input is to be read again', () => {
    expect(check(...copy(app, 1, 0), ...copy(app, 2, 1), once, ...ended(1)).anomalies).toMatchObject([
      { details: { how: 'beyond', input: 1, committed: 1, outputs: ['out1'] } },
    ]);
  });
  describe('is not', () => {
    test('each input once', () => {
      expect(check(...copy(app, 1, 0), ...copy(app, 2, 1), once, ...ended(2))).toEqual(clean);
    });
    test('an attempt that was aborted before the one that was not', () => {
      const tried = log(['out0:1', '!abort:1', 'out0:1', '!commit:1'], 'out-0');
      expect(check(...copy(app, 1, 0, 'abort'), ...copy(app, 2, 0), tried, ...ended(1))).toEqual(clean);
    });
    test('input that nobody has copied yet, at the committed offset', () => {
      expect(check(...copy(app, 1, 0), log(['out0:1', '!commit:1'], 'out-0'), ...ended(1))).toEqual(clean);
    });
    test('a commit of unknown outcome, with its offsets or without', () => {
      const unknown = copy(app, 1, 0, 'info');
      expect(check(...unknown, log(['out0:1', '!commit:1'], 'out-0'), ...ended(1))).toEqual(clean);
      expect(check(...unknown, log(['out0:1', '!abort:1'], 'out-0'), ...ended(-1))).toEqual(clean);
    });
    test('input that was aborted, and input before the job began to read', () => {
      const half = [log(['i0:7', '!abort:7', 'i1'], 'in-0'), committed({ 'in-0': 3 }), quiet()];
      expect(check(...copy(app, 1, 2), log(['out2:1', '!commit:1'], 'out-0'), ...half)).toEqual(clean);
      const late = read('app', ['i1@1'], { partition: 'in-0', from: 1, group: 'g' });
      expect(check(late, ...copy(app, 1, 1), log(['out1:1', '!commit:1'], 'out-0'), ...ended(2))).toEqual(clean);
    });
    test('an output for each of two equal inputs; but not one more', () => {
      const equal = [log(['i', 'i'], 'in-0'), committed({ 'in-0': 2 }), quiet()];
      const made = [0, 1].flatMap((offset) => [
        app.begin(offset + 1),
        app.send(offset + 1, 'out', 'ok', { partition: 'out-0', from: [`in-0@${offset}`] }),
        app.offsets(offset + 1, offset + 1),
        app.commit(offset + 1),
      ]);
      const pair = ['out:1', '!commit:1', 'out:1', '!commit:1'];
      expect(check(...made, log(pair, 'out-0'), ...equal)).toEqual(clean);
      const three = check(...made, log([...pair, 'out:1', '!commit:1'], 'out-0'), ...equal);
      expect(three.anomalies).toMatchObject([{ details: { how: 'duplicated', input: 0 } }, { details: { input: 1 } }]);
    });
    test('two outputs of one input in one transaction', () => {
      const second = app.send(1, 'more', 'ok', { partition: 'out-0', from: ['in-0@0'] });
      const [began, sent, offsets, end] = copy(app, 1, 0);
      const texts = ['out0:1', 'more:1', '!commit:1'];
      expect(check(began!, sent!, second, offsets!, end!, log(texts, 'out-0'), ...ended(1))).toEqual(clean);
    });
  });
  describe('by clients that were seen on the wire alone', () => {
    const seen = (process: string): NewEntry => ({ f: 'recorded', type: 'info', process }) as NewEntry;
    const instance = (name: string) => producer(name, 'id');
    const from = ['in-0@0', 'in-0@1'];
    const put = (who: ReturnType<typeof producer>, txn: number) => [
      who.begin(txn),
      who.send(txn, 'out', 'ok', { partition: 'out-0', from }),
    ];
    const equal = (offset: number) => [log(['i', 'i'], 'in-0'), committed({ 'in-0': offset }), quiet()];

    test('two instances of one client copy the same input, and one of them commits no offsets', () => {
      const [one, two] = [instance('app'), instance('app~2')];
      const again = [two.begin(1), two.send(1, 'out0', 'ok', { partition: 'out-0', from: ['in-0@0'] }), two.commit(1)];
      const twice = log(['out0:1', '!commit:1', 'out0:1', '!commit:1'], 'out-0');
      const all = [seen('app'), seen('app~2'), ...copy(one, 1, 0), ...again, twice, ...ended(1)];
      expect(check(...all).anomalies).toMatchObject([{ details: { how: 'duplicated', input: 0, group: 'g' } }]);
    });
    test('one of two equal inputs has no output; not: each has one, or the second is still to be copied', () => {
      const first = [...put(app, 1), app.offsets(1, 1), app.commit(1)];
      const half = log(['out:1', '!commit:1'], 'out-0');
      expect(check(seen('app'), ...first, half, ...equal(1))).toEqual(clean);
      const missing = check(seen('app'), ...first, app.offsets(2, 2), app.commit(2), half, ...equal(2)).anomalies;
      expect(missing).toMatchObject([{ details: { how: 'missing' } }, { details: { how: 'missing' } }]);
      const both = [...first, ...put(app, 2), app.offsets(2, 2), app.commit(2)];
      const whole = log(['out:1', '!commit:1', 'out:1', '!commit:1'], 'out-0');
      expect(check(seen('app'), ...both, whole, ...equal(2))).toEqual(clean);
      expect(check(seen('app'), ...both, whole, ...equal(1)).anomalies).toMatchObject([{ details: { how: 'beyond' } }]);
    });
    test('of which nobody said what they copy: it cannot be decided', () => {
      const untold = [
        app.begin(1),
        app.send(1, 'out0', 'ok', { partition: 'out-0' }),
        app.offsets(1, 1),
        app.commit(1),
      ];
      const { anomalies, inconclusive } = check(seen('app'), ...untold, once, ...ended(1));
      expect([anomalies, inconclusive.length]).toEqual([[], 1]);
    });
  });
  test('cannot be decided without the logs of the output, or what is committed', () => {
    expect(check(...copy(app, 1, 0), ...ended(1)).inconclusive).toHaveLength(1);
    expect(check(...copy(app, 1, 0), once, input, quiet()).inconclusive).toHaveLength(1);
  });
});
