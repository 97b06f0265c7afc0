// Choices of a test that kills at random: told by a seed that is printed, and repeated with HIGHWATER_SEED.

/** The seed of this run. */
export function seedOf(): number {
  const told = Number(process.env['HIGHWATER_SEED']);
  return Number.isSafeInteger(told) && told > 0 ? told : 1 + Math.floor(Math.random() * 1_000_000);
}

/** Whole numbers below a bound, determined by a seed. */
export function chooser(seed: number): (bound: number) => number {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}
