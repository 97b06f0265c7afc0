// The two roles of a node process: puts the core of one behind the shell and says how it is stopped.
import type { StartFile } from '../agent/start-file.ts';
import { createBrokerHost, type BrokerHost } from '../host/broker-host.ts';
import { createControllerHost } from '../host/controller-host.ts';
import type { FaultSettings } from '../host/furnish.ts';
import { startKafkaListener } from '../kafka/listener.ts';
import { nodeConfig } from '../protocol/config.ts';
import type { FaultSpec } from '../protocol/generated/index.ts';
import { brokerDoor } from './broker-door.ts';
import type { NodeShell } from './node-shell.ts';
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
  const listener = await startKafkaListener({
    ...{ host: start.host, port: start.kafkaPort, nodeId: start.id, config, clusterId },
    broker: brokerDoor(shell.turns, () => host.api),
    log: (level, message) => log[level](message),
    beforeSend: () => shell.flush(),
  });
  const host: BrokerHost = createBrokerHost(shell.runtime, {
    ...{
      id: start.id,
      config,
      effects: shell.effects,
      settings: settingsOf(start),
      truncateTail: start.truncateTail,
      wiped: start.wiped,
    },
    endpoints: [
      { name: 'REPLICATION', host: start.advertisedHost, port: shell.grpcPort },
      { name: 'KAFKA', host: start.advertisedHost, port: listener.port },
    ],
  });
  shell.offer(host);
  shell.status.clusterId = clusterId;
  shell.turns.resumeWith(() => host.start());
  return {
    kafkaPort: listener.port,
    stop: async () => {
      await inTurn(shell, (done) => host.shutDown(done));
      await listener.close();
    },
  };
}

function inTurn(shell: NodeShell, run: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => shell.turns.deliver(() => run(resolve)));
}
