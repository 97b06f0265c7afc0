// `up --detach` of a cluster that does not become ready: exit 4 within 30 s, and nothing is left running.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Highwater } from '../support/highwater.ts';
import { until } from '../support/until.ts';

let highwater: Highwater;
beforeAll(async () => {
  highwater = await Highwater.build();
});
afterAll(async () => expect(await highwater.close()).toEqual([]));

test('a broker freezes while it starts', async () => {
  const started = performance.now();
  const up = highwater.start(['up', '--cluster', 'frozen', '--detach', '--timers', 'fast', '--port-base', '0']);
  const { pid } = await until('it starts', () =>
    highwater.processes().find(({ command }) => command.includes('/broker-2 --start-file')),
  );
  process.kill(pid, 'SIGSTOP');
  const { code, stderr } = await up.ended;
  expect(code).toBe(4);
  expect(stderr).toMatch(/^error\[HW4001\] cluster frozen could not start: its nodes were not ready within 25 s\n$/);
  expect(highwater.processes()).toEqual([]);
  expect(performance.now() - started).toBeLessThan(30_000);
});
