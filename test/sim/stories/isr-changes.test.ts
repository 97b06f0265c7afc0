// ISR changes whose messages are late, doubled or lost: what the controller may have accepted counts until it is known.
import { expect, test } from 'vitest';
import { Stage } from './stage.ts';

test('repl R-63: a proposal that was held up is not applied behind a later one that was refused', () => {
  const stage = new Stage({ replicas: [1, 2], config: { 'replica.lag.time.max.ms': 500 } });
  stage.commit('a');
  // 2 leaves the ISR alive, and its return is held up on its way to the controller.
  stage.cluster.pause(2);
  stage.until('2 is out', () => stage.isr.join() === '1');
  const held = stage.strike({ at: 'rpc.AlterPartition.request', on: 1, action: 'hold', forMs: 8000 });
  stage.cluster.resume(2);
  stage.until('the expansion is held', () => stage.hasFired(held));
  // It is fenced again before the leader asks a second time, and refused for that.
  stage.cluster.pause(2);
  stage.until('2 is fenced', () => stage.isFenced(2));
  stage.run(1500);
  // Back once more, but it can fetch nothing: what is committed now only the leader has.
  stage.cluster.setLink(2, 1, true);
  stage.cluster.resume(2);
  stage.until('2 is unfenced', () => !stage.isFenced(2));
  stage.commit('b');
  stage.run(8000);
  expect(stage.isr).toEqual([1]);
  expect(stage.violations).toEqual([]);
  stage.endWell();
  expect(stage.valuesAt(2)).toEqual(['a', 'b']);
});
