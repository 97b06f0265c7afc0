// What any broker passes on to the controller, and what it says when there is none (wire W-77).
import { expect, test } from 'vitest';
import { CONTROLLER_ID } from '../../src/base/units.ts';
import type { Forwarded } from '../../src/node/forwarding.ts';
import { Fleet, TOPIC } from './support/fleet.ts';

type Outcome = Forwarded<'CreatePartitions'>;

function forward(fleet: Fleet, timeoutMs: number): { outcome?: Outcome; at?: number } {
  const box: { outcome?: Outcome; at?: number } = {};
  const topics = [{ name: TOPIC, count: 3, hasAssignments: false, assignments: [] }];
  const begun = fleet.cluster.world.now;
  fleet.cluster
    .broker(2)!
    .api.admin.forward('CreatePartitions', { topics, validateOnly: false }, timeoutMs, (outcome) => {
      box.outcome = outcome;
      box.at = fleet.cluster.world.now - begun;
    });
  return box;
}

test('wire W-77: a broker that is not the controller has the controller decide; new partitions appear on all brokers', () => {
  const fleet = new Fleet();
  const box = forward(fleet, 10_000);
  fleet.until(() => box.outcome !== undefined);
  expect(box.outcome).toMatchObject({ kind: 'answered', response: { topics: [{ name: TOPIC, error: 'NONE' }] } });
  const hosted = (id: number) => {
    let partitions: number[] = [];
    const request = { topic: TOPIC, partition: -1, fromOffset: -1, maxBatches: 0 };
    fleet.cluster.broker(id)!.api.describeReplicas(request, ({ replicas }) => {
      partitions = replicas.map(({ partition }) => partition);
    });
    return partitions;
  };
  fleet.until(() => fleet.cluster.brokerIds.every((id) => hosted(id).length === 3));
});

test('wire W-77: without a controller NOT_CONTROLLER, and not later than asked', () => {
  const fleet = new Fleet();
  fleet.cluster.kill(CONTROLLER_ID);
  const box = forward(fleet, 2000);
  fleet.until(() => box.outcome !== undefined);
  expect(box.outcome).toEqual({ kind: 'unanswered', error: 'NOT_CONTROLLER' });
  expect(box.at).toBeLessThanOrEqual(2100);
});

test('wire W-77: a controller that comes back in time is found', () => {
  const fleet = new Fleet();
  fleet.cluster.kill(CONTROLLER_ID);
  const box = forward(fleet, 20_000);
  fleet.runFor(1000);
  expect(box.outcome).toBeUndefined();
  fleet.cluster.start(CONTROLLER_ID);
  fleet.until(() => box.outcome !== undefined);
  expect(box.outcome).toMatchObject({ kind: 'answered' });
});

test('wire W-77: a controller that was asked and does not answer: REQUEST_TIMED_OUT, it may have been done', () => {
  const fleet = new Fleet();
  fleet.cluster.pause(CONTROLLER_ID);
  const box = forward(fleet, 500);
  fleet.until(() => box.outcome !== undefined);
  expect(box.outcome).toEqual({ kind: 'unanswered', error: 'REQUEST_TIMED_OUT' });
});
