// Waiting for states: every wait has the same bound and says what it waited for. Nothing here waits for a time.
const BOUND_MS = 30_000;
const LOOK_EVERY_MS = 20;

/** Resolves with the first answer that is neither undefined nor false; rejects with the last one it saw. */
export async function until<T>(what: string, look: () => T | Promise<T>): Promise<Exclude<T, undefined | false>> {
  const end = performance.now() + BOUND_MS;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen as Exclude<T, undefined | false>;
    if (performance.now() > end) throw new Error(`not within ${BOUND_MS / 1000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/** As `until`, for states that are reached when an assertion about them holds; the assertion's own words are shown. */
export async function untilHolds(assertion: () => void | Promise<void>): Promise<void> {
  let why: unknown;
  const holds = async (): Promise<boolean> => {
    try {
      await assertion();
      return true;
    } catch (error) {
      why = error;
      return false;
    }
  };
  try {
    await until('an assertion that holds', holds);
  } catch {
    throw why;
  }
}
