// The order of a partition's steps, and the gate before a broker serves.
import { expect, test } from 'vitest';
import { Gate } from '../../src/node/gate.ts';
import { SerialQueue } from '../../src/node/serial-queue.ts';

test('repl R-9: a held step keeps those behind it, in order', () => {
  const queue = new SerialQueue();
  const ran: string[] = [];
  let release = (): void => undefined;
  queue.run((next) => (ran.push('a'), next()));
  queue.run((next) => (ran.push('b'), (release = next)));
  queue.run((next) => (ran.push('c'), next()));
  queue.run((next) => (ran.push('d'), next()));
  expect(ran).toEqual(['a', 'b']);
  release();
  expect(ran).toEqual(['a', 'b', 'c', 'd']);
  release();
  queue.run((next) => (ran.push('e'), next()));
  expect(ran).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('repl R-89: what comes before the gate opens is served then, in order; after it closed, never', () => {
  const gate = new Gate();
  const served: number[] = [];
  gate.run(() => served.push(1));
  gate.run(() => served.push(2));
  expect(served).toEqual([]);
  gate.open();
  gate.run(() => served.push(3));
  expect(served).toEqual([1, 2, 3]);
  gate.close();
  gate.run(() => served.push(4));
  expect(served).toEqual([1, 2, 3]);
});

test('what is held is bounded', () => {
  const gate = new Gate();
  let served = 0;
  for (let i = 0; i < 1500; i++) gate.run(() => served++);
  gate.open();
  expect(served).toBe(1000);
});
