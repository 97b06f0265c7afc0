// What findings, unfired faults and expectations amount to (design sections 6 and 7).
import { describe, expect, test } from 'vitest';
import { judge, type Judgement } from '../../src/chaos/judge.ts';
import type { Expectation } from '../../src/chaos/plan.ts';
import { readScenario } from '../../src/chaos/read-scenario.ts';
import { exitCodeOf, runLine, verdictLine } from '../../src/chaos/report.ts';
import type { RunOutcome } from '../../src/chaos/run.ts';
import type { HistoryEntry } from '../../src/history/operations.ts';
import { agreed, history, polled, sent } from '../checker/histories.ts';

const [PLAN] = readScenario(
  'highwater: 1\nname: x\ntopics: [{name: orders}]\nworkload: [{id: p, produce: orders}]\n',
  'x',
);
const FIRED: RunOutcome = {
  fired: { f: 1 },
  unfired: [],
  eventually: {},
  ordered: {},
  doubts: [],
  stalled: [],
  durationMs: 1,
};
const UNFIRED: RunOutcome = {
  ...FIRED,
  fired: { f: 0 },
  unfired: [{ fault: 'f', nearMisses: ['rpc.Fetch.response was reached 3 times, but topic was payments'] }],
};

const CLEAN = history(sent('a', 0), polled('r', 0, ['a']), agreed(['a']));
const LOST = history(sent('a', 0), agreed([]));
const GHOST = history(polled('r', 0, ['a']), agreed([]));
const LOST_WITH_ACKS_1 = history(sent('a', 0, { acks: 1 }), agreed([]));

function judged(expectations: readonly Expectation[], entries: HistoryEntry[], outcome = FIRED): Judgement {
  return judge({ ...PLAN!, expectations }, outcome, entries);
}

const never = (...anomalies: Extract<Expectation, { kind: 'never' }>['anomalies']): Expectation => ({
  kind: 'never',
  anomalies,
});
const finds = (anomaly: 'ghost-read' | 'lost-write', fields = {}): Expectation => ({
  kind: 'finds',
  anomaly,
  with: fields,
});

describe('a verdict', () => {
  test('never: what was found fails, with what shows it', () => {
    expect(judged([never('lost-write')], CLEAN).verdict).toBe('pass');
    const { verdict, reasons } = judged([never('lost-write')], LOST);
    expect([verdict, reasons]).toEqual(['fail', [expect.stringContaining('lost-write: "a" was acknowledged')]]);
  });

  test('never: what could not be decided is inconclusive', () => {
    const unobserved = history(sent('a', 0));
    expect(judged([never('log-divergence')], unobserved).verdict).toBe('inconclusive');
    expect(judged([never('ghost-read')], unobserved).verdict).toBe('pass');
  });

  test('finds: a finding with these fields is what was declared', () => {
    expect(judged([finds('ghost-read')], GHOST).verdict).toBe('pass');
    expect(
      judged([finds('ghost-read', { partition: 'orders-0', offset: '0', first: 'a', reader: 'r' })], GHOST).verdict,
    ).toBe('pass');
    expect(judged([finds('ghost-read', { offset: 1 })], GHOST).verdict).toBe('fail');
    expect(judged([finds('ghost-read')], CLEAN)).toMatchObject({
      verdict: 'fail',
      reasons: ['expected to find ghost-read, and did not'],
    });
  });

  test('a list of fields must be the same list', () => {
    const entries = history(polled('r', 0, ['x', 'y', 'z']), agreed(['a', 'b', 'c']));
    const skips = (missed: string[]): Expectation => ({ kind: 'finds', anomaly: 'poll-skip', with: { missed } });
    expect(judged([skips(['a', 'b', 'c'])], entries).verdict).toBe('pass');
    expect(judged([skips(['a', 'b'])], entries).verdict).toBe('fail');
  });

  test('allows: the loss was counted', () => {
    expect(judged([{ kind: 'allows', offsets: [0] }], LOST_WITH_ACKS_1).verdict).toBe('pass');
    expect(judged([{ kind: 'allows', offsets: [1] }], LOST_WITH_ACKS_1).verdict).toBe('fail');
  });

  test('eventually: what did not come to hold fails', () => {
    const expectation: Expectation = {
      ...{ kind: 'eventually', text: 'fenced(1)', withinMs: 5 },
      condition: { kind: 'fenced', node: 1 },
    };
    expect(judged([expectation], CLEAN, { ...FIRED, eventually: { 'fenced(1)': true } }).verdict).toBe('pass');
    expect(judged([expectation], CLEAN, { ...FIRED, eventually: { 'fenced(1)': false } }).verdict).toBe('fail');
  });

  test('a fault that never fired is never a pass, and tells its near misses', () => {
    expect(judged([never('lost-write')], CLEAN, UNFIRED)).toMatchObject({
      verdict: 'inconclusive',
      reasons: ['fault f never fired: rpc.Fetch.response was reached 3 times, but topic was payments'],
    });
  });

  test('what was not found because a fault never fired is unknown; what was found in spite of it is found', () => {
    expect(judged([finds('ghost-read')], CLEAN, UNFIRED).verdict).toBe('inconclusive');
    expect(judged([never('lost-write')], LOST, UNFIRED).verdict).toBe('fail');
  });

  test('a cluster that did not start is inconclusive', () => {
    const { verdict, reasons } = judged([], [], { ...FIRED, failure: 'the cluster did not start: port taken' });
    expect([verdict, reasons]).toEqual(['inconclusive', ['the cluster did not start: port taken']]);
  });
});

describe('the lines of a run', () => {
  test('declared anomalies, findings with their fields, firings, history', () => {
    const plan = { ...PLAN!, expectations: [finds('ghost-read'), finds('ghost-read', { offset: 0 })] };
    expect(verdictLine(plan, FIRED, judge(plan, FIRED, GHOST), 'runs/1/history.ndjson')).toMatchObject({
      ...{ type: 'verdict', variant: 'default', expected: ['ghost-read'], verdict: 'pass', fired: { f: 1 } },
      findings: [{ anomaly: 'ghost-read', partition: 'orders-0', offset: 0, first: 'a', reader: 'r', ops: [0] }],
      history: 'runs/1/history.ndjson',
    });
  });

  test('the whole is the worst, and so is the exit code', () => {
    expect(runLine(['pass', 'inconclusive'])).toEqual({ type: 'run', verdict: 'inconclusive', runs: 2 });
    expect(['pass', 'fail', 'inconclusive'].map((verdict) => exitCodeOf(verdict as 'pass'))).toEqual([0, 1, 3]);
  });
});
