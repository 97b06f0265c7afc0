// Invariants over the metadata log and over who acts on it: each on a planted violation and on its innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { notConverged } from '../../../src/sim/invariants/liveness.ts';
import type { Story } from './story.ts';
import { CONTROLLER, ORDERS, batches, ordersStory, replicated } from './story.ts';

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

describe('repl I-9: brokers act on states that the log has had', () => {
  test('a partition epoch that was not reached', () => {
    expect(ordersStory().isr(1, { partitionEpoch: 1 }).end()).toEqual(['repl I-9 orders-0']);
  });
  test('a leader epoch that this partition epoch did not have', () => {
    const story = ordersStory().change({ isr: [1, 2] });
    story.follow(2, { leaderEpoch: 1, partitionEpoch: 1 });
    expect(story.end()).toEqual(['repl I-9 orders-0']);
  });
  test('another ISR than was committed', () => {
    const story = ordersStory().change({ isr: [1, 2] });
    expect(story.isr(1, { isr: [1, 3], partitionEpoch: 1 }).end()).toContain('repl I-9 orders-0');
  });
  test('a follower of another leader', () => {
    expect(ordersStory().follow(2, { leader: 3 }).end()).toEqual(['repl I-9 orders-0']);
  });
  test('innocent: a broker that lags acts on an earlier state, and epochs may be skipped (T-27)', () => {
    const story = ordersStory()
      .change({ isr: [1, 2] })
      .change({ leader: 2 })
      .change({ leader: 1 });
    story.isr(1, { isr: [2, 1], partitionEpoch: 1 });
    expect(story.follow(3, { leaderEpoch: 2, partitionEpoch: 3 }).end()).toEqual([]);
  });
  test('innocent: what a leader only proposes need not be in the log', () => {
    const story = ordersStory().isr(1, { state: 'pending-shrink', isr: [1, 2, 3], partitionEpoch: 0 });
    expect(story.end()).toEqual([]);
  });
});

describe('repl I-10: leader in ISR, ISR among replicas, not empty', () => {
  test.each([
    ['a leader outside the ISR', { leader: 3, isr: [1, 2] }],
    ['an ISR member that is no replica', { isr: [1, 4] }],
    ['an empty ISR', { isr: [], leader: -1 }],
    ['a member twice', { isr: [1, 1] }],
  ])('%s', (_what, change) => {
    expect(ordersStory().broker(4).change(change).end()).toContain('repl I-10 orders-0');
  });
  test('innocent: no leader, with an ISR', () => {
    expect(
      ordersStory()
        .change({ leader: -1, isr: [1] })
        .end(),
    ).toEqual([]);
  });
});

describe('repl I-11: no inactive broker in an ISR', () => {
  test('a fenced broker stays in', () => {
    expect(ordersStory().broker(3, { fenced: true }).end()).toEqual(['repl I-11 orders-0']);
  });
  test('a broker that shuts down stays in', () => {
    const story = ordersStory().broker(3, { inControlledShutdown: true }).isr(1, {});
    expect(story.found).toEqual(['repl I-11 orders-0']);
  });
  test('innocent: the records of one decision are judged together', () => {
    expect(
      ordersStory()
        .broker(3, { inControlledShutdown: true })
        .change({ isr: [1, 2] })
        .end(),
    ).toEqual([]);
  });
  test('innocent: a sole member is kept without a leader (repl R-92)', () => {
    const story = ordersStory()
      .change({ isr: [1] })
      .change({ leader: -1 })
      .broker(1, { fenced: true });
    expect(story.end()).toEqual([]);
  });
});

describe('repl I-12: a clean election takes its leader from the ISR', () => {
  test('from outside', () => {
    expect(
      ordersStory()
        .change({ isr: [1, 2] })
        .change({ leader: 3, isr: [3] })
        .end(),
    ).toEqual(['repl I-12 orders-0']);
  });
  test('innocent: marked unclean', () => {
    expect(
      ordersStory()
        .change({ isr: [1, 2] })
        .change({ leader: 3, isr: [3], unclean: true })
        .end(),
    ).toEqual([]);
  });
  test('innocent: a member, in the change that removes the old leader', () => {
    expect(
      ordersStory()
        .change({ leader: 2, isr: [2, 3] })
        .end(),
    ).toEqual([]);
  });
});

describe('repl I-13: the leader knows of every member that the controller may have', () => {
  test('the controller committed an expansion that the leader has given up', () => {
    const story = ordersStory()
      .change({ isr: [1, 2] })
      .isr(1, { isr: [1, 2], maximalIsr: [1, 2], partitionEpoch: 1 });
    expect(story.change({ isr: [1, 2, 3] }).end()).toEqual(['repl I-13 orders-0']);
  });
  test('innocent: the expansion is pending at the leader', () => {
    const story = ordersStory()
      .change({ isr: [1, 2] })
      .isr(1, { isr: [1, 2], maximalIsr: [1, 2], partitionEpoch: 1 });
    story.isr(1, { state: 'pending-expand', isr: [1, 2], partitionEpoch: 1 });
    expect(story.change({ isr: [1, 2, 3] }).end()).toEqual([]);
  });
  test('innocent: a shrink that the leader has not seen', () => {
    expect(
      ordersStory()
        .change({ isr: [1, 2] })
        .end(),
    ).toEqual([]);
  });
  test('innocent: a leader below min ISR, whose high watermark is frozen', () => {
    const story = ordersStory()
      .change({ isr: [1] })
      .isr(1, { isr: [1], maximalIsr: [1], partitionEpoch: 1 });
    expect(story.change({ isr: [1, 3] }).end()).toEqual([]);
  });
  test('innocent: a leader of an earlier epoch', () => {
    const story = ordersStory()
      .change({ isr: [1, 2] })
      .isr(1, { isr: [1, 2], maximalIsr: [1, 2], partitionEpoch: 1 });
    expect(story.change({ isr: [1, 2, 3], leader: 1 }).end()).toEqual([]);
  });
});

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

describe('the self-check', () => {
  test('finds what no event showed', () => {
    const story = replicated(3);
    // Behind the back of the events: what an invariant that looks at too little would miss.
    for (const replica of story.suite.view.replicas()) if (replica.node === 2) replica.logEndOffset = 1;
    expect(() => story.tell(CONTROLLER, { type: 'broker.unfenced', broker: 1 }).end()).toThrow('the sweep finds');
  });
});
