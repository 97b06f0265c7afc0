// The two roles of a node process: puts the core of one behind the shell and says how it is stopped.
import type { Address } from '../agent/kafka-listeners.ts';
import type { StartFile } from '../agent/start-file.ts';
import type { FaultEngine } from '../fault/engine.ts';
import { createBrokerHost, type BrokerHost } from '../host/broker-host.ts';
import { createControllerHost } from '../host/controller-host.ts';
import type { FaultSettings } from '../host/furnish.ts';
import { startKafkaListener } from '../kafka/listener.ts';
import type { RecordedValues } from '../kafka/recorded-values.ts';
import { createRecorder, type WireRecorder } from '../kafka/recorder.ts';
import { nodeConfig, type NodeConfig } from '../protocol/config.ts';
import type { Endpoint, FaultSpec } from '../protocol/generated/index.ts';
import { GRPC_ENDPOINT, KAFKA_ENDPOINT, outsideEndpoint } from '../protocol/listeners.ts';
import type { BrokerApi } from '../node/api.ts';
import { brokerDoor, fromOutside } from './broker-door.ts';
import type { NodeShell } from './node-shell.ts';
import { wireFaults } from './wire-faults.ts';
import type { Logger } from 'pino';

/** A node at work. */
export interface RunningNode {
  /** 0 for the controller. */
  readonly kafkaPort: number;
  /** Controlled shutdown; then nothing is served any more. */
  stop(): Promise<void>;
}

function settingsOf(start: StartFile): FaultSettings {
  return { faults: start.faults as FaultSpec[], cutTo: start.cutTo, safeguardsOff: start.safeguardsOff };
}

/** Starts the controller; resolves when it decides. */
export async function startController(start: StartFile, shell: NodeShell): Promise<RunningNode> {
  const config = nodeConfig(start.config, start.timers);
  const settings = settingsOf(start);
  const host = createControllerHost(shell.runtime, { config, settings, effects: shell.effects });
  shell.offer(host);
  shell.status.clusterId = () => host.controller.image.clusterId;
  await new Promise<void>((resolve) => shell.turns.resumeWith(() => host.start(resolve)));
  return { kafkaPort: 0, stop: () => inTurn(shell, (done) => host.stop(done)) };
}

/** Starts a broker; resolves when its ports are open. It joins the cluster in its own time (repl R-89). */
export async function startBroker(start: StartFile, shell: NodeShell, log: Logger): Promise<RunningNode> {
  const config = nodeConfig(start.config, start.timers);
  const clusterId = (): string => host.broker.clusterId;
  const door = brokerDoor(shell.turns, () => host.api);
  let engine: FaultEngine | undefined = undefined;
  const faults = wireFaults(shell.turns, () => engine);
  const listen = (name: string, { host, port }: Address, broker: BrokerApi) =>
    startKafkaListener({
      ...{ name, host, port, broker, nodeId: start.id, config, clusterId, faults },
      recorder: recorderOf(config, { name, shell, door }),
      log: (level, message) => log[level](message),
      beforeSend: () => shell.flush(),
    });
  const listener = await listen('inside', { host: start.host, port: start.kafkaPort }, door);
  const bind = bindOutside(start);
  const outside = bind === undefined ? undefined : await listen('outside', bind, fromOutside(door));
  const host: BrokerHost = createBrokerHost(shell.runtime, {
    ...{
      id: start.id,
      config,
      effects: shell.effects,
      settings: settingsOf(start),
      truncateTail: start.truncateTail,
      wiped: start.wiped,
    },
    endpoints: endpointsOf(start, shell.grpcPort, listener.port),
  });
  engine = host.engine;
  shell.offer(host);
  shell.status.clusterId = clusterId;
  shell.turns.resumeWith(() => host.start());
  return {
    kafkaPort: listener.port,
    stop: async () => {
      await inTurn(shell, (done) => host.shutDown(done));
      await Promise.all([listener.close(), outside?.close()]);
    },
  };
}

interface Listening {
  readonly name: string;
  readonly shell: NodeShell;
  readonly door: BrokerApi;
}

/** Writes what clients ask and are told into the event file, if the cluster is recorded. */
function recorderOf(config: NodeConfig, { name, shell, door }: Listening): WireRecorder | undefined {
  const values = config['kafka.record'];
  if (values === '') return undefined;
  const nowUs = (): number => Number(process.hrtime.bigint() / 1000n);
  return createRecorder({
    ...{ name: `${name}@${nowUs().toString(36)}`, values: values as RecordedValues, nowUs },
    topicName: (topicId) => door.topicName(topicId),
    trace: (event) => shell.turns.depart(() => shell.runtime.trace(event)),
  });
}

/** Where the second Kafka listener listens, if there is one. */
function bindOutside({ host, outside, kafkaOutside }: StartFile): Address | undefined {
  if (kafkaOutside !== undefined) return kafkaOutside.bind;
  const listens = outside?.listens ?? outside;
  return listens && { host, port: listens.kafkaPort };
}

/** Where others find this broker: inside the network of the nodes, and outside if it listens there. */
function endpointsOf(start: StartFile, grpcPort: number, kafkaPort: number): Endpoint[] {
  const { advertisedHost, outside, kafkaAdvertised, kafkaOutside } = start;
  const endpoint = (name: string, { host, port }: Address): Endpoint => ({ name, host, port });
  const kafka = kafkaAdvertised ?? { host: advertisedHost, port: kafkaPort };
  const kafkaOut = kafkaOutside ?? (outside && { host: outside.host, port: outside.kafkaPort });
  const grpcOut = outside && { host: outside.host, port: outside.grpcPort };
  return [
    endpoint(GRPC_ENDPOINT, { host: advertisedHost, port: grpcPort }),
    endpoint(KAFKA_ENDPOINT, kafka),
    ...(grpcOut === undefined ? [] : [endpoint(outsideEndpoint(GRPC_ENDPOINT), grpcOut)]),
    ...(kafkaOut === undefined ? [] : [endpoint(outsideEndpoint(KAFKA_ENDPOINT), kafkaOut)]),
  ];
}

function inTurn(shell: NodeShell, run: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => shell.turns.deliver(() => run(resolve)));
}
