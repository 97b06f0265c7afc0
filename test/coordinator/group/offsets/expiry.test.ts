// Offsets and groups that nobody needs any more (wire G-41, txn T-68).
import { describe, expect, test } from 'vitest';
import { subscription } from '../support/stage.ts';
import { OffsetStage, TOPIC_ID, at } from './support.ts';

const MINUTE_MS = 60_000;
const config = { 'offsets.retention.minutes': 2, 'offsets.retention.check.interval.ms': MINUTE_MS };

describe('wire G-41: expiry', () => {
  test('offsets of a simple group go two minutes after their commit, and the group with the last', () => {
    const stage = new OffsetStage({ config });
    stage.commit(1);
    stage.run(MINUTE_MS);
    stage.commit(2, { offsets: [at(2, { partition: 1 })] });
    stage.run(1.5 * MINUTE_MS + 1000);
    expect(stage.fetch()).toBe(1);
    stage.run(MINUTE_MS);
    expect(stage.fetch()).toBe(-1);
    expect(stage.describe().state).toBe('Empty');
    stage.run(2 * MINUTE_MS);
    expect(stage.describe().state).toBe('Dead');
    stage.failOver(3);
    expect(stage.list().groups).toEqual([]);
  });

  test('of a group that has been left, they go two minutes after it became Empty', () => {
    const stage = new OffsetStage({ config });
    const [memberId] = stage.stable(1, { sessionTimeoutMs: 1_000_000 });
    stage.commit(5, { memberId: memberId!, generationId: stage.describe().generationId });
    // Nobody is subscribed in a way that can be read: it may be to anything.
    stage.run(4 * MINUTE_MS);
    expect(stage.fetch()).toBe(5);
    stage.leave(memberId!);
    stage.run(MINUTE_MS);
    expect(stage.fetch()).toBe(5);
    stage.run(2 * MINUTE_MS);
    expect(stage.fetch()).toBe(-1);
    expect(stage.describe().state).toBe('Dead');
  });

  test('of a stable group of consumers, those of topics that nobody subscribes to', () => {
    const stage = new OffsetStage({ config });
    const protocols = [{ name: 'range', metadata: subscription('t') }];
    const [memberId] = stage.stable(1, { sessionTimeoutMs: 1_000_000, protocols });
    const { generationId } = stage.describe();
    stage.commit(0, { memberId: memberId!, generationId, offsets: [at(5), at(6, { topic: 'u' })] });
    stage.run(4 * MINUTE_MS);
    const all = stage.ask({ allPartitions: true });
    stage.run();
    expect(all.response!.partitions.map(({ topic, offset }) => [topic, offset])).toEqual([['t', 5]]);
  });

  test('BUG-69: without group.expiryGuards they go whoever needs them, and what is pending goes with them', () => {
    const kept = (isGuarded: boolean): unknown => {
      const stage = new OffsetStage({ config });
      stage.setSafeguard('group.expiryGuards', isGuarded);
      const protocols = [{ name: 'range', metadata: subscription('t') }];
      const [memberId] = stage.stable(1, { sessionTimeoutMs: 1_000_000, protocols });
      const { generationId } = stage.describe();
      stage.commit(5, { memberId: memberId!, generationId });
      stage.txnCommit(0, { offsets: [at(7, { topic: 'u' })] });
      stage.run(4 * MINUTE_MS);
      return [stage.fetch(), stage.describe().state];
    };
    expect(kept(true)).toEqual([5, 'Stable']);
    expect(kept(false)).toEqual([-1, 'Stable']);
  });

  test('wire G-9: a commit that says for how long it holds goes then, after a failover too; the others as they would', () => {
    const stage = new OffsetStage({ config });
    const own = (retentionTimeMs: number) => ({ hasRetentionTime: true, retentionTimeMs });
    stage.commit(1, own(4 * MINUTE_MS));
    stage.commit(2, { ...own(0), offsets: [at(2, { partition: 1 })] });
    stage.commit(3, { offsets: [at(3, { topic: 'u' })] });
    const left = (): readonly unknown[] => {
      const call = stage.ask({ allPartitions: true });
      stage.run();
      return call.response!.partitions.map(({ topic, partition, leaderEpoch }) => [topic, partition, leaderEpoch]);
    };
    stage.run();
    // Its record has no room for a leader epoch.
    expect(left()).toEqual([
      ['t', 0, -1],
      ['t', 1, -1],
      ['u', 0, 3],
    ]);
    stage.failOver(2);
    stage.run(1.5 * MINUTE_MS);
    expect(left()).toEqual([
      ['t', 0, -1],
      ['u', 0, 3],
    ]);
    stage.run(2 * MINUTE_MS);
    expect(left()).toEqual([['t', 0, -1]]);
    stage.run(2 * MINUTE_MS);
    expect(stage.list().groups).toEqual([]);
  });

  test('wire G-9: a retention beyond all numbers is kept for ever, one before all time is over', () => {
    const stage = new OffsetStage({ config });
    stage.commit(1, { hasRetentionTime: true, retentionTimeMs: Number.MAX_SAFE_INTEGER });
    const gone = { hasRetentionTime: true, retentionTimeMs: Number.MIN_SAFE_INTEGER };
    stage.commit(2, { ...gone, offsets: [at(2, { partition: 1 })] });
    stage.run(5 * MINUTE_MS);
    const call = stage.ask({ allPartitions: true });
    stage.run();
    expect(call.response!.partitions.map(({ partition }) => partition)).toEqual([0]);
  });

  test('txn T-68, wire G-45: nothing of a transaction that is open, and not its group', () => {
    const stage = new OffsetStage({ config });
    stage.commit(1);
    stage.txnCommit(7);
    stage.txnCommit(7, { groupId: 'h', producerId: 6 });
    stage.run(5 * MINUTE_MS);
    expect(stage.fetch(false)).toBe(1);
    expect(stage.describe('h').state).toBe('Empty');
    stage.mark('abort');
    stage.mark('abort', 6);
    stage.run(2 * MINUTE_MS);
    expect(stage.fetch()).toBe(-1);
    expect(stage.list().groups).toEqual([]);
  });
});

describe('wire G-41, txn T-68: a topic is deleted', () => {
  test('its offsets go, pending ones too; those of another topic, or of its successor, stay', () => {
    const stage = new OffsetStage();
    stage.commit(0, { offsets: [at(1), at(3, { topic: 'u' })] });
    stage.txnCommit(0, { offsets: [at(7, { partition: 1 })] });
    stage.run();
    const all = (): readonly unknown[] => {
      const call = stage.ask({ allPartitions: true });
      stage.run();
      return call.response!.partitions.map(({ topic, partition, offset }) => [topic, partition, offset]);
    };
    stage.coordinator.topicsDeleted([{ topic: 't', topicId: Buffer.alloc(16, 8).toString('base64url') }]);
    expect(all()).toEqual([
      ['t', 0, 1],
      ['u', 0, 3],
    ]);
    stage.coordinator.topicsDeleted([{ topic: 't', topicId: TOPIC_ID }]);
    expect(all()).toEqual([['u', 0, 3]]);
    stage.mark('commit');
    expect(all()).toEqual([['u', 0, 3]]);
  });
});
