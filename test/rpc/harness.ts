// Two nodes in one process over real gRPC and loopback, for tests of rpc. Everything else (process, disk) is absent.
import { LamportClock } from '../../src/runtime/lamport.ts';
import { Turns } from '../../src/runtime/real/turns.ts';
import { RpcNetwork } from '../../src/rpc/network.ts';
import { RpcServer } from '../../src/rpc/server.ts';

export interface RpcNode {
  readonly network: RpcNetwork;
  readonly server: RpcServer;
  readonly lamport: LamportClock;
  readonly turns: Turns;
  /** How often events were flushed before bytes left. */
  readonly flushes: () => number;
}

export interface RpcNodeOptions {
  readonly secret?: string;
  readonly messageBytesMax?: number;
}

/** A node that does not listen yet. */
export function rpcNode(node: number, options: RpcNodeOptions = {}): RpcNode {
  const secret = options.secret ?? 'test-secret';
  const bound = options.messageBytesMax === undefined ? {} : { messageBytesMax: options.messageBytesMax };
  const lamport = new LamportClock();
  const turns = new Turns((error) => {
    throw error;
  });
  const server = new RpcServer({ secret, ...bound });
  let flushes = 0;
  const flush = (): void => void (flushes += 1);
  const network = new RpcNetwork({ node, secret, turns, lamport, flush, server, ...bound });
  return { network, server, lamport, turns, flushes: () => flushes };
}

/** Lets the event loop turn until `condition` holds. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`did not come about: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

export function closeNode({ network, server }: RpcNode): void {
  network.close();
  server.kill();
}
