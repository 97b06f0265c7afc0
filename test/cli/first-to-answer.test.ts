// Which broker a command connects to when some are silent.
import { expect, test } from 'vitest';
import { firstToAnswer } from '../../src/cli/first-to-answer.ts';
import { Problem } from '../../src/cli/problem.ts';

const answer = { brokers: ['someone'] };
const silence = new Promise<typeof answer>(() => undefined);
const unreachable = () => Promise.reject(new Problem('HW4001', 'it cannot be reached'));

test('one that is paused does not keep the others from being asked', async () => {
  expect(await firstToAnswer([1, 2], (id) => (id === 1 ? silence : Promise.resolve(answer)))).toBe(2);
});

test('one that cannot be reached, or knows of nobody yet, is passed over', async () => {
  const asked = (id: number) => (id === 1 ? unreachable() : Promise.resolve(id === 2 ? { brokers: [] } : answer));
  expect(await firstToAnswer([1, 2, 3], asked)).toBe(3);
});

test('none answers, or none runs: nobody', async () => {
  expect([await firstToAnswer([1, 2], unreachable), await firstToAnswer([], unreachable)]).toEqual([
    undefined,
    undefined,
  ]);
});

test('a bug of ours is not taken for silence', async () => {
  const bug = new TypeError('x is not a function');
  await expect(firstToAnswer([1], () => Promise.reject(bug))).rejects.toBe(bug);
});
