// Processes that end before they have begun well, and requests that outlive them.
import { expect, test } from 'vitest';
import { CONTROLLER_ID } from '../../../src/base/units.ts';
import { Stage } from './stage.ts';

test.each([1, 2, 3, 4, 5, 6])(
  'repl T-38: the registration of a dead process does not take the place of the living one, seed %i',
  (seed) => {
    const stage = new Stage({ replicas: [1, 2], seed });
    stage.commit('a');
    stage.cluster.kill(2);
    stage.until('2 is fenced', () => stage.isFenced(2));
    // A paused controller takes in what came meanwhile at once and in any order.
    stage.cluster.pause(CONTROLLER_ID);
    stage.cluster.start(2);
    stage.run(50);
    stage.cluster.kill(2);
    stage.run(50);
    stage.cluster.start(2);
    stage.run(50);
    stage.cluster.resume(CONTROLLER_ID);
    stage.until('2 is back', () => stage.isr.join() === '1,2', 5000);
    stage.endWell();
  },
);

test.each([
  ['a wipe', { wipe: true }],
  ['a power loss', { truncateTail: -1 }],
])('repl I-29: %s is known although the node is killed before it has opened its logs', (_what, how) => {
  const stage = new Stage({ replicas: [1, 2] });
  stage.commit('a', 'b');
  stage.cluster.kill(2);
  stage.run(10);
  stage.cluster.start(2, how);
  stage.run(100); // It waits for the end of its predecessor's session, and opens logs only after that.
  expect(stage.told((event) => event.type === 'logs.lossy')).toBe(true);
  stage.cluster.kill(2);
  stage.run(10);
  stage.endWell();
  expect(stage.valuesAt(2)).toEqual(['a', 'b']);
});

test('repl I-11: a controller that dies at a point has told of whole decisions', () => {
  const stage = new Stage({ replicas: [1, 2] });
  for (const name of ['first', 'second']) stage.createTopic(name, [1]);
  stage.until('all are led', () => ['first', 'second'].every((name) => stage.cluster.isLed(name)));
  // The shutdown of 1 takes three partitions from it in one decision.
  const killed = stage.strike({ at: 'controller.elected', on: CONTROLLER_ID, action: 'kill' });
  let stopped = false;
  stage.cluster.stop(1, () => (stopped = true));
  stage.until('the controller dies', () => stage.hasFired(killed));
  stage.until('1 stops without its leave', () => stopped);
  stage.endWell();
});
