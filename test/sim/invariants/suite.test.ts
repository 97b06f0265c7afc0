// The suite of all invariants: a sound trace breaks none, and what events show and what sweeps find is the same.
import { describe, expect, test } from 'vitest';
import { CONTROLLER, replicated } from './story.ts';

describe('the self-check', () => {
  test('finds what no event showed', () => {
    const story = replicated(3);
    // Behind the back of the events: what an invariant that looks at too little would miss.
    for (const replica of story.suite.view.replicas()) if (replica.node === 2) replica.logEndOffset = 1;
    expect(() => story.tell(CONTROLLER, { type: 'broker.unfenced', broker: 1 }).end()).toThrow('the sweep finds');
  });
});

test('a sound story breaks nothing', () => {
  expect(replicated(5).end()).toEqual([]);
});
