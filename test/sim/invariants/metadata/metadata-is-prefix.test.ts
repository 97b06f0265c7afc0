// repl I-24, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { ordersStory, type Story } from '../story.ts';

describe('repl I-24: a broker applies a growing beginning of the metadata log', () => {
  const applied = (...offsets: number[]): Story => {
    const story = ordersStory();
    for (const offset of offsets) story.tell(2, { type: 'metadata.applied', offset, brokerEpoch: 1 });
    return story;
  };
  test('it gets shorter', () => expect(applied(5, 4).end()).toEqual(['repl I-24 broker 2']));
  test('it is longer than what was committed', () => expect(applied(6).end()).toEqual(['repl I-24 broker 2']));
  test('innocent: it grows', () => expect(applied(2, 2, 5).end()).toEqual([]));
  test('innocent: a new process begins anew', () => {
    const story = applied(5).tell(2, { type: 'broker.state', state: 'STARTING', brokerEpoch: -1 });
    expect(story.tell(2, { type: 'metadata.applied', offset: 3, brokerEpoch: 2 }).end()).toEqual([]);
  });
});
