// repl I-23, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { CONTROLLER, ORDERS, ordersStory, type Story } from '../story.ts';
import { of } from '../told.ts';

describe('repl I-23: broker epochs increase', () => {
  const I23 = (story: Story): string[] => of('repl I-23', story);
  const registered = (story: Story, brokerId: number, brokerEpoch: number): Story =>
    story.commit({
      registerBroker: { brokerId, incarnationId: 'i', brokerEpoch, endpoints: [], fenced: true } as never,
    });
  const changed = (story: Story, brokerEpoch: number): Story =>
    story.commit({
      brokerRegistrationChange: { brokerId: 4, brokerEpoch, fenced: false, inControlledShutdown: false },
    });
  const state = (story: Story, node: number, brokerEpoch: number): Story =>
    story.tell(node, { type: 'broker.state', state: 'RUNNING', brokerEpoch });

  test('an epoch is given a second time', () => {
    expect(I23(registered(registered(ordersStory(), 4, 70), 5, 70))).toEqual(['repl I-23 broker 5']);
  });
  test('a record of an older epoch is taken', () => {
    const story = registered(registered(ordersStory(), 4, 70), 4, 80);
    expect(I23(changed(story, 70))).toEqual(['repl I-23 broker 4']);
  });
  test('a broker runs in an epoch that it was not given', () => {
    expect(I23(state(registered(ordersStory(), 4, 70), 4, 71))).toEqual(['repl I-23 broker 4']);
  });
  test('innocent: a new epoch with each start, and a zombie that still runs in its old one', () => {
    const story = registered(registered(ordersStory(), 4, 70), 4, 80);
    expect(I23(state(state(changed(story, 80), 4, 70), 4, 80))).toEqual([]);
  });
  test('innocent: a controller that was restarted tells its last records again', () => {
    const story = registered(ordersStory(), 4, 70);
    const record = { registerBroker: { brokerId: 4, brokerEpoch: 70 } };
    expect(I23(story.tell(CONTROLLER, { type: 'metadata.committed', offset: 0, record }))).toEqual([]);
  });

  const twice = (): Story => registered(registered(ordersStory(), 4, 70), 4, 80);
  const heard = (story: Story, brokerEpoch: number): Story =>
    story.tell(CONTROLLER, { type: 'broker.heard', broker: 4, brokerEpoch });
  const taken = (story: Story, brokerEpoch: number): Story =>
    story.tell(CONTROLLER, { type: 'isr.taken', ...ORDERS, leaderEpoch: 0, members: [[4, brokerEpoch]] });

  test('a request of the process before is taken', () => {
    expect(I23(heard(twice(), 70))).toEqual(['repl I-23 broker 4']);
  });
  test('the process before is taken into an ISR', () => {
    expect(I23(taken(twice(), 70))).toEqual(['repl I-23 broker 4']);
  });
  test('innocent: requests of each while it was the registered one, or is about to be', () => {
    expect(I23(heard(registered(heard(registered(ordersStory(), 4, 70), 70), 4, 80), 80))).toEqual([]);
    expect(I23(registered(heard(registered(ordersStory(), 4, 70), 80), 4, 80))).toEqual([]);
  });
  test('innocent: a member of which the leader does not know the process', () => {
    expect(I23(taken(taken(twice(), 80), -1))).toEqual([]);
  });
});
