// An agent at work: its nodes, its gRPC service, and an ending that leaves nothing behind. Used by the
// agent's own program and by tests.
import grpc from '@grpc/grpc-js';
import { messageCodec } from '../runtime/codec.ts';
import { serviceMethods } from '../runtime/message-types.ts';
import { loopbackOf } from '../rpc/bind.ts';
import { RpcServer } from '../rpc/server.ts';
import { serveEvents } from '../rpc/services/events.ts';
import { Agent, type AgentOptions } from './agent.ts';
import type { AgentMethods } from './agent-client.ts';
import { leaveDirectory, takeDirectory, type DirectoryHolder } from './directory-lock.ts';
import { grpcLink } from './grpc-link.ts';
import { writeState, type ClusterState } from './home.ts';
import { startTimeOf } from './process-identity.ts';
import { agentService, type AgentService } from './service.ts';

export interface RunningAgent {
  readonly agent: Agent;
  /** Resolves when somebody has shut the cluster down through the service. */
  readonly shutDown: Promise<void>;
  /** Stops all nodes and the service. */
  close(graceMs: number): Promise<void>;
}

export interface RunAgentOptions extends Omit<AgentOptions, 'link'> {
  /** Runs when the agent can be called and before its nodes start. */
  readonly beforeStart?: (agent: Agent) => Promise<void>;
  /** Aborted during the start: the start is given up. */
  readonly stop?: AbortSignal;
  /** Aborted: all nodes are killed at once, whatever is under way. */
  readonly kill?: AbortSignal;
}

/** What nodes get for a clean stop when the start has failed. */
const FAILED_GRACE_MS = 1000;

/**
 * Serves and starts all nodes of a cluster laid out by `layOut`. If one cannot start, everything is ended again and the
 * reason thrown.
 */
export async function runAgent(state: ClusterState, options: RunAgentOptions): Promise<RunningAgent> {
  const { home, stop, kill } = options;
  const self = { pid: process.pid, startTime: startTimeOf(process.pid) ?? '' };
  const mine: ClusterState = { ...state, agent: { ...state.agent, ...self } };
  const holder = takeDirectory(mine.dir, { ...self, home });
  if (holder !== undefined) throw new Error(heldBy(mine.dir, holder));
  writeState(mine, home);
  const agent = new Agent(mine, { ...options, link: (node, secret) => grpcLink(node, loopbackOf(mine.host), secret) });
  const server = new RpcServer({ secret: mine.secret });
  let announce: () => void = () => undefined;
  const shutDown = new Promise<void>((resolve) => (announce = resolve));
  register(
    server,
    agentService(agent, () => announce()),
  );
  serveEvents(server, (node) => agent.eventFiles(node));
  const close = async (graceMs: number): Promise<void> => {
    await agent.shutdown(graceMs);
    await server.stop();
    writeState({ ...agent.state, agent: { ...agent.state.agent, pid: 0, startTime: '' } }, home);
    leaveDirectory(mine.dir, self);
  };
  kill?.addEventListener('abort', () => void agent.killAll('interrupted again'));
  const giveUp = (): void => void agent.shutdown(FAILED_GRACE_MS);
  stop?.addEventListener('abort', giveUp);
  try {
    await server.listen(mine.host, mine.agent.port);
    await options.beforeStart?.(agent);
    stop?.throwIfAborted();
    await agent.startAll();
    stop?.throwIfAborted();
  } catch (error) {
    await close(FAILED_GRACE_MS);
    throw error;
  } finally {
    stop?.removeEventListener('abort', giveUp);
  }
  return { agent, shutDown, close };
}

/** Why a directory cannot be used now. */
export function heldBy(dir: string, holder: DirectoryHolder): string {
  return (
    `${dir} is in use by a running cluster (agent pid ${holder.pid}, recorded in ${holder.home}). ` +
    'Stop that one first (highwater down), or give another directory with --dir'
  );
}

/** Puts the plain functions of the service behind gRPC. */
function register(server: RpcServer, service: AgentService): void {
  for (const method of serviceMethods('Agent')) {
    const call = service[method.name as keyof AgentMethods] as (request: object) => Promise<object>;
    server.unary(method.path, true, (incoming, reply) => {
      const answer = async (): Promise<Buffer> => {
        const request = messageCodec(method.requestType).decode(incoming.request);
        return messageCodec(method.responseType).encode(await call(request));
      };
      answer().then(
        (bytes) => reply(null, bytes),
        (error: Error) => reply({ code: grpc.status.INVALID_ARGUMENT, details: error.message }),
      );
    });
  }
}
