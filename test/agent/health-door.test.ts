// The door that a container's health check knocks at.
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { openHealthDoor } from '../../src/agent/health-door.ts';

test('answers 200 while the node does its work, else 503, each with the state or the reason', async () => {
  let health: () => Promise<{ healthy: boolean; state: string }> = () =>
    Promise.resolve({ healthy: true, state: 'RUNNING' });
  const door = await openHealthDoor(0, () => health());
  const { address, port } = door.address() as AddressInfo;
  expect(address).toBe('127.0.0.1');
  const ask = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/`);
    return `${response.status} ${await response.text()}`;
  };
  expect(await ask()).toBe('200 RUNNING\n');
  health = () => Promise.resolve({ healthy: false, state: 'killed' });
  expect(await ask()).toBe('503 killed\n');
  health = () => Promise.reject(new Error('no answer'));
  expect(await ask()).toBe('503 no answer\n');
  await new Promise((resolve) => door.close(resolve));
});
