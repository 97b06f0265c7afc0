// Topics that go while something is under way on them.
import { expect, test } from 'vitest';
import { CONTROLLER_ID } from '../../../src/base/units.ts';
import { Stage } from './stage.ts';

test('repl I-4: a topic on its way out keeps its min.insync.replicas', () => {
  const stage = new Stage({ replicas: [1, 2], minIsr: 2, config: { 'replica.lag.time.max.ms': 500 } });
  stage.commit('a');
  stage.cluster.setLink(2, 1, true);
  stage.send('b', { acks: 1 });
  stage.until('2 is out', () => stage.isr.join() === '1');
  // An append stands at its step, and the deletion of the topic waits behind it.
  const held = stage.strike({ at: 'log.append.leader', on: 1, action: 'hold', forMs: 1000 });
  const sent = stage.send('c', { acks: 1 });
  stage.until('the append is held', () => stage.hasFired(held));
  expect(stage.ask(CONTROLLER_ID, 'DeleteTopics', { names: ['orders'], topicIds: [] }).topics).toMatchObject([
    { error: 'NONE' },
  ]);
  stage.until('the append is answered', () => sent.error !== 'unanswered');
  stage.run(1000);
  expect(stage.violations).toEqual([]);
  expect(stage.events.filter(({ event }) => event.type === 'log.deleted')).toHaveLength(2);
});
