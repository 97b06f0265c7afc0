// Crash points of records, offsets, clients and lossy elections (CP-16 to CP-31, CP-39 to CP-52, CP-67 to CP-97): some of them run
// here, and each is red without the protection that its row is about. The whole table: highwater crash-points run.
import { describe, expect, test } from 'vitest';
import { fateOf } from '../../src/chaos/crash-points/fate.ts';
import type { CellVerdict } from '../../src/chaos/crash-points/judge.ts';
import { ROWS } from '../../src/chaos/crash-points/rows.ts';
import { runCell } from '../../src/chaos/crash-points/run-cell.ts';
import { cellsOf, type Cell } from '../../src/chaos/crash-points/template.ts';
import type { Safeguard } from '../../src/fault/safeguards.ts';
import type { HistoryEntry, NewEntry } from '../../src/history/operations.ts';

function first(id: string, choice: Partial<Cell>, safeguardsOff: readonly Safeguard[] = []): CellVerdict {
  const row = ROWS.find((each) => each.id === id)!;
  return runCell(row, cellsOf(row, choice)[0]!, { seed: '1', safeguardsOff });
}

describe('txn T-185: run in the simulator', () => {
  test.each([
    ['CP-18', 'commit', 'A'],
    ['CP-21', 'commit', 'C'],
    ['CP-25', 'abort', 'A'],
    ['CP-31', 'commit', 'C'],
    ['CP-39', 'commit', 'C'],
    ['CP-48', 'abort', 'A'],
    ['CP-52', 'commit', 'C'],
    ['CP-70', 'commit', 'A'],
    ['CP-81', 'commit', 'C'],
    ['CP-82', 'abort', 'A'],
    ['CP-88', 'commit', 'C'],
    ['CP-92', 'commit', 'N'],
    ['CP-94', 'commit', 'A'],
    ['CP-97', 'abort', 'A'],
  ] as const)('%s is green, and the transaction that was to %s ends as %s', (id, outcome, fate) => {
    const verdict = first(id, { outcome, version: 2 });
    expect(verdict.reasons).toEqual([]);
    expect(verdict.fate).toBe(fate);
    expect(verdict.fired['crash']).toBeGreaterThan(0);
  });
});

// Workers have two fences, the epoch of their id (CP-91) and the generation of their group (CP-30, txn T-169, T-172); who takes over
// waits for what is undecided (CP-31, txn T-173).
describe('a row is red without what it is about', () => {
  test.each([
    ['CP-18', 'txn.guard', { version: 1 }, /hanging-txn/],
    ['CP-21', 'seq.wholeWindow', { outcome: 'commit', version: 2 }, /the outcome is A, and must be C/],
    ['CP-24', 'seq.replicatedState', { version: 2 }, /the outcome is A, and must be C/],
    ['CP-25', 'txn.lsoBound', { outcome: 'commit', version: 2 }, /precommitted-read/],
    ['CP-30', 'group.txnCommitFence', { version: 2 }, /eos-violation/],
    ['CP-31', 'group.stableOffsets', { version: 2 }, /fault unstable never fired/],
    ['CP-52', 'group.stableOffsets', { outcome: 'commit', version: 2 }, /fault unstable never fired/],
    ['CP-91', 'epoch.bumpOnInit', { outcome: 'commit', version: 1 }, /rc was given a0, a1, and must not be/],
    ['CP-95', 'txn.filter', { outcome: 'abort', version: 2 }, /slow was given a2, a3, a4, and must not be/],
  ] as const)('%s without %s', (id, safeguard, choice, why) => {
    const { verdict, reasons } = first(id, choice, [safeguard]);
    expect(verdict).toBe('red');
    expect(reasons.join('\n')).toMatch(why);
  });
});

describe('a fate', () => {
  const entries = (...list: NewEntry[]): HistoryEntry[] => list.map((entry, index) => ({ ...entry, index, time: 0 }));
  const sent = (partition: string, value: string): NewEntry => ({
    ...{ f: 'send', type: 'invoke', process: 'app', op: 0, value, acks: -1, txn: 1, partition },
  });
  const seen = (partition: string, ...values: string[]): NewEntry => ({
    ...{ f: 'scan', type: 'info', process: 'observer', partition, isolation: 'read_committed', to: 9 },
    records: values.map((value, offset) => ({ offset, value })),
  });
  const logged = (partition: string, ...values: string[]): NewEntry => ({
    ...{ f: 'replica', type: 'info', process: 'observer', partition, node: 1 },
    ...{ logStartOffset: 0, highWatermark: 9, logEndOffset: 9 },
    records: values.map((value, offset) => ({ offset, leaderEpoch: 0, crc: '', value })),
  });
  const judged = { client: 'app', txn: 1 };

  test('is that of the partitions written to: the same value elsewhere says nothing', () => {
    const input = [logged('input-0', 'a0'), seen('input-0', 'a0')];
    const history = entries(sent('orders-0', 'a0'), ...input, logged('orders-0', 'a0'), seen('orders-0'));
    expect(fateOf(history, judged)).toEqual({ fate: 'A' });
  });

  test('leaves out what a declared unclean election may have lost', () => {
    const lost: NewEntry = {
      ...{ f: 'budget', type: 'info', process: 'controller', what: 'unclean-election', partition: 'loose-0' },
    };
    const both = [sent('loose-0', 'a0'), sent('orders-0', 'a1')];
    const end = [logged('loose-0', 'a0'), seen('loose-0'), logged('orders-0', 'a1'), seen('orders-0', 'a1')];
    expect(fateOf(entries(...both, ...end), judged)).toHaveProperty('torn');
    expect(fateOf(entries(...both, lost, ...end), judged)).toEqual({ fate: 'C' });
  });
});
