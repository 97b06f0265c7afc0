// Brokers that coordinate one partition of __transaction_state one after the other, leaders that take markers, and a
// producer's requests. Nothing happens by itself but what `auto` allows.
import type { TransactionMetadata } from '../../../src/coordinator/txn/metadata.ts';
import { decodeRecord, encodeKey, encodeValue } from '../../../src/coordinator/txn/record-codec.ts';
import { decodeBatch } from '../../../src/log/decode-batch.ts';
import type { RecordData } from '../../../src/log/encode-batch.ts';
import { MetadataImage } from '../../../src/metadata/image.ts';
import {
  featureLevelRecord,
  partitionChangeRecord,
  partitionRecord,
  registerBrokerRecord,
  removeTopicRecord,
  topicRecord,
} from '../../../src/metadata/records.ts';
import { batchHeaders } from '../../../src/protocol/batch-header.ts';
import type { RequestOf, ResponseOf, UnaryApi } from '../../../src/protocol/apis.ts';
import type { NodeConfig } from '../../../src/protocol/config.ts';
import type { ErrorName } from '../../../src/protocol/errors.ts';
import type { MetadataRecord } from '../../../src/protocol/generated/index.ts';
import type { Safeguard } from '../../../src/fault/safeguards.ts';
import { Broker } from './broker.ts';
import type { HeardMarkers } from './broker.ts';
import { VirtualClock } from './virtual-clock.ts';

export const ID = 'billing';
/** Leads no partition, coordinates nothing at first. */
const FIRST = 1;

/** The record that puts this in force. */
export function recordOf(metadata: TransactionMetadata): RecordData {
  const { transactionalId } = metadata;
  return { timestamp: 0, key: encodeKey(transactionalId), value: encodeValue(metadata, { level: 2 }) };
}

/** A marker in a partition's log. */
export interface Written {
  readonly partition: string;
  readonly producerId: number;
  readonly producerEpoch: number;
  readonly outcome: 'commit' | 'abort';
  readonly coordinatorEpoch: number;
  readonly transactionVersion: number;
}

export interface StageOptions {
  readonly level?: number;
  readonly off?: readonly Safeguard[];
  readonly config?: Partial<Record<keyof NodeConfig, unknown>>;
  /** Whether the first broker is registered in the image as it is now. */
  readonly caughtUp?: boolean;
}

/** What an answer to a request turned out to be; undefined while it waits. */
export interface Sent<A extends UnaryApi> {
  response?: ResponseOf<A>;
  answers: number;
}

export class Stage {
  readonly clock = new VirtualClock();
  readonly image = new MetadataImage();
  readonly markers: HeardMarkers[] = [];
  readonly written: Written[] = [];
  /** Whether leaders take markers at once. */
  takes = true;
  broker: Broker;
  readonly #options: StageOptions;
  #epoch = 0;
  #nextProducerId = 1000;
  /** Ids at hand. */
  producerIds = Infinity;

  constructor(options: StageOptions = {}) {
    this.#options = options;
    this.apply(featureLevelRecord('transaction.version', options.level ?? 2));
    for (const id of [1, 2, 3]) this.register(id, id === FIRST && options.caughtUp === false ? 5 : 1000 + id);
    this.topic('__transaction_state', [1]);
    this.topic('__consumer_offsets', [1]);
    this.topic('orders', [2, 3]);
    this.broker = this.start(FIRST, Buffer.alloc(0));
    this.broker.elect(0);
    this.clock.settle();
  }

  apply(...records: MetadataRecord[]): void {
    for (const record of records) this.image.apply(this.image.endOffset, record);
  }

  register(id: number, brokerEpoch = 1000 + id): void {
    this.apply(registerBrokerRecord({ id, incarnationId: `i${id}`, brokerEpoch, fenced: false }, []));
  }

  /** A topic with these leaders, one a partition. */
  topic(name: string, leaders: readonly number[]): void {
    const topicId = name.padEnd(22, '-');
    this.apply(topicRecord(name, topicId));
    leaders.forEach((leader, partition) => {
      this.apply(partitionRecord({ topicId, partition }, { replicas: [1, 2, 3], isr: [1, 2, 3], leader }));
    });
  }

  /** Gives a topic of one partition more of them, led by broker 1. */
  widen(name: string, count: number): void {
    const topicId = name.padEnd(22, '-');
    for (let partition = 1; partition < count; partition++) {
      this.apply(partitionRecord({ topicId, partition }, { replicas: [1, 2, 3], isr: [1, 2, 3], leader: 1 }));
    }
  }

  deleteTopic(name: string): void {
    this.apply(removeTopicRecord(name.padEnd(22, '-')));
    this.broker.coordinator.metadataChanged();
  }

  /** Gives a partition a leader; -1: none. */
  lead(name: string, partition: number, leader: number): void {
    const topicId = name.padEnd(22, '-');
    this.apply(partitionChangeRecord({ topicId, partition }, { leader, reason: 'clean' }));
    this.broker.coordinator.metadataChanged();
  }

  /** A broker with these batches. */
  start(id: number, records: Buffer): Broker {
    return new Broker({
      ...{ id, clock: this.clock, image: this.image, records },
      off: new Set(this.#options.off),
      config: this.#options.config ?? {},
      nextProducerId: () => (this.producerIds-- > 0 ? this.#nextProducerId++ : undefined),
      onMarkers: (markers) => {
        this.markers.push(markers);
        if (this.takes) this.take(markers);
      },
    });
  }

  /**
   * The next broker takes the shard over, with what the log held below `end` (all by default); the old one is dead.
   * `replicates`: its followers have all of it soon.
   */
  failOver(end: number = this.broker.replica.logEndOffset, replicates = true): Broker {
    const before = this.broker;
    before.kill();
    this.#epoch = Math.max(this.#epoch, before.leaderEpoch ?? 0) + 1;
    this.broker = this.start(before.me + 1, before.recordsBelow(end));
    this.broker.auto = replicates;
    this.register(this.broker.me);
    this.broker.elect(this.#epoch);
    this.clock.settle();
    return this.broker;
  }

  /** Writes the markers of a request and answers; `errorOf` refuses some. */
  take(markers: HeardMarkers, errorOf: (partition: string) => ErrorName = () => 'NONE'): void {
    const answers = markers.request.markers.map((marker) => ({
      producerId: marker.producerId,
      partitions: marker.topics.flatMap(({ topic, partitions }) =>
        partitions.map((partition) => {
          const error = errorOf(`${topic}-${partition}`);
          if (error === 'NONE') this.#mark(`${topic}-${partition}`, marker);
          return { topic, partition, error };
        }),
      ),
    }));
    markers.answer({ kind: 'ok', response: { markers: answers } });
    this.clock.settle();
  }

  #mark(partition: string, marker: RequestOf<'WriteTxnMarkers'>['markers'][number]): void {
    const { producerId, producerEpoch, committed, coordinatorEpoch, transactionVersion } = marker;
    const outcome = committed ? 'commit' : 'abort';
    this.written.push({ partition, producerId, producerEpoch, outcome, coordinatorEpoch, transactionVersion });
  }

  // ---- a producer's requests; each is settled as far as it goes

  init(of: Partial<RequestOf<'InitProducerId'>> = {}): Sent<'InitProducerId'> {
    const request = { hasTransactionalId: true, transactionalId: ID, transactionTimeoutMs: 60_000 };
    return this.send<'InitProducerId'>((answer) =>
      this.broker.coordinator.initProducerId({ ...request, producerId: -1, producerEpoch: -1, ...of }, answer),
    );
  }

  add(producer: Producer, partitions: readonly number[] = [0, 1], topic = 'orders'): Sent<'AddPartitionsToTxn'> {
    const request = { transactionalId: ID, ...producer, topics: [{ topic, partitions: [...partitions] }] };
    return this.send<'AddPartitionsToTxn'>((answer) => this.broker.coordinator.addPartitionsToTxn(request, answer));
  }

  verify(producer: Producer, verifyOnly: boolean, partitions: readonly number[] = [0, 1]): Sent<'VerifyTransactions'> {
    const topics = [{ topic: 'orders', partitions: [...partitions] }];
    const request = { transactions: [{ transactionalId: ID, verifyOnly, topics, ...producer }] };
    return this.send<'VerifyTransactions'>((answer) => this.broker.coordinator.verifyTransactions(request, answer));
  }

  addOffsets(producer: Producer, groupId: string): Sent<'AddOffsetsToTxn'> {
    const request = { transactionalId: ID, groupId, ...producer };
    return this.send<'AddOffsetsToTxn'>((answer) => this.broker.coordinator.addOffsetsToTxn(request, answer));
  }

  end(producer: Producer, committed: boolean, transactionVersion = 2): Sent<'EndTxn'> {
    const request = { transactionalId: ID, committed, transactionVersion, ...producer };
    return this.send<'EndTxn'>((answer) => this.broker.coordinator.endTxn(request, answer));
  }

  describe(transactionalId: string = ID): ResponseOf<'DescribeTransactions'>['transactions'][number] {
    const sent = this.send<'DescribeTransactions'>((answer) =>
      this.broker.coordinator.describeTransactions({ transactionalIds: [transactionalId] }, answer),
    );
    return sent.response!.transactions[0]!;
  }

  /** The last record of the usual id. */
  metadata(): TransactionMetadata {
    let last: TransactionMetadata | undefined;
    const records = this.broker.recordsBelow(this.broker.replica.logEndOffset);
    for (const { at } of batchHeaders(records)) {
      const batch = decodeBatch(records, at);
      for (const { key, value } of batch.kind === 'records' ? batch.records : []) {
        const record = decodeRecord(key, value);
        if (record.kind === 'metadata' && record.metadata.transactionalId === ID) last = record.metadata;
      }
    }
    if (last === undefined) throw new Error('no record of it');
    return last;
  }

  send<A extends UnaryApi>(ask: (answer: (response: ResponseOf<A>) => void) => void): Sent<A> {
    const sent: Sent<A> = { answers: 0 };
    ask((response) => {
      sent.response = response;
      sent.answers += 1;
    });
    this.clock.settle();
    return sent;
  }

  /** An open transaction with orders-0 and orders-1. */
  open(of: Partial<RequestOf<'InitProducerId'>> = {}): Producer {
    const { producerId, producerEpoch } = this.init(of).response!;
    const transactionalId = of.transactionalId ?? ID;
    const producer = { producerId, producerEpoch, ...(of.transactionalId && { transactionalId }) };
    const { response } = this.add(producer);
    if (response?.partitions.some(({ error }) => error !== 'NONE') !== false) throw new Error('the add failed');
    return producer;
  }
}

export interface Producer {
  readonly producerId: number;
  readonly producerEpoch: number;
  /** Another id than the usual. */
  readonly transactionalId?: string;
}
