// How much one fetch returns.
import { describe, expect, test } from 'vitest';
import { ScriptedFollower } from './support/scripted-follower.ts';
import { batchOf, Stage, wanted } from './support/stage.ts';

/** Two partitions with two batches each. */
function aStage(): Stage {
  const stage = new Stage({ replicas: [1, 2], partitions: 2 }).start();
  for (const partition of [0, 1]) for (const value of ['a', 'b']) stage.produced(value, { acks: 1, partition });
  return stage;
}

function sizes(stage: Stage, limits: { partitionMaxBytes?: number; maxBytes?: number }): number[] {
  const { partitionMaxBytes = 1_000_000, maxBytes = 1_000_000 } = limits;
  const follower = new ScriptedFollower(stage, 2);
  const partitions = [0, 1].map((partition) => wanted(0, { partition, partitionMaxBytes }));
  follower.send(partitions, { maxBytes, maxWaitMs: 0 });
  stage.until(() => follower.answers.length === 1);
  return follower.answers[0]!.partitions.map(({ records }) => records.length);
}

describe('repl R-29: budgets', () => {
  const all = sizes(aStage(), {});
  const batch = all[0]! / 2;
  test('all there is, in request order, while it fits', () => {
    expect(all).toEqual([2 * batch, 2 * batch]);
  });
  test('the first batch comes whatever the caps; then they hold', () => {
    expect(sizes(aStage(), { partitionMaxBytes: 1 })).toEqual([batch, 0]);
    expect(sizes(aStage(), { maxBytes: 1 })).toEqual([batch, 0]);
  });
  test('whole batches only', () => {
    expect(sizes(aStage(), { partitionMaxBytes: 2 * batch - 1 })).toEqual([batch, batch]);
    expect(sizes(aStage(), { maxBytes: 3 * batch + 1 })).toEqual([2 * batch, batch]);
  });
  test('repl R-30: an offset inside a batch returns the whole batch', () => {
    const stage = new Stage({ replicas: [1, 2] }).start();
    const records = batchOf('a', 'b', 'c');
    stage.produced('', { acks: 1, records });
    expect(new ScriptedFollower(stage, 2).poll(1).records).toHaveLength(records.length);
    expect(stage.replica.followers).toMatchObject([{ logEndOffset: 0 }]); // Repl R-41: the position that the read found.
  });
});
