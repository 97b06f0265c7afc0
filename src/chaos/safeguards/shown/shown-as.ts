// How a safeguard is shown: by a pair of runs of one scenario, or by a test of its core.
import type { AnomalyName } from '../../../checker/findings.ts';
import type { Scalar } from '../../plan.ts';

/** A pair of runs. */
export interface Shown {
  /** File of the scenario. */
  readonly file: string;
  /** The variant without the safeguard, and the one with it. */
  readonly off: string;
  readonly on: string;
  /** The cell of its matrix, if it has one. */
  readonly cell?: Readonly<Record<string, Scalar>>;
  /** What is found without it and not with it: an anomaly of a checker, or an invariant of the specification. */
  readonly finds: AnomalyName | `repl I-${number}`;
}

export const inStory = (name: string): string => `scenarios/${name}.yaml`;
export const inWeakness = (name: string): string => `scenarios/weaknesses/${name}.yaml`;
export const inSafeguard = (name: string): string => `scenarios/safeguards/${name}.yaml`;
export const inCorpus = (name: string): string => `scenarios/corpus/${name}.yaml`;

/** Where no schedule of a whole cluster can say it: a test of its core shows both, and `why`. */
export interface ShownByTest {
  readonly test: string;
  readonly why: string;
}

/** Rows of some safeguards. */
export type ShownAs<Name extends string> = Readonly<Record<Name, Shown | ShownByTest | { readonly open: string }>>;
