// What one fault has done on all nodes together.
import { expect, test } from 'vitest';
import { faultSpec } from '../../src/fault/spec.ts';
import { addStatus, emptyStatus } from '../../src/fault/sum-status.ts';
import type { FaultStatus } from '../../src/protocol/generated/index.ts';

const FAULT = faultSpec({ id: 'f', point: 'log.flushed', action: 'kill' });
const status = (hits: number, firings: number, ...nearMisses: string[]): FaultStatus => ({
  ...emptyStatus(FAULT),
  ...{ hits, matches: firings, firings, holding: 1, nearMisses },
});

function summed(...statuses: FaultStatus[]): FaultStatus {
  const sum = emptyStatus(FAULT);
  for (const one of statuses) addStatus(sum, one);
  return sum;
}

test('counts are added', () => {
  expect(summed(status(2, 1), status(3, 0))).toMatchObject({ hits: 5, matches: 1, firings: 1, holding: 2 });
});

test('that nobody came to the point is said once, and only if nobody did', () => {
  const nobody = 'log.flushed was not reached';
  expect(summed(status(0, 0, nobody), status(0, 0, nobody)).nearMisses).toEqual([nobody]);
  expect(summed(status(0, 0, nobody), status(2, 0, 'near'), status(0, 0, nobody)).nearMisses).toEqual(['near']);
});

test('three near misses are enough, and a fault that fired anywhere has none', () => {
  expect(summed(status(9, 0, 'a', 'b', 'c'), status(9, 0, 'd')).nearMisses).toEqual(['a', 'b', 'c']);
  expect(summed(status(9, 0, 'a'), status(1, 1)).nearMisses).toEqual([]);
});
