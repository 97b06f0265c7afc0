// Everything around the cores of a node process: its files, its gRPC server and network, its Runtime, its end. The same for
// brokers and the controller; what differs is in roles.ts.
import { join } from 'node:path';
import { makeFolder } from '../agent/make-folder.ts';
import type { Logger } from 'pino';
import { InvariantViolation } from '../base/assert.ts';
import { NODE_FILES } from '../agent/layout.ts';
import type { StartFile } from '../agent/start-file.ts';
import { FORMAT_KEY } from '../controller/log-store.ts';
import type { FaultControls } from '../host/furnish.ts';
import { DiskFailure } from '../runtime/disk-failure.ts';
import { seenFromOutside } from '../protocol/listeners.ts';
import { CHECKPOINT_KEYS, factKey } from '../log/keys.ts';
import { LamportClock } from '../runtime/lamport.ts';
import { EventFile } from '../runtime/real/event-file.ts';
import { openLevelStore, type LevelStore } from '../runtime/real/leveldb-store.ts';
import { createRealRuntime, type RealRuntime } from '../runtime/real/runtime.ts';
import { Turns } from '../runtime/real/turns.ts';
import { serveLocally } from '../rpc/local-service.ts';
import { RpcNetwork } from '../rpc/network.ts';
import { loopbackOf } from '../rpc/bind.ts';
import { RpcServer } from '../rpc/server.ts';
import { serveEvents } from '../rpc/services/events.ts';
import { nodeFaults } from '../rpc/services/faults.ts';
import { nodeStatus } from '../rpc/services/status.ts';
import { StandardServices } from '../rpc/standard-services.ts';
import type { AgentPipe } from './agent-pipe.ts';
import { StatusWatch } from './status-watch.ts';

/** Our bug: an invariant broke (exit codes of the program). */
const EXIT_BUG = 70;

export interface ShellOptions {
  readonly start: StartFile;
  readonly dataDir: string;
  readonly pipe: AgentPipe;
  readonly log: Logger;
}

export interface NodeShell extends RealRuntime {
  readonly turns: Turns;
  readonly network: RpcNetwork;
  readonly status: StatusWatch;
  /** Port of the gRPC services. */
  readonly grpcPort: number;
  /** Writes the events gathered so far; before anything leaves the process. */
  flush(): void;
  /** Serves the fault controls; the other services are served already. */
  offer(controls: FaultControls): void;
  /** Ends streams and connections, closes the files. */
  close(): Promise<void>;
}

const SERVICES = {
  broker: ['BrokerReplication', 'BrokerClient'],
  controller: ['ControllerBroker', 'ControllerAdmin'],
} as const;

/** What every store of a role holds from its first write on. */
const FORMAT_KEYS = { broker: factKey('format'), controller: FORMAT_KEY } as const;

/** Opens files and ports. Nothing reaches the cores before the caller resumes `turns`. */
export async function openShell(options: ShellOptions): Promise<NodeShell> {
  const { start, dataDir, pipe, log } = options;
  makeFolder(dataDir);
  let crashed = (error: unknown): never => crash(undefined, options, error);
  const turns = new Turns((error) => crashed(error));
  turns.hold();
  process.on('uncaughtException', (error) => crashed(error));
  // First of all files: its lock keeps a second process away from the others.
  const store = await openLevelStore({
    directory: join(dataDir, NODE_FILES.store),
    turns,
    mark: FORMAT_KEYS[start.role],
    ...(start.role === 'broker' ? { apart: CHECKPOINT_KEYS } : {}),
  });
  const onHalt = (reason: string): never => {
    turns.stop();
    log.fatal(reason);
    pipe.announce({ error: reason });
    return process.exit(1);
  };
  const lamport = new LamportClock();
  const eventFile = new EventFile({
    ...{ path: join(dataDir, NODE_FILES.events), node: start.id, lamport },
    onFailure: (reason) =>
      onHalt(
        `${reason}. The node stops, since nothing may happen here unseen. Make the disk work, then start it again`,
      ),
  });
  crashed = (error) => {
    if (!(error instanceof DiskFailure)) return crash(eventFile, options, error);
    eventFile.append({ type: 'node.halted', reason: error.message });
    eventFile.flush();
    return onHalt(error.message);
  };
  const server = new RpcServer({ secret: start.secret, outside: start.outside !== undefined });
  const flush = (): void => eventFile.flush();
  const network = new RpcNetwork({
    ...{ node: start.id, secret: start.secret, turns, lamport, flush, server },
    fromOutside: seenFromOutside,
  });
  const grpcPort = await server.listen(start.host, start.grpcPort);
  const outside = start.outside?.listens ?? start.outside;
  if (outside !== undefined) await server.listenOutside(start.host, outside.grpcPort);
  network.setAddress(start.id, loopbackOf(start.host), grpcPort);
  network.setAddress(start.controller.id, start.controller.host, start.controller.port);

  const names = [...SERVICES[start.role], 'NodeFaults', 'Events', 'NodeStatusService'];
  const standard = new StandardServices(
    server,
    names.map((name) => `highwater.v1.${name}`),
  );
  const status = new StatusWatch(start.id, start.role);
  const { runtime, effects } = createRealRuntime({
    ...{ node: start.id, dataDir, turns, network, store, eventFile, seed: start.seed },
    elsewhere: (action, done) => {
      flush();
      pipe.elsewhere(action, done);
    },
    observe: (event) => {
      if (event.type === 'log.line') log[event.level](event.message);
      status.observe(event);
      standard.serving(status.serving);
    },
    onHalt,
  });
  const local = { turns, lamport, flush };
  serveLocally(
    server,
    { ...local, service: 'NodeStatusService', secret: false },
    nodeStatus(() => status.body),
  );
  serveEvents(server, () => [{ node: start.id, path: join(dataDir, NODE_FILES.events) }]);
  return {
    ...{ runtime, effects, turns, network, status, grpcPort, flush },
    offer: (controls) => serveLocally(server, { ...local, service: 'NodeFaults', secret: true }, nodeFaults(controls)),
    close: () => closeAll({ turns, network, server, store, eventFile }),
  };
}

interface Parts {
  readonly turns: Turns;
  readonly network: RpcNetwork;
  readonly server: RpcServer;
  readonly store: LevelStore;
  readonly eventFile: EventFile;
}

async function closeAll({ turns, network, server, store, eventFile }: Parts): Promise<void> {
  network.endStreams();
  turns.stop();
  await server.stop();
  network.close();
  await store.close();
  eventFile.close();
}

/** A broken invariant, or any other exception: going on would make the verdict worthless. */
function crash(eventFile: EventFile | undefined, { log, pipe }: ShellOptions, error: unknown): never {
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const broken = error instanceof InvariantViolation;
  log.fatal(reason);
  eventFile?.append({ type: 'node.halted', reason: `${broken ? 'broken invariant' : 'unexpected error'}: ${reason}` });
  eventFile?.flush();
  pipe.announce({ error: `a bug of ours: ${error instanceof Error ? error.message : String(error)}; see node.log` });
  process.exit(EXIT_BUG);
}
