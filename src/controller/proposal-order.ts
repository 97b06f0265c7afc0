// The order of ISR proposals (docs/divergence.md). An answer that refuses a proposal lets its leader go on without it (repl
// R-63, T-17), so an earlier attempt that was held up on its way must not be applied behind that answer. Soft state: a
// request says which controller process it is meant for, so a new one has nothing to remember.
import type { BrokerEpoch, NodeId } from '../base/units.ts';
import type { RequestOf } from '../protocol/apis.ts';

export class ProposalOrder {
  readonly #controllerEpoch: () => number;
  /** The last request of each broker. */
  readonly #last = new Map<NodeId, { readonly brokerEpoch: BrokerEpoch; readonly sequence: number }>();

  constructor(controllerEpoch: () => number) {
    this.#controllerEpoch = controllerEpoch;
  }

  /** Whether the request is meant for this process, and came behind none that was sent later, nor twice. */
  admit({ brokerId, brokerEpoch, sequence, controllerEpoch }: RequestOf<'AlterPartition'>): boolean {
    if (controllerEpoch !== this.#controllerEpoch()) return false;
    const last = this.#last.get(brokerId);
    if (last?.brokerEpoch === brokerEpoch && sequence <= last.sequence) return false;
    this.#last.set(brokerId, { brokerEpoch, sequence });
    return true;
  }
}
