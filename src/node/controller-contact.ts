// How long ago this broker was surely not fenced, and what it has to know before it may say so again (txn W-23). Clocks are
// taken to run equally fast; what the controller decides without fencing is the metadata log's to tell.
import type { DurationMs, InstantMs, Offset } from '../base/units.ts';

/** An answered heartbeat. */
export interface AnsweredHeartbeat {
  readonly sentAtMs: InstantMs;
  readonly answeredAtMs: InstantMs;
  readonly isFenced: boolean;
  /** End of the metadata log when it was answered. */
  readonly metadataEndOffset: Offset;
}

export class ControllerContact {
  readonly #sessionMs: DurationMs;
  /** When the last answered heartbeat was sent: it was heard then or later. */
  #sentAtMs: InstantMs = -Infinity;
  /** What was decided while this broker may have been fenced lies below. */
  #missedBelow: Offset = 0;

  /** @param sessionMs broker.session.timeout.ms, the same as the controller's. */
  constructor(sessionMs: DurationMs) {
    this.#sessionMs = sessionMs;
  }

  /** If a session may have ended since the heartbeat before, others may lead by now what this broker thinks it leads. */
  heard({ sentAtMs, answeredAtMs, isFenced, metadataEndOffset }: AnsweredHeartbeat): void {
    if (isFenced || answeredAtMs - this.#sentAtMs >= this.#sessionMs) this.#missedBelow = metadataEndOffset;
    this.#sentAtMs = sentAtMs;
  }

  /** Whether this broker has not been fenced, or knows what came of it. */
  isInTouch(nowMs: InstantMs, appliedOffset: Offset): boolean {
    return nowMs - this.#sentAtMs < this.#sessionMs && appliedOffset >= this.#missedBelow;
  }
}
