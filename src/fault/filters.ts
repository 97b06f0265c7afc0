// Conditions on the fields of a point: compiled once when a fault is armed, tested at every hit. A batch is a range:
// `offset` matches any offset inside it, `baseOffset` and `lastOffset` are the fields themselves (ux.md 3.2).
import type { FaultFilter } from '../protocol/generated/index.ts';
import type { PointFields } from './reach.ts';

export const FILTER_OPS = ['=', '!=', '>=', '<=', '>', '<', 'glob'] as const;
export type FilterOp = (typeof FILTER_OPS)[number];

/** One condition, ready to test. */
export interface Condition {
  readonly field: string;
  matches(fields: PointFields): boolean;
  /** As people write it: `offset >= 5`. */
  readonly text: string;
}

/** Why a filter cannot be used, or undefined. */
export function refuseFilter(filter: FaultFilter): string | undefined {
  const { field, op, values } = filter;
  if (!(FILTER_OPS as readonly string[]).includes(op)) {
    return `"${op}" is no comparison; use one of ${FILTER_OPS.join(' ')}`;
  }
  if (values.length === 0) return `the condition on ${field} has no value`;
  if (isOrder(op) && values.some((value) => !Number.isFinite(Number(value)) || value.trim() === '')) {
    return `${field} ${op} compares numbers, not "${values.join(', ')}"`;
  }
  return undefined;
}

/** Makes a filter testable. The filter is valid (see `refuseFilter`). */
export function compileFilter(filter: FaultFilter): Condition {
  const { field, values } = filter;
  const op = filter.op as FilterOp;
  const test = matcher(op, values);
  const text = `${field} ${op === 'glob' ? '=' : op} ${values.join(' | ')}`;
  if (field !== 'offset') return { field, text, matches: (fields) => test.value(fields[field]) };
  const matches = (fields: PointFields): boolean => {
    const { baseOffset, lastOffset } = fields;
    return typeof baseOffset === 'number' && typeof lastOffset === 'number'
      ? test.range(baseOffset, lastOffset)
      : test.value(fields['offset']);
  };
  return { field, text, matches };
}

/** The value of `field` as near misses show it. */
export function shownValue(fields: PointFields, field: string): string {
  const { baseOffset, lastOffset } = fields;
  if (field === 'offset' && baseOffset !== undefined && lastOffset !== undefined) {
    return baseOffset === lastOffset ? `${baseOffset}` : `${baseOffset}..${lastOffset}`;
  }
  return fields[field] === undefined ? 'absent' : `${fields[field]}`;
}

interface Matcher {
  value(actual: string | number | undefined): boolean;
  /** Whether some number in [low, high] matches (`!=`: none is among the values). */
  range(low: number, high: number): boolean;
}

function isOrder(op: string): boolean {
  return op === '>=' || op === '<=' || op === '>' || op === '<';
}

function matcher(op: FilterOp, values: readonly string[]): Matcher {
  const numbers = values.map(Number);
  switch (op) {
    case '=': {
      const inRange = (low: number, high: number): boolean => numbers.some((n) => n >= low && n <= high);
      return { value: (actual) => actual !== undefined && values.includes(String(actual)), range: inRange };
    }
    case '!=': {
      const outside = (low: number, high: number): boolean => numbers.every((n) => n < low || n > high);
      return { value: (actual) => actual !== undefined && !values.includes(String(actual)), range: outside };
    }
    case 'glob': {
      const patterns = values.map(globPattern);
      const value = (actual: string | number | undefined): boolean =>
        actual !== undefined && patterns.some((pattern) => pattern.test(String(actual)));
      return { value, range: (low, high) => value(low) || value(high) };
    }
    default: {
      const holds = (n: number): boolean => numbers.some((bound) => compare(op, n, bound));
      return {
        value: (actual) => actual !== undefined && holds(Number(actual)),
        range: (low, high) => holds(low) || holds(high),
      };
    }
  }
}

function compare(op: FilterOp, left: number, right: number): boolean {
  if (op === '>=') return left >= right;
  if (op === '<=') return left <= right;
  return op === '>' ? left > right : left < right;
}

/** `*` is any text, `?` any one character, everything else itself. */
function globPattern(glob: string): RegExp {
  const source = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*/g, '.*')
    .replace(/\?/g, '.');
  return new RegExp(`^${source}$`, 's');
}
