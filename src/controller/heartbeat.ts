// What a heartbeat does: the table of repl R-90, and the records each transition writes. Sessions are touched by the
// caller, on arrival.
import type { BrokerRegistration } from '../metadata/image.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import { unreachable } from '../base/assert.ts';
import type { BrokerProgress } from './broker-progress.ts';
import type { Draft } from './draft.ts';
import { isOfRegistered } from './registered-process.ts';
import { enterControlledShutdown, fenceBroker, leadsAny, unfenceBroker } from './replica-changes.ts';

/** Where a broker stands with the controller. SHUTDOWN_NOW: it is fenced and may exit. */
export type BrokerControlState = 'FENCED' | 'UNFENCED' | 'CONTROLLED_SHUTDOWN' | 'SHUTDOWN_NOW';

/** What the table of R-90 looks at. The functions are asked only in rows that need them. */
export interface HeartbeatView {
  readonly state: Exclude<BrokerControlState, 'SHUTDOWN_NOW'>;
  readonly wantFence: boolean;
  readonly wantShutDown: boolean;
  /** It has applied its own registration. */
  readonly isCaughtUp: boolean;
  readonly leadsAny: () => boolean;
  /** Every active broker has applied the records that moved its leaders. */
  readonly isShutdownKnown: () => boolean;
}

/** Repl R-90, row by row. */
export function nextBrokerState(view: HeartbeatView): BrokerControlState {
  switch (view.state) {
    case 'FENCED':
      if (view.wantShutDown) return 'SHUTDOWN_NOW';
      return !view.wantFence && view.isCaughtUp ? 'UNFENCED' : 'FENCED';
    case 'UNFENCED':
      if (view.wantFence) return view.wantShutDown ? 'SHUTDOWN_NOW' : 'FENCED';
      if (view.wantShutDown) return view.leadsAny() ? 'CONTROLLED_SHUTDOWN' : 'SHUTDOWN_NOW';
      return 'UNFENCED';
    case 'CONTROLLED_SHUTDOWN':
      return !view.leadsAny() && view.isShutdownKnown() ? 'SHUTDOWN_NOW' : 'CONTROLLED_SHUTDOWN';
    default:
      return unreachable(view.state);
  }
}

/** Where a broker stands, from its registration alone, so that a restarted controller knows it too. */
export function brokerState(broker: BrokerRegistration): HeartbeatView['state'] {
  if (broker.fenced) return 'FENCED';
  return broker.inControlledShutdown ? 'CONTROLLED_SHUTDOWN' : 'UNFENCED';
}

/** Decides a heartbeat. Answers `STALE_BROKER_EPOCH` to whoever is not the registered process. */
export function decideHeartbeat(
  draft: Draft,
  progress: BrokerProgress,
  request: RequestOf<'BrokerHeartbeat'>,
): Omit<ResponseOf<'BrokerHeartbeat'>, 'controllerEpoch' | 'metadataEndOffset'> {
  const { brokerId, brokerEpoch, wantFence, wantShutDown, currentMetadataOffset } = request;
  const broker = draft.image.brokers.get(brokerId);
  if (broker === undefined || !isOfRegistered(draft, request)) {
    return { error: 'STALE_BROKER_EPOCH', isCaughtUp: false, isFenced: false, shouldShutDown: false };
  }
  const isCaughtUp = currentMetadataOffset > broker.registrationOffset;
  const state = brokerState(broker);
  const next = nextBrokerState({
    ...{ state, wantFence, wantShutDown, isCaughtUp },
    leadsAny: () => leadsAny(draft.image, brokerId),
    isShutdownKnown: () => progress.isShutdownKnown(draft.image, brokerId, brokerEpoch),
  });
  if (next !== state) enter(draft, broker, next);
  if (next === 'CONTROLLED_SHUTDOWN' && state !== next)
    progress.noteShutdown(brokerId, brokerEpoch, draft.image.endOffset);
  progress.note(brokerId, brokerEpoch, currentMetadataOffset);
  const isFenced = next === 'FENCED' || next === 'SHUTDOWN_NOW';
  return { error: 'NONE', isCaughtUp, isFenced, shouldShutDown: next === 'SHUTDOWN_NOW' };
}

function enter(draft: Draft, broker: BrokerRegistration, next: BrokerControlState): void {
  switch (next) {
    case 'FENCED':
      return fenceBroker(draft, broker, 'fenced', 'it asked to be fenced');
    case 'UNFENCED':
      return unfenceBroker(draft, broker);
    case 'CONTROLLED_SHUTDOWN':
      return enterControlledShutdown(draft, broker);
    case 'SHUTDOWN_NOW':
      return fenceBroker(draft, broker, 'controlled-shutdown', 'it shut down');
    default:
      return unreachable(next);
  }
}
