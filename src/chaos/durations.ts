// Lengths of time as scenarios write them: 5s, 500ms, 2m, or a range 1s..5s of which one is drawn.

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A length of time in ms, from `min` to `max`; equal unless a range was written. */
export interface Span {
  readonly min: number;
  readonly max: number;
}

export const DURATION_FORMS = 'Write 5s, 500ms, 2m, or a range 1s..5s';

/** Milliseconds of "500ms", "1.5s"; undefined if it is none. */
export function durationMs(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text.trim());
  return match === null ? undefined : Math.round(Number(match[1]) * UNITS[match[2]!]!);
}

/** A duration or a range of two; undefined if it is neither. */
export function span(text: string): Span | undefined {
  const [from, to, ...rest] = text.split('..').map((part) => durationMs(part));
  if (from === undefined || rest.length > 0) return undefined;
  if (!text.includes('..')) return { min: from, max: from };
  return to === undefined || to < from ? undefined : { min: from, max: to };
}

/** Draws a length. `next` is in [0, 1). */
export function drawMs(from: Span, next: () => number): number {
  return from.min === from.max ? from.min : from.min + Math.floor(next() * (from.max - from.min + 1));
}
