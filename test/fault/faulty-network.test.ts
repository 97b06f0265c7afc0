// What faults do to messages: carried out by the sender, on calls and on streams (design section 6).
import { beforeEach, describe, expect, test } from 'vitest';
import { equals, faultSpec, type FaultDraft } from '../../src/fault/spec.ts';
import type { Handlers, InStream, OutStream } from '../../src/runtime/ports.ts';
import { aFaultyNode, Ticks, Wire, type FaultyNode } from './bench.ts';

const TIMEOUT_MS = 50;

let ticks: Ticks;
let caller: FaultyNode;
let callee: FaultyNode;
/** Calls that reached the callee. */
let called: number;

beforeEach(() => {
  ticks = new Ticks();
  const wire = new Wire(ticks);
  [caller, callee] = [aFaultyNode(1, ticks, wire), aFaultyNode(2, ticks, wire)];
  called = 0;
});

const arm = (node: FaultyNode, draft: Partial<FaultDraft> & Pick<FaultDraft, 'point' | 'action'>): void =>
  expect(node.engine.arm(faultSpec({ id: 'f', ...draft }))).toBe('');

describe('a call', () => {
  interface Answered {
    outcome?: string;
    at?: number;
    error?: string;
  }

  beforeEach(() => {
    const Metadata = (_request: object, _from: number, answer: (response: object) => void): void => {
      called += 1;
      answer({ topics: [{ error: 'NONE', name: 'orders', partitions: [] }] });
    };
    callee.network.serve({ unary: { Metadata }, stream: {} } as unknown as Handlers);
  });

  function call(): Answered {
    const answered: Answered = {};
    const request = { allTopics: false, topics: ['orders'], allowAutoTopicCreation: false };
    caller.network.request(2, 'Metadata', request, TIMEOUT_MS, (outcome) => {
      expect(answered.outcome, 'done exactly once').toBeUndefined();
      answered.outcome = outcome.kind;
      answered.at = ticks.now();
      if (outcome.kind === 'ok') answered.error = outcome.response.topics[0]!.error;
    });
    expect(answered.outcome, 'never synchronously').toBeUndefined();
    return answered;
  }

  const after = (ms: number, answered: Answered): Answered => {
    ticks.run(ms);
    return answered;
  };

  test('passes untouched when other points are armed', () => {
    arm(caller, { point: 'rpc.Fetch.request', action: 'drop' });
    expect(after(10, call())).toEqual({ outcome: 'ok', at: 2, error: 'NONE' });
  });

  test('drop: the request never arrives and times out', () => {
    arm(caller, { point: 'rpc.Metadata.request', action: 'drop' });
    expect(after(100, call())).toEqual({ outcome: 'timed-out', at: TIMEOUT_MS });
    expect(called).toBe(0);
  });

  test('drop of the response, or lose-response: executed, yet it times out', () => {
    arm(callee, { point: 'rpc.Metadata.response', action: 'drop' });
    expect(after(100, call())).toMatchObject({ outcome: 'timed-out' });
    callee.engine.disarm('*');
    arm(caller, { point: 'rpc.Metadata.request', action: 'lose-response' });
    expect(after(100, call())).toMatchObject({ outcome: 'timed-out' });
    expect(called).toBe(2);
  });

  test('a held request times out on time and still arrives when it is let go', () => {
    arm(caller, { point: 'rpc.Metadata.request', action: 'hold' });
    expect(after(60, call())).toEqual({ outcome: 'timed-out', at: TIMEOUT_MS });
    caller.engine.release('f');
    ticks.run(10);
    expect(called).toBe(1);
  });

  test('calls do not wait for one that is held', () => {
    arm(caller, { point: 'rpc.Metadata.request', action: 'hold', times: 1 });
    const [first, second] = [call(), call()];
    ticks.run(10);
    expect([first.outcome, second.outcome]).toEqual([undefined, 'ok']);
  });

  test('delay: arrives later', () => {
    arm(caller, { point: 'rpc.Metadata.request', action: { kind: 'delay', durationMs: 20 } });
    expect(after(30, call())).toMatchObject({ outcome: 'ok', at: 22 });
  });

  test('duplicate: executed twice, answered once', () => {
    arm(caller, { point: 'rpc.Metadata.request', action: 'duplicate' });
    expect(after(100, call())).toMatchObject({ outcome: 'ok', at: 2 });
    expect(called).toBe(2);
  });

  test('reorder: the next call arrives first; it fires when overtaken', () => {
    arm(caller, { point: 'rpc.Metadata.request', action: 'reorder', times: 1 });
    const first = call();
    ticks.run(5);
    expect([first.outcome, caller.fired()]).toEqual([undefined, []]);
    const second = call();
    expect(caller.fired()).toEqual(['f']);
    ticks.run(5);
    expect([first.at, second.at]).toEqual([7, 7]);
  });

  test('reorder without a next call ends with the fault, and has not fired', () => {
    arm(caller, { point: 'rpc.Metadata.request', action: 'reorder', times: 1 });
    const first = call();
    caller.engine.disarm('f');
    expect(after(5, first)).toMatchObject({ outcome: 'ok', at: 2 });
    expect(caller.fired()).toEqual([]);
  });

  test('disconnect: the caller hears of a broken connection, the callee of nothing', () => {
    arm(caller, { point: 'rpc.Metadata.request', action: 'disconnect' });
    expect(after(100, call())).toEqual({ outcome: 'disconnected', at: 0 });
    expect(called).toBe(0);
  });

  test('error: the answer says so', () => {
    arm(callee, { point: 'rpc.Metadata.response', action: { kind: 'error', error: 'LEADER_NOT_AVAILABLE' } });
    expect(after(10, call())).toMatchObject({ outcome: 'ok', error: 'LEADER_NOT_AVAILABLE' });
  });

  test('kill: the sender dies and the message does not leave', () => {
    arm(callee, { point: 'rpc.Metadata.response', action: 'kill', where: [equals('to', 1)] });
    expect(after(100, call())).toMatchObject({ outcome: 'timed-out' });
    expect(callee.killed).toMatchObject([{ point: 'rpc.Metadata.response', fields: { from: 2, to: 1 } }]);
  });

  test('a cut link loses what is sent one way only', () => {
    caller.engine.setLink(2, true);
    expect(after(100, call())).toMatchObject({ outcome: 'timed-out' });
    expect(called).toBe(0);
    caller.engine.setLink(2, false);
    callee.engine.setLink(1, true);
    expect(after(100, call())).toMatchObject({ outcome: 'timed-out' });
    expect(called).toBe(1);
    callee.engine.setLink(1, false);
    expect(after(100, call())).toMatchObject({ outcome: 'ok' });
    expect(caller.engine.cutTo).toEqual([]);
  });

  test('what a fault lets go is lost if the link has been cut meanwhile', () => {
    arm(caller, { point: 'rpc.Metadata.request', action: 'hold' });
    call();
    caller.engine.setLink(2, true);
    caller.engine.disarm('f');
    ticks.run(100);
    expect(called).toBe(0);
  });
});

describe('a stream', () => {
  let received: number[];
  let answers: number[];
  let closed: (string | undefined)[];
  let far: InStream<object>;
  let ended: number;
  let stream: OutStream<object>;

  beforeEach(() => {
    [received, answers, closed, ended] = [[], [], [], 0];
    const Fetch = (inner: InStream<object>): object => {
      far = inner;
      return {
        message: (request: { sequence: number }) => received.push(request.sequence),
        ended: () => (ended += 1),
        closed: () => (ended += 100),
      };
    };
    callee.network.serve({ unary: {}, stream: { Fetch } } as unknown as Handlers);
    const on = {
      message: (response: { sequence: number }) => answers.push(response.sequence),
      closed: (reason: string | undefined) => closed.push(reason),
    };
    stream = caller.network.open(2, 'Fetch', on as never) as unknown as OutStream<object>;
    ticks.run(5);
  });

  const send = (...sequences: number[]): void => {
    for (const sequence of sequences) stream.send({ sequence, partitions: [] });
  };
  const warnings = (): string[] =>
    caller.traced.flatMap((event) => (event.type === 'log.line' && event.level === 'warn' ? [event.message] : []));
  const answer = (...sequences: number[]): void => {
    for (const sequence of sequences) far.send({ sequence, partitions: [] });
  };

  test('keeps its order behind a held message, and its end too', () => {
    arm(caller, { point: 'rpc.Fetch.request', action: 'hold', times: 1 });
    send(0, 1);
    stream.end();
    ticks.run(5);
    expect([received, ended]).toEqual([[], 0]);
    caller.engine.disarm('f');
    ticks.run(5);
    expect([received, ended]).toEqual([[0, 1], 1]);
  });

  test('drop and duplicate take one message out, or put one in, where it stands', () => {
    arm(caller, { point: 'rpc.Fetch.request', action: 'drop', nth: 2 });
    arm(caller, { id: 'g', point: 'rpc.Fetch.request', action: 'duplicate', nth: 3 });
    send(0, 1, 2, 3);
    ticks.run(5);
    expect(received).toEqual([0, 2, 2, 3]);
  });

  test('a duplicate behind a held message is sent twice in its place', () => {
    arm(caller, { point: 'rpc.Fetch.request', action: 'hold', times: 1 });
    arm(caller, { id: 'g', point: 'rpc.Fetch.request', action: 'duplicate', nth: 2 });
    send(0, 1, 2);
    caller.engine.disarm('f');
    ticks.run(5);
    expect(received).toEqual([0, 1, 1, 2]);
  });

  test('reorder swaps a message with the next one', () => {
    arm(callee, { point: 'rpc.Fetch.response', action: 'reorder', nth: 2 });
    answer(0, 1, 2, 3);
    ticks.run(5);
    expect(answers).toEqual([0, 2, 1, 3]);
    expect(callee.fired()).toEqual(['f']);
  });

  test('disconnect breaks it on both sides; nothing arrives after', () => {
    arm(caller, { point: 'rpc.Fetch.request', action: 'disconnect' });
    answer(0);
    send(0);
    ticks.run(5);
    send(1);
    ticks.run(5);
    expect([received, answers, closed, ended]).toEqual([[], [], ['fault f'], 100]);
  });

  // A connection whose opener has left still carries what is in it: the patience of who sent a message is not the message's.
  describe('given up by its opener', () => {
    const giveUp = (): void => {
      stream.abort();
      ticks.run(5);
      expect([received, closed, ended], 'the far side hears of nothing yet').toEqual([[], [], 0]);
      stream.send({ sequence: 9, partitions: [] });
    };

    test('what is held arrives when it is let go, then the end; no answer is heard', () => {
      arm(caller, { point: 'rpc.Fetch.request', action: 'hold', times: 1 });
      send(0, 1);
      giveUp();
      caller.engine.release('f');
      ticks.run(5);
      expect([received, ended]).toEqual([[0, 1], 1]);
      answer(0, 1);
      far.end();
      ticks.run(5);
      expect([answers, closed, warnings()]).toEqual([[], [], []]);
    });

    test('what is delayed arrives in its time, and twice what is also sent twice', () => {
      arm(caller, { point: 'rpc.Fetch.request', action: { kind: 'delay', durationMs: 50 }, times: 1 });
      arm(caller, { id: 'g', point: 'rpc.Fetch.request', action: 'duplicate', nth: 1 });
      send(0);
      giveUp();
      ticks.run(60);
      expect([received, ended]).toEqual([[0, 0], 1]);
    });

    test('what waits to be overtaken goes before the end, and was not overtaken', () => {
      arm(caller, { point: 'rpc.Fetch.request', action: 'reorder', times: 1 });
      send(0);
      stream.abort();
      ticks.run(5);
      expect([received, ended, caller.fired()]).toEqual([[0], 1, []]);
    });

    test('a cut link loses what is let go, and only that', () => {
      arm(caller, { point: 'rpc.Fetch.request', action: 'hold', times: 1 });
      send(0);
      giveUp();
      caller.engine.setLink(2, true);
      caller.engine.release('f');
      ticks.run(5);
      expect([received, ended, closed]).toEqual([[], 1, []]);
    });

    test('a fault that breaks it breaks it for nobody: its opener has left', () => {
      arm(caller, { point: 'rpc.Fetch.request', action: 'hold', times: 1 });
      arm(caller, { id: 'g', point: 'rpc.Fetch.request', action: 'disconnect', nth: 1 });
      send(0);
      giveUp();
      caller.engine.release('f');
      ticks.run(5);
      expect([received, closed, ended]).toEqual([[], [], 100]);
    });
  });

  test('an end does not overtake what waits to be overtaken', () => {
    arm(caller, { point: 'rpc.Fetch.request', action: 'reorder', times: 1 });
    send(0);
    stream.end();
    ticks.run(5);
    expect([received, ended, caller.fired()]).toEqual([[0], 1, []]);
  });

  test('what is let go after the far side ended the stream is lost, and that is said', () => {
    arm(caller, { point: 'rpc.Fetch.request', action: 'hold', times: 1 });
    send(0);
    far.end();
    ticks.run(5);
    expect([closed, warnings()]).toEqual([[undefined], []]);
    caller.engine.release('f');
    ticks.run(5);
    expect(received).toEqual([]);
    expect(warnings()).toEqual(['rpc.Fetch.request to 2 was let go after its stream had broken: it is lost']);
  });

  test('a fault is carried out by the sender: the receiver of a message has no say', () => {
    arm(callee, { point: 'rpc.Fetch.request', action: 'drop' });
    arm(caller, { point: 'rpc.Fetch.response', action: 'drop' });
    send(0);
    answer(0);
    ticks.run(5);
    expect([received, answers]).toEqual([[0], [0]]);
  });

  test('a cut link loses requests; the stream breaks when it is mended, so no core meets a hole', () => {
    caller.engine.setLink(2, true);
    send(0, 1);
    ticks.run(5);
    expect([received, closed]).toEqual([[], []]);
    caller.engine.setLink(2, false);
    send(2);
    ticks.run(5);
    expect([received, closed, ended]).toEqual([[], ['messages were lost while the link was cut'], 100]);
  });

  test('a stream that lost answers on a cut link ends when it is mended', () => {
    callee.engine.setLink(1, true);
    answer(0);
    callee.engine.setLink(1, false);
    answer(1);
    ticks.run(5);
    expect([answers, closed]).toEqual([[], [undefined]]);
  });

  test('a stream that lost nothing outlives a cut', () => {
    callee.engine.setLink(1, true);
    callee.engine.setLink(1, false);
    answer(0);
    ticks.run(5);
    expect([answers, closed]).toEqual([[0], []]);
  });
});
