// Moments: what they say, and when they have come (ux.md 3.2).
import { describe, expect, test } from 'vitest';
import { parseCondition, parseMoment, type Condition, type Moment } from '../../src/chaos/moments.ts';
import { Watch } from '../../src/chaos/watch.ts';
import { Ticks } from '../fault/bench.ts';

const ORDERS = { topic: 'orders', partition: 0 };

describe('a moment as text', () => {
  test.each([
    ['3s', { kind: 'time', span: { min: 3000, max: 3000 } }],
    ['1s..5s', { kind: 'time', span: { min: 1000, max: 5000 } }],
    ['failover', { kind: 'fault', fault: 'failover' }],
    ['p.done', { kind: 'done', client: 'p' }],
    ['p.send(7).ok', { kind: 'sent', client: 'p', value: '7', outcome: 'ok' }],
    ['p.send.info', { kind: 'sent', client: 'p', value: undefined, outcome: 'info' }],
    ['p.send(a)', { kind: 'sent', client: 'p', value: 'a', outcome: 'any' }],
    ['p.commit.ok', { kind: 'step', client: 'p', step: 'commit', outcome: 'ok' }],
    ['c.commit-offsets', { kind: 'step', client: 'c', step: 'commit-offsets', outcome: 'any' }],
    ['idle(r1)', { kind: 'polled-empty', client: 'r1' }],
    ['r1.polled-empty', { kind: 'polled-empty', client: 'r1' }],
    ['fenced(2)', { kind: 'condition', condition: { kind: 'fenced', node: 2 } }],
    ['replicated(orders-0, 5)', { kind: 'condition', condition: { kind: 'replicated', of: ORDERS, end: 5 } }],
    [
      'hw(orders-0, 2) >= 5',
      { kind: 'condition', condition: { kind: 'hw', of: ORDERS, node: 2, bound: { op: '>=', value: 5 } } },
    ],
    ['leader(orders-0) = 2', { kind: 'condition', condition: { kind: 'leader', of: ORDERS, node: 2 } }],
    ['isr(orders-0) = [3, 1]', { kind: 'condition', condition: { kind: 'isr', of: ORDERS, nodes: [1, 3] } }],
  ])('%s', (text, part) => {
    expect(parseMoment(text)).toEqual({ text, parts: [part] });
  });

  test('parts are joined by +, but not inside brackets', () => {
    const moment = parseMoment('p.send(a+b).ok + r1.polled-empty + 2s') as Moment;
    expect(moment.parts.map(({ kind }) => kind)).toEqual(['sent', 'polled-empty', 'time']);
    expect(moment.parts[0]).toMatchObject({ value: 'a+b' });
  });

  test.each(['', 'p.send(7).maybe', 'hw(orders-0)', 'hw(orders, 1) >= 2', 'isr(orders-0) = 1', 'a +', '7'])(
    '"%s" is none',
    (text) => expect(parseMoment(text)).toContain('not a moment'),
  );

  test('a condition alone', () => {
    expect(parseCondition('end(orders-0) < 3')).toMatchObject({ kind: 'end', node: undefined });
    expect(parseCondition('fenced(1) = 2')).toBeUndefined();
  });
});

describe('waiting for a moment', () => {
  function aWatch(): { watch: Watch; ticks: Ticks; truths: Set<Condition['kind']>; came(text: string): () => boolean } {
    const ticks = new Ticks();
    const truths = new Set<Condition['kind']>();
    const watch = new Watch({
      after: (ms, run) => ticks.after(ms, run),
      next: () => 0,
      holds: ({ kind }) => truths.has(kind),
    });
    const came = (text: string): (() => boolean) => {
      let count = 0;
      watch.when(parseMoment(text) as Moment, () => (count += 1));
      return () => {
        expect(count).toBeLessThan(2);
        return count === 1;
      };
    };
    return { watch, ticks, truths, came };
  }

  test('what has happened already needs not happen again', () => {
    const { watch, came } = aWatch();
    watch.faultFired('f');
    watch.sent('p', '7', 'ok');
    watch.clientDone('q');
    for (const text of ['f', 'p.send(7).ok', 'p.send(7)', 'p.send.ok', 'q.done']) expect(came(text)(), text).toBe(true);
    for (const text of ['g', 'p.send(8).ok', 'p.send(7).info', 'p.done']) expect(came(text)(), text).toBe(false);
  });

  test('a time begins when the parts before it are met', () => {
    const { watch, ticks, came } = aWatch();
    const come = came('f + 3s');
    ticks.run(5000);
    watch.faultFired('f');
    ticks.run(2999);
    expect(come()).toBe(false);
    ticks.run(1);
    expect(come()).toBe(true);
  });

  test('the ghost read: an empty poll counts from the send on, and only the second is sure to have begun after it', () => {
    const { watch, came } = aWatch();
    const come = came('p.send(7).ok + r1.polled-empty');
    for (let i = 0; i < 3; i++) watch.polledEmpty('r1');
    watch.sent('p', '7', 'ok');
    expect(come()).toBe(false);
    watch.polledEmpty('r1');
    watch.polledEmpty('r2');
    expect(come()).toBe(false);
    watch.polledEmpty('r1');
    expect(come()).toBe(true);
  });

  test('a condition is looked at anew until it holds', () => {
    const { watch, truths, came } = aWatch();
    const come = came('fenced(1) + isr(orders-0) = [2]');
    truths.add('isr');
    watch.look();
    expect(come()).toBe(false);
    truths.add('fenced');
    truths.delete('isr');
    watch.look();
    expect(come()).toBe(false);
    truths.add('isr');
    watch.look();
    expect(come()).toBe(true);
  });

  test('what a moment causes may bring the next one', () => {
    const { watch, came } = aWatch();
    watch.when(parseMoment('f') as Moment, () => watch.faultFired('g'));
    const come = came('g');
    watch.faultFired('f');
    expect(come()).toBe(true);
  });

  test('waiting can be given up', () => {
    const { watch } = aWatch();
    let came = false;
    const stop = watch.when(parseMoment('f') as Moment, () => (came = true));
    stop();
    watch.faultFired('f');
    expect(came).toBe(false);
  });
});
