// What a row measures, as plain data: rounds summed up, and a bar to hold them against. Measures nothing itself.

/** A figure over several rounds. One round may be disturbed by its neighbours; the median of several hardly. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** A spread with its unit, e.g. "MB/s". */
export interface Figure extends Spread {
  readonly unit: string;
}

/** What is promised of the measured value (design section 9). */
export interface Bar {
  readonly kind: 'at most' | 'at least';
  readonly value: number;
}

/** One line of the table. */
export interface Result {
  readonly row: string;
  /** What was measured, in a few words. */
  readonly what: string;
  readonly figure: Figure;
  /** The same without Highwater, measured in turns with it. */
  readonly yardstick?: Figure & { readonly what: string };
  /** The value that the bar speaks of: a ratio of each round, or the figure itself. */
  readonly judged?: Figure;
  readonly bar?: Bar;
}

/** Sums rounds up. */
export function spread(rounds: readonly number[]): Spread {
  const sorted = [...rounds].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  return { median, min: sorted[0]!, max: sorted.at(-1)! };
}

/** The value below which a share of them lies, e.g. 0.5. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

export function figure(rounds: readonly number[], unit: string): Figure {
  return { ...spread(rounds), unit };
}

/** Whether the median holds the bar; undefined if there is none. */
export function isMet({ judged, bar }: Result): boolean | undefined {
  if (judged === undefined || bar === undefined) return undefined;
  return bar.kind === 'at most' ? judged.median <= bar.value : judged.median >= bar.value;
}

/** One of ours and one of the yardstick's a round. */
export interface Rounds {
  readonly ours: number[];
  readonly bare: number[];
}

/** On a busy machine fewer rounds are made than asked for, but not fewer than this. */
const ROUNDS_MIN = 3;
const ENOUGH_MS = 30_000;

/** Measures both in turns, so that what disturbs one disturbs the other. Every other round begins with the other. */
export async function alternate(
  count: number,
  ours: () => Promise<number>,
  bare: () => Promise<number>,
  enoughMs = ENOUGH_MS,
): Promise<Rounds> {
  const rounds: Rounds = { ours: [], bare: [] };
  const end = performance.now() + enoughMs;
  for (let round = 0; round < count; round++) {
    if (round >= ROUNDS_MIN && performance.now() > end) break;
    if (round % 2 === 0) rounds.ours.push(await ours());
    rounds.bare.push(await bare());
    if (round % 2 === 1) rounds.ours.push(await ours());
  }
  return rounds;
}

/** Ours relative to the yardstick, round by round. */
export function ratio({ ours, bare }: Rounds): Figure {
  return figure(
    ours.map((value, round) => value / bare[round]!),
    'x',
  );
}
