// What the cases of the Network suite share: a harness of two nodes, and a round trip that serves as a fence.
import { expect } from 'vitest';
import type { NodeId } from '../../base/units.ts';
import type { ResponseOf } from '../../protocol/apis.ts';
import type { Answer, Handlers, Network, Outcome } from '../ports.ts';
import type { Harness } from './harness.ts';
import { HEARTBEAT, HEARTBEAT_ANSWER } from './sample-messages.ts';

/** Nodes 1 and 2 can reach each other and themselves; node 99 does not exist. */
export interface NetworkHarness extends Harness {
  network(node: 1 | 2): Network;
  /** Call after both have been given their handlers with `serve`, before anything is sent. */
  ready(): Promise<void>;
  /** Ends node 2 at once, as kill -9 does. */
  kill(): Promise<void>;
  /** The node's Lamport time. */
  lamport(node: 1 | 2): number;
}

/** A node that does not exist. */
export const NOBODY: NodeId = 99;

/** A message without the Lamport time that a network adds. */
export function body<M extends object>(message: M): Omit<M, 'lamport'> {
  const { lamport: _lamport, ...rest } = message as M & { lamport?: number };
  return rest as Omit<M, 'lamport'>;
}

/** Gives both nodes their handlers. */
export async function serving(
  harness: NetworkHarness,
  two: Partial<Handlers>,
  one: Partial<Handlers> = {},
): Promise<void> {
  harness.network(1).serve({ unary: {}, stream: {}, ...one });
  harness.network(2).serve({ unary: {}, stream: {}, ...two });
  await harness.ready();
}

/** How a heartbeat ended. */
export type Beat = Outcome<ResponseOf<'BrokerHeartbeat'>>;

/** Sends a heartbeat and waits for its end, which comes once and not inside the call. */
export async function beat(harness: NetworkHarness, to: NodeId, timeoutMs = 5000, from: 1 | 2 = 1): Promise<Beat> {
  let outcome: Beat | undefined;
  harness.network(from).request(to, 'BrokerHeartbeat', HEARTBEAT, timeoutMs, (ended) => {
    expect(outcome).toBeUndefined();
    outcome = ended;
  });
  expect(outcome).toBeUndefined();
  await harness.until(() => outcome !== undefined, 'the request ends');
  return outcome as Beat;
}

/** Serves heartbeats. */
export const beats = {
  BrokerHeartbeat: (_request: unknown, _from: NodeId, answer: Answer<ResponseOf<'BrokerHeartbeat'>>) =>
    answer(HEARTBEAT_ANSWER),
};
