// Which offsets a reader moved through. To pass an offset says: whatever stood there was to be given now.
import type { Offset } from '../base/units.ts';
import type { SeenRecord } from '../history/operations.ts';
import { isPoll, type Poll, type Reading } from './readings.ts';

/** Offsets that were passed: [from, to). */
export interface Pass {
  readonly from: Offset;
  readonly to: Offset;
  /** Index of the poll that did it. */
  readonly index: number;
  /** True: not by a poll but by a jump between two polls that nothing explains. */
  readonly jumped: boolean;
  /** What the poll was given; nothing for a jump. */
  readonly records: readonly SeenRecord[];
}

/** What one reader passed, in its order. Where it was told to move, nothing is passed between. */
export function passesOf(reading: Reading): Pass[] {
  const passes: Pass[] = [];
  let position: Offset | undefined;
  for (const step of reading.steps) {
    if (!isPoll(step)) {
      position = undefined;
      continue;
    }
    const { from, to, index, records } = step;
    if (position !== undefined && from > position)
      passes.push({ from: position, to: from, index, jumped: true, records: [] });
    if (to > from) passes.push({ from, to, index, jumped: false, records });
    position = to;
  }
  return passes;
}

/** Passes sorted by offset and without overlaps, for looking up. */
export class PassMap {
  readonly #passes: Pass[] = [];

  constructor(passes: readonly Pass[]) {
    let end = 0;
    for (const pass of [...passes].sort((a, b) => a.from - b.from || a.index - b.index)) {
      const from = Math.max(pass.from, end);
      if (from < pass.to) this.#passes.push({ ...pass, from });
      end = Math.max(end, pass.to);
    }
  }

  /** In offset order. */
  get all(): readonly Pass[] {
    return this.#passes;
  }

  /** The pass over an offset, if there was one. */
  at(offset: Offset): Pass | undefined {
    let [low, high] = [0, this.#passes.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const pass = this.#passes[middle]!;
      if (offset < pass.from) high = middle - 1;
      else if (offset >= pass.to) low = middle + 1;
      else return pass;
    }
    return undefined;
  }
}

/** What the polls of one partition passed, whoever polled. Jumps are no evidence here. */
export function passedByPolls(polls: readonly Poll[]): PassMap {
  return new PassMap(polls.map(({ from, to, index, records }) => ({ from, to, index, jumped: false, records })));
}
