// What faults do to the disk of a node: writes that fail, wait and keep their order; reads that fail or lie (repl R-114).
import { describe, expect, test } from 'vitest';
import type { FaultEffects } from '../../src/fault/effects.ts';
import type { ActionKind } from '../../src/fault/legality.ts';
import { equals, faultSpec, type FaultDraft } from '../../src/fault/spec.ts';
import { furnish, NO_FAULT_SETTINGS } from '../../src/host/furnish.ts';
import { DiskFailure } from '../../src/runtime/disk-failure.ts';
import type { StoreEntry, StoreFailure } from '../../src/runtime/ports.ts';
import { World } from '../../src/sim/world.ts';

const EFFECTS: FaultEffects = { kill: () => undefined, pause: () => undefined, elsewhere: () => undefined };
/** The first byte says that it is the key of a batch. */
const batch = (name: string): Buffer => Buffer.from(`\x08${name}`);
const ALL = { gte: Buffer.from([0]), lt: Buffer.from([0xff]) };

/** A node with a store, on a disk that takes less than a millisecond. */
function aNode() {
  const world = new World({ seed: 3 });
  const { runtime, engine } = world.spawn(1, (bare) => furnish(bare, EFFECTS, NO_FAULT_SETTINGS, () => undefined));
  const { store } = runtime;
  const done: string[] = [];
  const write = (...names: string[]): void => {
    for (const name of names) {
      const before = done.length;
      store.write([{ type: 'put', key: batch(name), value: Buffer.from(name) }], { sync: false }, (failure) =>
        done.push(failure === undefined ? name : `${name}: ${failure.reason}`),
      );
      expect(done.length, 'no completion inside the call').toBe(before);
    }
  };
  const arm = (point: string, kind: ActionKind, more: Partial<FaultDraft> & { durationMs?: number } = {}): void => {
    const { durationMs = 0, ...draft } = more;
    expect(engine.arm(faultSpec({ id: 'f', point, action: { kind, durationMs }, ...draft }))).toBe('');
  };
  const firings = (): number => engine.list()[0]!.firings;
  return { world, store, engine, done, write, arm, firings };
}

const FULL = 'no space left on device (injected)';
const BROKEN = 'input/output error (injected)';

describe('writing', () => {
  test.each([
    ['disk:full', FULL],
    ['disk:write-error', BROKEN],
  ] as const)(
    '%s at the second write: it fails, and all behind it, in order; nothing of them is written',
    (kind, why) => {
      const { world, store, done, write, arm, firings } = aNode();
      arm('disk.write', kind, { nth: 2 });
      write('a', 'b', 'c');
      world.runFor(10);
      write('d');
      world.runFor(10);
      expect(done).toEqual(['a', `b: ${why}`, `c: ${why}`, `d: ${why}`]);
      expect(['a', 'b', 'c', 'd'].map((name) => store.get(batch(name))?.toString())).toEqual(['a', ...Array(3)]);
      expect(firings()).toBe(1);
    },
  );

  test('disk:slow delays each write, and what is behind it', () => {
    const { world, done, write, arm, engine } = aNode();
    arm('disk.write', 'disk:slow', { durationMs: 100, nth: 1 });
    write('slow', 'behind');
    world.runFor(90);
    expect(done).toEqual([]);
    world.runFor(20);
    expect(done).toEqual(['slow', 'behind']);
    engine.disarm('f');
    arm('disk.write', 'disk:slow', { durationMs: 100, nth: 1 });
    write('again', 'last');
    engine.disarm('*');
    world.runFor(5);
    expect(done.slice(2)).toEqual(['again', 'last']);
  });

  test('a write that is held goes first when it is let go; those that came later waited', () => {
    const { world, done, write, arm, engine } = aNode();
    arm('disk.write', 'hold', { where: [equals('sizeBytes', 9)] });
    write('four', 'x', 'y');
    world.runFor(50);
    expect(done).toEqual([]);
    engine.release('f');
    world.runFor(5);
    expect(done).toEqual(['four', 'x', 'y']);
  });
});

describe('reading', () => {
  const written = () => {
    const node = aNode();
    node.write('abcdef', 'ghijkl');
    node.world.runFor(10);
    return node;
  };
  const scanned = ({ world, store }: ReturnType<typeof aNode>) => {
    let found: { readonly entries: readonly StoreEntry[]; readonly failure: StoreFailure | undefined } | undefined;
    store.scan(ALL, (entries, failure) => (found = { entries, failure }));
    world.runFor(10);
    return found!;
  };

  test('disk:flip-bit: one bit of what is read; the disk keeps what it has', () => {
    const node = written();
    node.arm('disk.read', 'disk:flip-bit', { nth: 1, where: [equals('what', 'batch')] });
    expect(bitsFlipped(node.store.get(batch('abcdef'))!, 'abcdef')).toBe(1);
    expect(node.store.get(batch('abcdef'))!.toString()).toBe('abcdef');
    node.arm('disk.read', 'disk:flip-bit', { nth: 2, where: [equals('how', 'scan')] });
    const values = scanned(node).entries.map(({ value }) => value);
    expect([bitsFlipped(values[0]!, 'abcdef'), bitsFlipped(values[1]!, 'ghijkl')]).toEqual([0, 1]);
  });

  test('disk:read-error: a get ends the node with a sentence, a scan fails', () => {
    const node = written();
    node.arm('disk.read', 'disk:read-error');
    expect(() => node.store.get(batch('abcdef'))).toThrow(DiskFailure);
    expect(() => node.store.get(batch('abcdef'))).toThrow(
      `cannot read the data directory: ${BROKEN}. It is the only one`,
    );
    expect(scanned(node)).toEqual({ entries: [], failure: { reason: BROKEN } });
    expect(node.store.get(batch('nothing'))).toBeUndefined();
    node.engine.disarm('*');
    expect(scanned(node).entries.length).toBe(2);
  });

  test('what is no batch is told apart', () => {
    const node = written();
    node.arm('disk.read', 'disk:read-error', { where: [equals('what', 'other')] });
    expect(node.store.get(batch('abcdef'))?.toString()).toBe('abcdef');
  });
});

function bitsFlipped(bytes: Buffer, text: string): number {
  return [...bytes].reduce((sum, byte, i) => sum + ones(byte ^ text.charCodeAt(i)), 0);
}

function ones(byte: number): number {
  let count = 0;
  for (let rest = byte; rest > 0; rest >>= 1) count += rest & 1;
  return count;
}
