// What a run writes down so that checkers know the innocent: who stood still, who had all the time it may take, what readers
// are given in the end, and what was asked for.
import { describe, expect, test } from 'vitest';
import { readScenario } from '../../src/chaos/read-scenario.ts';
import { runInSimulator } from '../../src/chaos/run-in-simulator.ts';
import type { HistoryEntry } from '../../src/history/operations.ts';

const HEAD = 'highwater: 1\nname: test\ntopics: [{name: orders, config: {min.insync.replicas: 2}}]\n';
const STEPS = 'steps: [init, begin, send orders/0 a, send orders/0 b, commit]';

function historyOf(text: string): readonly HistoryEntry[] {
  return runInSimulator(readScenario(HEAD + text, 'test.yaml')[0]!).history;
}

function faultsOf(history: readonly HistoryEntry[]) {
  return history.flatMap((entry) => (entry.f === 'fault' ? [entry] : []));
}

describe('who stands still', () => {
  test('a client that a fault pauses is halted until it goes on, by whatever hand', () => {
    const history = historyOf(`workload:
  - {id: t, transactional: x, ${STEPS}}
faults:
  - {id: freeze, at: client.t.send.end, nth: 1, do: {pause: node}, for: 300ms}
`);
    const [halted, freed, ...rest] = faultsOf(history);
    expect(halted).toMatchObject({ fault: 'freeze', action: 'pause', halts: ['t'] });
    expect(freed).toMatchObject({ fault: 'freeze', action: 'resume', frees: ['t'] });
    expect(freed!.time - halted!.time).toBeGreaterThanOrEqual(300);
    expect(rest).toEqual([]);
  });

  test('a client that a fault kills is halted for good; a broker is nobody who owes an answer', () => {
    const history = historyOf(`workload:
  - {id: t, transactional: x, ${STEPS}}
faults:
  - {id: shot, at: client.t.send.end, nth: 1, do: {kill: node}}
  - {id: broker, after: shot, do: {kill: leader(orders-0)}}
`);
    expect(faultsOf(history).map(({ fault, halts, frees }) => ({ fault, halts, frees }))).toEqual([
      { fault: 'shot', halts: ['t'], frees: undefined },
      { fault: 'broker', halts: undefined, frees: undefined },
    ]);
  });
});

describe('at the end', () => {
  const history = historyOf(`workload:
  - {id: t, transactional: x, timeout: 7s, ${STEPS}}
  - {id: undone, transactional: y, steps: [init, begin, send orders/0 c, abort]}
`);

  test('an init tells which timeout it asks for; nothing else does', () => {
    const asked = history.flatMap((entry) => ('timeoutMs' in entry && 'op' in entry ? [entry] : []));
    expect(asked.map(({ f, type, process, timeoutMs }) => ({ f, type, process, timeoutMs }))).toEqual([
      { f: 'init', type: 'invoke', process: 't', timeoutMs: 7000 },
      { f: 'init', type: 'invoke', process: 'undone', timeoutMs: 10_000 },
    ]);
  });

  test('all who came to their end were awaited', () => {
    expect(history.at(-1)).toMatchObject({ f: 'quiesce', type: 'ok', awaited: ['t', 'undone'] });
  });

  test('readers were let read to the end, and what they did then does not count any more', () => {
    const read = historyOf(`workload:
  - {id: p, produce: orders, acks: all, steps: [send m0..m3]}
  - {id: c, consume: orders, from: earliest}
  - {id: dead, consume: orders, from: earliest}
faults:
  - {id: shot, after: 'visible(dead, m0)', do: {kill: client(dead)}}
`);
    const end = read.at(-1)!;
    expect(end).toMatchObject({ f: 'quiesce', type: 'ok', drained: ['c'] });
    const last = read.findLast((entry) => entry.f === 'poll' && entry.process === 'c')!;
    expect(end.f === 'quiesce' && end.drainedAt).toBeGreaterThan(last.time);
  });

  test('each partition is read by readers of both isolations', () => {
    const scans = history.flatMap((entry) => (entry.f === 'scan' ? [entry] : []));
    const given = (isolation: string): string[] =>
      scans.filter((scan) => scan.isolation === isolation).flatMap(({ records }) => records.map(({ value }) => value));
    expect(given('read_committed')).toEqual(['a', 'b']);
    expect(given('read_uncommitted').toSorted()).toEqual(['a', 'b', 'c']);
    // Three records and two markers.
    expect(scans.map(({ to }) => to)).toEqual([5, 5]);
  });
});
