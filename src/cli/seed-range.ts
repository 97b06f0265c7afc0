// Which seeds a campaign runs: "A..B", and the share of them that is one machine's of several, "--shard i/n". Shares are
// ranges that follow one another, so that every seed is in exactly one of them and each can be run again by its `--seeds`.
import { Problem } from './problem.ts';

/** Seeds first to last, both included. */
export interface SeedRange {
  readonly first: number;
  readonly last: number;
}

/** One of `count` shares; the first has index 0, as JOB_COMPLETION_INDEX of a Kubernetes Indexed Job has it. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

const SHARDS_MAX = 99_999;

/** "1..200", or one seed. */
export function parseSeeds(text: string): SeedRange {
  const match = /^(\d{1,15})(?:\.\.(\d{1,15}))?$/.exec(text.trim());
  const first = Number(match?.[1]);
  const last = Number(match?.[2] ?? match?.[1]);
  if (match === null || last < first)
    throw new Problem('HW2001', `--seeds is A..B or one number, e.g. 1..200, not "${text}"`);
  return { first, last };
}

/** "0/8" to "7/8". */
export function parseShard(text: string): Shard {
  const match = /^(\d{1,5})\/(\d{1,5})$/.exec(text.trim());
  const [index, count] = [Number(match?.[1]), Number(match?.[2])];
  if (match === null || count === 0)
    throw new Problem('HW2001', `--shard is i/n, e.g. 0/8 to 7/8, with n up to ${SHARDS_MAX}, not "${text}"`);
  if (index >= count)
    throw new Problem('HW2001', `--shard counts from 0: of ${count} the last is ${count - 1}/${count}, not "${text}"`);
  return { index, count };
}

/** The seeds of one share: sizes differ by one at most. None may be empty, since a run of no seed says nothing. */
export function shardOf({ first, last }: SeedRange, { index, count }: Shard): SeedRange {
  const seeds = last - first + 1;
  if (count > seeds) {
    const have = seeds === 1 ? 'is one seed' : `are ${seeds} seeds`;
    throw new Problem('HW2001', `--seeds ${first}..${last} ${have}: too few for ${count} shards`);
  }
  const [size, larger] = [Math.floor(seeds / count), seeds % count];
  const from = first + index * size + Math.min(index, larger);
  return { first: from, last: from + size - (index < larger ? 0 : 1) };
}
