// A leader that answers the broker's fetches as a test tells it to.
import type { NodeId } from '../../../src/base/units.ts';
import { encodeBatch } from '../../../src/log/encode-batch.ts';
import type { RequestOf, ResponseOf } from '../../../src/protocol/apis.ts';
import type { FetchedPartition, FetchPartition } from '../../../src/protocol/generated/index.ts';
import type { Answer, InStream } from '../../../src/runtime/ports.ts';
import { Stage, TOPIC, TOPIC_ID } from './stage.ts';
import type { StageOptions } from './stage.ts';

/** A stream that the broker opened. */
export interface HeardStream {
  readonly stream: InStream<ResponseOf<'Fetch'>>;
  readonly requests: RequestOf<'Fetch'>[];
  ended: boolean;
  closed: boolean;
}

export interface HeardListOffsets {
  readonly request: RequestOf<'FollowerListOffsets'>;
  readonly answer: Answer<ResponseOf<'FollowerListOffsets'>>;
}

export class ScriptedLeader {
  readonly streams: HeardStream[] = [];
  readonly listOffsets: HeardListOffsets[] = [];
  readonly #stage: Stage;

  constructor(stage: Stage, id: NodeId) {
    this.#stage = stage;
    stage.runtime(id).network.serve({
      unary: { FollowerListOffsets: (request, _from, answer) => void this.listOffsets.push({ request, answer }) },
      stream: {
        Fetch: (stream) => {
          const heard: HeardStream = { stream, requests: [], ended: false, closed: false };
          this.streams.push(heard);
          return {
            message: (request) => void heard.requests.push(request),
            ended: () => void (heard.ended = true),
            closed: () => void (heard.closed = true),
          };
        },
      },
    });
  }

  /** All requests, over all streams, in order. */
  get requests(): RequestOf<'Fetch'>[] {
    return this.streams.flatMap(({ requests }) => requests);
  }

  /** Waits for the n-th request (from 1), and returns its newest ask of partition 0. */
  request(n: number, maxMs = 10_000): RequestOf<'Fetch'> {
    this.#stage.until(() => this.requests.length >= n, maxMs);
    return this.requests[n - 1]!;
  }

  /** Answers the newest request, or the one given, on its stream. */
  answer(partitions: readonly FetchedPartition[], to = this.requests.at(-1)!): void {
    const heard = this.streams.find(({ requests }) => requests.includes(to))!;
    const { streamGeneration, sequence } = to;
    heard.stream.send({ streamGeneration, sequence, error: 'NONE', partitions: [...partitions] });
  }

  /** Answers the n-th question for the log's ends. */
  answerEnd(n: number, offset: number): void {
    this.#stage.until(() => this.listOffsets.length >= n);
    const found = { error: 'NONE' as const, timestamp: -1, offset, leaderEpoch: 0 };
    this.listOffsets[n - 1]!.answer({ partitions: [{ topic: TOPIC, partition: 0, ...found }] });
  }
}

/** One partition of an answer. */
export function fetched(more: Partial<FetchedPartition> = {}): FetchedPartition {
  return {
    ...{ topicId: TOPIC_ID, topic: TOPIC, partition: 0, error: 'NONE', highWatermark: 0, lastStableOffset: 0 },
    ...{
      logStartOffset: 0,
      records: Buffer.alloc(0),
      divergingEpoch: null,
      currentLeader: -1,
      currentLeaderEpoch: -1,
      preferredReadReplica: -1,
      fromFollower: false,
    },
    ...{ abortedTransactions: [] },
    ...more,
  };
}

/** One-record batches, one an offset, as they stand in a leader's log. */
export function records(baseOffset: number, leaderEpoch: number, ...values: string[]): Buffer {
  const batches = values.map((value, i) =>
    encodeBatch([{ timestamp: 1, key: null, value: Buffer.from(value) }], { baseOffset: baseOffset + i, leaderEpoch }),
  );
  return Buffer.concat(batches);
}

export const askOf = (request: RequestOf<'Fetch'>): FetchPartition | undefined =>
  request.partitions.find(({ partition }) => partition === 0);

/** Of the fast profile. */
export const BACKOFF_MS = 20;
/** A request that asks for the same as the one before. */
export const UNCHANGED = { full: false, partitions: [], forgotten: [] };

/** Broker 1 follows broker 2. */
export function aFollower(options: StageOptions = {}) {
  const stage = new Stage({ leader: 2, isr: [2], ...options });
  const leader = new ScriptedLeader(stage, 2);
  stage.start();
  return { stage, leader };
}

/** It has these records of epoch 0 and high watermark `highWatermark`. The n-th request is outstanding. */
export function holding(values: string[], highWatermark: number, options: StageOptions = {}) {
  const { stage, leader } = aFollower(options);
  leader.request(1);
  leader.answer([fetched({ records: records(0, 0, ...values), highWatermark })]);
  leader.request(2);
  return { stage, leader };
}
