// repl I-8, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { batches, CONTROLLER, ORDERS, ordersStory, replicated } from '../story.ts';

describe('repl I-8: one leader an epoch', () => {
  test('a broker leads in an epoch that was given to another', () => {
    expect(ordersStory().lead(2).end()).toEqual(expect.arrayContaining(['repl I-8 orders-0']));
  });
  test('a broker leads in an epoch that the metadata log does not know', () => {
    expect(ordersStory().lead(1, { leaderEpoch: 3 }).end()).toEqual(expect.arrayContaining(['repl I-8 orders-0']));
  });
  test('a demoted leader appends in the epoch of its successor', () => {
    const story = replicated(2).change({ leader: 2 });
    story.epochs(1, [
      [0, 0],
      [1, 2],
    ]);
    expect(story.append(1, batches(2, 3, 1)).end()).toEqual(['repl I-8 orders-0']);
  });
  test('the controller says that it elected another than it wrote', () => {
    const story = ordersStory().change({ leader: 2 });
    const elected = { leaderEpoch: 1, leader: 3, isr: [1, 2, 3], reason: 'clean', unclean: false };
    expect(story.tell(CONTROLLER, { type: 'elected', ...ORDERS, ...elected }).end()).toEqual(['repl I-8 orders-0']);
  });
  test('innocent: a zombie appends in its own old epoch (repl R-103)', () => {
    const story = replicated(2).change({ isr: [2, 3], leader: 2 });
    expect(story.append(1, batches(2, 3, 0)).end()).toEqual([]);
  });
});
