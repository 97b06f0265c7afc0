// Disk faults, one by one, and the order of completions as a property.
import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { Prng } from '../../src/base/prng.ts';
import type { StoreFailure, StoreOp } from '../../src/runtime/ports.ts';
import { SimDisk } from '../../src/sim/store/disk.ts';
import { World } from '../../src/sim/world.ts';

const key = (name: string): Buffer => Buffer.from(name);
const put = (name: string, value = 'v'): StoreOp => ({ type: 'put', key: key(name), value: Buffer.from(value) });

function aDisk(seed = 1) {
  const world = new World({ seed });
  const node = world.node(1);
  const open = () => world.spawn(1, (runtime) => runtime.store);
  return { world, node, open };
}

describe('order', () => {
  test('completions come in the order of submission, also over pauses, whatever else happens', () => {
    const step = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({ do: fc.constant('write' as const), size: fc.nat(200_000), sync: fc.boolean() }),
      },
      { weight: 3, arbitrary: fc.record({ do: fc.constant('pass' as const), us: fc.nat(3000) }) },
      { weight: 1, arbitrary: fc.constantFrom({ do: 'pause' as const }, { do: 'resume' as const }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.integer(), (steps, seed) => {
        const { world, node, open } = aDisk(seed);
        const store = open();
        const done: number[] = [];
        let submitted = 0;
        for (const what of steps) {
          if (what.do === 'write') {
            const n = submitted++;
            const ops: StoreOp[] = [{ type: 'put', key: key(`k${n}`), value: Buffer.alloc(what.size) }];
            store.write(ops, { sync: what.sync }, () => {
              done.push(n);
              expect(store.get(key(`k${n}`))?.length).toBe(what.size);
            });
          } else if (what.do === 'pass') world.runFor(what.us / 1000);
          else if (what.do === 'pause') node.pause();
          else node.resume();
        }
        node.resume();
        world.runFor(60_000);
        expect(done).toEqual(Array.from({ length: submitted }, (_, i) => i));
      }),
      { seed: 3, numRuns: 150 },
    );
  });
});

describe('kill', () => {
  test('the write under way is there as a whole or not at all, both happen; what completed is there (repl R-116)', () => {
    const survivals = new Set<boolean>();
    for (let seed = 0; seed < 40; seed++) {
      const { world, node, open } = aDisk(seed);
      let store = open();
      let completed = false;
      store.write([put('a')], { sync: false }, () => (completed = true));
      world.run({ until: () => completed, maxMs: 100 });
      store.write([put('x'), put('y')], { sync: false }, () => expect.unreachable('a dead process hears nothing'));
      world.runFor(0.04);
      store.write([put('later')], { sync: false }, () => expect.unreachable('a dead process hears nothing'));
      node.kill();
      world.runFor(10);
      store = open();
      expect(store.get(key('a'))).toBeDefined();
      expect(store.get(key('x')) === undefined).toBe(store.get(key('y')) === undefined);
      expect(store.get(key('later'))).toBeUndefined();
      survivals.add(store.get(key('x')) !== undefined);
    }
    expect(survivals).toEqual(new Set([true, false]));
  });
});

describe('failing disks (repl R-114)', () => {
  test('a full disk: what fits is written, the first that does not fit is the last; room helps only a new process', () => {
    const { world, node, open } = aDisk();
    let store = open();
    node.disk.budgetBytes = 100;
    const results: string[] = [];
    const write = (name: string, size: number): void => {
      store.write([put(name, 'x'.repeat(size))], { sync: false }, (failure) =>
        results.push(`${name} ${failure?.reason ?? 'ok'}`),
      );
      world.runFor(10);
    };
    write('a', 50);
    write('b', 80);
    write('c', 1);
    node.disk.budgetBytes = Infinity;
    write('d', 1);
    expect(results.map((result) => result.slice(0, 4))).toEqual(['a ok', 'b no', 'c no', 'd no']);
    expect(store.get(key('b'))).toBeUndefined();
    node.kill();
    store = open();
    write('e', 80);
    expect(results.at(-1)).toBe('e ok');
  });

  test('writes grouped with the failing one fail with it, and nothing of them is written', () => {
    const { world, node, open } = aDisk();
    const store = open();
    const failures: (StoreFailure | undefined)[] = [];
    store.write([put('first')], { sync: false }, (failure) => failures.push(failure));
    for (const name of ['a', 'b']) store.write([put(name)], { sync: false }, (failure) => failures.push(failure));
    world.run({ until: () => failures.length === 1, maxMs: 10 });
    node.disk.failNextWrite();
    world.runFor(10);
    expect(failures.map((failure) => failure === undefined)).toEqual([true, false, false]);
    expect([store.get(key('first')), store.get(key('a')), store.get(key('b'))].map((v) => v !== undefined)).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('a slow disk takes longer', () => {
    const { world, node, open } = aDisk();
    const store = open();
    node.disk.slowdown = 1000;
    let done = false;
    store.write([put('a')], { sync: false }, () => (done = true));
    world.runFor(20);
    expect(done).toBe(false);
    world.runFor(1000);
    expect(done).toBe(true);
  });
});

describe('loss and damage', () => {
  test('power loss undoes overwrites and deletes as well, back to a state that the disk once had (repl R-112)', () => {
    const ops = fc.record({
      name: fc.constantFrom('a', 'b', 'c'),
      remove: fc.boolean(),
      sync: fc.nat(5).map((n) => n === 0),
    });
    fc.assert(
      fc.property(fc.array(ops, { maxLength: 20 }), fc.integer(), (steps, seed) => {
        const disk = new SimDisk();
        const contents = (): string => ['a', 'b', 'c'].map((name) => disk.get(key(name))?.toString() ?? '-').join();
        const states = [contents()];
        steps.forEach(({ name, remove, sync }, i) => {
          disk.apply([{ key: name, value: remove ? undefined : Buffer.from(String(i)) }], sync);
          if (sync) states.length = 0;
          states.push(contents());
        });
        disk.losePower(new Prng(seed));
        expect(states).toContain(contents());
        // What survived is safe now.
        const survived = contents();
        disk.losePower(new Prng(seed + 1));
        expect(contents()).toBe(survived);
      }),
      { seed: 4, numRuns: 200 },
    );
  });

  test('a wiped disk is empty, and a flipped bit changes one bit of one value', () => {
    const { world, node, open } = aDisk();
    let store = open();
    store.write([put('a', 'abcdef'), put('b', 'ghijkl')], { sync: true }, () => undefined);
    world.runFor(10);
    expect(node.disk.flipBit(new Prng(1), key('a'))).toBe(true);
    const damaged = store.get(key('a'))!;
    const bits = [...damaged].reduce((sum, byte, i) => sum + ones(byte ^ 'abcdef'.charCodeAt(i)), 0);
    expect(bits).toBe(1);
    expect(store.get(key('b'))?.toString()).toBe('ghijkl');
    node.wipe();
    store = open();
    expect(store.get(key('b'))).toBeUndefined();
    expect(node.disk.sizeBytes).toBe(0);
    expect(node.disk.flipBit(new Prng(1))).toBe(false);
  });
});

function ones(byte: number): number {
  let count = 0;
  for (let rest = byte; rest > 0; rest >>= 1) count += rest & 1;
  return count;
}
