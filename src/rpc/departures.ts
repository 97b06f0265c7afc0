// Counts what was handed to gRPC and has not left the process, so that a node that kills itself at a point can let go what
// came before the point (design section 6). Turns of the event loop alone lose messages of 64 KiB and more.

/** Turns after the last write callback: a status and small requests have no callback and leave within these. */
const TURNS_AFTER = 3;
/** And this long: if we end with bytes unread, the peer's system drops what the peer has not read yet of ours. */
const SETTLE_MS = 50;
/** Meanwhile the processor is the peer's. */
const LOOK_EVERY_MS = 5;

export class Departures {
  #count = 0;

  /** Something was handed over. Call the answer once when it has left, or never will. */
  begin(): () => void {
    this.#count += 1;
    let begun = true;
    return () => {
      if (begun) this.#count -= 1;
      begun = false;
    };
  }

  /** Calls `done` when everything handed over before has left, at the latest after `boundMs`. */
  drained(boundMs: number, done: () => void): void {
    const deadline = performance.now() + boundMs;
    let quietTurns = 0;
    let quietSince = 0;
    const look = (): void => {
      const now = performance.now();
      if (this.#count > 0) quietTurns = 0;
      else if (quietTurns++ === 0) quietSince = now;
      const settled = quietTurns > TURNS_AFTER && now - quietSince >= SETTLE_MS;
      if (settled || now >= deadline) done();
      else if (quietTurns > TURNS_AFTER) setTimeout(look, LOOK_EVERY_MS);
      else setImmediate(look);
    };
    setImmediate(look);
  }
}
