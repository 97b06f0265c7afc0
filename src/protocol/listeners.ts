// The names of a broker's listeners, and what clients are told of them. A broker may listen twice, for clients inside the
// network of the nodes and for those outside; each is told addresses that it can reach, whichever broker it asked first.
import type { ResponseOf } from './apis.ts';

/** Name of the endpoints that speak gRPC: to peers and to clients. */
export const GRPC_ENDPOINT = 'REPLICATION';
/** Name of the endpoints that speak the Kafka protocol. */
export const KAFKA_ENDPOINT = 'KAFKA';

const OUTSIDE = '_OUTSIDE';

/** Name of the same listener for clients outside the network of the nodes. */
export function outsideEndpoint(name: string): string {
  return `${name}${OUTSIDE}`;
}

/** An answer for a client outside: each endpoint by its usual name, at its outside address; those without one are left out. */
export function seenFromOutside(answer: ResponseOf<'Metadata'>): ResponseOf<'Metadata'> {
  const brokers = answer.brokers.map((broker) => ({
    ...broker,
    endpoints: broker.endpoints
      .filter(({ name }) => name.endsWith(OUTSIDE))
      .map((endpoint) => ({ ...endpoint, name: endpoint.name.slice(0, -OUTSIDE.length) })),
  }));
  return { ...answer, brokers };
}
