// Changing the settings of a topic: what is accepted, and what stands in the metadata log afterwards.
import { describe, expect, test } from 'vitest';
import type { ConfigChange } from '../../src/protocol/generated/index.ts';
import { bringUp, createTopic, heartbeat } from './fleet.ts';
import { Desk } from './lone-controller.ts';

const change = (operation: string, name: string, value?: string): ConfigChange => ({
  ...{ name, operation, value: value ?? '', hasValue: value !== undefined },
});

function aTopic() {
  const desk = new Desk().start();
  bringUp(desk, 1, 2);
  createTopic(desk, 'orders', { replicas: [[1, 2]], configs: { 'retention.ms': '1000', 'segment.bytes': '2000' } });
  return {
    desk,
    settings: () => Object.fromEntries(desk.controller.image.topicNamed('orders')!.configs),
    alter: (changes: readonly ConfigChange[], more: { replace?: boolean; validateOnly?: boolean } = {}) => {
      const resource = { type: 'topic', name: 'orders', replace: more.replace ?? false, changes: [...changes] };
      const request = { resources: [resource], validateOnly: more.validateOnly ?? false };
      return desk.call('AlterConfigs', request).resources[0]!;
    },
  };
}

describe('wire W-88: AlterConfigs', () => {
  test('edits: set and delete, the rest stays', () => {
    const { settings, alter } = aTopic();
    expect(alter([change('SET', 'min.insync.replicas', '2'), change('DELETE', 'retention.ms')])).toEqual({
      ...{ type: 'topic', name: 'orders', error: 'NONE', errorMessage: '' },
    });
    expect(settings()).toEqual({ 'min.insync.replicas': '2', 'segment.bytes': '2000' });
  });

  test('replaces the whole set', () => {
    const { settings, alter } = aTopic();
    expect(alter([change('SET', 'retention.ms', '30s')], { replace: true }).error).toBe('NONE');
    expect(settings()).toEqual({ 'retention.ms': '30000' });
    expect(alter([], { replace: true }).error).toBe('NONE');
    expect(settings()).toEqual({});
  });

  test('appends to and subtracts from lists, beginning with the default', () => {
    const { settings, alter } = aTopic();
    alter([change('APPEND', 'cleanup.policy', 'compact')]);
    expect(settings()).toMatchObject({ 'cleanup.policy': 'delete,compact' });
    alter([change('APPEND', 'cleanup.policy', 'compact')]);
    expect(settings()).toMatchObject({ 'cleanup.policy': 'delete,compact' });
    alter([change('SUBTRACT', 'cleanup.policy', 'delete')]);
    expect(settings()).toMatchObject({ 'cleanup.policy': 'compact' });
    expect(alter([change('SET', 'cleanup.policy', 'compact, delete')]).error).toBe('NONE');
    expect(settings()).toMatchObject({ 'cleanup.policy': 'compact,delete' });
  });

  test.each([
    ['an unknown setting', change('SET', 'no.such', '1'), 'INVALID_CONFIG'],
    ['deleting an unknown setting', change('DELETE', 'no.such'), 'INVALID_CONFIG'],
    ['a value that is not accepted', change('SET', 'min.insync.replicas', '0'), 'INVALID_CONFIG'],
    ['compression that is not done', change('SET', 'compression.type', 'zstd'), 'INVALID_CONFIG'],
    ['appending to what is not a list', change('APPEND', 'retention.ms', '1'), 'INVALID_CONFIG'],
    ['no value', change('SET', 'retention.ms'), 'INVALID_REQUEST'],
    ['no such operation', change('DOUBLE', 'retention.ms', '1'), 'INVALID_REQUEST'],
  ])('%s fails, and nothing of the resource is changed', (_what, wrong, error) => {
    const { settings, alter } = aTopic();
    const answer = alter([change('SET', 'max.message.bytes', '5'), wrong]);
    expect(answer).toMatchObject({ error });
    expect(answer.errorMessage).not.toBe('');
    expect(settings()).toEqual({ 'retention.ms': '1000', 'segment.bytes': '2000' });
  });

  test('validateOnly changes nothing; what is equal already is not written again', () => {
    const { desk, alter } = aTopic();
    const end = desk.controller.image.endOffset;
    expect(alter([change('SET', 'retention.ms', '5')], { validateOnly: true }).error).toBe('NONE');
    expect(alter([change('SET', 'retention.ms', '1000')]).error).toBe('NONE');
    expect(desk.controller.image.endOffset).toBe(end);
  });

  test('who is refused: a topic that is not there, a broker, a topic and a setting named twice', () => {
    const { desk, alter } = aTopic();
    const resource = (type: string, name: string) => ({ type, name, replace: false, changes: [] });
    const resources = [resource('topic', 'nope'), resource('broker', '1'), resource('topic', 'orders')];
    const ask = (all: typeof resources) =>
      desk.call('AlterConfigs', { resources: all, validateOnly: false }).resources.map(({ error }) => error);
    expect(ask(resources)).toEqual(['UNKNOWN_TOPIC_OR_PARTITION', 'INVALID_REQUEST', 'NONE']);
    expect(ask([resource('topic', 'orders'), resource('topic', 'orders')])).toEqual([
      'INVALID_REQUEST',
      'INVALID_REQUEST',
    ]);
    const twice = [change('SET', 'retention.ms', '5'), change('DELETE', 'retention.ms')];
    expect(alter(twice).error).toBe('INVALID_REQUEST');
  });

  test('a setting of a controller that starts again is what it was', () => {
    const { desk, alter } = aTopic();
    alter([change('DELETE', 'retention.ms'), change('SET', 'segment.bytes', '3000')]);
    const image = desk.restart().controller.image;
    expect(Object.fromEntries(image.topicNamed('orders')!.configs)).toEqual({ 'segment.bytes': '3000' });
  });

  test('repl R-97: unclean.leader.election.enable holds from the next look at leaderless partitions', () => {
    const { desk, alter } = aTopic();
    const leader = () => desk.controller.image.topicNamed('orders')!.partitions[0]!.leader;
    desk.call('AlterPartition', {
      ...{ brokerId: 1, brokerEpoch: desk.controller.image.brokers.get(1)!.brokerEpoch, sequence: 1 },
      controllerEpoch: desk.controller.controllerEpoch,
      partitions: [
        {
          ...{ topicId: desk.controller.image.topicNamed('orders')!.topicId, partition: 0 },
          ...{ leaderEpoch: 0, partitionEpoch: 0, leaderRecoveryState: 'RECOVERED' },
          newIsr: [{ brokerId: 1, brokerEpoch: desk.controller.image.brokers.get(1)!.brokerEpoch }],
        },
      ],
    });
    heartbeat(desk, 1, { wantFence: true });
    expect(leader()).toBe(-1);
    alter([change('SET', 'unclean.leader.election.enable', 'true')]);
    for (let i = 0; i < 310; i++) {
      desk.run(1000);
      heartbeat(desk, 2);
    }
    expect(leader()).toBe(2);
  });
});
