// The brokers of a cluster as Kafka clients see them (wire W-36, W-37): those with a Kafka listener, at its address.
import type { BrokerDescription } from '../../protocol/generated/index.ts';
import { KAFKA_ENDPOINT } from '../../protocol/listeners.ts';

export interface KafkaBroker {
  readonly nodeId: number;
  readonly host: string;
  readonly port: number;
  /** Null: none (KIP-392). */
  readonly rack: string | null;
}

/** Those that can be reached. */
export function kafkaBrokers(brokers: readonly BrokerDescription[]): KafkaBroker[] {
  return brokers.flatMap(({ id, endpoints, rack }) => {
    const endpoint = endpoints.find(({ name }) => name === KAFKA_ENDPOINT);
    return endpoint === undefined ? [] : [{ nodeId: id, host: endpoint.host, port: endpoint.port, rack: rackOf(rack) }];
  });
}

/** As the wire has it. */
export function rackOf(rack: string): string | null {
  return rack === '' ? null : rack;
}

/** The one that is named as the controller: every broker takes what is meant for it, so all name the same (wire W-77). */
export function controllerOf(brokers: readonly KafkaBroker[]): number {
  return brokers.length === 0 ? -1 : Math.min(...brokers.map(({ nodeId }) => nodeId));
}
