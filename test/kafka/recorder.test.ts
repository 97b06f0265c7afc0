// What a recorder tells of leaders: in which epoch a produce was answered, which the wire does not say, which epoch a fetch was
// fenced with, and the high watermark that it was told (repl ).
import { describe, expect, test } from 'vitest';
import { createRecorder } from '../../src/kafka/recorder.ts';
import type { TraceEvent } from '../../src/trace/events.ts';

function recorded(api: string, body: object, response: object): { readonly ask: unknown; readonly answer: unknown } {
  const events: TraceEvent[] = [];
  const trace = (event: TraceEvent): void => void events.push(event);
  const recorder = createRecorder({ name: '1', values: 'plain', topicName: () => 't', nowUs: () => 0, trace });
  recorder.asked({ api, body, connection: 1, clientId: 'app' } as never)!.answered({
    ...{ kind: 'response', body: response },
  } as never);
  const ask = events.flatMap((event) => (event.type === 'wire.asked' ? [event.ask] : []));
  const answer = events.flatMap((event) => (event.type === 'wire.answered' ? [event.answer] : []));
  return { ask: ask[0], answer: answer[0] };
}

describe('Produce', () => {
  const answerOf = (partition: object): unknown => {
    const asked = { acks: -1, transactionalId: null, topicData: [{ name: 't', partitionData: [] }] };
    return recorded('Produce', asked, { responses: [{ name: 't', partitionResponses: [partition] }] }).answer;
  };
  test('the leader epoch of a success', () => {
    expect(answerOf({ index: 0, errorCode: 0, baseOffset: 5, leaderEpoch: 3 })).toEqual({
      ...{ api: 'Produce', partitions: [{ partition: 't-0', error: 'NONE', baseOffset: 5, leaderEpoch: 3 }] },
    });
  });
  test('none of a refusal', () => {
    expect(answerOf({ index: 0, errorCode: 6, baseOffset: -1 })).toEqual({
      ...{ api: 'Produce', partitions: [{ partition: 't-0', error: 'NOT_LEADER_OR_FOLLOWER', baseOffset: -1 }] },
    });
  });
});

describe('Fetch', () => {
  const fetched = (currentLeaderEpoch: number, errorCode = 0, fromFollower = false) => {
    const place = { partition: 0, fetchOffset: 2, currentLeaderEpoch };
    const told = {
      partitionIndex: 0,
      errorCode,
      highWatermark: 7,
      divergingEpoch: null,
      records: Buffer.alloc(0),
      fromFollower,
    };
    return recorded(
      'Fetch',
      { isolationLevel: 0, topics: [{ topic: 't', partitions: [place] }] },
      { responses: [{ topic: 't', partitions: [{ ...told, abortedTransactions: null }] }] },
    );
  };
  test('the epoch it was fenced with, and the high watermark', () => {
    const { ask, answer } = fetched(3);
    expect(ask).toMatchObject({ partitions: [{ partition: 't-0', offset: 2, leaderEpoch: 3 }] });
    expect(answer).toMatchObject({ partitions: [{ partition: 't-0', highWatermark: 7 }] });
  });
  test('repl R-48: no high watermark of a follower, whose own may fall in a leader epoch', () => {
    const { answer } = fetched(3, 0, true);
    expect(answer).toEqual({ api: 'Fetch', partitions: [{ partition: 't-0', error: 'NONE', to: 2, records: [] }] });
  });
  test('no epoch of who names none, no high watermark of who is refused', () => {
    const { ask, answer } = fetched(-1, 1);
    expect(ask).toEqual({ api: 'Fetch', isolation: 'read_uncommitted', partitions: [{ partition: 't-0', offset: 2 }] });
    expect(answer).toEqual({
      ...{ api: 'Fetch', partitions: [{ partition: 't-0', error: 'OFFSET_OUT_OF_RANGE', to: 2, records: [] }] },
    });
  });
});
