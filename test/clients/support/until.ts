// Waits on states, each with a bound: what never comes about fails with a sentence that names it.

/** How long any state may take to come about. */
export const STATE_MS = 30_000;
const PAUSE_MS = 25;

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks until the answer holds, and returns it; rejects after the bound with the last answer. */
export async function until<T>(
  what: string,
  ask: () => Promise<T> | T,
  holds: (answer: T) => boolean,
  maxMs = STATE_MS,
): Promise<T> {
  const end = performance.now() + maxMs;
  for (;;) {
    const answer = await ask();
    if (holds(answer)) return answer;
    if (performance.now() > end)
      throw new Error(`not within ${maxMs / 1000} s: ${what}; last ${JSON.stringify(answer)}`);
    await pause(PAUSE_MS);
  }
}

/** Ends a wait for `work` after a bound. */
export async function within<T>(maxMs: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${maxMs / 1000} s`)), maxMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
