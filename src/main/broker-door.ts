// What the Kafka listener calls: the broker's API, behind the door through which everything reaches the cores. So a request
// over the wire is a turn like any other, and a node that killed itself at a point answers nothing more.
import type { AdminApi } from '../node/admin-api.ts';
import type { BrokerApi, Cancel } from '../node/api.ts';
import { seenFromOutside } from '../protocol/listeners.ts';
import type { Turns } from '../runtime/real/turns.ts';

/** @param broker The API once there is one: what arrives earlier waits at the door (see `Turns.hold`). */
export function brokerDoor(turns: Turns, broker: () => BrokerApi): BrokerApi {
  const leaving =
    <Response>(answer: (response: Response) => void): ((response: Response) => void) =>
    (response) =>
      turns.depart(() => answer(response));
  const cancellable = (call: () => Cancel): Cancel => {
    let cancel: Cancel | undefined;
    turns.deliver(() => (cancel = call()));
    return () => turns.deliver(() => cancel?.());
  };
  return {
    get admin() {
      return adminDoor(turns, () => broker().admin);
    },
    produce: (request, origin, answer) => cancellable(() => broker().produce(request, origin, leaving(answer))),
    fetch: (request, answer) => cancellable(() => broker().fetch(request, leaving(answer))),
    listOffsets: (request, answer) => turns.deliver(() => broker().listOffsets(request, leaving(answer))),
    offsetsForLeaderEpoch: (request, answer) =>
      turns.deliver(() => broker().offsetsForLeaderEpoch(request, leaving(answer))),
    initProducerId: (request, answer) => turns.deliver(() => broker().initProducerId(request, leaving(answer))),
    metadata: (request, answer) => turns.deliver(() => broker().metadata(request, leaving(answer))),
    describeReplicas: (request, answer) => turns.deliver(() => broker().describeReplicas(request, leaving(answer))),
    findCoordinator: (request, answer) => turns.deliver(() => broker().findCoordinator(request, leaving(answer))),
    describeProducers: (request, answer) => turns.deliver(() => broker().describeProducers(request, leaving(answer))),
    abortTransaction: (request, answer) => turns.deliver(() => broker().abortTransaction(request, leaving(answer))),
    features: (answer) => turns.deliver(() => broker().features(leaving(answer))),
    coordinate: (api, request, answer) => turns.deliver(() => broker().coordinate(api, request, leaving(answer))),
    topicName: (topicId) => broker().topicName(topicId),
    topicId: (name) => broker().topicId(name),
  };
}

function adminDoor(turns: Turns, admin: () => AdminApi): AdminApi {
  const leaving =
    <Response>(answer: (response: Response) => void): ((response: Response) => void) =>
    (response) =>
      turns.depart(() => answer(response));
  return {
    forward: (api, request, timeoutMs, answer) =>
      turns.deliver(() => admin().forward(api, request, timeoutMs, leaving(answer))),
    get patienceMs() {
      return admin().patienceMs;
    },
    deleteRecords: (request, answer) => {
      let cancel: Cancel | undefined;
      turns.deliver(() => (cancel = admin().deleteRecords(request, leaving(answer))));
      return () => turns.deliver(() => cancel?.());
    },
    describeConfigs: (resources, answer) => turns.deliver(() => admin().describeConfigs(resources, leaving(answer))),
    topicConfigs: (own) => admin().topicConfigs(own),
    replicaSizes: (answer) => turns.deliver(() => admin().replicaSizes(leaving(answer))),
  };
}

/** The same door for clients outside the network of the nodes: they are told addresses that they can reach. */
export function fromOutside(door: BrokerApi): BrokerApi {
  return { ...door, metadata: (request, answer) => door.metadata(request, (seen) => answer(seenFromOutside(seen))) };
}
