// What `run` says of a verdict to people.
import { expect, test } from 'vitest';
import type { VerdictLine } from '../../src/chaos/report.ts';
import { describeVerdict } from '../../src/cli/verdict-text.ts';

const LINE: VerdictLine = {
  ...{ type: 'verdict', scenario: 's', variant: 'v', cell: {}, seed: '1', expected: [], verdict: 'pass' },
  ...{ findings: [], allowed: [], reasons: [], fired: {}, durationMs: 1000, history: 'h' },
};

test('what is allowed is named with its place, and with no offset unless it is at one', () => {
  const partition = 'orders-0';
  const text = describeVerdict({
    ...LINE,
    allowed: [
      { anomaly: 'torn-txn', partition: '', because: 'an operator aborted it' },
      { anomaly: 'reorder', partition, because: 'two logs' },
      { anomaly: 'lost-write', partition, offset: 7, because: 'acks=1' },
      { anomaly: 'lost-write', partition, offset: 8, because: 'acks=1' },
    ],
  });
  expect(text).toContain('allowed   torn-txn ×1: an operator aborted it\n');
  expect(text).toContain('allowed   reorder ×1: orders-0: two logs\n');
  expect(text).toContain('allowed   lost-write ×2: orders-0 offset 7: acks=1\n');
});

test('what is found is said in its own words', () => {
  const text = describeVerdict({ ...LINE, findings: [{ anomaly: 'stall', partition: 'orders-0', says: 'stuck' }] });
  expect(text).toContain('found     stall ×1: stuck\n');
});
