// The Kafka wire listener of a broker (wire section 1): plaintext TCP on one port, one Connection a client. A shell: what
// an answer says is decided by the broker behind `BrokerApi`.
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { NodeId } from '../base/units.ts';
import type { BrokerApi } from '../node/api.ts';
import type { NodeConfig } from '../protocol/config.ts';
import type { LogLevel, ServedBroker } from './apis/api.ts';
import { Complaints } from './complaints.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { FaultGate, type WireFaults } from './fault-gate.ts';
import { profileOptions } from './profile.ts';
import type { WireRecorder } from './recorder.ts';
import { WIRE_APIS } from './registry.ts';

export interface KafkaListenerOptions {
  /** Where to bind. What clients are told stands in the broker's KAFKA endpoint (wire W-36). */
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
  readonly broker: BrokerApi;
  readonly nodeId: NodeId;
  readonly config: NodeConfig;
  readonly clusterId: () => string;
  readonly log?: (level: LogLevel, message: string) => void;
  /** What faults call this listener: inside (the default) or outside. */
  readonly name?: string;
  /** Strikes what clients ask and are told. */
  readonly faults?: WireFaults | undefined;
  /** Hears what clients ask and are told. */
  readonly recorder?: WireRecorder | undefined;
  /** Runs before bytes leave, so that the events that caused them are written first. */
  readonly beforeSend?: () => void;
}

export interface KafkaListener {
  /** The port it listens on. */
  readonly port: number;
  /** What it has seen so far. */
  readonly counters: Readonly<ListenerCounters>;
  /** Closes the port and every connection. Requests in progress keep their effect. */
  close(): Promise<void>;
}

export interface ListenerCounters {
  /** Open now. */
  connections: number;
  /** Turned away at `max.connections` (wire W-6). */
  refused: number;
  /** Closed because of what they sent (wire W-30). */
  malformed: number;
}

/** Starts to listen. Rejects with a sentence that names the port if it cannot. */
export async function startKafkaListener(options: KafkaListenerOptions): Promise<KafkaListener> {
  const counters: ListenerCounters = { connections: 0, refused: 0, malformed: 0 };
  const connections = new Set<Connection>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, accept(options, counters, connections));
  await listening(server, options);
  server.on('error', (error) => options.log?.('error', `Kafka listener: ${error.message}`));
  return {
    port: (server.address() as AddressInfo).port,
    counters,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const connection of connections) connection.close();
      }),
  };
}

function accept(
  options: KafkaListenerOptions,
  counters: ListenerCounters,
  connections: Set<Connection>,
): (socket: Socket) => void {
  const log = options.log ?? (() => undefined);
  const { broker, clusterId, config } = options;
  const { faults, recorder, nodeId, name = 'inside' } = options;
  const topicName = (topicId: string): string | undefined => broker.topicName(topicId);
  const gate = faults && new FaultGate({ faults, node: nodeId, listener: name, topicName });
  const served: ServedBroker = {
    ...{ broker, clusterId, table: WIRE_APIS, profile: profileOptions(config), faults: gate, recorder, log },
  };
  const complaints = new Complaints(log);
  const full = `max.connections is ${config['max.connections']}`;
  let number = 0;
  const each: Omit<ConnectionOptions, 'number'> = {
    served,
    requestMaxBytes: config['socket.request.max.bytes'],
    idleMaxMs: config['connections.max.idle.ms'],
    beforeSend: options.beforeSend ?? (() => undefined),
    onMalformed: () => counters.malformed++,
    complaints,
  };
  return (socket) => {
    if (connections.size >= config['max.connections']) {
      counters.refused++;
      const message = `connection of ${socket.remoteAddress} refused: ${full}`;
      complaints.hear({ level: 'warn', kind: 'max.connections', message });
      socket.destroy();
      return;
    }
    const connection = new Connection(socket, { ...each, number: ++number });
    connections.add(connection);
    counters.connections = connections.size;
    socket.on('close', () => {
      connections.delete(connection);
      counters.connections = connections.size;
    });
  };
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use; stop what holds it or choose another (0 takes a free one)',
  EACCES: 'the port needs privileges; choose one above 1023',
  EADDRNOTAVAIL: 'the address is not one of this host',
};

function listening(server: Server, { host, port, nodeId }: KafkaListenerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = REASONS[error.code ?? ''] ?? error.message;
      reject(new Error(`broker ${nodeId} cannot open its Kafka listener on ${host}:${port}: ${reason}`));
    });
    server.listen(port, host, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
}
