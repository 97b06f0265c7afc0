// What the script of the differential run prints, and how two runs of it are compared: step by step, with a list of the
// differences that are meant.

/** What came of a step, by "area: name". */
export type Outcomes = ReadonlyMap<string, string>;

/** A difference that is meant. Both sides are told, so that the list cannot outlive what it excuses. */
export interface Allowed {
  /** "area: name" */
  readonly step: string;
  readonly kafka: string;
  readonly highwater: string;
  /** Under this transaction.version alone. */
  readonly only?: 1 | 2;
  /** Why, and the row of docs/divergence.md or the rule it stands on. */
  readonly why: string;
}

/** The lines "[number] area: name -> outcome". Two steps of one name are an error. */
export function outcomesOf(stdout: string): Outcomes {
  const outcomes = new Map<string, string>();
  for (const line of stdout.split('\n')) {
    const [, step, outcome] = /^\[\d+\] (.*?) -> (.*)$/.exec(line) ?? [];
    if (step === undefined) continue;
    if (outcomes.has(step)) throw new Error(`two steps are called "${step}"`);
    outcomes.set(step, outcome!);
  }
  return outcomes;
}

/** Every difference that is not allowed, and every allowed one that is none; empty if all is as it should be. */
export function differences(kafka: Outcomes, highwater: Outcomes, allowed: readonly Allowed[]): string[] {
  const excused = new Map(allowed.map((each) => [each.step, each]));
  const found: string[] = [];
  for (const step of new Set([...kafka.keys(), ...highwater.keys()])) {
    const [theirs, ours] = [kafka.get(step) ?? 'no such step', highwater.get(step) ?? 'no such step'];
    const excuse = excused.get(step);
    excused.delete(step);
    const expected = excuse === undefined ? theirs === ours : theirs === excuse.kafka && ours === excuse.highwater;
    if (expected) continue;
    const note = excuse === undefined ? '' : `\n  allowed    ${excuse.kafka}\n  for        ${excuse.highwater}`;
    found.push(`${step}\n  Kafka      ${theirs}\n  Highwater  ${ours}${note}`);
  }
  for (const step of excused.keys()) found.push(`${step}\n  is allowed to differ, and is no step`);
  return found;
}
