// The Network port over gRPC does what every Network must do.
import { describe } from 'vitest';
import { conformance, NETWORK_SUITE, type NetworkHarness } from '../../src/runtime/conformance/index.ts';
import { closeNode, rpcNode, until, type RpcNode } from './harness.ts';

function openHarness(): Promise<NetworkHarness> {
  const nodes: Readonly<Record<1 | 2, RpcNode>> = { 1: rpcNode(1), 2: rpcNode(2) };
  const ready = async (): Promise<void> => {
    for (const id of [1, 2] as const) {
      const port = await nodes[id].server.listen('127.0.0.1', 0);
      for (const other of [1, 2] as const) nodes[other].network.setAddress(id, '127.0.0.1', port);
    }
  };
  return Promise.resolve({
    network: (node) => nodes[node].network,
    ready,
    kill: async () => {
      nodes[2].turns.stop();
      nodes[2].server.kill();
      await Promise.resolve();
    },
    lamport: (node) => nodes[node].lamport.time,
    until,
    close: async () => {
      closeNode(nodes[1]);
      closeNode(nodes[2]);
      await Promise.resolve();
    },
  });
}

describe('rpc network', () => conformance(NETWORK_SUITE, openHarness));
