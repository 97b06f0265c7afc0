// How fast the simulator runs: virtual time of an idle cluster, and events of a loaded one with all invariants looking on.
// An event is one step of its scheduler: a message delivered, a store completion, a timer. Time is CPU time: it runs in one
// thread.
import { figure, type Result } from '../figures.ts';
import type { Row } from './row.ts';

const ROUNDS = 5;
const WARM_LOADS = 5;

export const simulator: Row = {
  name: 'simulator',
  about: 'virtual time of an idle 3-broker cluster; events/s under load with invariants on',
  run: async (room) => {
    const part = await room.part('simulator');
    await part.call('idle', { virtualMs: 20_000 });
    // V8 compiles for the first seconds of such a run, as of any campaign of seeds: they are not the rate of the minutes after.
    for (let warm = 0; warm < WARM_LOADS; warm++) await part.call('load', { seed: -warm });
    const [idle, load]: [number[], number[]] = [[], []];
    for (let round = 1; round <= ROUNDS; round++) {
      idle.push(await part.call('idle', { virtualMs: 60_000 }));
      load.push(await part.call('load', { seed: round }));
    }
    return [
      judged('idle 3-broker cluster, virtual time per CPU time', figure(idle, 'x'), 100),
      judged('scheduler events under load, invariants on', figure(load, 'events/s'), 100_000),
    ];
  },
};

function judged(what: string, measured: Result['figure'], value: number): Result {
  return { row: 'simulator', what, figure: measured, judged: measured, bar: { kind: 'at least', value } };
}
