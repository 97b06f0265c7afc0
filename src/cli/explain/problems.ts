// Our own error codes in words, for `highwater explain HW2103`. The sentence that comes with a code says more: this says what
// kind of thing it is.
import type { ProblemCode } from '../problem.ts';

export const PROBLEM_WORDS: Readonly<Record<ProblemCode, string>> = {
  HW2001:
    'The command line: an unknown verb or flag, or a value that cannot be. `highwater VERB --help` shows what there is.',
  HW2101: 'A fault whose parts do not fit: an action that is illegal at its point, a condition that nothing can meet.',
  HW2103: 'A point that does not exist. `highwater fault points [AREA]` lists all, with fields and legal actions.',
  HW2201: 'A topic, partition or replica that is not there, or a request that the cluster refused for a topic.',
  HW2301: 'A node that is not there, or a selector (leader(orders-0), coordinator(id)) that names nobody now.',
  HW2401: 'A scenario file that cannot be read as one.',
  HW2402:
    'A scenario that does not fit the running cluster: it wants another number of brokers, or settings that need a restart of all.',
  HW2410: 'A value in a scenario file, with line and column: no duration, no number, no partition.',
  HW2411: 'A key in a scenario file that does not exist there, with line and column.',
  HW2412: 'Two of something in a scenario file where one is meant: two triggers, two expectations.',
  HW2413: 'A name in a scenario file that nothing has: a fault, a client, a variant, a safeguard.',
  HW2414: 'A scenario file that is not YAML.',
  HW2501: 'Records: an offset that is not there, or a produce or consume that was refused.',
  HW2601: 'A history that is cut, damaged or not one. What is whole can be checked; it can never say pass.',
  HW4001: 'The cluster does not answer: not started, still starting, or stopped. `highwater status`, `highwater up`.',
  HW5001: 'A name that a running cluster has. Stop it, or take another name with --cluster.',
  HW5002: 'A port that another process has. `highwater up --port-base 0` takes free ones.',
  HW5003: 'A folder or file that the system refuses, or that belongs to something else.',
  HW5004: 'The cluster is in use by a run. Wait until it has ended.',
  HW7000: 'A bug of ours. Please report it with what is printed.',
};
