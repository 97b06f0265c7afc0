// The seeded random numbers: fixed for ever, evenly spread, independent by name. The Random suite is in test/sim.
import { expect, test } from 'vitest';
import { Prng } from '../../src/base/prng.ts';

test('prng: the numbers of a seed never change, or old seeds would replay other runs', () => {
  const random = new Prng(7);
  expect([random.word(), random.word(), random.word()]).toMatchInlineSnapshot(`
    [
      510585978,
      1605149105,
      3209630218,
    ]
  `);
  expect(random.fork('network').id()).toMatchInlineSnapshot(`"NEpIIqQbIpcqxbSB5GIWmg"`);
});

test('prng: 7 and "7" are one seed', () => {
  expect(new Prng(7).word()).toBe(new Prng('7').word());
});

test('prng: every bit is set about half the time, also in the first word of consecutive seeds', () => {
  const count = 4000;
  const ones = new Array<number>(32).fill(0);
  for (let seed = 0; seed < count; seed++) {
    const word = new Prng(seed).word();
    for (let bit = 0; bit < 32; bit++) ones[bit]! += (word >>> bit) & 1;
  }
  // Six standard deviations.
  for (const one of ones) expect(Math.abs(one - count / 2)).toBeLessThan(6 * Math.sqrt(count / 4));
});

test('prng: chance 0 draws nothing, chance 1 is certain', () => {
  const [a, b] = [new Prng(1), new Prng(1)];
  expect(a.chance(0)).toBe(false);
  expect(a.word()).toBe(b.word());
  for (let i = 0; i < 100; i++) expect(a.chance(1)).toBe(true);
});
