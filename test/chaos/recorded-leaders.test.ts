// What brokers record of leaders: who acknowledged in which leader epoch, and which high watermark readers were told. double-leader
// and hw-regression see it, planted, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { Recording } from './recording.ts';

describe('who answers, and what is committed', () => {
  const found = (tell: (run: Recording) => void): string[] => {
    const run = new Recording();
    tell(run);
    run.finish();
    return run.anomalies;
  };
  const send = (run: Recording, value: string, node: number, leaderEpoch: number, acks = -1): void =>
    run.producedBy(run.produce([value], { acks }), 0, { node, leaderEpoch });

  test('double-leader: two brokers acknowledge in one leader epoch', () => {
    const two = found((run) => (send(run, 'a', 1, 3), send(run, 'b', 2, 3)));
    expect(two).toContain('double-leader');
  });
  test('double-leader: a client was told of an epoch, and what it sends then is acknowledged in an older one', () => {
    expect(found((run) => (send(run, 'a', 2, 4), send(run, 'b', 1, 3)))).toContain('double-leader');
  });
  test('innocent: leaders one after the other, a deposed one with acks=1, and answers of nobody knows whom', () => {
    expect(found((run) => (send(run, 'a', 1, 3), send(run, 'b', 2, 4), send(run, 'c', 2, 4)))).toEqual([]);
    expect(found((run) => (send(run, 'a', 2, 4), send(run, 'b', 1, 3, 1)))).toEqual([]);
    const unknown = (run: Recording) => {
      run.produced(run.produce(['a']), 'NONE', 0);
      run.produced(run.produce(['b']), 'NONE', 1);
    };
    expect(found(unknown)).toEqual([]);
  });

  test('hw-regression: a reader is told less than before in one leader epoch, though it is given nothing', () => {
    const less = found((run) => (run.told(5, { leaderEpoch: 3, to: 2 }), run.told(4, { leaderEpoch: 3 })));
    expect(less).toEqual(['hw-regression']);
  });
  test('hw-regression: the log ends below what was told to be committed', () => {
    const cut = found((run) => (run.told(5, { leaderEpoch: 0, to: 1 }), run.observe(['a', 'b'])));
    expect(cut).toContain('hw-regression');
  });
  test('innocent: less from the next leader, from another broker, or of who is fenced with no epoch', () => {
    expect(found((run) => (run.told(5, { leaderEpoch: 3, to: 2 }), run.told(4, { leaderEpoch: 4 })))).toEqual([]);
    const elsewhere = { leaderEpoch: 3, to: 2, connection: 'r2' };
    expect(found((run) => (run.told(5, { leaderEpoch: 3, to: 2 }), run.told(4, elsewhere)))).toEqual([]);
    expect(found((run) => (run.told(5, { to: 2 }), run.told(4, { to: 2 })))).toEqual([]);
  });
});
