// Durations as people write them: 5s, 500ms, 2m.
import { Problem } from './problem.ts';

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** Milliseconds of "500ms", "5s", "2m", "1h". `what` names the flag in the error. */
export function parseDuration(what: string, text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text.trim());
  if (match === null) throw new Problem('HW2001', `${what} is not a duration: "${text}". Write 5s, 500ms or 2m.`);
  return Math.round(Number(match[1]) * UNITS[match[2] as keyof typeof UNITS]);
}

/** As `parseDuration`; a plain number is in `unit`, as Kafka's flag of that name has it. */
export function parseDurationOr(unit: keyof typeof UNITS, what: string, text: string): number {
  return parseDuration(what, /^\d+$/.test(text.trim()) ? `${text.trim()}${unit}` : text);
}

/** A whole number in [min, max]. */
export function parseCount(what: string, text: string, min: number, max: number = Number.MAX_SAFE_INTEGER): number {
  const value = /^-?\d+$/.test(text.trim()) ? Number(text) : NaN;
  if (!Number.isSafeInteger(value) || value < min || value > max) {
    const range = max === Number.MAX_SAFE_INTEGER ? `at least ${min}` : `from ${min} to ${max}`;
    throw new Problem('HW2001', `${what} is a whole number ${range}, not "${text}".`);
  }
  return value;
}
