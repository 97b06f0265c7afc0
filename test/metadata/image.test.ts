// The fold of the metadata log: what each record does, what it refuses to swallow, and its words for the wire.
import { describe, expect, test } from 'vitest';
import { InvariantViolation } from '../../src/base/assert.ts';
import { describeBroker, describeFeatures, describeTopic } from '../../src/metadata/describe.ts';
import { isActive, MetadataImage } from '../../src/metadata/image.ts';
import * as records from '../../src/metadata/records.ts';
import { snapshotOf } from '../../src/metadata/snapshot.ts';
import type { MetadataRecord } from '../../src/protocol/generated/index.ts';

const T = { topicId: 'topic-1', partition: 0 };
const endpoints = [{ name: 'REPLICATION', host: 'localhost', port: 9001 }];
const broker = (id: number, brokerEpoch: number, incarnationId = `p${brokerEpoch}`): MetadataRecord =>
  records.registerBrokerRecord({ id, incarnationId, brokerEpoch, fenced: true, rack: 'north' }, endpoints);

function imageOf(...log: MetadataRecord[]): MetadataImage {
  const image = new MetadataImage();
  for (const record of log) image.apply(image.endOffset, record);
  return image;
}
const orders = (): MetadataImage =>
  imageOf(
    records.topicRecord('orders', T.topicId),
    records.partitionRecord(T, { replicas: [1, 2, 3], isr: [1, 2, 3], leader: 1 }),
  );
const apply = (image: MetadataImage, record: MetadataRecord): void => image.apply(image.endOffset, record);

describe('repl R-85: epochs of a partition', () => {
  test('a new partition is in leader epoch 0 and partition epoch 0', () => {
    expect(orders().partition('topic-1', 0)).toMatchObject({ leaderEpoch: 0, partitionEpoch: 0, leader: 1 });
  });

  test.each([
    ['an ISR', { isr: [1, 2] }, 0],
    ['another leader', { leader: 2 }, 1],
    ['no leader', { leader: -1 }, 1],
    ['the same leader', { leader: 1 }, 1],
    ['a recovery state', { leaderRecoveryState: 'RECOVERING' as const }, 0],
  ])('a change that carries %s', (_what, delta, leaderEpoch) => {
    const image = orders();
    apply(image, records.partitionChangeRecord(T, { ...delta, reason: 'clean' }));
    expect(image.partition('topic-1', 0)).toMatchObject({ leaderEpoch, partitionEpoch: 1, ...delta });
  });

  test('an earlier state is not changed under whoever holds it', () => {
    const image = orders();
    const [before, topic] = [image.partition('topic-1', 0)!, image.topicNamed('orders')!];
    apply(image, records.partitionChangeRecord(T, { isr: [2], leader: 2, reason: 'fenced' }));
    expect([before.isr, topic.partitions[0]!.leader]).toEqual([[1, 2, 3], 1]);
  });
});

describe('registrations', () => {
  test('repl R-86, R-87: another process starts out of controlled shutdown, the same one keeps its flag', () => {
    const image = imageOf(broker(1, 0));
    apply(
      image,
      records.registrationChangeRecord(image.brokers.get(1)!, { fenced: false, inControlledShutdown: true }),
    );
    apply(image, broker(1, 0));
    expect(image.brokers.get(1)).toMatchObject({ inControlledShutdown: true, registrationOffset: 2 });
    apply(image, broker(1, 3));
    expect(image.brokers.get(1)).toMatchObject({ inControlledShutdown: false, brokerEpoch: 3, fenced: true });
  });

  test('repl R-95: active means registered, unfenced and not shutting down', () => {
    const image = imageOf(broker(1, 0));
    const states = [undefined, image.brokers.get(1)!].map(isActive);
    apply(image, records.registrationChangeRecord(image.brokers.get(1)!, { fenced: false }));
    states.push(isActive(image.brokers.get(1)));
    apply(image, records.registrationChangeRecord(image.brokers.get(1)!, { inControlledShutdown: true }));
    states.push(isActive(image.brokers.get(1)));
    expect(states).toEqual([false, false, true, false]);
  });
});

describe('topics', () => {
  test('settings are set, replaced and removed', () => {
    const image = orders();
    apply(image, records.configRecord('orders', 'min.insync.replicas', '2'));
    apply(image, records.configRecord('orders', 'min.insync.replicas', '3'));
    apply(image, records.configRecord('orders', 'segment.ms', '1'));
    apply(image, { config: { topic: 'orders', name: 'segment.ms', value: '', removed: true } });
    expect([...image.topicNamed('orders')!.configs]).toEqual([['min.insync.replicas', '3']]);
  });

  test('a removed topic is gone, by name and by id', () => {
    const image = orders();
    apply(image, records.removeTopicRecord('topic-1'));
    expect([image.topicNamed('orders'), image.topics.size, image.partition('topic-1', 0)]).toEqual([
      undefined,
      0,
      undefined,
    ]);
  });
});

describe('what breaks the fold', () => {
  const wrong: [string, MetadataRecord][] = [
    ['repl I-10: leader', records.partitionChangeRecord(T, { leader: 2, isr: [1], reason: 'clean' })],
    [
      'repl I-10: an ISR member without a replica',
      records.partitionChangeRecord(T, { isr: [1, 4], reason: 'isr-expand' }),
    ],
    ['repl I-10: an empty ISR', records.partitionChangeRecord(T, { isr: [], leader: -1, reason: 'fenced' })],
    [
      'a change of what is not there',
      records.partitionChangeRecord({ ...T, partition: 1 }, { isr: [1], reason: 'clean' }),
    ],
    [
      'a partition out of order',
      records.partitionRecord({ ...T, partition: 2 }, { replicas: [1], isr: [1], leader: 1 }),
    ],
    ['a setting of no topic', records.configRecord('nope', 'segment.ms', '1')],
    ['the removal of no topic', records.removeTopicRecord('nope')],
  ];
  test.each(wrong)('%s', (_what, record) => {
    expect(() => apply(orders(), record)).toThrow(InvariantViolation);
  });

  test('repl I-24: a gap or a repetition', () => {
    for (const offset of [1, 3]) expect(() => orders().apply(offset, broker(1, 0))).toThrow(InvariantViolation);
  });

  test('repl I-23: a broker epoch going back', () => {
    expect(() => apply(imageOf(broker(1, 5)), broker(1, 4))).toThrow(InvariantViolation);
  });
});

test('repl R-84, I-24: a snapshot is all that there is: what was known before it, and is not in it, is gone', () => {
  const behind = orders();
  for (const record of [broker(1, 2), records.featureLevelRecord('f', 1), records.configRecord('', 'a', '1')])
    apply(behind, record);
  const ahead = imageOf(records.clusterRecord('c'), broker(2, 9), records.topicRecord('other', 'topic-2'));
  behind.load(9, snapshotOf(ahead));
  expect([behind.endOffset, behind.clusterId, [...behind.clusterConfigs], [...behind.features]]).toEqual([
    ...[9, 'c', [], []],
  ]);
  expect([[...behind.brokers.keys()], [...behind.topics.keys()], behind.topicNamed('orders')]).toEqual([
    ...[[2], ['topic-2'], undefined],
  ]);
  expect(() => behind.load(8, snapshotOf(ahead))).toThrow('repl I-24');
});

test('repl R-84: records survive their store, byte for byte', () => {
  const log = [
    records.clusterRecord('c'),
    records.featureLevelRecord('eligible.leader.replicas.version', 0),
    broker(1, 0),
    records.topicRecord('orders', 'topic-1'),
    records.partitionRecord(T, { replicas: [1], isr: [1], leader: 1 }),
    records.partitionChangeRecord(T, { leader: -1, reason: 'fenced' }),
    records.partitionChangeRecord(T, { isr: [1], leader: 1, leaderRecoveryState: 'RECOVERING', reason: 'unclean' }),
  ];
  for (const record of log) {
    const bytes = records.encodeRecord(record);
    expect(records.decodeRecord(bytes)).toEqual(record);
    expect(records.encodeRecord(records.decodeRecord(bytes))).toEqual(bytes);
  }
  expect(log.map(records.isUnclean)).toEqual([false, false, false, false, false, false, true]);
});

test('descriptions: leaderless partitions, offline replicas, internal topics, features', () => {
  const image = orders();
  apply(image, broker(2, 2));
  apply(image, records.registrationChangeRecord(image.brokers.get(2)!, { fenced: false }));
  apply(image, records.partitionChangeRecord(T, { leader: -1, isr: [1], reason: 'fenced' }));
  apply(image, records.topicRecord('__consumer_offsets', 'topic-2'));
  apply(image, records.featureLevelRecord('eligible.leader.replicas.version', 0));
  expect(describeTopic(image, image.topicNamed('orders')!)).toEqual({
    ...{ error: 'NONE', name: 'orders', topicId: 'topic-1', isInternal: false, configs: [] },
    partitions: [
      {
        ...{ error: 'LEADER_NOT_AVAILABLE', partition: 0, leader: -1, leaderEpoch: 1, partitionEpoch: 1 },
        ...{ replicas: [1, 2, 3], isr: [1], offlineReplicas: [1, 3], leaderRecoveryState: 'RECOVERED' },
        ...{ elr: [], lastKnownElr: [], addingReplicas: [], removingReplicas: [] },
      },
    ],
  });
  expect(describeTopic(image, image.topicNamed('__consumer_offsets')!).isInternal).toBe(true);
  const described = { id: 2, endpoints, fenced: false, brokerEpoch: 2, inControlledShutdown: false, rack: 'north' };
  expect(describeBroker(image.brokers.get(2)!)).toEqual(described);
  expect(describeFeatures(image)).toEqual([{ name: 'eligible.leader.replicas.version', value: '0' }]);
});
