// OffsetCommit, OffsetFetch, OffsetDelete and DeleteGroups (wire G-8, G-31 to G-37).
import { describe, expect, test } from 'vitest';
import { subscription } from '../support/stage.ts';
import { OffsetStage, at, only } from './support.ts';

describe('OffsetCommit', () => {
  test('wire G-31: unknown partitions are refused, the rest goes on; if nothing is left, no coordinator is asked', () => {
    const stage = new OffsetStage();
    const call = stage.commit(0, { offsets: [at(4), at(1, { topic: 'none' }), at(1, { partition: 2 })] });
    stage.run();
    const errors = call.response!.partitions.map(({ error }) => error);
    expect(errors).toEqual(['NONE', 'UNKNOWN_TOPIC_OR_PARTITION', 'UNKNOWN_TOPIC_OR_PARTITION']);
    stage.resign(1);
    expect(only(stage.commit(0, { offsets: [at(1, { topic: 'none' })] }))).toBe('UNKNOWN_TOPIC_OR_PARTITION');
    expect(only(stage.commit(5))).toBe('NOT_COORDINATOR');
  });

  test('wire G-32, G-33: only members of this generation, and nobody while assignments are made', () => {
    const stage = new OffsetStage();
    const [memberId] = stage.stable();
    expect(only(stage.commit(1))).toBe('UNKNOWN_MEMBER_ID');
    expect(only(stage.commit(1, { memberId: memberId!, generationId: 9 }))).toBe('ILLEGAL_GENERATION');
    const good = stage.commit(7, { memberId: memberId!, generationId: stage.describe().generationId });
    stage.run();
    expect(only(good)).toBe('NONE');
    expect(stage.fetch()).toBe(7);
    expect(only(stage.commit(1, { groupId: 'none', generationId: 1 }))).toBe('GROUP_ID_NOT_FOUND');
  });

  test('wire G-33: metadata is measured in UTF-16 units, and fails its partition alone', () => {
    const stage = new OffsetStage({ config: { 'offset.metadata.max.bytes': 3 } });
    const offsets = [at(1, { metadata: 'ééé' }), at(2, { partition: 1, metadata: '😀😀' })];
    const call = stage.commit(0, { offsets });
    stage.run();
    expect(call.response!.partitions.map(({ error }) => error)).toEqual(['NONE', 'OFFSET_METADATA_TOO_LARGE']);
  });

  test('wire W-22: a group id that Kafka cannot write down is INVALID_GROUP_ID', () => {
    expect(only(new OffsetStage().commit(1, { groupId: 'x'.repeat(32_768) }))).toBe('INVALID_GROUP_ID');
  });

  test('wire G-8, G-33: is answered when committed; after 5 s COORDINATOR_NOT_AVAILABLE, and it may still commit', () => {
    const stage = new OffsetStage();
    stage.host.freeze(true);
    const call = stage.commit(7);
    stage.run(4900);
    expect(call.response).toBeUndefined();
    stage.run(200);
    expect(only(call)).toBe('COORDINATOR_NOT_AVAILABLE');
    expect(stage.fetch(false)).toBe(-1);
    stage.host.freeze(false);
    expect(stage.fetch(false)).toBe(7);
  });

  test('wire G-6: a refused append changes nothing and is translated', () => {
    const stage = new OffsetStage();
    stage.host.refusals.push('MESSAGE_TOO_LARGE');
    const call = stage.commit(7);
    stage.run();
    expect(only(call)).toBe('UNKNOWN_SERVER_ERROR');
    expect(stage.fetch()).toBe(-1);
    expect(stage.describe().state).toBe('Dead');
  });

  test('wire G-34: the last commit counts, backwards too, and a reload finds the same', () => {
    const stage = new OffsetStage();
    for (const offset of [9, 4]) stage.commit(offset);
    expect(stage.fetch()).toBe(4);
    stage.failOver(3);
    expect(stage.fetch()).toBe(4);
  });

  test('the step group.offset.appended holds the answer, not what readers of the appended see', () => {
    const stage = new OffsetStage();
    stage.hold('group.offset.appended');
    const call = stage.commit(7);
    stage.run();
    expect(stage.held).toHaveLength(1);
    expect(call.response).toBeUndefined();
    stage.release();
    stage.run();
    expect(only(call)).toBe('NONE');
    expect(stage.events).toContainEqual(
      expect.objectContaining({ type: 'group.offsets', kind: 'committed', group: 'g', offsets: { 't-0': 7 } }),
    );
  });
});

describe('OffsetFetch', () => {
  test('wire G-35: what is unknown has no offset and no error', () => {
    const stage = new OffsetStage();
    const call = stage.ask({ partitions: [{ topic: 'none', partition: 4 }] });
    expect(call.response).toEqual({
      error: 'NONE',
      partitions: [{ topic: 'none', partition: 4, offset: -1, leaderEpoch: -1, metadata: '', error: 'NONE' }],
    });
    stage.resign(1);
    expect(stage.ask().response).toEqual({ error: 'NOT_COORDINATOR', partitions: [] });
  });

  test('wire G-35: all that a group has, by topic and partition, without what is pending alone', () => {
    const stage = new OffsetStage();
    stage.commit(0, { offsets: [at(3, { topic: 'u' }), at(2, { partition: 1 }), at(1)] });
    stage.txnCommit(0, { offsets: [at(8, { topic: 'u', partition: 1 }), at(9)] });
    stage.run();
    const all = stage.ask({ allPartitions: true });
    stage.run();
    expect(all.response!.partitions.map(({ topic, partition, offset, error }) => [topic, partition, offset, error]))
      // The second commit of t-0 is not decided.
      .toEqual([
        ['t', 0, -1, 'UNSTABLE_OFFSET_COMMIT'],
        ['t', 1, 2, 'NONE'],
        ['u', 0, 3, 'NONE'],
      ]);
    const committed = stage.ask({ allPartitions: true, requireStable: false });
    expect(committed.response!.partitions.map(({ offset }) => offset)).toEqual([1, 2, 3]);
  });

  test('wire G-8: with requireStable it sees everything appended and waits for it; without, what is committed', () => {
    const stage = new OffsetStage();
    stage.commit(1);
    stage.run();
    stage.host.freeze(true);
    stage.commit(2);
    stage.run();
    const stable = stage.ask();
    stage.run();
    expect(stable.response).toBeUndefined();
    expect(stage.fetch(false)).toBe(1);
    stage.host.freeze(false);
    stage.run();
    expect(stable.response!.partitions[0]!.offset).toBe(2);
    stage.host.freeze(true);
    stage.commit(3);
    stage.run();
    const late = stage.ask();
    stage.run(5100);
    expect(late.response).toEqual({ error: 'NOT_COORDINATOR', partitions: [] });
  });
});

describe('OffsetDelete and DeleteGroups', () => {
  const remove = (stage: OffsetStage, groupId = 'g', partitions = [{ topic: 't', partition: 0 }]) =>
    stage.send('offsetDelete', { groupId, partitions });

  test('wire G-5, G-36: refusals', () => {
    const stage = new OffsetStage();
    expect(remove(stage, '').response?.error).toBe('INVALID_GROUP_ID');
    expect(remove(stage).response?.error).toBe('GROUP_ID_NOT_FOUND');
    stage.stable(1, { protocolType: 'connect' });
    expect(remove(stage).response?.error).toBe('NON_EMPTY_GROUP');
    stage.stable(1, { groupId: 'h', protocols: [{ name: 'range', metadata: subscription('t') }] });
    const asked = [
      { topic: 't', partition: 0 },
      { topic: 'u', partition: 0 },
      { topic: 'none', partition: 0 },
    ];
    const call = remove(stage, 'h', asked);
    stage.run();
    const errors = call.response!.partitions.map(({ error }) => error);
    expect(errors).toEqual(['GROUP_SUBSCRIBED_TO_TOPIC', 'NONE', 'UNKNOWN_TOPIC_OR_PARTITION']);
  });

  test('wire G-8, G-36: it is gone at once for readers of the appended, once committed for others', () => {
    const stage = new OffsetStage();
    stage.commit(7);
    stage.run();
    stage.host.freeze(true);
    const call = remove(stage);
    stage.run();
    expect(stage.fetch(false)).toBe(7);
    expect(call.response).toBeUndefined();
    stage.host.freeze(false);
    stage.run();
    expect(call.response).toEqual({ error: 'NONE', partitions: [{ topic: 't', partition: 0, error: 'NONE' }] });
    expect(stage.fetch(false)).toBe(-1);
    stage.failOver(3);
    expect(stage.fetch()).toBe(-1);
  });

  test('txn T-68, wire G-36, G-37: a tombstone takes what is pending too, and the marker then finds nothing', () => {
    for (const how of ['offsets', 'group'] as const) {
      const stage = new OffsetStage();
      stage.commit(1);
      stage.txnCommit(7);
      stage.run();
      if (how === 'offsets') remove(stage);
      else stage.send('deleteGroups', { groupIds: ['g'] });
      stage.run();
      expect(stage.fetch()).toBe(-1);
      expect(stage.mark('commit').response).toBeUndefined();
      stage.run();
      expect(stage.fetch()).toBe(-1);
      stage.failOver(3);
      expect(stage.fetch()).toBe(-1);
    }
  });
});
