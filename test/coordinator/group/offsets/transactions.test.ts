// TxnOffsetCommit and markers (txn T-61 to T-71, CP-26 to CP-31, CP-51, CP-52; wire G-42 to G-47).
import { describe, expect, test } from 'vitest';
import type { ErrorName } from '../../../../src/protocol/errors.ts';
import { OffsetStage, at, only } from './support.ts';

/** A transactional commit of 7 over a plain one of 1, durable. */
function pending(): OffsetStage {
  const stage = new OffsetStage();
  stage.commit(1);
  const call = stage.txnCommit(7);
  stage.run();
  expect(only(call)).toBe('NONE');
  return stage;
}

describe('TxnOffsetCommit', () => {
  test('wire G-5, G-31: without a group, and of nothing that exists', () => {
    const stage = new OffsetStage();
    expect(only(stage.txnCommit(1, { groupId: '' }))).toBe('INVALID_GROUP_ID');
    expect(only(stage.txnCommit(1, { groupId: '', offsets: [at(1, { topic: 'none' })] }))).toBe(
      'UNKNOWN_TOPIC_OR_PARTITION',
    );
  });

  test('an identity that no record can hold is refused at the door', () => {
    const stage = new OffsetStage();
    expect(only(stage.txnCommit(1, { producerId: -1 }))).toBe('INVALID_PRODUCER_ID_MAPPING');
    expect(only(stage.txnCommit(1, { producerEpoch: 40_000 }))).toBe('INVALID_PRODUCER_EPOCH');
  });

  test('txn T-66, wire G-43: how verification fails, in every partition; nothing is written', () => {
    const heard: readonly (readonly [ErrorName, ErrorName])[] = [
      ['NETWORK_EXCEPTION', 'COORDINATOR_LOAD_IN_PROGRESS'],
      ['UNKNOWN_TOPIC_OR_PARTITION', 'COORDINATOR_NOT_AVAILABLE'],
      ['NOT_LEADER_OR_FOLLOWER', 'NOT_COORDINATOR'],
      ['PRODUCER_FENCED', 'INVALID_PRODUCER_EPOCH'],
      ['INVALID_PRODUCER_ID_MAPPING', 'INVALID_PRODUCER_ID_MAPPING'],
      ['TRANSACTION_ABORTABLE', 'TRANSACTION_ABORTABLE'],
      ['CONCURRENT_TRANSACTIONS', 'CONCURRENT_TRANSACTIONS'],
      ['COORDINATOR_NOT_AVAILABLE', 'COORDINATOR_NOT_AVAILABLE'],
    ];
    const stage = new OffsetStage();
    for (const [error, told] of heard) {
      stage.host.verification = { error };
      const call = stage.txnCommit(0, { offsets: [at(1), at(2, { partition: 1 })] });
      stage.run();
      expect(call.response!.partitions.map((partition) => partition.error)).toEqual([told, told]);
    }
    expect(stage.records()).toHaveLength(0);
  });

  test('txn T-62, CP-30: membership is judged as it is when the batch is appended', () => {
    const stage = new OffsetStage();
    const [memberId] = stage.stable();
    const { generationId } = stage.describe();
    stage.hold('group.txn-offset.deciding');
    const call = stage.txnCommit(7, { memberId: memberId!, generationId });
    stage.run();
    expect(stage.held).toHaveLength(1);
    stage.leave(memberId!);
    stage.run();
    stage.release();
    stage.run();
    expect(only(call)).toBe('UNKNOWN_MEMBER_ID');
    expect(stage.fetch()).toBe(-1);
  });

  test('txn T-63: an old generation is refused; with the fence off a replaced worker commits', () => {
    const stage = new OffsetStage();
    const [memberId] = stage.stable();
    const stale = { memberId: memberId!, generationId: stage.describe().generationId - 1 };
    const refused = stage.txnCommit(7, stale);
    stage.run();
    expect(only(refused)).toBe('ILLEGAL_GENERATION');
    stage.setSafeguard('group.txnCommitFence', false);
    const taken = stage.txnCommit(7, stale);
    stage.run();
    expect(only(taken)).toBe('NONE');
  });

  test('txn T-63, W-16: who says nothing of the group is not fenced by it; a missing group with a generation is', () => {
    const stage = new OffsetStage();
    stage.stable();
    const bare = stage.txnCommit(7);
    const missing = stage.txnCommit(7, { groupId: 'none', generationId: 1 });
    stage.run();
    expect([only(bare), only(missing)]).toEqual(['NONE', 'ILLEGAL_GENERATION']);
  });

  test('txn T-65, T-70: pending is not to be seen, and refuses those who require stable', () => {
    const stage = pending();
    expect(stage.fetch()).toBe('UNSTABLE_OFFSET_COMMIT');
    expect(stage.fetch(false)).toBe(1);
    stage.setSafeguard('group.stableOffsets', false);
    expect(stage.fetch()).toBe(1);
  });

  test('txn T-65: too much metadata fails its partition alone', () => {
    const stage = new OffsetStage({ config: { 'offset.metadata.max.bytes': 1 } });
    const call = stage.txnCommit(0, { offsets: [at(1), at(2, { partition: 1, metadata: 'ab' })] });
    stage.run();
    expect(call.response!.partitions.map(({ error }) => error)).toEqual(['NONE', 'OFFSET_METADATA_TOO_LARGE']);
  });

  test.each(['plain', 'in a transaction'])('BUG-70: what is refused of a commit (%s) never is pending', (how) => {
    const stage = new OffsetStage({ config: { 'offset.metadata.max.bytes': 1 } });
    const offsets = [at(1), at(2, { partition: 1, metadata: 'ab' })];
    const call = how === 'plain' ? stage.commit(0, { offsets }) : stage.txnCommit(0, { offsets });
    stage.run();
    expect(call.response!.partitions.map(({ error }) => error)).toEqual(['NONE', 'OFFSET_METADATA_TOO_LARGE']);
    const fetched = stage.ask({ partitions: [{ topic: 't', partition: 1 }] });
    stage.run();
    expect(fetched.response!.partitions).toMatchObject([{ error: 'NONE', offset: -1 }]);
  });

  test('wire G-43: a verification that outlives the leadership it was for is not used', () => {
    const stage = new OffsetStage();
    stage.hold('group.txn-offset.deciding');
    const call = stage.txnCommit(7);
    stage.run();
    stage.resign(1);
    stage.elect(2);
    stage.release();
    stage.run();
    expect(only(call)).toBe('NOT_COORDINATOR');
    expect(stage.records()).toHaveLength(0);
  });
});

describe('markers', () => {
  test('txn T-67, wire G-47: COMMIT makes it count, ABORT drops it, another producer changes nothing', () => {
    for (const [type, offset] of [
      ['commit', 7],
      ['abort', 1],
    ] as const) {
      const stage = pending();
      stage.mark(type, 6);
      expect(stage.fetch()).toBe('UNSTABLE_OFFSET_COMMIT');
      const call = stage.mark(type);
      stage.run();
      expect(call.response).toBe('NONE');
      expect(stage.fetch()).toBe(offset);
      const kind = type === 'commit' ? 'materialised' : 'dropped';
      expect(stage.events).toContainEqual(expect.objectContaining({ type: 'group.offsets', kind, producerId: 5 }));
      expect(stage.observed.some(({ point }) => point === 'group.offsets.visible')).toBe(type === 'commit');
    }
  });

  test('txn T-67: a plain commit between the transactional one and its marker wins', () => {
    const stage = pending();
    stage.commit(3);
    stage.mark('commit');
    stage.run();
    expect(stage.fetch()).toBe(3);
    expect(stage.events).toContainEqual(expect.objectContaining({ type: 'group.offsets', kind: 'overtaken' }));
    stage.failOver(3);
    expect(stage.fetch()).toBe(3);
  });

  test('BUG-39: without group.logOrderWins it does not, until the log is read again', () => {
    const stage = pending();
    stage.setSafeguard('group.logOrderWins', false);
    stage.commit(3);
    stage.mark('commit');
    stage.run();
    expect(stage.fetch()).toBe(7);
  });

  test('BUG-38, W-13: a marker is answered once it counts; what comes behind it in the log waits for that too', () => {
    const stage = pending();
    stage.hold('group.offsets.deciding');
    const call = stage.mark('commit');
    stage.run();
    const next = stage.txnCommit(9);
    stage.run();
    expect([call.response, only(next), stage.records().length]).toEqual([undefined, undefined, 3]);
    stage.release();
    stage.run();
    expect([call.response, only(next)]).toEqual(['NONE', 'NONE']);
    expect([stage.fetch(), stage.fetch(false)]).toEqual(['UNSTABLE_OFFSET_COMMIT', 7]);
  });

  test('BUG-38, W-13: without txn.markersBeforeAck what comes behind it is taken for what it decides', () => {
    const stage = pending();
    stage.setSafeguard('txn.markersBeforeAck', false);
    stage.hold('group.offsets.deciding');
    const call = stage.mark('commit');
    stage.run();
    expect(call.response).toBe('NONE');
    stage.txnCommit(9);
    stage.run();
    stage.release();
    stage.run();
    expect(stage.fetch()).toBe(9);
  });

  test('wire G-7: a coordinator that was deposed while a marker had not counted yet has nothing to say of it', () => {
    const stage = pending();
    stage.hold('group.offsets.deciding');
    const call = stage.mark('commit');
    stage.run();
    stage.resign(1);
    expect(call.response).toBe('NOT_LEADER_OR_FOLLOWER');
    stage.release();
    stage.run();
    stage.elect(2);
    expect(stage.fetch()).toBe(7);
  });

  test('txn T-71, CP-51: no reader is told what was before, once the marker is answered', () => {
    const stage = pending();
    stage.host.freeze(true);
    const call = stage.mark('commit');
    stage.run();
    expect(call.response).toBeUndefined();
    expect(stage.fetch(false)).toBe(1);
    stage.host.freeze(false);
    stage.run();
    expect(call.response).toBe('NONE');
    expect([stage.fetch(), stage.fetch(false)]).toEqual([7, 7]);
  });

  test('txn T-85, wire G-46: a wait that is too long is REQUEST_TIMED_OUT; moved is NOT_LEADER_OR_FOLLOWER', () => {
    const stage = pending();
    stage.host.freeze(true);
    const late = stage.mark('commit');
    stage.run(5100);
    expect(late.response).toBe('REQUEST_TIMED_OUT');
    stage.resign(1);
    expect(stage.mark('commit').response).toBe('NOT_LEADER_OR_FOLLOWER');
    stage.beginElection(0, 2);
    expect(stage.mark('commit').response).toBe('NOT_LEADER_OR_FOLLOWER');
  });

  test('wire G-46: a marker that is refused leaves what is pending', () => {
    const stage = pending();
    stage.host.refusals.push('TRANSACTION_COORDINATOR_FENCED');
    const call = stage.mark('commit');
    stage.run();
    expect(call.response).toBe('TRANSACTION_COORDINATOR_FENCED');
    expect(stage.fetch()).toBe('UNSTABLE_OFFSET_COMMIT');
  });
});

describe('crash points', () => {
  test('CP-26: nothing was written, nothing is pending, and a retry is taken', () => {
    const stage = new OffsetStage();
    stage.hold('group.txn-offset.deciding');
    const call = stage.txnCommit(7);
    stage.run();
    stage.failOver(3);
    stage.release();
    stage.run();
    // The old one has stopped.
    expect(only(call)).toBe('COORDINATOR_NOT_AVAILABLE');
    expect(stage.fetch()).toBe(-1);
    const retry = stage.txnCommit(7);
    stage.run();
    expect(only(retry)).toBe('NONE');
    expect(stage.fetch()).toBe('UNSTABLE_OFFSET_COMMIT');
  });

  test('CP-27: the batch is lost with the old leader; the retry writes the one that counts', () => {
    const stage = new OffsetStage();
    stage.host.freeze(true);
    const call = stage.txnCommit(7);
    stage.run();
    stage.loseTail(3);
    expect(only(call)).toBe('NOT_COORDINATOR');
    expect(stage.fetch()).toBe(-1);
    stage.txnCommit(8);
    stage.run();
    stage.mark('commit');
    expect(stage.fetch()).toBe(8);
  });

  test('CP-28: durable, but not answered: the record of the retry is the one that counts', () => {
    const stage = new OffsetStage();
    stage.hold('group.txn-offset.durable');
    const call = stage.txnCommit(7);
    stage.run();
    expect(call.response).toBeUndefined();
    stage.failOver(3);
    expect(stage.fetch()).toBe('UNSTABLE_OFFSET_COMMIT');
    stage.release();
    stage.txnCommit(8);
    stage.run();
    stage.mark('commit');
    expect(stage.fetch()).toBe(8);
  });

  test('CP-29, CP-31: a new coordinator knows what is pending, whatever the group does meanwhile', () => {
    const stage = pending();
    stage.failOver(3);
    expect(stage.fetch()).toBe('UNSTABLE_OFFSET_COMMIT');
    stage.stable();
    expect(stage.fetch()).toBe('UNSTABLE_OFFSET_COMMIT');
    stage.mark('commit');
    expect(stage.fetch()).toBe(7);
  });

  test('CP-52: a marker on the old leader alone: the offsets count once it is sent again', () => {
    const stage = pending();
    stage.host.freeze(true);
    const call = stage.mark('commit');
    stage.run();
    stage.loseTail(3);
    expect(call.response).toBe('NOT_LEADER_OR_FOLLOWER');
    expect(stage.fetch()).toBe('UNSTABLE_OFFSET_COMMIT');
    expect(stage.fetch(false)).toBe(1);
    stage.mark('commit');
    expect(stage.fetch()).toBe(7);
  });
});
