// txn INV-3, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { batch, type Story } from '../story.ts';
import { data, logged, served } from '../txn-story.ts';

const NAMED = 'orders-0';

describe('txn INV-3: read_committed is served what is decided', () => {
  const open = (): Story => logged([batch(0, 0), data(1, 0), batch(2, 0)]);
  test('beyond an open transaction', () => {
    expect(open().tell(1, served(3, 3)).end()).toEqual([`txn INV-3 ${NAMED}`]);
  });
  test('beyond the last stable offset that is told with it', () => {
    expect(
      logged([batch(0, 0), batch(1, 0)])
        .tell(1, served(2, 1))
        .end(),
    ).toContain(`txn INV-3 ${NAMED}`);
  });
  test('innocent: up to it, and read_uncommitted to the end', () => {
    expect(open().tell(1, served(1, 1)).tell(1, served(3)).end()).toEqual([]);
  });
});
