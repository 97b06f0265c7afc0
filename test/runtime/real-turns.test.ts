// The door between the outside and the cores, and what faults do through it: kill and pause at a point (design section 6).
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Firing } from '../../src/fault/effects.ts';
import { createRealClock } from '../../src/runtime/real/clock.ts';
import { createProcessEffects } from '../../src/runtime/real/effects.ts';
import { Turns } from '../../src/runtime/real/turns.ts';
import { until } from '../rpc/harness.ts';

describe('turns', () => {
  test('what a core throws is heard once, and nothing is delivered after it', () => {
    const crashes: unknown[] = [];
    const turns = new Turns((error) => crashes.push(error));
    const broken = new Error('repl R-1: HW <= LEO');
    turns.deliver(() => {
      throw broken;
    });
    turns.deliver(() => crashes.push('delivered'));
    turns.depart(() => crashes.push('departed'));
    expect(crashes).toEqual([broken]);
    expect(turns.stopped).toBe(true);
  });

  test('held: what is said and what comes in waits, then goes on in order behind the flow that was held', () => {
    const turns = new Turns(() => undefined);
    const order: string[] = [];
    turns.deliver(() => {
      turns.hold();
      turns.depart(() => order.push('rest of the turn'));
    });
    turns.deliver(() => {
      order.push('came in');
      turns.depart(() => order.push('its answer'));
    });
    expect(order).toEqual([]);
    turns.resumeWith(() => order.push('held flow'));
    turns.deliver(() => order.push('new'));
    expect(order).toEqual(['held flow', 'rest of the turn', 'came in', 'its answer', 'new']);
  });

  test('held again by what waited: the rest keeps its place', () => {
    const turns = new Turns(() => undefined);
    const order: number[] = [];
    turns.hold();
    turns.deliver(() => {
      order.push(1);
      turns.hold();
    });
    turns.deliver(() => order.push(2));
    turns.resumeWith(() => order.push(0));
    expect(order).toEqual([0, 1]);
    turns.deliver(() => order.push(3));
    turns.resumeWith(() => order.push(9));
    expect(order).toEqual([0, 1, 9, 2, 3]);
  });
});

describe('clock', () => {
  test('a delay beyond what setTimeout takes does not fire at once', async () => {
    const clock = createRealClock(new Turns(() => undefined), { holdsProcess: true });
    const fired: string[] = [];
    const far = clock.after(Number.MAX_SAFE_INTEGER, () => fired.push('far'));
    clock.after(10, () => fired.push('near'));
    await until(() => fired.length > 0, 'a timer fires');
    far.cancel();
    expect(fired).toEqual(['near']);
  });

  test('a timer of a node that has stopped does not fire', async () => {
    const turns = new Turns(() => undefined);
    const fired: string[] = [];
    createRealClock(turns, { holdsProcess: true }).after(0, () => fired.push('stopped'));
    turns.stop();
    createRealClock(new Turns(() => undefined), { holdsProcess: true }).after(2, () => fired.push('other'));
    await until(() => fired.length > 0, 'a timer fires');
    expect(fired).toEqual(['other']);
  });
});

const FIRING: Firing = { fault: 'f1', point: 'log.append.leader', action: 'kill', node: 2, fields: { offset: 5 } };

describe('effects of faults on the own process', () => {
  let directory: string;
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'highwater-effects-'))));
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  function harness() {
    const turns = new Turns(() => undefined);
    const order: string[] = [];
    let release: () => void = () => undefined;
    const firingFile = join(directory, 'firings.ndjson');
    const effects = createProcessEffects({
      turns,
      firingFile,
      elsewhere: (action, done) => setImmediate(() => done(`no ${action.target}`)),
      drained: (_boundMs, done) => (release = done),
      record: (event) => order.push(event.type),
      flush: () => order.push('flush'),
      signals: { send: (name) => order.push(name), wakeAfter: (ms) => order.push(`wake after ${ms}`) },
    });
    return { turns, order, effects, drain: () => release(), firings: () => readFileSync(firingFile, 'utf8') };
  }

  test('kill: nothing reaches the cores; recorded, drained, the firing written, then SIGKILL', () => {
    const { turns, order, effects, drain, firings } = harness();
    effects.kill(FIRING);
    turns.deliver(() => order.push('delivered'));
    turns.depart(() => order.push('departed'));
    expect(order).toEqual(['fault.fired', 'flush']);
    drain();
    expect(order).toEqual(['fault.fired', 'flush', 'SIGKILL']);
    expect(JSON.parse(firings())).toMatchObject(FIRING);
  });

  test('pause: SIGSTOP, and after it the held flow first, in an event of its own', async () => {
    const { turns, order, effects, drain, firings } = harness();
    effects.pause({ ...FIRING, action: 'pause' }, 250, () => order.push('resumed'));
    turns.deliver(() => order.push('delivered'));
    drain();
    expect(order).toEqual(['fault.fired', 'flush', 'wake after 250', 'SIGSTOP']);
    await until(() => order.includes('delivered'), 'the node goes on');
    expect(order.slice(4)).toEqual(['resumed', 'delivered']);
    expect(JSON.parse(firings())).toMatchObject({ fault: 'f1', action: 'pause' });
  });

  test('an action elsewhere is answered later, with why not', async () => {
    const { effects } = harness();
    const action = { kind: 'kill', target: '3', durationMs: 0, error: 'NONE', laterMs: 0 } as const;
    const refused: (string | undefined)[] = [];
    effects.elsewhere(FIRING, action, (why) => refused.push(why));
    expect(refused).toEqual([]);
    await until(() => refused.length === 1, 'the agent answers');
    expect(refused).toEqual(['no 3']);
  });
});
