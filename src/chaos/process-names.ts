// What the processes of a client are called: each start is a process of its own in the history.

/** Between a client's name and the number of its start. */
const RESTARTED = '~';

/** The client that a process is one of. */
export function clientOf(process: string): string {
  return process.split(RESTARTED)[0]!;
}

/** w1, and w1~2 after a restart. */
export function processName(id: string, starts: number): string {
  return starts === 1 ? id : `${id}${RESTARTED}${starts}`;
}
