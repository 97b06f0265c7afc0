// Broker sessions: soft state, never in the metadata log (repl ). A session belongs to one registration of a
// broker and is valid until the timeout after its last heartbeat, whether the broker is fenced or not. A controller
// whose own clock jumped distrusts its silence, not its brokers' (design section 1).
import type { BrokerEpoch, DurationMs, InstantMs, NodeId } from '../base/units.ts';

interface Session {
  readonly brokerEpoch: BrokerEpoch;
  lastHeartbeat: InstantMs;
}

/** Whose session ended. */
export interface ExpiredSession {
  readonly broker: NodeId;
  readonly brokerEpoch: BrokerEpoch;
}

export class Sessions {
  readonly #timeoutMs: DurationMs;
  readonly #sessions = new Map<NodeId, Session>();
  #lastLook: InstantMs;

  constructor(timeoutMs: DurationMs, now: InstantMs) {
    this.#timeoutMs = timeoutMs;
    this.#lastLook = now;
  }

  /** How often to look for expired sessions: every eighth of the timeout (repl R-91). */
  get lookEveryMs(): DurationMs {
    return this.#timeoutMs / 8;
  }

  /** Opens or prolongs the session of a registration; a session of an older one of the same broker ends silently. */
  touch(broker: NodeId, brokerEpoch: BrokerEpoch, now: InstantMs): void {
    const session = this.#sessions.get(broker);
    if (session?.brokerEpoch === brokerEpoch) session.lastHeartbeat = now;
    else this.#sessions.set(broker, { brokerEpoch, lastHeartbeat: now });
  }

  /** Whether this registration has a valid session. */
  isValid(broker: NodeId, brokerEpoch: BrokerEpoch, now: InstantMs): boolean {
    const session = this.#sessions.get(broker);
    return session !== undefined && session.brokerEpoch === brokerEpoch && !this.#isExpired(session, now);
  }

  /**
   * Notices whether the controller itself was away: more than half a session since the last look. Then every session
   * starts afresh, so that a pause of the controller fences nobody. To be asked before anything is judged by sessions.
   *
   * @param isLook Whether this is one of the regular looks, from which the next jump is measured.
   * @returns How long it was away, or undefined if it was not.
   */
  noticeJump(now: InstantMs, isLook: boolean): DurationMs | undefined {
    const away = now - this.#lastLook;
    const jumped = away > this.#timeoutMs / 2;
    if (isLook || jumped) this.#lastLook = now;
    if (!jumped) return undefined;
    for (const session of this.#sessions.values()) session.lastHeartbeat = now;
    return away;
  }

  /** Removes and returns the session that has been expired for longest, ties by broker id; undefined if none has. */
  takeExpired(now: InstantMs): ExpiredSession | undefined {
    let worst: { broker: NodeId; session: Session } | undefined;
    for (const [broker, session] of this.#sessions) {
      if (!this.#isExpired(session, now)) continue;
      const earlier = worst === undefined ? -1 : session.lastHeartbeat - worst.session.lastHeartbeat;
      if (worst === undefined || earlier < 0 || (earlier === 0 && broker < worst.broker)) worst = { broker, session };
    }
    if (worst === undefined) return undefined;
    this.#sessions.delete(worst.broker);
    return { broker: worst.broker, brokerEpoch: worst.session.brokerEpoch };
  }

  #isExpired(session: Session, now: InstantMs): boolean {
    return now - session.lastHeartbeat > this.#timeoutMs;
  }
}
