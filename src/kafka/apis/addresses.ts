// Where clients find brokers: the Kafka listener on which each can be reached from where the client asked (wire W-36). All
// APIs that name a broker take its address from here.
import type { ResponseOf } from '../../protocol/apis.ts';
import { KAFKA_ENDPOINT } from '../../protocol/listeners.ts';
import type { Call } from './api.ts';

/** A broker as clients are told of it. */
export interface BrokerAddress {
  readonly nodeId: number;
  readonly host: string;
  readonly port: number;
}

/** The live brokers that have a Kafka listener. */
export function brokerAddresses({ brokers }: ResponseOf<'Metadata'>): readonly BrokerAddress[] {
  return brokers.flatMap((broker) => {
    const endpoint = broker.endpoints.find(({ name }) => name === KAFKA_ENDPOINT);
    return endpoint === undefined ? [] : [{ nodeId: broker.id, host: endpoint.host, port: endpoint.port }];
  });
}

/** Asks the broker for them; calls back perhaps at once. */
export function askAddresses({ broker }: Call, then: (addresses: readonly BrokerAddress[]) => void): void {
  const nothing = { allTopics: false, topics: [], allowAutoTopicCreation: false };
  broker.metadata(nothing, (metadata) => then(brokerAddresses(metadata)));
}
