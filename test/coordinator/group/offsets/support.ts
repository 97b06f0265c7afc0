// A stage with topics, and the requests about offsets in few words.
import type { ErrorName } from '../../../../src/protocol/errors.ts';
import type { MetadataRecord } from '../../../../src/protocol/generated/index.ts';
import type { RequestOf, ResponseOf } from '../../../../src/protocol/apis.ts';
import { Stage } from '../support/stage.ts';
import type { Call, StageOptions } from '../support/stage.ts';

/** The id of topic `t`, in 16 bytes. */
export const TOPIC_ID = Buffer.alloc(16, 7).toString('base64url');

export class OffsetStage extends Stage {
  constructor(options: StageOptions = {}) {
    super(options);
    this.#topic('t', TOPIC_ID);
    this.#topic('u', Buffer.alloc(16, 9).toString('base64url'));
  }

  commit(offset: number, more: Partial<RequestOf<'OffsetCommit'>> = {}): Call<ResponseOf<'OffsetCommit'>> {
    const retention = { hasRetentionTime: false, retentionTimeMs: 0 };
    return this.send('offsetCommit', { ...nobody(), ...retention, offsets: [at(offset)], ...more });
  }

  txnCommit(offset: number, more: Partial<RequestOf<'TxnOffsetCommit'>> = {}): Call<ResponseOf<'TxnOffsetCommit'>> {
    const producer = { transactionalId: 'x', producerId: 5, producerEpoch: 0, transactionVersion: 1 };
    return this.send('txnOffsetCommit', { ...nobody(), ...producer, offsets: [at(offset)], ...more });
  }

  ask(more: Partial<RequestOf<'OffsetFetch'>> = {}): Call<ResponseOf<'OffsetFetch'>> {
    const partitions = [{ topic: 't', partition: 0 }];
    return this.send('offsetFetch', {
      ...{ groupId: 'g', allPartitions: false, partitions, requireStable: true, ...more },
    });
  }

  /** The offset of t-0, or why there is none; lets time pass. */
  fetch(requireStable = true): number | ErrorName {
    const call = this.ask({ requireStable });
    this.run();
    const { error, partitions } = call.response!;
    const [only] = partitions;
    if (error !== 'NONE') return error;
    return only!.error === 'NONE' ? only!.offset : only!.error;
  }

  /** Sends a marker; its error, once there is one. */
  mark(type: 'commit' | 'abort', producerId = 5, producerEpoch = 0): Call<ErrorName> {
    const call: Call<ErrorName> = { response: undefined };
    const timestamp = this.host.runtime.clock.wallTime();
    const marker = { type, producerId, producerEpoch, coordinatorEpoch: 0, timestamp, transactionVersion: 1 };
    this.coordinator.writeMarker(0, marker, (error) => {
      if (call.response !== undefined) throw new Error('a marker was answered twice');
      call.response = error;
    });
    return call;
  }

  /** A failover to a replica that lacks what was not committed. */
  loseTail(leaderEpoch: number): void {
    const log = this.host.logOf(0);
    this.resign(leaderEpoch);
    log.truncateTo(log.highWatermark, () => undefined);
    this.host.freeze(false);
    this.run();
    this.failOver(leaderEpoch);
  }

  #topic(name: string, topicId: string): void {
    const { image } = this.host;
    const partition = { ...{ topicId, replicas: [1], isr: [1], leader: 1 } };
    const apply = (record: object): void => image.apply(image.endOffset, record as MetadataRecord);
    apply({ topic: { name, topicId } });
    for (const index of [0, 1]) apply({ partition: { ...partition, partition: index } });
  }
}

/** The error of the only partition. */
export function only(call: Call<ResponseOf<'OffsetCommit'>>): ErrorName | undefined {
  return call.response?.partitions[0]?.error;
}

/** An offset of t-0, unless told otherwise. */
export function at(offset: number, more: Partial<RequestOf<'OffsetCommit'>['offsets'][number]> = {}) {
  return { topic: 't', partition: 0, offset, leaderEpoch: 3, metadata: 'm', ...more };
}

function nobody() {
  return { groupId: 'g', generationId: -1, memberId: '', groupInstanceId: '' };
}
