// What a follower takes of what it fetched (repl, trap T-37).
import { describe, expect, test } from 'vitest';
import { ALL, Bench, batchOf, batchesOf, threeBatches, NOW } from './bench.ts';

/** A batch as a follower gets it. */
const fetched = (baseOffset: number, leaderEpoch: number, count = 2): Buffer =>
  batchOf(count, { baseOffset, leaderEpoch });

describe('repl R-6: what a follower takes', () => {
  function offered(records: Buffer, fetchOffset: number, leaderEpoch: number) {
    const { bench, log } = threeBatches();
    let done = 0;
    const outcome = log.appendAsFollower(records, fetchOffset, leaderEpoch, () => done++);
    bench.settle();
    return { outcome, done, end: log.logEndOffset, log, bench };
  }

  test('bytes go in verbatim, with their own epochs', () => {
    const records = Buffer.concat([fetched(9, 2), fetched(11, 3)]);
    const { outcome, done, log, bench } = offered(records, 9, 4);
    expect([outcome, done]).toEqual([{ kind: 'appending', lastOffset: 12, lastEpoch: 3 }, 1]);
    expect(log.read(9, 13, ALL, true).records.equals(records)).toBe(true);
    expect(log.epochs).toEqual([
      [0, 0],
      [2, 5],
      [3, 11],
    ]);
    expect(bench.ofType('log.appended').at(-1)).toMatchObject({ role: 'follower', leaderEpoch: 4, logEndOffset: 13 });
  });

  test('T-37: from the first batch of a newer epoch on, everything is dropped', () => {
    const { outcome, end } = offered(Buffer.concat([fetched(9, 2), fetched(11, 5), fetched(13, 2)]), 9, 4);
    expect([outcome, end]).toEqual([{ kind: 'appending', lastOffset: 10, lastEpoch: 2 }, 11]);
    expect(offered(fetched(9, 5), 9, 4)).toMatchObject({ outcome: { kind: 'nothing' }, done: 0, end: 9 });
  });

  test('a batch behind the dropped one is not even looked at', () => {
    const broken = fetched(13, 2);
    broken[70]! ^= 1;
    const { outcome } = offered(Buffer.concat([fetched(9, 5), broken]), 9, 4);
    expect(outcome).toEqual({ kind: 'nothing' });
  });

  test.each<[string, () => Buffer, number, string]>([
    ['no bytes', () => Buffer.alloc(0), 9, 'nothing'],
    ['only an incomplete batch', () => fetched(9, 2).subarray(0, 70), 9, 'nothing'],
    ['a bad CRC', () => spoil(fetched(9, 2)), 9, 'corrupt'],
    ['a bad CRC in the second batch', () => Buffer.concat([fetched(9, 2), spoil(fetched(11, 2))]), 9, 'corrupt'],
    ['a length below a header', () => resize(fetched(9, 2), 20), 9, 'corrupt'],
    ['another fetch offset', () => fetched(9, 2), 8, 'failed'],
    ['a base offset below the log end', () => fetched(8, 2, 4), 9, 'failed'],
    ['offsets out of order', () => Buffer.concat([fetched(11, 2), fetched(9, 2)]), 9, 'failed'],
    ['the same offsets twice', () => Buffer.concat([fetched(9, 2), fetched(9, 2)]), 9, 'failed'],
  ])('%s', (_what, records, fetchOffset, kind) => {
    const { outcome, done, end } = offered(records(), fetchOffset, 4);
    expect([outcome.kind, done, end]).toEqual([kind, 0, 9]);
    if ('reason' in outcome) expect(outcome.reason).not.toBe('');
  });

  test('gaps are legal, and an incomplete batch at the end is ignored', () => {
    const { outcome, log } = offered(
      Buffer.concat([fetched(12, 2), fetched(20, 2), fetched(22, 2).subarray(0, 65)]),
      9,
      4,
    );
    expect(outcome).toMatchObject({ kind: 'appending', lastOffset: 21 });
    expect(batchesOf(log).slice(3)).toEqual([
      [12, 2],
      [20, 2],
    ]);
    expect([log.positionOf(9), log.positionOf(13), log.positionOf(15), log.positionOf(22)]).toEqual([12, 12, 20, 22]);
  });

  test('timestamps, sizes and sequences are not judged', () => {
    const odd = batchOf(1, { baseOffset: 9, leaderEpoch: 2, timestamp: 4 * NOW, producerId: 7, baseSequence: 99 });
    expect(offered(odd, 9, 4).outcome.kind).toBe('appending');
  });

  test('repl R-7: an empty log restarts in mid-batch, and only an empty one', () => {
    const bench = new Bench();
    const log = bench.open();
    bench.run((done) => log.truncateFullyAndStartAt(11, () => done(undefined)));
    const outcome = log.appendAsFollower(fetched(9, 2, 4), 11, 4, () => undefined);
    bench.settle();
    expect(outcome).toEqual({ kind: 'appending', lastOffset: 12, lastEpoch: 2 });
    expect([log.logStartOffset, log.logEndOffset, log.epochs]).toEqual([9, 13, [[2, 9]]]);
    expect(log.appendAsFollower(fetched(11, 2, 4), 13, 4, () => undefined).kind).toBe('failed');
    expect(log.appendAsFollower(fetched(2, 2, 4), 13, 4, () => undefined).kind).toBe('failed');
  });

  test('repl R-7: a batch that ends where the empty log begins straddles it, one that ends before does not', () => {
    const offer = (records: Buffer) => {
      const bench = new Bench();
      const log = bench.open();
      bench.run((done) => log.truncateFullyAndStartAt(11, () => done(undefined)));
      return log.appendAsFollower(records, 11, 4, () => undefined).kind;
    };
    expect(offer(fetched(9, 2, 3))).toBe('appending'); // 9 to 11.
    expect(offer(fetched(9, 2, 2))).toBe('failed'); // 9 to 10.
  });

  test('repl R-7: what was under way when the log restarted does not bring its end back', () => {
    const bench = new Bench();
    const log = bench.open();
    bench.run((done) => log.truncateFullyAndStartAt(11, () => done(undefined)));
    log.flush(() => undefined);
    log.appendAsFollower(fetched(9, 2, 4), 11, 4, () => undefined);
    expect([log.logStartOffset, log.logEndOffset]).toEqual([9, 9]);
    bench.store.step();
    expect([log.logStartOffset, log.logEndOffset]).toEqual([9, 9]);
    bench.settle();
    expect([log.logStartOffset, log.logEndOffset, log.flushedOffset]).toEqual([9, 13, 9]);
  });

  test('the fetched buffer is not kept', () => {
    const { bench, log } = threeBatches();
    const records = Buffer.concat([fetched(9, 2), fetched(11, 2)]);
    const before = Buffer.from(records);
    log.appendAsFollower(records, 9, 2, () => undefined);
    records.fill(0);
    bench.settle();
    expect(log.read(9, 13, ALL, true).records.equals(before)).toBe(true);
  });
});

function spoil(batch: Buffer): Buffer {
  batch[batch.length - 1]! ^= 1;
  return batch;
}
function resize(batch: Buffer, length: number): Buffer {
  batch.writeInt32BE(length, 8);
  return batch;
}
