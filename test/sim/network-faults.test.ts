// Network faults, one by one: what each side hears, and what was executed although the caller does not know.
import { describe, expect, test } from 'vitest';
import { HEARTBEAT_ANSWER } from '../../src/runtime/conformance/sample-messages.ts';
import { TwoNodes } from './two-nodes.ts';

const count = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

describe('loss, duplication, order', () => {
  test('a lost message makes its request time out; the others pass', () => {
    const nodes = new TwoNodes({ network: { link: { lossChance: 0.2 } } });
    const beats = count(200).map((n) => nodes.beat(n));
    nodes.world.runFor(2000);
    const kinds = beats.map(([kind]) => kind);
    expect(beats.every((outcomes) => outcomes.length === 1)).toBe(true);
    expect(new Set(kinds)).toEqual(new Set(['ok', 'timed-out']));
    // A lost answer leaves an executed request behind: timed out means unknown.
    const executed = new Set(nodes.served);
    expect(kinds.some((kind, n) => kind === 'timed-out' && executed.has(n))).toBe(true);
    expect(kinds.some((kind, n) => kind === 'timed-out' && !executed.has(n))).toBe(true);
    expect(kinds.every((kind, n) => kind === 'timed-out' || executed.has(n))).toBe(true);
  });

  test('a duplicated request is executed twice and ends once', () => {
    const nodes = new TwoNodes({ network: { link: { duplicateChance: 1 } } });
    const outcomes = nodes.beat(7);
    nodes.world.runFor(2000);
    expect(nodes.served).toEqual([7, 7]);
    expect(outcomes).toEqual(['ok']);
  });

  test('unary messages overtake each other, messages of one stream never do', () => {
    const nodes = new TwoNodes({ network: { link: { slowChance: 0.3, slowMaxMs: 50 } } });
    const stream = nodes.open();
    for (const n of count(100)) {
      nodes.beat(n);
      stream.send(n);
    }
    nodes.world.runFor(2000);
    expect(nodes.served).not.toEqual(count(100));
    expect([...nodes.served].sort((a, b) => a - b)).toEqual(count(100));
    expect(stream.heard).toEqual(count(100).map(String));
  });

  test('a message lost on a stream is gone; the stream and the order of the rest stand', () => {
    const nodes = new TwoNodes({ network: { link: { lossChance: 0.2 } } });
    const stream = nodes.open();
    for (const n of count(100)) stream.send(n);
    stream.out.end();
    nodes.world.runFor(2000);
    const numbers = stream.heard.slice(0, -1).map(Number);
    expect(numbers.length).toBeLessThan(100);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(stream.heard.at(-1)).toBe('closed');
  });

  test('a link can differ from the others, in one direction', () => {
    const nodes = new TwoNodes();
    nodes.world.network.links.setQuality(2, 1, { delayMinMs: 300, delayMaxMs: 300 });
    const outcomes = nodes.beat();
    nodes.world.runFor(250);
    expect([nodes.served.length, outcomes.length]).toEqual([1, 0]);
    nodes.world.runFor(100);
    expect(outcomes).toEqual(['ok']);
    nodes.world.network.links.setQuality(2, 1, undefined);
    const later = nodes.beat();
    nodes.world.runFor(100);
    expect(later).toEqual(['ok']);
  });
});

describe('cut links', () => {
  test('cut towards the server: nothing is executed, the request times out', () => {
    const nodes = new TwoNodes();
    nodes.world.network.cut(1, 2);
    const outcomes = nodes.beat();
    nodes.world.runFor(1500);
    expect(outcomes).toEqual(['timed-out']);
    expect(nodes.served).toEqual([]);
  });

  test('cut towards the caller: executed, and the request times out', () => {
    const nodes = new TwoNodes();
    nodes.world.network.cut(2, 1);
    const outcomes = nodes.beat();
    nodes.world.runFor(1500);
    expect(outcomes).toEqual(['timed-out']);
    expect(nodes.served).toEqual([0]);
  });

  test('a stream survives a short cut without what was sent meanwhile, and breaks at both ends in a long one', () => {
    const nodes = new TwoNodes();
    const stream = nodes.open();
    stream.send(0);
    nodes.world.runFor(100);
    nodes.world.network.cut(1, 2);
    stream.send(1);
    nodes.world.runFor(1000);
    nodes.world.network.mend(1, 2);
    stream.send(2);
    nodes.world.runFor(5000);
    expect(stream.heard).toEqual(['0', '2']);
    nodes.world.network.cut(1, 2);
    nodes.world.runFor(2900);
    expect(stream.heard).toEqual(['0', '2']);
    nodes.world.runFor(200);
    expect(stream.heard).toEqual(['0', '2', 'keepalive failed']);
    expect(nodes.heard).toEqual(['open', '0', '2', 'broken']);
  });

  test.each([
    [1, 2],
    [2, 1],
  ])('a stream cannot be opened over a link cut from %i to %i: closed after the connect timeout', (from, to) => {
    const nodes = new TwoNodes();
    nodes.world.network.cut(from, to);
    const stream = nodes.open();
    stream.send(0);
    nodes.world.runFor(2900);
    expect(stream.heard).toEqual([]);
    nodes.world.runFor(200);
    expect(stream.heard).toEqual(['could not connect']);
    expect(nodes.heard).toEqual([]);
  });

  test('an end that a short cut swallowed breaks the stream instead of leaving it half open for ever', () => {
    const nodes = new TwoNodes();
    const stream = nodes.open();
    nodes.world.runFor(100);
    nodes.world.network.cut(1, 2);
    stream.out.end();
    nodes.world.network.mend(1, 2);
    nodes.world.runFor(4000);
    expect(stream.heard).toEqual(['keepalive failed']);
    expect(nodes.heard).toEqual(['open', 'broken']);
  });
});

describe('death and restart of the server', () => {
  test('requests to a dead node are disconnected at once, and reach it again after its restart', () => {
    const nodes = new TwoNodes();
    nodes.world.node(2).kill();
    const dead = nodes.beat(1);
    nodes.world.runFor(20);
    expect(dead).toEqual(['disconnected']);
    nodes.startTwo();
    const alive = nodes.beat(2);
    nodes.world.runFor(20);
    expect(alive).toEqual(['ok']);
  });

  test('a request in flight to a process that died is not executed by the next one', () => {
    const nodes = new TwoNodes({ network: { link: { delayMinMs: 5, delayMaxMs: 5 } } });
    const outcomes = nodes.beat(1);
    nodes.world.runFor(2);
    nodes.world.node(2).kill();
    nodes.startTwo();
    nodes.world.runFor(50);
    expect(outcomes).toEqual(['disconnected']);
    expect(nodes.served).toEqual([]);
  });

  test('what a process sent before its death still arrives, then the break', () => {
    const nodes = new TwoNodes();
    const stream = nodes.open();
    stream.send(0);
    nodes.world.run({ until: () => nodes.heard.length === 2, maxMs: 100 });
    nodes.world.node(2).kill();
    nodes.world.runFor(50);
    expect(stream.heard).toEqual(['0', 'connection reset']);
  });

  test('the death of the opener breaks its streams at the server', () => {
    const nodes = new TwoNodes();
    const stream = nodes.open();
    nodes.world.runFor(50);
    nodes.world.node(1).kill();
    nodes.world.runFor(50);
    expect(nodes.heard).toEqual(['open', 'broken']);
    expect(stream.heard).toEqual([]);
  });
});

describe('a paused server', () => {
  test('calls that timed out against it are executed when it resumes (design section 5)', () => {
    const nodes = new TwoNodes();
    nodes.world.node(2).pause();
    const outcomes = nodes.beat(5);
    nodes.world.runFor(2000);
    expect(outcomes).toEqual(['timed-out']);
    expect(nodes.served).toEqual([]);
    nodes.world.node(2).resume();
    nodes.world.runFor(50);
    expect(nodes.served).toEqual([5]);
    expect(outcomes).toEqual(['timed-out']);
  });

  test('requests on a stream that the opener has given up are executed too, before it hears of the break (T-28)', () => {
    const nodes = new TwoNodes();
    const stream = nodes.open();
    nodes.world.runFor(50);
    nodes.world.node(2).pause();
    stream.send(1);
    stream.send(2);
    nodes.world.runFor(10_000);
    expect(stream.heard).toEqual(['keepalive failed']);
    nodes.world.node(2).resume();
    nodes.world.runFor(50);
    expect(nodes.heard).toEqual(['open', '1', '2', 'broken']);
    expect(stream.heard).toEqual(['keepalive failed']);
  });

  test('a short pause breaks nothing', () => {
    const nodes = new TwoNodes();
    const stream = nodes.open();
    nodes.world.runFor(50);
    for (let i = 0; i < 4; i++) {
      nodes.world.node(2).pause();
      stream.send(i);
      nodes.world.runFor(2000);
      nodes.world.node(2).resume();
      nodes.world.runFor(1100);
    }
    expect(stream.heard).toEqual(['0', '1', '2', '3']);
  });

  test('an answer of a paused caller waits for it', () => {
    const nodes = new TwoNodes();
    const outcomes = nodes.beat(1, 60_000);
    nodes.world.node(1).pause();
    nodes.world.runFor(1000);
    expect([nodes.served, outcomes]).toEqual([[1], []]);
    nodes.world.node(1).resume();
    nodes.world.runFor(50);
    expect(outcomes).toEqual(['ok']);
  });
});

describe('what travels', () => {
  test('a message that the wire cannot carry is refused at its sender', () => {
    const nodes = new TwoNodes();
    expect(() => nodes.beat(0.5)).toThrow('BrokerHeartbeatRequest.brokerEpoch');
    expect(() => nodes.beat(2 ** 53)).toThrow('BrokerHeartbeatRequest.brokerEpoch');
  });

  test('what arrives is complete: unknown fields are gone, absent ones have their default; what is sampled is frozen', () => {
    const nodes = new TwoNodes({ network: { codecSample: 1 } });
    let response: object = {};
    nodes.onBeat = (answer) => answer({ error: 'NONE', extra: 1 } as unknown as typeof HEARTBEAT_ANSWER);
    nodes.one.network.request(2, 'BrokerHeartbeat', { brokerId: 1 } as never, 100, (outcome) => {
      if (outcome.kind === 'ok') response = outcome.response;
    });
    nodes.world.runFor(50);
    const { lamport, ...rest } = response as { lamport: number };
    expect(lamport).toBeGreaterThan(0);
    expect(rest).toEqual({
      ...HEARTBEAT_ANSWER,
      error: 'NONE',
      isCaughtUp: false,
      shouldShutDown: false,
      controllerEpoch: 0,
      metadataEndOffset: 0,
    });
    expect(Object.isFrozen(response)).toBe(true);
  });
});
