// Errors that people meet: what is wrong, where, and what to type. One class, one code each (ux: exit codes are the same
// for every command).

/** Exit codes of every command. */
export const EXIT = {
  ok: 0,
  /** A check or expectation failed. */
  failed: 1,
  /** Bad usage or a bad file. */
  usage: 2,
  /** A fault never fired, or a checker cannot tell. */
  inconclusive: 3,
  /** The cluster is not reachable, not ready, or did not answer in time. */
  unreachable: 4,
  /** Name, port or directory is taken. */
  conflict: 5,
  /** A bug of ours. */
  bug: 70,
  interrupted: 130,
} as const;

export type ProblemCode =
  | 'HW2410' // scenario: a value
  | 'HW2411' // scenario: a key
  | 'HW2412' // scenario: two where one is meant
  | 'HW2413' // scenario: a name
  | 'HW2414' // scenario: not YAML
  | 'HW2001' // usage
  | 'HW2101' // fault specification
  | 'HW2103' // no such point
  | 'HW2201' // topics
  | 'HW2301' // nodes and selectors
  | 'HW2401' // scenario files
  | 'HW2402' // a scenario that does not fit a cluster
  | 'HW2501' // produce, consume
  | 'HW2601' // histories
  | 'HW4001' // cluster not reachable
  | 'HW5001' // name taken
  | 'HW5002' // port taken
  | 'HW5003' // directory taken
  | 'HW5004' // cluster in use
  | 'HW7000'; // bug

/** Something the user can do something about. Printed without a stack. */
export class Problem extends Error {
  override name = 'Problem';
  readonly code: ProblemCode;
  readonly exitCode: number;

  constructor(code: ProblemCode, message: string, exitCode: number = EXIT.usage) {
    super(message);
    this.code = code;
    this.exitCode = exitCode;
  }
}
