// What a node's process is started with (src/agent/node-environment.ts).
import { expect, test } from 'vitest';
import { nodeEnvironment } from '../../src/agent/node-environment.ts';

test('a node keeps freed memory, unless its user says otherwise, and does not take over options of the supervisor', () => {
  const given = nodeEnvironment({ PATH: '/bin', MALLOC_TOP_PAD_: '0', NODE_OPTIONS: '--inspect=9229' });
  expect(given).toMatchObject({ PATH: '/bin', MALLOC_TOP_PAD_: '0', NODE_OPTIONS: '' });
  expect(Number(given['MALLOC_MMAP_THRESHOLD_'])).toBeGreaterThan(1024 * 1024);
});
