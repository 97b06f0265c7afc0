// The ordered map of simulated disks, against a dumb twin.
import { expect, test } from 'vitest';
import fc from 'fast-check';
import { OrderedMap } from '../../src/sim/store/ordered-map.ts';

const key = fc
  .array(fc.integer({ min: 0x7c, max: 0x84 }), { maxLength: 3 })
  .map((codes) => String.fromCharCode(...codes));
/** Whoever looks at the order between two steps has the new keys sorted in. */
const step = fc.record({
  key,
  remove: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
  look: fc.integer({ min: 0, max: 30 }).map((n) => n === 0),
});
const range = fc.record({ gte: key, lt: key, limit: fc.integer({ min: 1, max: 900 }), reverse: fc.boolean() });

test('ordered map: what was set is found, and ranges are those of a sorted list', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 900, size: 'max' }), fc.array(range, { maxLength: 5 }), (steps, ranges) => {
      const [map, twin] = [new OrderedMap(), new Map<string, Buffer>()];
      steps.forEach(({ key, remove, look }, i) => {
        const old = twin.get(key);
        if (remove) {
          expect(map.delete(key)).toBe(old);
          twin.delete(key);
        } else {
          const value = Buffer.from([i & 255]);
          expect(map.set(key, value)).toBe(old);
          twin.set(key, value);
        }
        if (look) expect(map.keyAt(0)).toBe([...twin.keys()].sort()[0]);
      });
      const keys = [...twin.keys()].sort();
      expect(map.size).toBe(keys.length);
      for (const known of keys) expect(map.get(known)).toEqual(twin.get(known));
      for (const { gte, lt, limit, reverse } of ranges) {
        const within = keys.filter((k) => k >= gte && k < lt);
        expect(map.range(gte, lt, limit, reverse)).toEqual((reverse ? within.reverse() : within).slice(0, limit));
      }
      expect(keys.map((_, i) => map.keyAt(i))).toEqual(keys);
    }),
    { seed: 2, numRuns: 60 },
  );
});

test('ordered map: keys in rising, falling and mixed order split chunks and stay sorted', () => {
  const count = 5000;
  for (const place of [(i: number) => i, (i: number) => count - i, (i: number) => (i * 7919) % count]) {
    const map = new OrderedMap();
    for (let i = 0; i < count; i++) map.set(String(place(i)).padStart(6, '0'), Buffer.alloc(1));
    const keys = map.range('', ':', Infinity, false);
    expect(keys.length).toBe(map.size);
    expect(keys).toEqual([...keys].sort());
  }
});
