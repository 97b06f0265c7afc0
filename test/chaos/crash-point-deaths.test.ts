// A death at a point, told by events: what a watch says of a clean one, and that each of its claims can fail.
import { describe, expect, test } from 'vitest';
import { DeathWatch } from '../../src/chaos/crash-points/deaths.ts';
import type { BatchMark, Stamped, TraceEvent } from '../../src/trace/events.ts';

const LOG = { topic: '__transaction_state', topicId: 'x', partition: 0 } as const;
const FIRED: TraceEvent = {
  type: 'fault.fired',
  fault: 'crash',
  point: 'txn.prepare-commit.appended',
  action: 'kill',
  fields: { node: 3, partition: 0, coordinatorEpoch: 5 },
};
const batch = (offset: number, leaderEpoch: number): BatchMark => {
  return { baseOffset: offset, lastOffset: offset, leaderEpoch, crc: 1 };
};
const appended = (role: 'leader' | 'follower', offset: number, leaderEpoch = 5): TraceEvent => {
  return {
    type: 'log.appended',
    ...LOG,
    leaderEpoch,
    role,
    batches: [batch(offset, leaderEpoch)],
    logEndOffset: offset + 1,
  };
};
const opened = (logEndOffset: number, topic: string = LOG.topic): TraceEvent => {
  const ends = { logStartOffset: 0, logEndOffset, highWatermark: 0, batches: [], epochs: [] };
  return { type: 'log.opened', ...LOG, topic, ...ends, clean: false, cut: 0, lossy: false };
};
const LEADS: TraceEvent = {
  ...{ type: 'leader.started', ...LOG, leaderEpoch: 5, partitionEpoch: 0, epochStart: 0, highWatermark: 0 },
  ...{ isr: [1, 3], minIsr: 2 },
};

/** Node 3 leads, appends offset 4, and comes to its point. */
function watching(): { readonly watch: DeathWatch; readonly tell: (node: number, event: TraceEvent) => void } {
  const watch = new DeathWatch('crash');
  const tell = (node: number, event: TraceEvent): void => {
    const stamped: Stamped = { node, seq: 0, lamport: 0, time: 0, event };
    watch.onEvent(stamped);
  };
  for (const event of [LEADS, appended('leader', 4), FIRED]) tell(3, event);
  return { watch, tell };
}

describe('a death at a point', () => {
  test('nothing is wrong with one that was the last thing its node did', () => {
    const { watch, tell } = watching();
    watch.onExit(3, 'SIGKILL');
    tell(1, appended('follower', 4));
    tell(1, appended('leader', 5, 6));
    tell(3, opened(5));
    tell(3, appended('follower', 5, 6));
    expect(watch.death()).toEqual({
      node: 3,
      point: 'txn.prepare-commit.appended',
      signal: 'SIGKILL',
      problems: [],
    });
  });

  test('nobody died at it', () => {
    const { watch } = watching();
    watch.onExit(1, 'SIGKILL');
    expect(watch.death()).toBeUndefined();
  });

  test('its event file goes on behind the point', () => {
    const { watch, tell } = watching();
    tell(3, appended('leader', 5));
    watch.onExit(3, 'SIGKILL');
    expect(watch.death()?.problems.join()).toMatch(/ends with log.appended, not with the point/);
  });

  test('it went by itself', () => {
    const { watch } = watching();
    watch.onExit(3, '');
    expect(watch.death()?.problems).toEqual(['node 3 went by itself, not by SIGKILL']);
  });

  test('its log has more when it starts again; a log that the point is not about may', () => {
    const { watch, tell } = watching();
    watch.onExit(3, 'SIGKILL');
    tell(3, opened(9, 'orders'));
    expect(watch.death()?.problems).toEqual([]);
    tell(3, opened(6));
    expect(watch.death()?.problems.join()).toMatch(/ends at 6 when it starts again: it had 5 at its point/);
  });

  test('a follower has more of its epoch than it had', () => {
    const { watch, tell } = watching();
    watch.onExit(3, 'SIGKILL');
    tell(1, appended('follower', 5));
    expect(watch.death()?.problems.join()).toMatch(/reaches 5 in epoch 5, which node 3 led: it had 5 at its point/);
  });
});
