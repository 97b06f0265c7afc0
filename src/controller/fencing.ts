// Watches sessions: touched by heartbeats on arrival, looked at every eighth of the timeout, expired ones fenced one at a
// time so that each sees the effect of the one before (repl R-91). Soft state; a new controller starts it afresh.
import type { BrokerEpoch, NodeId } from '../base/units.ts';
import type { BrokerRegistration } from '../metadata/image.ts';
import type { NodeConfig } from '../protocol/config.ts';
import type { Runtime } from '../runtime/ports.ts';
import type { MetadataLog } from './metadata-log.ts';
import { fenceBroker } from './replica-changes.ts';
import { Sessions } from './sessions.ts';

export class Fencing {
  readonly #runtime: Runtime;
  readonly #log: MetadataLog;
  readonly #timeoutMs: number;
  readonly #sessions: Sessions;

  constructor(runtime: Runtime, log: MetadataLog, config: NodeConfig) {
    this.#runtime = runtime;
    this.#log = log;
    this.#timeoutMs = config['broker.session.timeout.ms'];
    this.#sessions = new Sessions(this.#timeoutMs, this.#now);
  }

  get lookEveryMs(): number {
    return this.#sessions.lookEveryMs;
  }

  /** Opens sessions for the unfenced brokers of the log, and for no others (KAFKA-19130, repl ). */
  begin(): void {
    this.#sessions.noticeJump(this.#now, true);
    for (const { id, brokerEpoch, fenced } of this.#log.committed.brokers.values()) {
      if (!fenced) this.#sessions.touch(id, brokerEpoch, this.#now);
    }
  }

  /** A broker was let in, or its heartbeat arrived. Those of superseded processes change nothing. */
  heard(broker: NodeId, brokerEpoch: BrokerEpoch): void {
    this.#noticeJump(false);
    if (this.#log.decided.brokers.get(broker)?.brokerEpoch !== brokerEpoch) return;
    this.#sessions.touch(broker, brokerEpoch, this.#now);
  }

  /** Whether this registration still has a valid session (repl R-86). */
  hasSession(broker: BrokerRegistration): boolean {
    this.#noticeJump(false);
    return this.#sessions.isValid(broker.id, broker.brokerEpoch, this.#now);
  }

  /** One of the regular looks. */
  look(): void {
    this.#noticeJump(true);
    for (;;) {
      const expired = this.#sessions.takeExpired(this.#now);
      if (expired === undefined) return;
      const draft = this.#log.begin();
      const broker = draft.image.brokers.get(expired.broker);
      if (broker?.brokerEpoch === expired.brokerEpoch) {
        fenceBroker(draft, broker, 'fenced', `no heartbeat for ${this.#timeoutMs} ms`);
      }
      this.#log.commit(draft);
    }
  }

  #noticeJump(isLook: boolean): void {
    const away = this.#sessions.noticeJump(this.#now, isLook);
    if (away === undefined) return;
    const message = `the controller was away for ${Math.round(away)} ms: every broker session starts afresh`;
    this.#runtime.trace({ type: 'log.line', level: 'warn', message });
  }

  get #now(): number {
    return this.#runtime.clock.now();
  }
}
