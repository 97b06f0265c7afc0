// A transactional producer over raw connections: each step is one request, whose version a test may choose, and each answer
// is what stood on the wire.
import { TRANSACTIONAL } from '../../src/log/attributes.ts';
import { encodeBatch } from '../../src/log/encode-batch.ts';
import { FETCH, fetchBody, fetchPartition, INIT_PRODUCER_ID, LIST_OFFSETS, PRODUCE } from './bodies.ts';
import type { Struct } from './generic-codec.ts';
import type { RawClient } from './raw-client.ts';
import { first } from './apis/served-topic.ts';

export const FIND_COORDINATOR = 10;
export const OFFSET_FOR_LEADER_EPOCH = 23;
export const ADD_PARTITIONS_TO_TXN = 24;
export const ADD_OFFSETS_TO_TXN = 25;
export const END_TXN = 26;
export const WRITE_TXN_MARKERS = 27;
export const TXN_OFFSET_COMMIT = 28;
export const DESCRIBE_PRODUCERS = 61;
export const DESCRIBE_TRANSACTIONS = 65;
export const LIST_TRANSACTIONS = 66;

export interface Identity {
  readonly producerId: number;
  readonly producerEpoch: number;
}
export const NOBODY: Identity = { producerId: -1, producerEpoch: -1 };

/** Versions of one variant of the protocol, as its clients send them (wire W-43). */
export interface Variant {
  readonly init: number;
  readonly produce: number;
  readonly txnOffsetCommit: number;
  readonly endTxn: number;
}
export const TV1: Variant = { init: 4, produce: 9, txnOffsetCommit: 3, endTxn: 3 };
export const TV2: Variant = { init: 5, produce: 12, txnOffsetCommit: 5, endTxn: 5 };

export class TransactionalClient implements Identity {
  readonly transactionalId: string;
  /** What it writes to: partition 0 of this topic. */
  readonly topic: string;
  producerId = -1;
  producerEpoch = -1;
  sequence = 0;
  readonly #client: RawClient;

  /** @param client To the coordinator, which in these tests leads everything. */
  constructor(client: RawClient, transactionalId: string, topic: string) {
    this.#client = client;
    this.transactionalId = transactionalId;
    this.topic = topic;
  }

  /** Takes the identity over if there is one. */
  async init(version = 4, expected: Identity = NOBODY, timeoutMs = 60_000): Promise<Struct> {
    const { transactionalId } = this;
    const body = { transactionalId, transactionTimeoutMs: timeoutMs, ...expected };
    // Clients ask again: a fence is answered CONCURRENT_TRANSACTIONS until what was open is ended (txn T-48), and a young
    // broker may have no producer id at hand (txn T-37).
    for (;;) {
      const answer = await this.#ask(INIT_PRODUCER_ID, version, body);
      if (answer['errorCode'] === 51 || answer['errorCode'] === 14) continue;
      if (answer['errorCode'] === 0) this.#become(answer);
      return answer;
    }
  }

  async addPartitions(
    version: number,
    topics: Readonly<Record<string, number[]>> = { [this.topic]: [0] },
  ): Promise<Struct> {
    const body = {
      v3AndBelowTransactionalId: this.transactionalId,
      v3AndBelowProducerId: this.producerId,
      v3AndBelowProducerEpoch: this.producerEpoch,
      v3AndBelowTopics: Object.entries(topics).map(([name, partitions]) => ({ name, partitions })),
    };
    return this.#ask(ADD_PARTITIONS_TO_TXN, version, body);
  }

  async addOffsets(version: number, groupId = 'g'): Promise<number> {
    const answer = await this.#ask(ADD_OFFSETS_TO_TXN, version, { ...this.#who(), groupId });
    return Number(answer['errorCode']);
  }

  /** A batch with these values; the answer of the one partition. */
  async produce(version: number, ...values: string[]): Promise<Struct> {
    const records = this.batch(...values);
    const body = {
      ...{ transactionalId: this.transactionalId, acks: -1, timeoutMs: 5000 },
      topicData: [{ name: this.topic, partitionData: [{ index: 0, records }] }],
    };
    const { responses } = await this.#ask(PRODUCE, version, body);
    const produced = first(first(responses)['partitionResponses']);
    if (produced['errorCode'] === 0) this.sequence += values.length;
    return produced;
  }

  /** A batch as this producer would number it. */
  batch(...values: string[]): Buffer {
    const { producerId, producerEpoch, sequence } = this;
    const timestamp = Date.now();
    return encodeBatch(
      values.map((value) => ({ timestamp, key: null, value: Buffer.from(value) })),
      { producerId, producerEpoch, baseSequence: sequence, attributes: TRANSACTIONAL },
    );
  }

  /** Commits offset `offset` of partition 0 of a topic; the error of each partition asked for. */
  async commitOffsets(version: number, more: Struct = {}): Promise<number[]> {
    const partition = { partitionIndex: 0, committedOffset: 7, committedLeaderEpoch: -1, committedMetadata: null };
    const member = { generationIdOrMemberEpoch: -1, memberId: '', groupInstanceId: null };
    const topics = [{ name: this.topic, partitions: [partition] }];
    const answer = await this.#ask(TXN_OFFSET_COMMIT, version, {
      ...this.#who(),
      groupId: 'g',
      ...member,
      topics,
      ...more,
    });
    return (answer['topics'] as Struct[]).flatMap(({ partitions }) =>
      (partitions as Struct[]).map(({ errorCode }) => Number(errorCode)),
    );
  }

  async end(version: number, committed: boolean): Promise<Struct> {
    const answer = await this.#ask(END_TXN, version, { ...this.#who(), committed });
    if (answer['errorCode'] === 0 && version >= 5) this.#become(answer);
    return answer;
  }

  #become(answer: Struct): void {
    this.producerId = Number(answer['producerId']);
    this.producerEpoch = Number(answer['producerEpoch']);
    this.sequence = 0;
  }

  #who(): Identity & { readonly transactionalId: string } {
    const { transactionalId, producerId, producerEpoch } = this;
    return { transactionalId, producerId, producerEpoch };
  }

  async #ask(key: number, version: number, body: object): Promise<Struct> {
    return (await this.#client.ask(key, version, body as Struct)).body;
  }
}

/** What a consumer of partition 0 is given from an offset on. */
export async function fetchFrom(
  client: RawClient,
  topic: string,
  { fetchOffset = 0, isolationLevel = 1 }: { readonly fetchOffset?: number; readonly isolationLevel?: 0 | 1 } = {},
): Promise<Struct> {
  const topics = [{ topic, topicId: '', partitions: [fetchPartition({ fetchOffset })] }];
  const { body } = await client.ask(FETCH, 11, fetchBody({ isolationLevel, topics }));
  return first(first(body['responses'])['partitions']);
}

/** The end of partition 0 as a reader of this isolation is told: high watermark, or last stable offset. */
export async function endOffset(client: RawClient, topic: string, isolationLevel: 0 | 1): Promise<number> {
  const partitions = [{ partitionIndex: 0, currentLeaderEpoch: -1, timestamp: -1 }];
  const { body } = await client.ask(LIST_OFFSETS, 2, {
    ...{ replicaId: -1, isolationLevel, topics: [{ name: topic, partitions }] },
  });
  return Number(first(first(body['topics'])['partitions'])['offset']);
}

/** Resolves once both coordinators serve on this broker. */
export async function coordinated(client: RawClient): Promise<void> {
  for (const keyType of [0, 1]) {
    const body = { key: '', keyType, coordinatorKeys: ['any'] };
    while (first((await client.ask(FIND_COORDINATOR, 4, body)).body['coordinators'])['errorCode'] !== 0);
  }
}
