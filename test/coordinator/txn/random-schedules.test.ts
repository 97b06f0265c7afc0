// Random schedules of one shard: whatever happens, what was promised comes true, once, and nothing is marked that was not
// decided for good.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Safeguard } from '../../../src/fault/safeguards.ts';
import { RandomSchedule } from '../support/random-schedule.ts';

const RUNS = { seed: 20261130, numRuns: 100 };

/** Runs a schedule to its end, and heals it. */
function run(seed: number, off: readonly Safeguard[] = []): RandomSchedule {
  const schedule = new RandomSchedule(seed, { off });
  for (let i = 0; i < 250; i++) schedule.step();
  schedule.heal();
  return schedule;
}

test('txn T-80, INV-2, INV-4, INV-7, INV-18: one outcome, durable before its first marker, in every partition', () => {
  let promises = 0;
  let failovers = 0;
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const { stage, promised, violations } = run(seed);
      expect(violations).toEqual([]);
      expect(stage.broker.halted).toBeUndefined();
      const outcomes = new Map<string, string>();
      for (const { producerId, producerEpoch, outcome } of stage.written) {
        const identity = `${producerId}/${producerEpoch}`;
        expect([identity, outcomes.get(identity) ?? outcome]).toEqual([identity, outcome]);
        outcomes.set(identity, outcome);
      }
      for (const { producerId, producerEpoch, outcome, partitions } of promised) {
        const marks = stage.written.filter((one) => {
          return one.producerId === producerId && one.producerEpoch === producerEpoch;
        });
        for (const partition of partitions) {
          expect(marks.filter((one) => one.partition === partition).map((one) => one.outcome)).toContain(outcome);
        }
      }
      for (const id of ['a', 'b', 'c']) {
        expect(['Empty', 'CompleteCommit', 'CompleteAbort', '']).toContain(stage.describe(id).state);
      }
      promises += promised.length;
      failovers += stage.broker.me - 1;
    }),
    RUNS,
  );
  // The schedules are worth something.
  expect(promises).toBeGreaterThan(100);
  expect(failovers).toBeGreaterThan(100);
});

test('txn.prepareDurable off: the same schedules have markers without a durable decision', () => {
  const found = Array.from({ length: 20 }, (_, seed) => run(seed, ['txn.prepareDurable']).violations.length);
  expect(found.filter((violations) => violations > 0).length).toBeGreaterThan(5);
});
