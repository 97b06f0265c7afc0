// What a broker does with one of its protections of replication switched off, next to what it does with it on.
import { describe, expect, test } from 'vitest';
import { ScriptedFollower } from './support/scripted-follower.ts';
import { askOf, fetched, holding } from './support/scripted-leader.ts';
import { Stage, TOPIC, wanted } from './support/stage.ts';

describe('repl R-13, R-15: acks=all below min ISR, while the high watermark may move (hw.minIsrFreeze is off)', () => {
  const alone = { replicas: [1, 2], isr: [1], minIsr: 2 };

  test('is refused with produce.minIsr', () => {
    const stage = new Stage({ ...alone, safeguardsOff: ['hw.minIsrFreeze'] }).start();
    expect(stage.produced('A')).toMatchObject({ error: 'NOT_ENOUGH_REPLICAS', baseOffset: -1 });
    expect(stage.replica).toMatchObject({ logEndOffset: 0 });
  });

  test('is acknowledged by the leader alone without produce.minIsr', () => {
    const stage = new Stage({ ...alone, safeguardsOff: ['hw.minIsrFreeze', 'produce.minIsr'] }).start();
    expect(stage.produced('A')).toMatchObject({ error: 'NONE', baseOffset: 0 });
    expect(stage.replica).toMatchObject({ logEndOffset: 1, highWatermark: 1 });
  });

  test('is taken and waits without produce.minIsr, while the high watermark is frozen', () => {
    const stage = new Stage({ ...alone, safeguardsOff: ['produce.minIsr'] }).start();
    expect(stage.produced('A', { timeoutMs: 300 })).toMatchObject({ error: 'REQUEST_TIMED_OUT' });
    expect(stage.replica).toMatchObject({ logEndOffset: 1, highWatermark: 0 });
  });
});

describe('repl R-45: the high watermark of a leader alone, below min ISR', () => {
  test.each([
    [true, 0],
    [false, 1],
  ])('hw.minIsrFreeze %s: it stands at %i behind one record of acks=1', (isOn, highWatermark) => {
    const safeguardsOff = isOn ? [] : ['hw.minIsrFreeze'];
    const stage = new Stage({ replicas: [1, 2], isr: [1], minIsr: 2, safeguardsOff }).start();
    stage.produced('A', { acks: 1 });
    expect(stage.replica).toMatchObject({ logEndOffset: 1, highWatermark });
  });
});

describe('repl R-15: acks=all with followers that have not fetched', () => {
  test('waits for them with hw.allIsr', () => {
    const stage = new Stage({ replicas: [1, 2] }).start();
    const sent = stage.produce('A');
    stage.runFor(300);
    expect(sent.answer).toBeUndefined();
    new ScriptedFollower(stage, 2).poll(1);
    stage.until(() => sent.answer !== undefined, 100);
    expect(sent.answer).toMatchObject({ error: 'NONE', baseOffset: 0 });
  });

  test('is acknowledged after the append without it', () => {
    const stage = new Stage({ replicas: [1, 2], safeguardsOff: ['hw.allIsr'] }).start();
    expect(stage.produced('A')).toMatchObject({ error: 'NONE', baseOffset: 0 });
    expect(stage.replica).toMatchObject({ highWatermark: 0, logEndOffset: 1 });
  });
});

describe('repl R-37: where the log ends, right after an election', () => {
  test.each([
    ['with', [], { error: 'OFFSET_NOT_AVAILABLE' }],
    ['without', ['hw.knownForListOffsets'], { error: 'NONE', offset: 0 }],
  ])('%s hw.knownForListOffsets', (_, safeguardsOff, told) => {
    const stage = new Stage({ replicas: [1, 2], safeguardsOff }).start();
    stage.produced('A', { acks: 1 });
    stage.change({ leader: 1 });
    const partitions = [{ topic: TOPIC, partition: 0, currentLeaderEpoch: -1, timestamp: -1 }];
    const listed = stage.call('ListOffsets', { replicaId: -1, isolationLevel: 0, partitions });
    expect(listed.partitions[0]).toMatchObject(told);
    expect(stage.seen('latest.told')).toHaveLength(safeguardsOff.length);
  });
});

describe('repl R-44, R-57: a follower that was caught up, and is fenced', () => {
  test.each([
    ['is not waited for, with', [], 1],
    ['holds the high watermark back, without', ['hw.eligible'], 0],
  ])('%s hw.eligible (BUG-74)', (_, safeguardsOff, highWatermark) => {
    const stage = new Stage({ isr: [1], minIsr: 1, safeguardsOff }).start();
    stage.setFenced(3, true);
    stage.untilApplied();
    const [second, third] = [new ScriptedFollower(stage, 2), new ScriptedFollower(stage, 3)];
    second.poll(0);
    third.poll(0);
    stage.produced('A', { acks: 1 });
    second.poll(1);
    expect(stage.replica).toMatchObject({ maximalIsr: [1, 2], highWatermark });
  });
});

describe('repl R-20, T-8: a follower that led and wrote nothing is told that the epoch before ends where its log does', () => {
  const asksNext = (safeguardsOff: readonly string[]) => {
    const { stage, leader } = holding(['a'], 1, { safeguardsOff });
    stage.change({ leader: 1, isr: [1, 2] });
    stage.change({ leader: 2, isr: [2] });
    expect(askOf(leader.request(3))).toMatchObject({ fetchOffset: 1, lastFetchedEpoch: 1 });
    leader.answer([fetched({ divergingEpoch: { epoch: 0, endOffset: 1 } })]);
    return leader.request(4).partitions;
  };

  test('with epochCache.complete its own epoch goes', () => {
    expect(asksNext([])).toMatchObject([{ fetchOffset: 1, lastFetchedEpoch: 0 }]);
  });
  test('without it nothing changes, and it asks the same again (BUG-76)', () => {
    expect(asksNext(['epochCache.complete'])).toEqual([]);
  });
});

test('repl R-27, BUG-84: what a consumer is served ends where its answer says that the high watermark is', () => {
  const stage = new Stage({ replicas: [1, 2] }).start();
  const follower = new ScriptedFollower(stage, 2);
  const partitions = [wanted(0, { currentLeaderEpoch: -1, lastFetchedEpoch: -1, logStartOffset: -1 })];
  const request = {
    ...{ replicaId: -1, replicaEpoch: -1, streamGeneration: 0, sequence: 0, maxWaitMs: 5, minBytes: 1, maxBytes: 1e6 },
    ...{ isolationLevel: 0, full: true, partitions, forgotten: [], rackId: '', leaderOnly: true },
  };
  const answers = Array.from({ length: 60 }, (_, at) => {
    const answer = stage.ask('ConsumerFetch', request);
    stage.produce(`v${at}`, { acks: 1 });
    if (at % 3 === 2) follower.send([wanted(at - 1)]);
    stage.runFor(at % 4);
    return answer;
  });
  stage.until(() => answers.every(({ value }) => value !== undefined));
  const served = stage.seen('consumer.served').map(({ endOffset, highWatermark }) => [endOffset, highWatermark]);
  expect(served.length).toBeGreaterThan(20);
  expect(new Set(served.map(([end]) => end)).size).toBeGreaterThan(5);
  expect(served.filter(([end, highWatermark]) => end !== highWatermark)).toEqual([]);
});
