// A history from what brokers recorded of the wire: what was told is told, what was lost is unknown, what was refused may have
// been asked again; and checkers judge it, planted anomalies and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { Copies } from '../../src/chaos/recorded/copies.ts';
import { checkHistory } from '../../src/checker/check.ts';
import type { NewEntry } from '../../src/history/operations.ts';
import type { ErrorName } from '../../src/protocol/errors.ts';
import type { WireAnswer, WireProducer } from '../../src/trace/wire.ts';
import { Recording } from './recording.ts';

const numbered = (sequence: number): WireProducer => ({ producerId: 7, producerEpoch: 0, sequence });

describe('sends', () => {
  test('what was answered is ok, at its offset', () => {
    const run = new Recording();
    run.produced(run.produce(['a', 'b']), 'NONE', 10);
    expect(run.finish()).toEqual([]);
    const ended = run.entries.flatMap((entry) => (entry.f === 'send' && entry.type === 'ok' ? [entry] : []));
    expect(ended.map(({ value, offset }) => [value, offset])).toEqual([
      ['a', 10],
      ['b', 11],
    ]);
  });

  test('a response that was lost is unknown, and no loss: nobody was told', () => {
    const run = new Recording();
    run.produce(['a']);
    run.close();
    run.produced(run.produce(['b']), 'NONE', 0);
    run.read(0, 1, [[0, 'b']]);
    run.finish();
    expect(run.operations).toContain('app send info a');
    expect(run.anomalies).toEqual([]);
  });

  test('what was acknowledged and is not where readers have been is lost', () => {
    const run = new Recording();
    run.produced(run.produce(['a']), 'NONE', 0);
    run.produced(run.produce(['b']), 'NONE', 1);
    run.read(0, 2, [[1, 'b']]);
    run.finish();
    expect(run.anomalies).toContain('lost-write');
  });

  test('refused, and asked again: one operation', () => {
    const run = new Recording();
    run.produced(run.produce(['a'], { producer: numbered(0) }), 'NOT_ENOUGH_REPLICAS');
    run.produced(run.produce(['a'], { producer: numbered(0) }), 'NONE', 0);
    run.finish();
    expect(run.operations).toEqual(['app send invoke a', 'app send ok a']);
    expect(run.entries.at(-1)).toMatchObject({ retried: true, idempotent: true });
  });

  test('refused for good is a failure; refused after an answer that was lost is unknown', () => {
    const run = new Recording();
    run.produced(run.produce(['a'], { producer: numbered(0) }), 'NOT_ENOUGH_REPLICAS');
    run.produce(['b'], { producer: numbered(1) });
    run.close();
    run.produced(run.produce(['b'], { producer: numbered(1) }), 'NOT_ENOUGH_REPLICAS');
    run.finish();
    expect(run.operations.slice(-2)).toEqual([
      'app send fail a NOT_ENOUGH_REPLICAS',
      'app send info b NOT_ENOUGH_REPLICAS',
    ]);
  });

  test('a failure whose record is read was none: false-fail shows as a read of what failed', () => {
    const run = new Recording();
    run.produced(run.produce(['a'], { producer: numbered(0) }), 'NOT_ENOUGH_REPLICAS');
    run.read(0, 1, [[0, 'a']]);
    run.finish();
    expect(run.operations).toContain('app send fail a NOT_ENOUGH_REPLICAS');
  });

  test('a number twice in the log is a duplicate; a producer without numbers may repeat itself', () => {
    const numberedRun = new Recording();
    numberedRun.produced(numberedRun.produce(['a'], { producer: numbered(0) }), 'NONE', 0);
    numberedRun.read(0, 2, [
      [0, 'a'],
      [1, 'a'],
    ]);
    numberedRun.finish();
    expect(numberedRun.anomalies).toContain('duplicate');
    const plain = new Recording();
    plain.produce(['a']);
    plain.close();
    plain.produced(plain.produce(['a']), 'NONE', 1);
    plain.read(0, 2, [
      [0, 'a'],
      [1, 'a'],
    ]);
    plain.finish();
    expect(plain.anomalies).toEqual([]);
  });

  test('equal values sent on purpose are said, not guessed', () => {
    const run = new Recording();
    run.produced(run.produce(['tick'], { producer: numbered(0) }), 'NONE', 0);
    run.produced(run.produce(['tick'], { producer: numbered(1) }), 'NONE', 1);
    run.read(0, 2, [
      [0, 'tick'],
      [1, 'tick'],
    ]);
    expect(run.finish()).toEqual([expect.stringContaining('records of equal value cannot be told apart')]);
    expect(run.anomalies).toEqual([]);
  });

  test('acks=0 is ok without a place, and promises nothing', () => {
    const run = new Recording();
    run.answer(run.produce(['a'], { acks: 0 }), { api: 'silence' });
    run.produced(run.produce(['b']), 'NONE', 0);
    run.read(0, 1, [[0, 'b']]);
    run.finish();
    expect(run.operations).toContain('app send ok a');
    expect(run.anomalies).toEqual([]);
  });
});

describe('reads', () => {
  test('two readers given different values at one offset', () => {
    const run = new Recording();
    run.produced(run.produce(['a', 'b']), 'NONE', 0);
    run.read(0, 1, [[0, 'a']], 'r1');
    run.read(0, 1, [[0, 'b']], 'r2');
    run.finish();
    expect(run.anomalies).toContain('inconsistent-offsets');
  });

  test('a broker that leaves out what it was asked for: poll-skip; a client that goes elsewhere: its own doing', () => {
    const skipped = new Recording();
    skipped.produced(skipped.produce(['a', 'b', 'c']), 'NONE', 0);
    skipped.read(0, 3, [
      [0, 'a'],
      [2, 'c'],
    ]);
    skipped.finish();
    skipped.observe(['a', 'b', 'c']);
    expect(skipped.anomalies).toContain('poll-skip');
    const sought = new Recording();
    sought.produced(sought.produce(['a', 'b', 'c']), 'NONE', 0);
    sought.read(0, 1, [[0, 'a']]);
    sought.read(2, 3, [[2, 'c']]);
    sought.read(0, 1, [[0, 'a']]);
    sought.finish();
    sought.observe(['a', 'b', 'c']);
    expect(sought.anomalies).toEqual([]);
  });
});

describe('transactions', () => {
  const id = { transactionalId: 'tx', producerId: 7, producerEpoch: 0 };
  const given = (error: ErrorName, producerEpoch = -1): WireAnswer => {
    return { api: 'identity', error, producerId: producerEpoch < 0 ? -1 : 7, producerEpoch };
  };
  const init = (run: Recording, producerEpoch: number): void => {
    const asked = run.ask({
      api: 'InitProducerId',
      transactionalId: 'tx',
      timeoutMs: 1000,
      producerId: -1,
      producerEpoch: -1,
    });
    run.answer(asked, given('NONE', producerEpoch));
  };

  test('begins are where something is first asked; ends carry the next identity', () => {
    const run = new Recording();
    init(run, 0);
    run.produced(run.produce(['a'], { producer: numbered(0), transactionalId: 'tx' }), 'NONE', 0);
    run.answer(run.ask({ api: 'EndTxn', ...id, committed: true }), given('NONE', 1));
    const next = { producerId: 7, producerEpoch: 1, sequence: 0 };
    run.produced(run.produce(['b'], { producer: next, transactionalId: 'tx' }), 'NONE', 2);
    run.finish();
    expect(run.operations.filter((line) => !line.includes('invoke'))).toEqual(
      ['init ok', 'begin ok', 'send ok a', 'commit ok', 'begin ok', 'send ok b'].map((line) => `app ${line}`),
    );
    expect(run.entries.filter((entry) => entry.f === 'send')).toMatchObject([
      { txn: 1 },
      { txn: 1 },
      { txn: 2 },
      { txn: 2 },
    ]);
  });

  test('an end that may be decided is asked again, over lost answers and coordinators: one operation', () => {
    const run = new Recording();
    init(run, 0);
    run.produced(run.produce(['a'], { producer: numbered(0), transactionalId: 'tx' }), 'NONE', 0);
    run.ask({ api: 'EndTxn', ...id, committed: true });
    run.close();
    run.answer(run.ask({ api: 'EndTxn', ...id, committed: true }), given('NOT_COORDINATOR'));
    run.answer(run.ask({ api: 'EndTxn', ...id, committed: true }), given('NONE', 1));
    run.finish();
    expect(run.operations.filter((line) => line.includes('commit'))).toEqual(['app commit invoke', 'app commit ok']);
  });

  test('an end that nobody was told of is unknown; one refused for its epoch failed for good', () => {
    const run = new Recording();
    init(run, 0);
    run.produced(run.produce(['a'], { producer: numbered(0), transactionalId: 'tx' }), 'NONE', 0);
    run.ask({ api: 'EndTxn', ...id, committed: true });
    run.finish();
    expect(run.operations.at(-1)).toBe('app commit info');
    const fenced = new Recording();
    init(fenced, 0);
    fenced.produced(fenced.produce(['a'], { producer: numbered(0), transactionalId: 'tx' }), 'NONE', 0);
    fenced.answer(fenced.ask({ api: 'EndTxn', ...id, committed: true }), given('PRODUCER_FENCED'));
    fenced.finish();
    expect(fenced.operations.at(-1)).toBe('app commit fail PRODUCER_FENCED');
    expect(fenced.entries.at(-1)).toMatchObject({ fatal: true });
  });

  test('whoever takes the identity over is a process of its own', () => {
    const run = new Recording();
    init(run, 0);
    init(run, 1);
    run.finish();
    const processes = run.entries.filter(({ type }) => type === 'ok').map(({ process }) => process);
    expect(processes).toEqual(['app', 'app~2']);
  });

  test('offsets in a transaction and plain ones', () => {
    const run = new Recording();
    init(run, 0);
    const offsets = { group: 'g', offsets: { 't-0': 3 } };
    run.answer(run.ask({ api: 'TxnOffsetCommit', ...id, ...offsets }), {
      api: 'outcomes',
      outcomes: [{ error: 'NONE' }],
    });
    run.answer(run.ask({ api: 'OffsetCommit', ...offsets }), { api: 'outcomes', outcomes: [{ error: 'NONE' }] });
    run.ask({ api: 'OffsetCommit', ...offsets });
    run.finish();
    const ended = run.operations.filter((line) => line.includes('offsets') && !line.includes('invoke'));
    expect(ended).toEqual(['app send-offsets ok', 'app~2 commit-offsets ok', 'app~2 commit-offsets info']);
  });
});

describe('what the wire cannot tell', () => {
  const id = { transactionalId: 'tx', producerId: 7, producerEpoch: 0 };
  const offsets = { group: 'g', offsets: { 't-0': 3 } };
  const done: WireAnswer = { api: 'outcomes', outcomes: [{ error: 'NONE' }] };
  const about = (run: Recording, anomaly: string) => run.unclear.filter((sentence) => sentence.startsWith(anomaly));

  test('which partitions a member was given, and which output was made from which input: said, no pass', () => {
    const run = new Recording();
    run.answer(run.ask({ api: 'TxnOffsetCommit', ...id, ...offsets }), done);
    run.finish();
    expect(about(run, 'eos-violation')).toEqual([
      'eos-violation: g: its clients were seen on the wire alone, which does not tell what each output was made from',
    ]);
    expect(about(run, 'double-owner')).toEqual([
      'double-owner: g: its members were seen on the wire alone, which does not tell who was given which partition',
    ]);
  });

  test('plain commits make nothing of input; without a group there is nothing to tell', () => {
    const plain = new Recording();
    plain.answer(plain.ask({ api: 'OffsetCommit', ...offsets }), done);
    plain.finish();
    expect([about(plain, 'eos-violation').length, about(plain, 'double-owner').length]).toEqual([0, 1]);
    const alone = new Recording();
    alone.produced(alone.produce(['a'], { producer: numbered(0), transactionalId: 'tx' }), 'NONE', 0);
    alone.finish();
    expect([about(alone, 'eos-violation'), about(alone, 'double-owner')]).toEqual([[], []]);
  });

  test('the same operations of a client that tells what it does are judged', () => {
    const run = new Recording();
    run.answer(run.ask({ api: 'TxnOffsetCommit', ...id, ...offsets }), done);
    run.finish();
    const own = run.entries.filter(({ f }) => f !== 'recorded');
    expect(checkHistory(own).inconclusive.filter((sentence) => /^(eos|double)/.test(sentence))).toEqual([]);
  });
});

describe('a program that copies from one topic to another, as its scenario says', () => {
  const sent = (partition: string, value: string): NewEntry => ({
    ...{ f: 'send', type: 'invoke', process: 'app', op: 0, partition, value, acks: -1 },
  });
  const given = (partition: string, ...records: (readonly [number, string])[]): NewEntry => ({
    ...{ f: 'poll', type: 'ok', process: 'app', op: 0, partition, from: 0, to: 9 },
    records: records.map(([offset, value]) => ({ offset, value })),
  });

  test('what it sends there was made from the record with the same value, or from any of several', () => {
    const copies = new Copies({ from: 'orders', to: 'payments' });
    copies.take(given('orders-1', [3, 'a'], [4, 'b']));
    copies.take(given('orders-2', [0, 'b']));
    copies.take(given('orders-2', [0, 'b']));
    expect(copies.take(sent('payments-0', 'a'))).toMatchObject({ from: ['orders-1@3'] });
    expect(copies.take(sent('payments-0', 'b'))).toMatchObject({ from: ['orders-1@4', 'orders-2@0'] });
  });

  test('nothing is said of what it sends elsewhere, was given elsewhere, or was never given', () => {
    const copies = new Copies({ from: 'orders', to: 'payments' });
    copies.take(given('orders-1', [3, 'a']));
    copies.take(given('others-0', [0, 'c']));
    for (const entry of [sent('others-0', 'a'), sent('payments-0', 'c'), sent('payments-0', 'd')]) {
      expect(copies.take(entry)).toBe(entry);
    }
  });
});
