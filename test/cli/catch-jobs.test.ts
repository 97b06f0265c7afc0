// A hunt over several processes: what they find is put together, what is caught is looked for no more, and one that breaks down
// is no "none".
import { expect, test } from 'vitest';
import { CatchHunt } from '../../src/cli/catch-jobs.ts';
import type { Safeguard } from '../../src/fault/safeguards.ts';

const NAMES: readonly Safeguard[] = ['hw.bound', 'txn.verify', 'txn.filter'];

/** Each safeguard is caught by the seeds that `catches` lists, and `body` runs before that. */
function programThat(catches: Partial<Record<Safeguard, readonly number[]>>, body = ''): readonly string[] {
  const program = `
    const words = process.argv.slice(process.argv.indexOf('catch') + 1);
    const [first, last] = words[words.indexOf('--seeds') + 1].split('..').map(Number);
    const names = words.slice(0, words.indexOf('--seeds'));
    ${body}
    const data = names.map((safeguard) => {
      const seed = (${JSON.stringify(catches)}[safeguard] ?? []).find((one) => one >= first && one <= last) ?? -1;
      return { safeguard, workload: 'txn', seed, anomalies: [names.join()], replay: '' };
    });
    setTimeout(() => console.log(JSON.stringify({ data, warnings: first === 1 ? ['seed 1 fails'] : [] })), first < 21 ? 300 : 0);`;
  return ['-e', program];
}

function hunt(program: readonly string[], last = 50) {
  const looked: number[] = [];
  const onProgress = (seeds: number): void => void looked.push(seeds);
  const running = new CatchHunt({ safeguards: NAMES, seeds: { first: 1, last }, jobs: 2, program, onProgress });
  return { running, looked };
}

test('the first of each, although later seeds are through before', async () => {
  const { running, looked } = hunt(programThat({ 'hw.bound': [18, 45], 'txn.verify': [25] }));
  const { caught, unsound } = await running.run();
  expect(caught.map(({ safeguard, seed }) => [safeguard, seed]).sort()).toEqual([
    ['hw.bound', 18],
    ['txn.verify', 25],
  ]);
  expect([unsound, looked.at(-1)]).toEqual([['seed 1 fails'], 50]);
});

test('what is caught is looked for no more; once all are, nothing is', async () => {
  const { running, looked } = hunt(programThat({ 'hw.bound': [2], 'txn.verify': [3], 'txn.filter': [30] }), 200);
  const { caught } = await running.run();
  expect(caught.find(({ safeguard }) => safeguard === 'txn.filter')).toMatchObject({ seed: 30 });
  expect(looked.at(-1)).toBeLessThan(200);
});

test('a process that breaks down ends it with what it said', async () => {
  const { running } = hunt(programThat({}, "if (first > 1) throw new Error('out of luck');"));
  await expect(running.run()).rejects.toThrow(/^the process of seeds 21\.\.40 ended with 1: [^]*out of luck/);
});

test('one that is stopped gives what was complete', async () => {
  const { running } = hunt(programThat({ 'hw.bound': [1] }));
  setTimeout(() => running.stop(), 50);
  expect(await running.run()).toEqual({ caught: [], unsound: [] });
});
