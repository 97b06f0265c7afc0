// How far brokers have applied the metadata log, as their heartbeats said: soft state that controlled shutdown waits
// on (repl R-90). A controller that has just started knows nothing yet and lets nobody go early.
import type { BrokerEpoch, NodeId, Offset } from '../base/units.ts';
import type { MetadataImage } from '../metadata/image.ts';
import { isActive } from '../metadata/image.ts';

export class BrokerProgress {
  readonly #applied = new Map<NodeId, { readonly brokerEpoch: BrokerEpoch; readonly offset: Offset }>();
  readonly #shutdownOffsets = new Map<NodeId, { readonly brokerEpoch: BrokerEpoch; readonly offset: Offset }>();

  /** A broker has applied everything below `offset`. */
  note(broker: NodeId, brokerEpoch: BrokerEpoch, offset: Offset): void {
    this.#applied.set(broker, { brokerEpoch, offset });
  }

  /** A broker entered controlled shutdown; the records that moved its leaders end at `offset`. */
  noteShutdown(broker: NodeId, brokerEpoch: BrokerEpoch, offset: Offset): void {
    this.#shutdownOffsets.set(broker, { brokerEpoch, offset });
  }

  /**
   * Whether every active broker has applied the records that moved the leaders of `broker` away. If this process did
   * not see them written, everything decided so far is waited for instead.
   */
  isShutdownKnown(image: MetadataImage, broker: NodeId, brokerEpoch: BrokerEpoch): boolean {
    const noted = this.#shutdownOffsets.get(broker);
    if (noted?.brokerEpoch !== brokerEpoch) this.noteShutdown(broker, brokerEpoch, image.endOffset);
    const { offset } = this.#shutdownOffsets.get(broker)!;
    for (const registration of image.brokers.values()) {
      if (!isActive(registration)) continue;
      const applied = this.#applied.get(registration.id);
      if (applied?.brokerEpoch !== registration.brokerEpoch || applied.offset < offset) return false;
    }
    return true;
  }
}
