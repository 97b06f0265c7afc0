// What a run leaves besides its history: how often its faults fired, what came to hold, and why it says less than it should.

/** What became of a run, besides its history. */
export interface RunOutcome {
  /** How often each fault fired. */
  readonly fired: Readonly<Record<string, number>>;
  /** Faults that never did although they should have, each with what came nearest. */
  readonly unfired: readonly { readonly fault: string; readonly nearMisses: readonly string[] }[];
  /** Conditions of `eventually`, by their text. */
  readonly eventually: Readonly<Record<string, boolean>>;
  /** Moments of `order`, by their text. */
  readonly ordered: Readonly<Record<string, boolean>>;
  /** Why the run says less than it should: sentences. */
  readonly doubts: readonly string[];
  /** What had not ended long after everything had healed: sentences. Each is a doubt as well. */
  readonly stalled: readonly string[];
  /** With which codes programs of the user's own have ended by themselves. */
  readonly exits?: Readonly<Record<string, number>>;
  /** The cluster did not even start. */
  readonly failure?: string;
  /** ms from the first client's start to the end. */
  readonly durationMs: number;
}
