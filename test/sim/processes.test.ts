// Processes of simulated nodes: after a kill nothing runs, in a pause nothing runs yet, and clocks can lie.
import { describe, expect, test } from 'vitest';
import { HEARTBEAT } from '../../src/runtime/conformance/sample-messages.ts';
import type { Runtime } from '../../src/runtime/ports.ts';
import { World } from '../../src/sim/world.ts';
import { TwoNodes } from './two-nodes.ts';

const itself = (runtime: Runtime): Runtime => runtime;

describe('kill -9', () => {
  test('no callback of any kind runs after it', () => {
    for (let seed = 0; seed < 25; seed++) {
      const nodes = new TwoNodes({ seed });
      const { world } = nodes;
      let dead = false;
      const heard = (): void => expect(dead).toBe(false);
      const { clock, store, network } = nodes.one;
      for (let i = 0; i < 20; i++) {
        clock.after(i / 4, heard);
        store.write([{ type: 'put', key: Buffer.from([i]), value: Buffer.alloc(10) }], { sync: i % 2 === 0 }, heard);
        store.scan({ gte: Buffer.from([0]), lt: Buffer.from([9]) }, heard);
        network.request(2, 'BrokerHeartbeat', HEARTBEAT, 3, heard);
        network.open(2, 'MetadataLog', { message: heard, closed: heard });
      }
      world.runFor(seed / 10);
      if (seed % 3 === 0) world.node(1).pause();
      world.node(1).kill();
      dead = true;
      world.node(1).resume();
      world.runFor(10_000);
    }
  });

  test('what a dead process still does in its last turn has no effect', () => {
    const nodes = new TwoNodes();
    const events: string[] = [];
    nodes.world.onEvent(({ event }) => events.push(event.type));
    const { network, store, clock } = nodes.one;
    const stream = nodes.open();
    nodes.world.runFor(10);
    clock.after(1, () => {
      nodes.world.node(1).kill();
      nodes.beat(9);
      stream.send(9);
      stream.out.end();
      store.write([{ type: 'put', key: Buffer.from('k'), value: Buffer.from('v') }], { sync: false }, () => undefined);
      nodes.one.trace({ type: 'log.line', level: 'info', message: 'from beyond' });
      network.open(2, 'MetadataLog', { message: () => undefined, closed: () => undefined });
    });
    nodes.world.runFor(100);
    expect(nodes.served).toEqual([]);
    expect(nodes.heard).toEqual(['open', 'broken']);
    expect(nodes.world.node(1).disk.keyCount).toBe(0);
    expect(events).toEqual([]);
  });

  test('a restarted node has the same disk, a new process, and goes on counting its events', () => {
    const world = new World({ seed: 1 });
    const seqs: number[] = [];
    world.onEvent(({ seq }) => seqs.push(seq));
    const program = (runtime: Runtime): void => {
      runtime.trace({
        type: 'log.line',
        level: 'info',
        message: runtime.store.get(Buffer.from('k'))?.toString() ?? 'new',
      });
      runtime.store.write(
        [{ type: 'put', key: Buffer.from('k'), value: Buffer.from('v') }],
        { sync: false },
        () => undefined,
      );
    };
    world.spawn(1, program);
    world.runFor(10);
    world.node(1).restart();
    expect(seqs).toEqual([0, 1]);
    expect(world.node(1).incarnation).toBe(2);
    expect(() => world.spawn(1, program)).toThrow('kill it before');
  });

  test('repl R-114: a node that halts says why and runs no more', () => {
    const world = new World({ seed: 1 });
    const events: unknown[] = [];
    world.onEvent(({ event }) => events.push(event));
    const runtime = world.spawn(1, itself);
    runtime.clock.after(1, () => {
      runtime.clock.after(1, () => expect.unreachable('it has halted'));
      runtime.halt('the disk is gone');
      runtime.halt('again');
    });
    world.runFor(10);
    expect(events).toEqual([{ type: 'node.halted', reason: 'the disk is gone' }]);
    expect([world.node(1).state, world.node(1).haltReason]).toEqual(['down', 'the disk is gone']);
  });
});

describe('SIGSTOP', () => {
  test('timers that were due meanwhile fire once, after the resume; a timer cancelled then does not', () => {
    const world = new World({ seed: 1 });
    const { clock } = world.spawn(1, itself);
    const fired: number[] = [];
    for (const delay of [1, 2, 500]) clock.after(delay, () => fired.push(clock.now()));
    world.node(1).pause();
    world.runFor(100);
    expect(fired).toEqual([]);
    world.node(1).resume();
    world.runFor(1000);
    expect(fired).toEqual([100, 100, 500]);
  });

  test('the monotonic clock goes on, as it does in a stopped process', () => {
    const world = new World({ seed: 1 });
    const { clock } = world.spawn(1, itself);
    world.node(1).pause();
    world.runFor(100);
    expect(clock.now()).toBe(100);
  });
});

describe('wall clocks', () => {
  test('they jump and run at another rate; timers and the monotonic clock do not notice', () => {
    const world = new World({ seed: 1, wallStart: 1_700_000_000_000 });
    const [one, two] = [world.spawn(1, itself), world.spawn(2, itself)];
    let fired = -1;
    one.clock.after(1000, () => (fired = one.clock.now()));
    world.runFor(100);
    world.node(1).jumpClock(-5000);
    world.node(1).skewClock(2);
    world.runFor(1000);
    expect(one.clock.wallTime()).toBe(1_700_000_000_000 + 100 - 5000 + 2000);
    expect(two.clock.wallTime()).toBe(1_700_000_000_000 + 1100);
    expect([fired, one.clock.now()]).toEqual([1000, 1100]);
  });
});

describe('safeguards and decoration belong to a world', () => {
  test('a safeguard switched off in one world is on in another', () => {
    const [a, b] = [new World({ seed: 1 }), new World({ seed: 1 })];
    a.setSafeguard('hw.bound', false);
    expect([a.spawn(1, itself).safeguard('hw.bound'), b.spawn(1, itself).safeguard('hw.bound')]).toEqual([false, true]);
    a.setSafeguard('hw.bound', true);
    expect(a.spawn(2, itself).safeguard('hw.bound')).toBe(true);
  });

  test('every process is started on the decorated runtime', () => {
    const seen: string[] = [];
    const world = new World({
      seed: 1,
      decorate: (runtime, node) => ({ ...runtime, halt: () => void seen.push(`node ${node.id}`) }),
    });
    world.spawn(1, (runtime) => runtime.halt('x'));
    world.node(1).restart();
    expect(seen).toEqual(['node 1', 'node 1']);
  });
});

describe('World.run', () => {
  test('ends when the condition holds, when time is up, and when nothing is left', () => {
    const world = new World({ seed: 1 });
    let ticks = 0;
    const { clock } = world.spawn(1, itself);
    const tick = (): void => {
      ticks++;
      if (ticks < 10) clock.after(10, tick);
    };
    clock.after(10, tick);
    expect(world.run({ until: () => ticks === 3, maxMs: 1000 })).toBe(true);
    expect(world.now).toBe(30);
    expect(world.run({ until: () => ticks === 99, maxMs: 25 })).toBe(false);
    expect([world.now, ticks]).toEqual([55, 5]);
    expect(world.run({ until: () => ticks === 99, maxMs: 1000 })).toBe(false);
    expect([world.now, ticks]).toEqual([1055, 10]);
  });
});
