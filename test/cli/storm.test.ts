// A storm: which strikes a seed gives, and what is said of records that were acknowledged.
import { describe, expect, test } from 'vitest';
import { Prng } from '../../src/base/prng.ts';
import { compare } from '../../src/cli/storm/ledger.ts';
import { describeStrike, drawStrike } from '../../src/cli/storm/strikes.ts';

const strikes = (seed: string, brokers: readonly number[]) => {
  const random = new Prng(seed);
  return Array.from({ length: 200 }, () => drawStrike(random, brokers));
};

describe('strikes', () => {
  test('the same seed gives the same ones', () => {
    expect(strikes('7', [1, 2, 3])).toEqual(strikes('7', [1, 2, 3]));
    expect(strikes('7', [1, 2, 3])).not.toEqual(strikes('8', [1, 2, 3]));
  });

  test('every kind, every node, never a link from a node to itself', () => {
    const drawn = strikes('7', [1, 2, 3]);
    expect(new Set(drawn.map(({ kind }) => kind))).toEqual(new Set(['kill', 'stop', 'pause', 'cut', 'drop']));
    expect(new Set(drawn.map(({ node }) => node))).toEqual(new Set([1, 2, 3, 100]));
    for (const { kind, node, other } of drawn) if (kind === 'cut') expect(other).not.toBe(node);
  });

  test('with one broker its link to the controller is cut', () => {
    const cut = strikes('7', [1]).find(({ kind }) => kind === 'cut')!;
    expect(describeStrike(cut)).toBe('cut broker 1 from the controller');
  });
});

describe('records', () => {
  const acknowledged = new Map([
    ['0/0', 'a'],
    ['0/1', 'b'],
  ]);

  test('what was never acknowledged may be there', () => {
    expect(compare('t', acknowledged, new Map([...acknowledged, ['0/2', 'c']]))).toEqual([]);
  });

  test('gone, replaced and twice are findings', () => {
    expect(compare('t', acknowledged, new Map([['0/0', 'a']]))).toEqual([
      'lost write: t-0 offset 1: b was acknowledged, and nothing is there',
    ]);
    expect(compare('t', acknowledged, new Map([...acknowledged, ['0/1', 'x']]))).toEqual([
      'lost write: t-0 offset 1: b was acknowledged, and x is there',
    ]);
    expect(compare('t', acknowledged, new Map([...acknowledged, ['1/9', 'b']]))).toEqual([
      'duplicate: b is at t-0 offset 1 and at t-1 offset 9',
    ]);
  });
});
