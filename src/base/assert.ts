// Broken invariants. Nobody catches one except a main, which traces it, flushes and exits non-zero.

/** A rule of ours is broken: going on would make the run's verdict worthless. */
export class InvariantViolation extends Error {
  override name = 'InvariantViolation';
}

/** Crashes unless `condition` holds. `rule` says what is broken, with its number, e.g. "repl R-1: HW <= LEO". */
export function assert(condition: unknown, rule: string): asserts condition {
  if (!condition) throw new InvariantViolation(rule);
}

/** The end of an exhaustive switch: a new case will not compile until it is handled. */
export function unreachable(value: never): never {
  throw new InvariantViolation(`unreachable value ${String(value)}`);
}
