// A transactional producer against the cluster by script: its steps as values, and what it asked for.
import type { ProducerCore } from '../../../src/client/core/producer.ts';
import type { SendResult } from '../../../src/client/core/producer-record.ts';
import type { GroupMetadata, OffsetToSend } from '../../../src/client/core/txn/requests.ts';
import type { TransactionManager } from '../../../src/client/core/txn/manager.ts';
import type { TxnResult } from '../../../src/client/core/txn/states.ts';
import { readBatchHeader } from '../../../src/protocol/batch-header.ts';
import type { ErrorName } from '../../../src/protocol/errors.ts';
import { ScriptedCluster, TOPIC, type Deed } from './scripted.ts';
import { send, text, waitFor } from './wait.ts';

export const GROUP: GroupMetadata = { groupId: 'g', generationId: 3, memberId: 'm', groupInstanceId: 'i' };
export const OFFSETS: readonly OffsetToSend[] = [{ topic: 'in', partition: 0, offset: 5, leaderEpoch: 1 }];

/** The requests of transactions. */
const TXN_APIS = [
  'FindCoordinator',
  'InitProducerId',
  'AddPartitionsToTxn',
  'AddOffsetsToTxn',
  'TxnOffsetCommit',
  'EndTxn',
];

export const refuse = (error: ErrorName): Deed => ({ kind: 'error', error });
export const recordOf = (value: string, partition = 0) => ({ topic: TOPIC, partition, value: text(value) });

/** One of one-record batches. `version` is what the cluster has finalized. */
export function aTransactionalProducer(
  version: 1 | 2 = 2,
  config: Record<string, unknown> = {},
  cluster = new ScriptedCluster(1, 2),
) {
  cluster.transactionVersion = version;
  const one = { 'enable.idempotence': true, 'batch.size': 0, 'linger.ms': 0, 'transactional.id': 't' };
  const producer = cluster.client({ ...one, ...config }).producer();
  const { world } = cluster;
  const txn = producer.transactions;
  const step = (start: (done: (result: TxnResult) => void) => void): TxnResult => waitFor<TxnResult>(world, start);
  return {
    ...{ cluster, world, producer, txn, step },
    init: () => step((done) => txn.init(done)),
    begin: () => txn.begin(),
    commit: () => step((done) => txn.commit(done)),
    abort: () => step((done) => txn.abort(done)),
    sendOffsets: () => step((done) => txn.sendOffsets(OFFSETS, GROUP, done)),
    send: (value: string, partition = 0): SendResult => send(world, producer, recordOf(value, partition)),
    /** Lets everything happen that happens by itself within this time. */
    run: (ms: number) => world.run({ maxMs: ms }),
    /** Requests of the transaction and batches, in order. */
    asked: () => cluster.seen.filter(({ api }) => TXN_APIS.includes(api) || api === 'Produce').map(({ api }) => api),
    attempts: (partition = 0) => attemptsOf(cluster, partition),
  };
}

export type Transactional = ReturnType<typeof aTransactionalProducer>;

/** With an identity and an open transaction. */
export function inTransaction(...args: Parameters<typeof aTransactionalProducer>): Transactional {
  const made = aTransactionalProducer(...args);
  made.init();
  made.begin();
  return made;
}

/** [producer id, epoch, sequence] of each batch sent to a partition. */
function attemptsOf(cluster: ScriptedCluster, partition: number): number[][] {
  return cluster.requests('Produce').flatMap(({ request }) =>
    request.partitions
      .filter((one) => one.partition === partition)
      .map(({ records }) => {
        const { producerId, producerEpoch, baseSequence } = readBatchHeader(records)!;
        return [producerId, producerEpoch, baseSequence];
      }),
  );
}

/** Sends without waiting; the results as they come. */
export function sendLater(producer: ProducerCore, ...values: string[]): SendResult[] {
  const results: SendResult[] = [];
  for (const value of values) producer.send(recordOf(value), (result) => results.push(result));
  return results;
}

/** Calls a step without waiting for it. */
export function later(start: (done: (result: TxnResult) => void) => void): TxnResult[] {
  const results: TxnResult[] = [];
  start((result) => results.push(result));
  return results;
}

export type { TransactionManager };
