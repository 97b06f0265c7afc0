// Random runs that notice that a safeguard is missing: the first is found, what is not asked is not run again, and what was
// found is found again by its command.
import { describe, expect, test } from 'vitest';
import {
  catchesIn,
  merged,
  NO_CATCHES,
  seedsFor,
  workloadsFor,
  type Catch,
} from '../../src/chaos/safeguards/random-catch.ts';
import { runSeed } from '../../src/chaos/sim-seed.ts';
import { SAFEGUARDS, type Safeguard } from '../../src/fault/safeguards.ts';

describe('the safeguards that a seed asks', () => {
  const asked = new Set<Safeguard>();
  const line = runSeed(3, { onSafeguard: (name) => void asked.add(name) });

  test('are heard of, and hearing changes nothing', () => {
    expect(line).toEqual(runSeed(3));
    expect([...asked]).toEqual(expect.arrayContaining(['hw.bound', 'hw.allIsr', 'seq.dedup']));
  });

  test('one that is not asked changes nothing when it is off', () => {
    const others = (Object.keys(SAFEGUARDS) as Safeguard[]).filter((name) => !asked.has(name));
    expect(others).toEqual(expect.arrayContaining(['group.staticFence', 'txn.markerRetry']));
    for (const safeguard of others.slice(0, 2)) expect(runSeed(3, { safeguardsOff: [safeguard] })).toEqual(line);
  });
});

test('each is tried where it has something to do', () => {
  expect(workloadsFor('txn.verify')).toEqual(['txn']);
  expect(workloadsFor('hw.bound')).toEqual(['replication']);
  expect(workloadsFor('seq.dedup')).toEqual(['replication', 'txn']);
});

test('what a test of its core shows is tried with a hundred seeds at most', () => {
  expect([seedsFor('seq.wrap', 500), seedsFor('seq.wrap', 40), seedsFor('seq.dedup', 500)]).toEqual([100, 40, 500]);
});

test('a seed notices what is missing in it, and the command that is told finds it again', () => {
  let found = NO_CATCHES;
  // Begins at a seed that is over soon.
  for (let at = 59; at <= 80 && found.caught.length === 0; at++) found = catchesIn(at, ['txn.filter']);
  const [{ seed, replay, anomalies, safeguard, workload }] = found.caught as [Catch];
  expect(found.unsound).toEqual([]);
  expect(replay).toBe(`highwater sim --workload txn --seeds ${seed} --disable txn.filter`);
  const again = runSeed(seed, { workload, safeguardsOff: [safeguard] }).findings ?? [];
  expect([...new Set(again.map(({ anomaly }) => anomaly))]).toEqual(anomalies);
  expect(anomalies).toContain('aborted-read');
});

test('of two catches of one safeguard the lower seed counts, whichever came first', () => {
  const at = (seed: number, safeguard: Safeguard): Catch => ({
    ...{ safeguard, seed, workload: 'txn', anomalies: ['stall'], replay: '' },
  });
  const late = { caught: [at(9, 'txn.verify'), at(8, 'txn.guard')], unsound: ['seed 8'] };
  const early = { caught: [at(3, 'txn.verify')], unsound: [] };
  const both = [merged(late, early), merged(early, late)];
  for (const { caught, unsound } of both) {
    expect(caught.map(({ safeguard, seed }) => `${safeguard} ${seed}`).sort()).toEqual(['txn.guard 8', 'txn.verify 3']);
    expect(unsound).toEqual(['seed 8']);
  }
  expect(merged(NO_CATCHES, early)).toEqual(early);
});
