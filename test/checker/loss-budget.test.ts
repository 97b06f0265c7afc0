// Which losses Kafka promises to survive (repl ): what is lost within that is an anomaly, beyond it is allowed.
import { describe, expect, test } from 'vitest';
import { checkHistory } from '../../src/checker/check.ts';
import { agreed, budget, history, polled, sent, type Entries } from './histories.ts';

const lost = (...declared: Entries) => checkHistory(history(sent('m0', 0), ...declared, agreed([])), ['lost-write']);

/** min.insync.replicas 2 and eligible leader replicas: one loss is survived. */
const loss = (node: number) => budget('power-loss', node, 1);

describe('a write that two replicas acknowledged is lost', () => {
  test('though only one of them lost power: an anomaly', () => {
    expect(lost(loss(1))).toMatchObject({
      anomalies: [{ anomaly: 'lost-write', details: { value: 'm0' } }],
      allowed: [],
    });
  });

  test('and so is one that the same replica lost twice', () => {
    expect(lost(loss(1), loss(1)).anomalies).toHaveLength(1);
  });

  test('as both lost power: allowed, and said why', () => {
    const because =
      'the run declared power-loss of node 1, one of more than 1 that the partition survives (min.insync.replicas - 1)';
    expect(lost(loss(1), loss(2))).toMatchObject({ anomalies: [], allowed: [{ because }] });
  });

  test('as one lost power and the other its disk: allowed', () => {
    expect(lost(loss(1), budget('wipe', 2, 1))).toMatchObject({ anomalies: [], allowed: [{}] });
  });

  test('though the first loss was made good before the second came: an anomaly', () => {
    expect(lost(loss(1), budget('made-good', 1), loss(2)).anomalies).toHaveLength(1);
  });

  test('as both had lost power before one was made good: allowed', () => {
    expect(lost(loss(1), loss(2), budget('made-good', 1)).anomalies).toEqual([]);
  });

  test('as the leader that was last in office was elected, and somebody had lost power: allowed', () => {
    expect(lost(loss(1), budget('last-known-election'))).toMatchObject({ anomalies: [], allowed: [{}] });
  });

  test('though the leader that was last in office had lost nothing: an anomaly', () => {
    expect(lost(budget('last-known-election')).anomalies).toHaveLength(1);
  });

  test('as an unclean election was held: allowed', () => {
    expect(lost(loss(1), budget('unclean-election')).anomalies).toEqual([]);
  });

  test('though enough had lost power before it was written: an anomaly', () => {
    const found = checkHistory(history(loss(1), loss(2), sent('m0', 0), agreed([])), ['lost-write']);
    expect(found.anomalies).toHaveLength(1);
  });
});

test('with a tolerance of none, as without eligible leader replicas, one loss excuses', () => {
  expect(lost(budget('power-loss', 1, 0)).anomalies).toEqual([]);
  expect(lost(budget('power-loss', 1)).anomalies).toEqual([]);
});

test('what was read is held to the same promise', () => {
  const found = (...declared: Entries) =>
    checkHistory(history(polled('r', 0, ['m0']), ...declared, agreed(['m1'])), ['ghost-read']);
  expect(found(loss(1)).anomalies).toHaveLength(1);
  expect(found(loss(1), loss(2))).toMatchObject({ anomalies: [], allowed: [{}] });
});
