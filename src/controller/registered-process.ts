// Whose requests the controller takes: those of the process that is registered under a broker's id, by its broker epoch
// (repl, I-23). One that was replaced, or whose request was long on its way, is told so.
import type { BrokerEpoch, NodeId } from '../base/units.ts';
import type { Draft } from './draft.ts';

/** Whether a request is of the registered process. Without `ctl.epochFence`: of whoever has had the id. */
export function isOfRegistered(
  { image, safeguard }: Draft,
  { brokerId, brokerEpoch }: { readonly brokerId: NodeId; readonly brokerEpoch: BrokerEpoch },
): boolean {
  const broker = image.brokers.get(brokerId);
  return broker !== undefined && (broker.brokerEpoch === brokerEpoch || !safeguard('ctl.epochFence'));
}
