// What client processes said, in an order without effects before their causes.
import { expect, test } from 'vitest';
import { LineOrder } from '../../src/chaos/processes/line-order.ts';

/** A reader of pipes whose turns are taken by hand. */
function aReader() {
  const told: string[] = [];
  const turns: (() => void)[] = [];
  let now = 0;
  const order = new LineOrder({ nowUs: () => now, afterReading: (run) => turns.push(run) });
  return {
    told,
    order,
    hear: (atUs: number, line: string) => order.add(atUs, () => told.push(line)),
    turn: (nowUs: number) => {
      now = nowUs;
      for (const run of turns.splice(0)) run();
    },
  };
}

test('an effect whose pipe is read first is told behind its cause', () => {
  const { told, hear, turn } = aReader();
  hear(30, 'rc was given b0');
  turn(40);
  hear(10, 'b0 is acknowledged');
  hear(20, 'commit is asked for');
  expect(told).toEqual([]);
  turn(50);
  expect(told).toEqual(['b0 is acknowledged', 'commit is asked for', 'rc was given b0']);
});

test('what was said after the last look at all pipes waits for the next one', () => {
  const { told, hear, turn } = aReader();
  hear(30, 'early');
  turn(40);
  hear(45, 'late');
  turn(50);
  expect(told).toEqual(['early']);
  turn(60);
  turn(70);
  expect(told).toEqual(['early', 'late']);
});

test('lines of the same instant keep their order', () => {
  const { told, hear, turn } = aReader();
  for (const line of ['a', 'b', 'c']) hear(30, line);
  turn(30);
  turn(40);
  expect(told).toEqual(['a', 'b', 'c']);
});
