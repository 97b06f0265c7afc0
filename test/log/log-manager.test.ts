// A node's log directory: identity, format, checkpoints, opening and deleting (repl ).
import { describe, expect, test } from 'vitest';
import { factKey } from '../../src/log/keys.ts';
import type { LogId } from '../../src/log/manager-api.ts';
import { Bench, ORDERS, append, batchOf, threeBatches } from './bench.ts';

const RECREATED: LogId = { ...ORDERS, topicId: 'BBBBBBBBBBBBBBBBBBBBBB' };
const SECOND: LogId = { ...ORDERS, partition: 1 };

describe('identity and format', () => {
  test('a new directory is clean and nobody has left a marker', () => {
    expect(new Bench().found).toEqual({ clusterId: undefined, previousBrokerEpoch: -1, clean: true });
  });

  test('the cluster is remembered', () => {
    const bench = new Bench();
    bench.run((done) => bench.manager.setClusterId('kraft-1', () => done(undefined)));
    expect(bench.kill().found).toMatchObject({ clusterId: 'kraft-1', clean: false });
  });

  test('a newer format is refused with a sentence', () => {
    const bench = new Bench();
    const disk = bench.store.kill(0);
    disk.set(factKey('format').toString('hex'), Buffer.from('2'));
    const next = new Bench({ disk });
    expect(next.halted).toMatch(/format 2.*up to 1.*newer version/);
    expect(next.found).toBeUndefined();
  });

  test("another node's directory is refused with a sentence", () => {
    const next = new Bench({ disk: new Bench().store.kill(0), nodeId: 2 });
    expect(next.halted).toMatch(/belongs to node 1, and this is node 2/);
    expect(next.found).toBeUndefined();
  });
});

describe('opening', () => {
  test('a log asked for twice is one log, also while it is being opened', () => {
    const bench = new Bench();
    const opened: unknown[] = [];
    bench.manager.open(ORDERS, (log) => opened.push(log));
    bench.manager.open(ORDERS, (log) => opened.push(log));
    bench.settle();
    opened.push(bench.open());
    expect(new Set(opened).size).toBe(1);
    expect(bench.ofType('log.opened').length).toBe(1);
  });

  test('repl R-115: the log of a recreated topic is another log, and the old one is left alone', () => {
    const { bench } = threeBatches();
    const next = bench.kill();
    expect(next.open(RECREATED).logEndOffset).toBe(0);
    expect(next.run((done) => next.manager.stored(done))).toEqual([ORDERS, RECREATED]);
    expect(next.open(ORDERS).logEndOffset).toBe(9);
  });

  test('logs do not see each other', () => {
    const { bench, log } = threeBatches();
    const other = bench.open(SECOND);
    append(other, batchOf(7), 1);
    bench.settle();
    bench.run((done) => log.truncateFullyAndStartAt(0, () => done(undefined)));
    const next = bench.kill();
    expect([next.open(ORDERS).logEndOffset, next.open(SECOND).logEndOffset]).toEqual([0, 7]);
  });

  test('an empty log that was opened is found again', () => {
    const bench = new Bench();
    bench.open();
    const next = bench.kill();
    expect(next.run((done) => next.manager.stored(done))).toEqual([ORDERS]);
  });
});

describe('deleting', () => {
  const logKeys = (bench: Bench): string[] => [...bench.store.disk.keys()].filter((key) => !key.startsWith('01'));

  test.each([
    ['an open log', true],
    ['a log that was never opened', false],
  ])('%s leaves nothing behind', (_what, open) => {
    const { bench } = threeBatches();
    const next = bench.kill();
    if (open) next.open();
    next.run((done) => next.manager.deleteLog(ORDERS, () => done(undefined)));
    expect(logKeys(next)).toEqual([]);
    expect(next.ofType('log.deleted').length).toBe(1);
    expect(next.run((done) => next.manager.stored(done))).toEqual([]);
  });

  test('an unknown log, and a log that is gone, are deleted without ado', () => {
    const bench = new Bench();
    bench.run((done) => bench.manager.deleteLog(ORDERS, () => done(undefined)));
    const log = bench.open();
    bench.run((done) => log.delete(() => done(undefined)));
    bench.run((done) => log.delete(() => done(undefined)));
    bench.run((done) => bench.manager.deleteLog(ORDERS, () => done(undefined)));
    expect([logKeys(bench), bench.ofType('log.deleted').length]).toEqual([[], 1]);
  });

  test('it waits for what is reserved, and takes no append from then on', () => {
    const { bench, log } = threeBatches();
    const last = append(log, batchOf(1), 2);
    let gone = false;
    log.delete(() => (gone = true));
    expect(append(log, batchOf(1), 2).refusal?.error).toBe('NOT_LEADER_OR_FOLLOWER');
    bench.settle();
    expect([last.info()?.baseOffset, gone, append(log, batchOf(1), 2).refusal?.error]).toEqual([
      9,
      true,
      'NOT_LEADER_OR_FOLLOWER',
    ]);
  });

  test('opening it again meanwhile waits and makes a new one', () => {
    const { bench, log } = threeBatches();
    let end: number | undefined;
    log.delete(() => undefined);
    bench.manager.open(ORDERS, (again) => (end = again.logEndOffset));
    bench.settle();
    expect(end).toBe(0);
  });

  test('killed at any write it is a shorter log or none, never a broken one', () => {
    for (let applied = 0; ; applied++) {
      const { bench, log } = threeBatches({ maxWriteBytes: 1 });
      log.delete(() => undefined);
      const pending = bench.store.pending;
      const next = bench.kill(applied);
      const reopened = next.open();
      expect(next.opened.cut).toBe(0);
      expect([9, 5, 3, 0]).toContain(reopened.logEndOffset);
      if (applied > pending) break;
    }
  });
});

describe('checkpoints', () => {
  test('repl R-52: the high watermarks of all logs in one synced write; unknown logs are left out', () => {
    const { bench } = threeBatches();
    bench.open(SECOND);
    const before = bench.store.writes.length;
    const entries = new Map([
      [ORDERS, 7],
      [SECOND, 0],
      [RECREATED, 3],
    ]);
    bench.run((done) => bench.manager.checkpointHighWatermarks(entries, () => done(undefined)));
    expect(bench.store.writes.slice(before).map(({ ops, sync }) => [ops.length, sync])).toEqual([[2, true]]);
    expect(bench.kill().open().highWatermark).toBe(7);
  });

  test('nothing to write still completes', () => {
    const bench = new Bench();
    bench.run((done) => bench.manager.checkpointHighWatermarks(new Map(), () => done(undefined)));
    bench.run((done) => bench.manager.checkpointOffsets(() => done(undefined)));
  });

  test('repl R-108: offset checkpoints flush nothing', () => {
    const { bench, log } = threeBatches();
    bench.run((done) => bench.manager.checkpointOffsets(() => done(undefined)));
    expect([log.flushedOffset, bench.store.writes.at(-1)!.sync]).toEqual([0, false]);
  });
});

describe('repl R-109: the clean-shutdown marker', () => {
  const close = (bench: Bench) => bench.run((done) => bench.manager.closeCleanly(8, () => done(undefined)));

  test('is written when all logs are flushed', () => {
    const { bench, log } = threeBatches();
    close(bench);
    expect(log.flushedOffset).toBe(9);
    expect(bench.store.writes.at(-1)!.sync).toBe(true);
    expect(bench.kill().found).toMatchObject({ clean: true, previousBrokerEpoch: 8 });
  });

  test('counts appends that were still under way', () => {
    const { bench, log } = threeBatches();
    append(log, batchOf(2), 2);
    close(bench);
    const next = bench.kill();
    expect([next.found?.clean, next.open().logEndOffset, next.open().flushedOffset]).toEqual([true, 11, 11]);
  });

  test('after an unclean start only if every log was looked at', () => {
    const { bench } = threeBatches();
    const unseen = bench.kill();
    close(unseen);
    const seen = unseen.kill();
    expect(seen.found?.clean).toBe(false);
    seen.open();
    close(seen);
    expect(seen.kill().found?.clean).toBe(true);
  });

  test('repl R-115: a log that was set aside does not stand against it', () => {
    const first = new Bench();
    first.open();
    const bench = first.kill();
    bench.manager.setAside([ORDERS]);
    bench.run((done) => bench.manager.closeCleanly(7, () => done(undefined)));
    expect(bench.kill().found).toMatchObject({ clean: true, previousBrokerEpoch: 7 });
  });

  test('it does not wait for a log that is on its way out', () => {
    const bench = new Bench();
    const log = bench.open();
    append(log, batchOf(2));
    bench.settle();
    log.truncateTo(1, () => undefined);
    log.delete(() => undefined);
    bench.run((done) => bench.manager.closeCleanly(7, () => done(undefined)));
    expect(bench.kill().found).toMatchObject({ clean: true });
  });

  test('a kill before it is written leaves no marker', () => {
    const { bench } = threeBatches();
    bench.manager.closeCleanly(8, () => undefined);
    expect(bench.kill(1).found?.clean).toBe(false);
  });
});
