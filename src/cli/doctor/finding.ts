// What a check of this machine answers, and how checks are run: side by side, each within two seconds, none of them able to
// end the others.

export type Severity = 'ok' | 'warning' | 'problem';

/** What a check found. */
export interface Answer {
  readonly severity: Severity;
  /** What is so. */
  readonly says: string;
  /** What to do about it; absent: nothing. */
  readonly todo?: string;
}

/** What was found, and by which check. */
export interface Finding extends Answer {
  readonly [key: string]: unknown;
  readonly check: string;
}

/** Looks at one thing; never changes anything. What it started ends when `signal` says so. */
export interface Check {
  readonly name: string;
  run(signal: AbortSignal): Answer[] | Promise<Answer[]>;
}

export const ok = (says: string): Answer => ({ severity: 'ok', says });
export const warning = (says: string, todo: string): Answer => ({ severity: 'warning', says, todo });
export const problem = (says: string, todo: string): Answer => ({ severity: 'problem', says, todo });

/** How long a check may take. */
export const CHECK_MS = 2000;

/** Runs all checks; the findings in the order of the checks. */
export async function runChecks(checks: readonly Check[], limitMs: number = CHECK_MS): Promise<Finding[]> {
  const found = await Promise.all(
    checks.map(async (check) => (await bounded(check, limitMs)).map((answer) => ({ check: check.name, ...answer }))),
  );
  return found.flat();
}

async function bounded(check: Check, limitMs: number): Promise<Answer[]> {
  const end = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Answer[]>((resolve) => {
    timer = setTimeout(() => {
      end.abort();
      resolve([warning(`no answer within ${limitMs / 1000} s`, 'look at it by hand')]);
    }, limitMs);
  });
  try {
    return await Promise.race([attempt(check, end.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function attempt(check: Check, signal: AbortSignal): Promise<Answer[]> {
  try {
    return await check.run(signal);
  } catch (error) {
    return [warning(`cannot be told: ${(error as Error).message}`, 'look at it by hand')];
  }
}
