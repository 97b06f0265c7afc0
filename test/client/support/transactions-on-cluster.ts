// A transactional producer, and whoever reads what it writes, on real brokers in the simulated world.
import type { AdminResult } from '../../../src/client/core/admin.ts';
import type { ClientCore, ConfigOverrides } from '../../../src/client/core/client.ts';
import type { ProducerCore } from '../../../src/client/core/producer.ts';
import type { TxnResult } from '../../../src/client/core/txn/states.ts';
import type { World } from '../../../src/sim/world.ts';
import { aClient, aCluster, createTopic } from './cluster.ts';
import { send, text, waitFor } from './wait.ts';

export const OK = { kind: 'ok' };
export const T0 = { topic: 't', partition: 0 };
export const T1 = { topic: 't', partition: 1 };

/** The steps of one producer as values. */
function stepsOf(world: World, client: ClientCore, config: ConfigOverrides) {
  const producer: ProducerCore = client.producer(config);
  const { transactions: txn } = producer;
  const step = (start: (done: (result: TxnResult) => void) => void): TxnResult => waitFor<TxnResult>(world, start);
  return {
    ...{ producer, txn },
    init: () => step((done) => txn.init(done)),
    begin: () => txn.begin(),
    send: (value: string, partition = 0) => send(world, producer, { topic: 't', partition, value: text(value) }),
    commit: () => step((done) => txn.commit(done)),
    abort: () => step((done) => txn.abort(done)),
  };
}

/** A cluster of this version with topic `t`, and a producer "app" in it. */
export function aWorld(version: 1 | 2, config: ConfigOverrides = {}) {
  const made = aCluster({ config: { 'transaction.version': version } });
  createTopic(made, 't', { partitions: 2 });
  const settings = { 'transactional.id': 'app', 'batch.size': 0, 'linger.ms': 0, ...config };
  const producer = stepsOf(made.world, made.client, settings);
  const reader = (isolation: 'read_committed' | 'read_uncommitted') => {
    const consumer = made.client.consumer({ 'isolation.level': isolation, 'auto.offset.reset': 'earliest' });
    consumer.assign([T0]);
    return consumer;
  };
  const another = (id: number, more: ConfigOverrides = {}) =>
    stepsOf(made.world, aClient(made.cluster, id), { ...settings, ...more });
  return { ...made, ...producer, reader, another };
}

/** What an admin is told; fails if nobody answered. */
export const asValue = <Value>(result: AdminResult<Value>): Value => {
  if (result.kind === 'failed') throw new Error(`${result.error}: ${result.message}`);
  return result.value;
};
