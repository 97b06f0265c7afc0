// repl I-28, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { notConverged } from '../../../../src/sim/invariants/replication/healed-cluster-converges.ts';
import { batches, replicated, type Story } from '../story.ts';

describe('repl I-28: what has healed converges', () => {
  const unhealed = (story: Story, live: number[]): string[] =>
    notConverged(story.suite.view, live).map(({ detail }) => detail);
  test('innocent: all in sync, all committed', () => expect(unhealed(replicated(4), [1, 2, 3])).toEqual([]));
  test('no leader though a member of the ISR lives', () => {
    expect(unhealed(replicated(4).change({ leader: -1 }), [1, 2, 3])).toEqual([
      'leader -1, though ISR [1,2,3] has live members',
    ]);
  });
  test('the leader is dead', () => expect(unhealed(replicated(4), [2, 3])).toHaveLength(1));
  test('a live replica stays out', () => {
    expect(unhealed(replicated(4).change({ isr: [1, 2] }), [1, 2, 3])).toEqual(['3 is live but not in ISR [1,2]']);
  });
  test('innocent: a dead replica stays out', () => {
    expect(unhealed(replicated(4).change({ isr: [1, 2] }), [1, 2])).toEqual([]);
  });
  test('a log ends elsewhere', () => {
    expect(unhealed(replicated(4).append(1, batches(4, 5, 0)), [1, 2, 3])).toHaveLength(1);
  });
  test('something is not committed', () => {
    expect(unhealed(replicated(4).hw(3, 4, 3), [1, 2, 3])).toEqual(['3 has high watermark 3 and log end 4']);
  });
  test('innocent: the whole ISR is gone', () => {
    expect(unhealed(replicated(4).change({ isr: [1], leader: -1 }), [2, 3])).toEqual([]);
  });
});
