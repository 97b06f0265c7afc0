// A transaction coordinator that answers verifications as a test tells it to; and transactional batches to be verified.
import type { NodeId } from '../../../src/base/units.ts';
import { TRANSACTIONAL } from '../../../src/log/attributes.ts';
import { encodeBatch } from '../../../src/log/encode-batch.ts';
import { partitionRecord, topicRecord } from '../../../src/metadata/records.ts';
import type { RequestOf, ResponseOf } from '../../../src/protocol/apis.ts';
import type { ErrorName } from '../../../src/protocol/errors.ts';
import type { MetadataRecord } from '../../../src/protocol/generated/index.ts';
import type { Answer } from '../../../src/runtime/ports.ts';
import type { Stage } from './stage.ts';

type Asked = RequestOf<'VerifyTransactions'>['transactions'][number];

/** A request that waits for the test's answer. */
export interface HeardVerification {
  readonly transactions: readonly Asked[];
  /** The same error for every partition of a transaction; NONE unless said otherwise. */
  answer(errorOf?: (transactionalId: string) => ErrorName): void;
}

export class ScriptedCoordinator {
  readonly heard: HeardVerification[] = [];
  readonly #stage: Stage;

  constructor(stage: Stage, id: NodeId) {
    this.#stage = stage;
    stage.runtime(id).network.serve({
      unary: {
        VerifyTransactions: ({ transactions }, _from, answer) => this.#hear(transactions, answer),
      },
      stream: {},
    });
  }

  /** Waits for the n-th request, from 1. */
  request(n: number): HeardVerification {
    this.#stage.until(() => this.heard.length >= n);
    return this.heard[n - 1]!;
  }

  #hear(transactions: readonly Asked[], answer: Answer<ResponseOf<'VerifyTransactions'>>): void {
    this.heard.push({
      transactions,
      answer: (errorOf = () => 'NONE') =>
        answer({
          transactions: transactions.map(({ transactionalId, topics }) => ({
            transactionalId,
            partitions: topics.flatMap(({ topic, partitions }) =>
              partitions.map((partition) => ({ topic, partition, error: errorOf(transactionalId) })),
            ),
          })),
        }),
    });
  }
}

/** Records that make a topic, with one leader a partition. */
export function topicLedBy(name: string, leaders: readonly NodeId[], replicas = [1, 2, 3]): MetadataRecord[] {
  const topicId = name.padEnd(22, '-');
  return [
    topicRecord(name, topicId),
    ...leaders.map((leader, partition) => partitionRecord({ topicId, partition }, { replicas, isr: replicas, leader })),
  ];
}

export interface Batch {
  readonly producerId?: number;
  readonly producerEpoch?: number;
  readonly baseSequence?: number;
}

/** One record of a transaction. */
export function transactional({ producerId = 7, producerEpoch = 3, baseSequence = 0 }: Batch = {}): Buffer {
  return encodeBatch([{ timestamp: 1, key: null, value: Buffer.from('v') }], {
    ...{ attributes: TRANSACTIONAL, producerId, producerEpoch, baseSequence },
  });
}
