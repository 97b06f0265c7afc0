// repl I-22, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { batch, batches, ordersStory, replicated } from '../story.ts';

describe('repl I-22: the epoch cache fits its log', () => {
  const wrong: [string, readonly (readonly [number, number])[]][] = [
    [
      'epochs that do not rise',
      [
        [0, 0],
        [0, 2],
      ],
    ],
    [
      'starts that do not rise',
      [
        [0, 0],
        [1, 0],
      ],
    ],
    ['a first entry behind the first batch', [[0, 1]]],
    [
      'a last entry beyond the log end',
      [
        [0, 0],
        [1, 4],
      ],
    ],
    [
      'an epoch that a batch does not have',
      [
        [0, 0],
        [1, 2],
      ],
    ],
    ['no entry at all', []],
  ];
  test.each(wrong)('%s', (_what, epochs) => {
    expect(
      ordersStory()
        .opened(2, batches(0, 3, 0), { epochs })
        .end(),
    ).toEqual(['repl I-22 orders-0']);
  });
  test('an append whose epoch the cache does not learn', () => {
    expect(
      replicated(2)
        .append(2, [batch(2, 1)])
        .endOf('repl I-22'),
    ).toEqual(['repl I-22 orders-0']);
  });
  test('innocent: an epoch that wrote nothing yet, and data told before its entry', () => {
    const story = replicated(2)
      .epochs(2, [
        [0, 0],
        [3, 2],
      ])
      .append(3, [batch(2, 1)])
      .epochs(3, [
        [0, 0],
        [1, 2],
      ]);
    expect(story.endOf('repl I-22')).toEqual([]);
  });
});
