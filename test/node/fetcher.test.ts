// A follower's stream to its leader: what it lists, what breaks it, and when it is opened again.
import { describe, expect, test } from 'vitest';
import { aFollower, BACKOFF_MS, fetched, holding, records } from './support/scripted-leader.ts';

describe('the stream (design section 5)', () => {
  test('no answer within replica.socket.timeout.ms: a new generation, after the backoff', () => {
    const { stage, leader } = holding(['a'], 0);
    const before = stage.world.now;
    const request = leader.request(3);
    expect(request).toMatchObject({ streamGeneration: 2, sequence: 0, full: true });
    expect(stage.world.now - before).toBeGreaterThan(1000);
    expect(leader.streams[0]).toMatchObject({ closed: true });
  });
  test('a broken stream: the same, never a tight loop', () => {
    const { stage, leader } = holding(['a'], 0);
    for (let i = 0; i < 5; i++) {
      const before = stage.world.now;
      const open = leader.streams.length;
      leader.streams.at(-1)!.stream.end();
      stage.until(() => leader.streams.length > open);
      leader.request(leader.requests.length + 1);
      expect(stage.world.now - before).toBeGreaterThanOrEqual(BACKOFF_MS);
    }
  });
  test('repl R-40: a session that the leader does not know is opened anew at once, with a full fetch', () => {
    const { stage, leader } = holding(['a'], 0, { config: { 'replica.fetch.backoff.ms': 500 } });
    const { streamGeneration, sequence } = leader.request(2);
    const unknown = { streamGeneration, sequence, error: 'FETCH_SESSION_ID_NOT_FOUND' as const, partitions: [] };
    leader.streams[0]!.stream.send(unknown);
    stage.until(() => leader.requests.length === 3, 100);
    expect(leader.request(3)).toMatchObject({ streamGeneration: 2, sequence: 0, full: true });
    expect(leader.request(3).partitions).toMatchObject([{ fetchOffset: 1 }]);
  });
  test('any other error of a whole request waits', () => {
    const { stage, leader } = holding(['a'], 0, { config: { 'replica.fetch.backoff.ms': 500 } });
    const { streamGeneration, sequence } = leader.request(2);
    const error = 'FETCH_SESSION_TOPIC_ID_ERROR';
    leader.streams[0]!.stream.send({ streamGeneration, sequence, error, partitions: [] });
    stage.runFor(400);
    expect(leader.requests).toHaveLength(2);
    leader.request(3);
  });
  test('what is wrong is said once, until it changes', () => {
    const { stage, leader } = holding(['a'], 0);
    const lines = () => stage.seen('log.line').map(({ message }) => message);
    for (const n of [3, 4, 5]) {
      leader.streams.at(-1)!.stream.end();
      leader.request(n);
    }
    expect(lines()).toEqual(['fetching from broker 2: ended']);
    leader.answer([fetched()]);
    leader.request(6);
    expect(lines().slice(1)).toEqual(['fetching from broker 2: it answers again']);
  });
  test('nothing ends the rest after a failure early', () => {
    const { stage, leader } = holding(['a'], 0, { config: { 'replica.fetch.backoff.ms': 500 } });
    leader.streams[0]!.stream.end();
    stage.runFor(20);
    stage.change({ leader: 2 });
    stage.runFor(400);
    expect(leader.requests).toHaveLength(2);
    expect(leader.request(3)).toMatchObject({ streamGeneration: 2, full: true });
  });
  test('partitions without news are left out of requests too, and all are listed while one is outstanding', () => {
    const { stage, leader } = aFollower({ partitions: 2 });
    const first = leader.request(1);
    expect(first.partitions).toHaveLength(2);
    leader.answer([fetched({ records: records(0, 0, 'a') }), fetched({ partition: 1 })]);
    expect(leader.request(2).partitions).toMatchObject([{ partition: 0, fetchOffset: 1 }]);
    stage.change({ leader: 2 }, 1);
    expect(leader.request(3)).toMatchObject({ full: true, sequence: 2 });
    expect(leader.request(3).partitions).toHaveLength(2);
  });
  test('a partition that backs off leaves the session and comes back', () => {
    const { leader } = aFollower({ partitions: 2 });
    leader.request(1);
    leader.answer([fetched({ records: records(0, 0, 'a') }), fetched({ partition: 1, error: 'UNKNOWN_LEADER_EPOCH' })]);
    expect(leader.request(2).forgotten).toMatchObject([{ partition: 1 }]);
    expect(leader.request(3)).toMatchObject({ full: true });
    expect(
      leader
        .request(3)
        .partitions.map(({ partition }) => partition)
        .sort(),
    ).toEqual([0, 1]);
  });
});
