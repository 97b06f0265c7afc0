// How a broker process gets in (repl, KAFKA-17793, KAFKA-18106): only when its predecessor's session is over,
// with an epoch of its own, fenced, and out of every ISR and leadership that its predecessor held.
import { CONTROLLER_ID } from '../base/units.ts';
import { registerBrokerRecord } from '../metadata/records.ts';
import type { BrokerRegistration } from '../metadata/image.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import type { Endpoint } from '../protocol/generated/index.ts';
import type { ErrorName } from '../protocol/errors.ts';
import type { Draft } from './draft.ts';
import { removeFromIsrs } from './replica-changes.ts';

type Response = Omit<ResponseOf<'BrokerRegistration'>, 'controllerEpoch'>;

/**
 * Decides a registration.
 *
 * Answers, in the order checked:
 * - `INVALID_REQUEST`: the id is none a broker can have.
 * - `INCONSISTENT_CLUSTER_ID`: the data directory belongs to another cluster.
 * - `DUPLICATE_BROKER_REGISTRATION`: another process of this id still has a session, fenced or not (T-16, T-39).
 *
 * @param hasSession Whether the registration now in force has a valid session.
 */
export function decideRegistration(
  draft: Draft,
  request: RequestOf<'BrokerRegistration'>,
  hasSession: (broker: BrokerRegistration) => boolean,
): Response {
  const { brokerId, clusterId, incarnationId, endpoints, rack } = request;
  const { image } = draft;
  if (brokerId < 1 || brokerId === CONTROLLER_ID) return refuse(draft, 'INVALID_REQUEST');
  if (clusterId !== '' && clusterId !== image.clusterId) return refuse(draft, 'INCONSISTENT_CLUSTER_ID');
  const known = image.brokers.get(brokerId);
  if (known?.incarnationId === incarnationId) return registerAgain(draft, known, endpoints);
  if (known !== undefined && hasSession(known)) return refuse(draft, 'DUPLICATE_BROKER_REGISTRATION');

  // Whoever did not stop cleanly may have lost what it held; without the ELR that makes no difference (repl ).
  const isUnclean = request.previousBrokerEpoch !== known?.brokerEpoch;
  if (known !== undefined) removeFromIsrs(draft, brokerId, 'registered', isUnclean);
  const registration = { id: brokerId, incarnationId, brokerEpoch: draft.baseOffset, fenced: true, rack };
  draft.add(registerBrokerRecord(registration, endpoints), 'another process of its id registered');
  return accept(draft, registration.brokerEpoch);
}

/** The same process once more, its first answer lost: epoch and flags are kept (repl R-86). */
function registerAgain(draft: Draft, known: BrokerRegistration, endpoints: readonly Endpoint[]): Response {
  if (!sameEndpoints(known.endpoints, endpoints)) draft.add(registerBrokerRecord(known, endpoints));
  return accept(draft, known.brokerEpoch);
}

function sameEndpoints(a: readonly Endpoint[], b: readonly Endpoint[]): boolean {
  const text = (list: readonly Endpoint[]): string => list.map((e) => `${e.name}://${e.host}:${e.port}`).join(' ');
  return text(a) === text(b);
}

function accept(draft: Draft, brokerEpoch: number): Response {
  return { error: 'NONE', brokerEpoch, clusterId: draft.image.clusterId };
}

function refuse(draft: Draft, error: ErrorName): Response {
  return { error, brokerEpoch: -1, clusterId: draft.image.clusterId };
}
