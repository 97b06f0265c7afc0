// How a port's conformance suite meets an implementation. A suite is a list of cases; a case gets a fresh harness that
// its maker knows how to drive: the simulator runs virtual time, a real implementation lets its event loop turn.
// Nothing here decides what a port must do: see the *-suite.ts files.
import { test } from 'vitest';

/** What every harness offers. */
export interface Harness {
  /** Drives the implementation until `condition` holds. Rejects, naming `what`, if that does not come about. */
  until(condition: () => boolean, what: string): Promise<void>;
  /** Ends everything that the harness started. */
  close(): Promise<void>;
}

/** One thing that a port promises. */
export interface Case<H extends Harness> {
  /** Begins with the rule or the part of the port, as test names do. */
  readonly name: string;
  /** Whether this harness can show it; absent: every one can. A case that cannot run is not registered as passed. */
  readonly needs?: (harness: H) => boolean;
  run(harness: H): Promise<void>;
}

/** Registers each case as one test, against harnesses made by `open`. */
export function conformance<H extends Harness>(cases: readonly Case<H>[], open: () => Promise<H>): void {
  for (const { name, needs, run } of cases)
    test(name, async (context) => {
      const harness = await open();
      try {
        if (needs !== undefined && !needs(harness)) context.skip('this implementation cannot show it');
        await run(harness);
      } finally {
        await harness.close();
      }
    });
}
