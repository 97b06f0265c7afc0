// An agent at work: its nodes, its gRPC service, and an ending that leaves nothing behind. Used by `up` in the
// foreground and by the agent's own program.
import grpc from '@grpc/grpc-js';
import { performance } from 'node:perf_hooks';
import { messageCodec, serviceMethods } from '../runtime/codec.ts';
import { RpcServer } from '../rpc/server.ts';
import { Agent } from './agent.ts';
import type { AgentMethods } from './agent-client.ts';
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

export interface RunAgentOptions {
  readonly home: string;
  /** dist/node/main.js. */
  readonly program: string;
}

/**
 * Serves and starts all nodes of a cluster laid out by `layOut`. If one cannot start, everything is ended again and the
 * reason thrown.
 */
export async function runAgent(state: ClusterState, options: RunAgentOptions): Promise<RunningAgent> {
  const mine: ClusterState = {
    ...state,
    agent: { ...state.agent, pid: process.pid, startTime: startTimeOf(process.pid) ?? '' },
  };
  writeState(mine, options.home);
  const agent = new Agent(mine, { ...options, link: (node, secret) => grpcLink(node, mine.host, secret) });
  const server = new RpcServer({ secret: mine.secret });
  let announce: () => void = () => undefined;
  const shutDown = new Promise<void>((resolve) => (announce = resolve));
  register(
    server,
    agentService(agent, () => announce()),
  );
  const close = async (graceMs: number): Promise<void> => {
    await agent.shutdown(graceMs);
    await server.stop();
    writeState({ ...agent.state, agent: { ...agent.state.agent, pid: 0, startTime: '' } }, options.home);
  };
  try {
    await server.listen(mine.host, mine.agent.port);
    await agent.startAll();
  } catch (error) {
    await close(1000);
    throw error;
  }
  return { agent, shutDown, close };
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

/** Milliseconds since `start` of performance.now(), for messages. */
export function secondsSince(start: number): string {
  return ((performance.now() - start) / 1000).toFixed(1);
}
