// A read that a disk cannot answer, or that gives back what was not written. It is thrown, because a core cannot go on
// without what it reads; whoever delivers turns to the cores halts the node with it (repl R-114). Nobody else catches it.

/** Why a node stops: a sentence for people that says what to do. */
export class DiskFailure extends Error {
  override name = 'DiskFailure';
}

/** The data directory cannot be written or read. */
export function diskFails(what: 'write to' | 'read', reason: string): string {
  return (
    `cannot ${what} the data directory: ${reason}. It is the only one of this node, so the node stops (repl R-114). ` +
    'Make the disk work, then start the node again; it recovers what it had counted.'
  );
}

/** The data directory gives back something else than was written; `found` says what. */
export function diskLies(found: string): string {
  return (
    `the data directory gives back what was not written: ${found}. The node stops, so that nobody is served that ` +
    '(repl R-114). Start it with an empty disk (highwater node start ID --wipe): it copies its logs from their leaders.'
  );
}
