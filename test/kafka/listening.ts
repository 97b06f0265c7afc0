// A listener over a MemoryBroker on a free loopback port, and clients that are closed with it.
import { startKafkaListener, type KafkaListener } from '../../src/kafka/listener.ts';
import { nodeConfig } from '../../src/protocol/config.ts';
import { MemoryBroker } from './memory-broker.ts';
import { RawClient } from './raw-client.ts';

export interface Listening {
  readonly broker: MemoryBroker;
  readonly listener: KafkaListener;
  /** What the listener has logged, "level: message". */
  readonly logged: string[];
  client(): RawClient;
  close(): Promise<void>;
}

/** Starts one with these settings beside Kafka's defaults. */
export async function aListener(
  settings: Readonly<Record<string, unknown>> = {},
  options: { readonly beforeSend?: () => void } = {},
): Promise<Listening> {
  const broker = new MemoryBroker();
  const clients: RawClient[] = [];
  const logged: string[] = [];
  const listener = await startKafkaListener({
    ...{ host: '127.0.0.1', port: 0, broker, nodeId: broker.nodeId, config: nodeConfig(settings) },
    clusterId: () => broker.clusterId,
    log: (level, message) => logged.push(`${level}: ${message}`),
    ...options,
  });
  broker.endpoint = { ...broker.endpoint, port: listener.port };
  return {
    ...{ broker, listener, logged },
    client: () => {
      const client = new RawClient(listener.port);
      clients.push(client);
      return client;
    },
    close: () => {
      for (const client of clients) client.close();
      return listener.close();
    },
  };
}
