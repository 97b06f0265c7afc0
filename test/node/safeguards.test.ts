// What a broker does with one of its protections of replication switched off, next to what it does with it on.
import { describe, expect, test } from 'vitest';
import { ScriptedFollower } from './support/scripted-follower.ts';
import { Stage, TOPIC } from './support/stage.ts';

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
