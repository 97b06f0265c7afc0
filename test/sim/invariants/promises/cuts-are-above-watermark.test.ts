// repl I-21, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { batches, ORDERS, replicated, type Story } from '../story.ts';
import { of } from '../told.ts';

describe('repl I-21: nothing is cut that was told to be committed', () => {
  const I21 = (story: Story): string[] => of('repl I-21', story);

  test('a follower cuts below it', () => {
    expect(I21(replicated(3).truncate(3, 3, 2, 2))).toEqual(['repl I-21 orders-0']);
  });
  test('innocent: what was never committed', () => {
    expect(
      I21(
        replicated(3)
          .append(3, batches(3, 5, 0))
          .truncate(3, 5, 3, 3),
      ),
    ).toEqual([]);
  });
  test('innocent: a tail of an old epoch, though a later leader has gone further meanwhile', () => {
    const story = replicated(3)
      .append(3, batches(3, 4, 0))
      .hw(1, 3, 9, { leaderEpoch: 1 });
    expect(I21(story.truncate(3, 4, 3, 3))).toEqual([]);
  });
  test('innocent: a log that is begun anew further on (repl R-74)', () => {
    const why = { from: 3, to: 0, highWatermark: 0, why: 'restarted' };
    expect(I21(replicated(3).tell(3, { type: 'log.truncated', ...ORDERS, ...why }))).toEqual([]);
  });
  test('innocent (P): a replica whose disk lost its tail', () => {
    expect(
      I21(
        replicated(3)
          .opened(3, batches(0, 3, 0), { lossy: true })
          .truncate(3, 3, 1, 0),
      ),
    ).toEqual([]);
  });
});
