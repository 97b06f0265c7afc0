// A coordinator's log read from its start to its end (txn T-25, wire G-7): all of it, in order, over many turns.
import { expect, test } from 'vitest';
import { replayLog } from '../../src/coordinator/replay.ts';
import type { ReplayEnd } from '../../src/coordinator/replay.ts';
import type { PartitionLog } from '../../src/log/api.ts';
import { encodeMarker } from '../../src/log/control-batch.ts';
import { Bench, batchOf } from '../log/bench.ts';
import { VirtualClock } from './support/virtual-clock.ts';

/** What was told, in order: offsets of records, and markers. */
function replay(log: () => PartitionLog | undefined, clock = new VirtualClock()) {
  const told: (number | string)[] = [];
  const ends: ReplayEnd[] = [];
  const cancel = replayLog(
    { clock: clock.of(() => true), log },
    {
      records: (records) => told.push(...records.map(({ offset }) => offset)),
      marker: ({ type, producerId }, offset) => told.push(`${type} of ${producerId} at ${offset}`),
      ended: (end) => ends.push(end),
    },
  );
  return { told, ends, cancel, clock };
}

function filled(...batches: Buffer[]): PartitionLog {
  const bench = new Bench();
  const log = bench.open();
  let end = 0;
  for (const batch of batches) {
    batch.writeBigInt64BE(BigInt(end), 0);
    log.appendAsFollower(batch, end, 0, () => undefined);
    bench.settle();
    end = log.logEndOffset;
  }
  return log;
}

const marker = () =>
  encodeMarker(
    { type: 'commit', producerId: 7, producerEpoch: 0, coordinatorEpoch: 0, timestamp: 1 },
    { leaderEpoch: 0, baseOffset: 0 },
  );

test('txn T-25, T-29: data and markers in order, beyond the high watermark, nothing inside the call', () => {
  const log = filled(batchOf(2, { leaderEpoch: 0 }), marker(), batchOf(1, { leaderEpoch: 0 }));
  expect(log.highWatermark).toBe(0);
  const { told, ends, clock } = replay(() => log);
  expect(told).toEqual([]);
  clock.settle();
  expect(told).toEqual([0, 1, 'commit of 7 at 2', 3]);
  expect(ends).toEqual([{ kind: 'read', endOffset: 4 }]);
});

test('a large log takes more than one turn, and can be cancelled between two', () => {
  const big = () => batchOf(1, { leaderEpoch: 0, text: 'x'.repeat(200_000) });
  const log = filled(big(), big(), big(), big());
  const steps: number[] = [];
  let cancel = (): void => undefined;
  const running = replay(() => {
    steps.push(running.told.length);
    if (running.told.length >= 2) cancel();
    return log;
  });
  cancel = running.cancel;
  running.clock.settle();
  expect(steps[0]).toBe(0);
  expect(running.told.length).toBeLessThan(4);
  expect(running.ends).toEqual([]);
  const whole = replay(() => log);
  whole.clock.settle();
  expect(whole.told).toEqual([0, 1, 2, 3]);
});

test('an empty log has nothing to tell', () => {
  const log = filled();
  const { told, ends, clock } = replay(() => log);
  clock.settle();
  expect([told, ends]).toEqual([[], [{ kind: 'read', endOffset: 0 }]]);
});

test('it ends when the log is not of this broker any more', () => {
  const { ends, clock } = replay(() => undefined);
  clock.settle();
  expect(ends).toEqual([{ kind: 'over' }]);
});

test('txn T-28: a batch that cannot be read fails it', () => {
  const log = filled(batchOf(1, { leaderEpoch: 0 }));
  const read = log.read.bind(log);
  log.read = (...of) => {
    const found = read(...of);
    const records = Buffer.from(found.records);
    records[records.length - 1]! ^= 1;
    return { ...found, records };
  };
  const { ends, clock } = replay(() => log);
  clock.settle();
  expect(ends).toEqual([{ kind: 'failed', reason: 'the batch at 0: the CRC of the batch does not match its bytes' }]);
});
