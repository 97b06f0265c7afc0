// A storm: which strikes a seed gives, and what it amounts to. Histories are judged by checkers, and those are tested there.
import { describe, expect, test } from 'vitest';
import { Prng } from '../../src/base/prng.ts';
import type { Findings } from '../../src/checker/findings.ts';
import { refuseFault } from '../../src/fault/legality.ts';
import { describeStrike, drawStrike, STRIKES, type StrikeKind } from '../../src/cli/storm/strikes.ts';
import { DISK_KINDS, diskFault } from '../../src/cli/storm/disk-strikes.ts';
import { judgeStorm, type StormFacts } from '../../src/cli/storm/verdict.ts';

const strikes = (seed: string, brokers: readonly number[], kinds: readonly StrikeKind[] = STRIKES) => {
  const random = new Prng(seed);
  return Array.from({ length: 300 }, () => drawStrike(random, brokers, kinds));
};

describe('strikes', () => {
  test('the same seed gives the same ones', () => {
    expect(strikes('7', [1, 2, 3])).toEqual(strikes('7', [1, 2, 3]));
    expect(strikes('7', [1, 2, 3])).not.toEqual(strikes('8', [1, 2, 3]));
  });

  test('every kind, every node, never a link from a node to itself', () => {
    const drawn = strikes('7', [1, 2, 3]);
    const disks = ['disk-full', 'disk-slow', 'write-error', 'read-error'];
    expect(new Set(drawn.map(({ kind }) => kind))).toEqual(new Set(['kill', 'stop', 'pause', 'cut', 'drop', ...disks]));
    expect(new Set(drawn.map(({ node }) => node))).toEqual(new Set([1, 2, 3, 100]));
    for (const { kind, node, other } of drawn) if (kind === 'cut') expect(other).not.toBe(node);
    const ofController = drawn.filter(({ node }) => node === 100).map(({ kind }) => kind);
    expect(new Set(ofController)).toEqual(new Set(['kill', 'stop', 'pause', 'cut']));
    const lengths = drawn.map(({ forMs }) => forMs);
    expect([Math.min(...lengths) >= 200, Math.max(...lengths) < 4500]).toEqual([true, true]);
  });

  test('of these kinds only; where the controller knows none of them it is left alone', () => {
    const drawn = strikes('7', [1, 2, 3], ['pause', 'disk-full']);
    expect(new Set(drawn.map(({ kind }) => kind))).toEqual(new Set(['pause', 'disk-full']));
    const disks = strikes('7', [1, 2, 3], ['disk-slow']);
    expect(new Set(disks.map(({ node }) => node))).toEqual(new Set([1, 2, 3]));
    expect(disks.every(({ force }) => [5, 50, 200].includes(force!))).toBe(true);
  });

  test("repl R-114: a disk's faults are legal, strike where nodes write and read, and once but for a slow one", () => {
    for (const kind of DISK_KINDS) {
      const fault = diskFault(kind, 2, { force: 7, id: 'storm' });
      expect(refuseFault(fault)).toBeUndefined();
      expect(fault).toMatchObject({ id: 'storm', times: kind === 'disk-slow' ? 0 : 1 });
      expect(fault.point).toBe(kind === 'read-error' ? 'disk.read' : 'disk.write');
    }
  });

  test('with one broker its link to the controller is cut', () => {
    const cut = strikes('7', [1]).find(({ kind }) => kind === 'cut')!;
    expect(describeStrike(cut)).toBe('cut broker 1 from the controller');
  });
});

describe('verdicts', () => {
  const facts: StormFacts = {
    ...{ strikes: 2, byKind: { kill: 2 }, slowestRecoveryMs: 1, troubles: [] },
    ...{ acknowledged: 10, unacknowledged: 1 },
  };
  const clean: Findings = { anomalies: [], allowed: [], inconclusive: [] };
  const lost = { anomaly: 'lost-write', partition: 't-0', details: {}, ops: [1], says: 'it is gone' } as const;

  test('what nobody can tell is no pass, and neither is a storm that struck nothing', () => {
    expect(judgeStorm(facts, clean)).toEqual({ verdict: 'pass', findings: [], unclear: [] });
    expect(judgeStorm({ ...facts, strikes: 0, acknowledged: 0 }, clean)).toEqual({
      ...{ verdict: 'inconclusive', findings: [] },
      unclear: ['nothing was struck', 'nothing was acknowledged'],
    });
    expect(judgeStorm(facts, { ...clean, inconclusive: ['who knows'] })).toMatchObject({
      ...{ verdict: 'inconclusive', unclear: ['who knows'] },
    });
  });

  test('an anomaly is a failure, and so is a cluster that does not get on', () => {
    expect(judgeStorm({ ...facts, troubles: ['no progress'] }, { ...clean, anomalies: [lost] })).toEqual({
      ...{ verdict: 'fail', findings: ['lost-write: it is gone', 'no progress'], unclear: [] },
    });
    expect(judgeStorm({ ...facts, troubles: ['no progress'] }, clean).verdict).toBe('fail');
  });
});
