// A campaign of seeds on several processes: the same lines in the same order as on one, and nothing left behind by Ctrl-C.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Highwater } from '../support/highwater.ts';
import { processesWith } from '../support/process-list.ts';
import { until } from '../support/until.ts';

/** A process takes twenty seeds at a time: the first of two takes the last one alone as well. */
const THREE_CHUNKS = ['sim', '--for', '1s', '--json', '--seeds', '1..41'];
const TWO_CHUNKS = ['sim', '--workload', 'txn', '--for', '1s', '--json', '--seeds', '1..21', '--jobs', '2'];

let highwater: Highwater;
beforeAll(() => {
  highwater = new Highwater();
});
afterAll(async () => {
  expect(await highwater.close()).toEqual([]);
});

test('two processes tell what one tells, in its order', async () => {
  const alone = await highwater.run([...THREE_CHUNKS, '--jobs', '1']);
  const shared = await highwater.run([...THREE_CHUNKS, '--jobs', '2']);
  expect(alone.stdout.trimEnd().split('\n')).toHaveLength(41);
  expect(shared.stdout).toBe(alone.stdout);
  expect([alone.code, shared.code]).toEqual([0, 0]);
});

test('a safeguard that is off is off in each of them, and the worst of all is the verdict', async () => {
  const off = await highwater.run([...TWO_CHUNKS, '--disable', 'txn.lsoBound']);
  expect(off.code).toBe(1);
  const lines = off.stdout.trimEnd().split('\n');
  const found = lines.map((line) => line.includes('"anomaly":"aborted-read"'));
  expect([lines.length, found.slice(0, 20).includes(true), found[20]]).toEqual([21, true, true]);
});

test('Ctrl-C ends them all', async () => {
  // No other test asks for this length, so the processes can be told by it.
  const mine = (): number => processesWith('1357ms').length;
  const command = highwater.start([
    'sim',
    '--workload',
    'txn',
    '--for',
    '1357ms',
    '--seeds',
    '1..10000',
    '--jobs',
    '2',
  ]);
  await until('both processes run', () => mine() === 3);
  process.kill(command.pid, 'SIGINT');
  expect((await command.ended).code).toBe(130);
  await until('none of them is left', () => mine() === 0);
});
