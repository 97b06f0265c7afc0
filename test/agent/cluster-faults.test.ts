// What a change means to a node that starts, lives or dies while it is told. The node is played, since what matters is when
// its process is seen to end or to serve.
import { expect, test } from 'vitest';
import { ClusterFaults, type Supervised } from '../../src/agent/cluster-faults.ts';
import type { NodeLink } from '../../src/agent/node-link.ts';

/** A node in `state` that breaks calls off until it has been asked `serves` times. */
function played(state: 'starting' | 'running', serves: number, diesAfter = Infinity) {
  let asked = 0;
  const process = {
    ...{ state, frozen: false },
    get alive() {
      return asked < diesAfter;
    },
    gone: () => (asked < diesAfter ? Promise.reject(new Error('it lives')) : Promise.resolve()),
  };
  const release = (): Promise<string> => {
    asked += 1;
    return asked < serves ? Promise.reject(new Error('connect ECONNREFUSED')) : Promise.resolve('');
  };
  const node = { process, state: { id: 1 }, missed: [] } as unknown as Supervised;
  const faults = new ClusterFaults(new Map([[1, node]]), {
    link: () => ({ release, close: () => undefined }) as unknown as NodeLink,
    cluster: [1],
    made: { timers: 'fast', config: {} },
  });
  return { faults, asked: () => asked };
}

test('a node that starts and does not serve yet is told again until it does', async () => {
  const { faults, asked } = played('starting', 3);
  expect(await faults.release('f1')).toBe('');
  expect(asked()).toBe(3);
});

test('a node that runs and does not answer refuses, with its number', async () => {
  const { faults, asked } = played('running', 3);
  expect(await faults.release('f1')).toBe('node 1: connect ECONNREFUSED');
  expect(asked()).toBe(1);
});

test('a node that dies while it starts, or is told, refuses nothing', async () => {
  expect(await played('starting', 9, 2).faults.release('f1')).toBe('');
  expect(await played('running', 9, 1).faults.release('f1')).toBe('');
});
