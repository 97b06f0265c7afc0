// What a fault holds over real gRPC arrives when it is let go, also if its caller has given up meanwhile: a network does not
// know the patience of those who use it. The cases of the lanes themselves are in test/fault/faulty-network.test.ts.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FaultEngine } from '../../src/fault/engine.ts';
import { FaultyNetwork } from '../../src/fault/faulty-network.ts';
import { faultSpec } from '../../src/fault/spec.ts';
import { HEARTBEAT, HEARTBEAT_ANSWER } from '../../src/runtime/conformance/sample-messages.ts';
import type { Network } from '../../src/runtime/ports.ts';
import { createRealClock } from '../../src/runtime/real/clock.ts';
import { closeNode, rpcNode, until, type RpcNode } from './harness.ts';

let one: RpcNode;
let two: RpcNode;
let engine: FaultEngine;
let faulty: Network;
/** What reached node 2. */
let got: string[];

beforeEach(async () => {
  one = rpcNode(1);
  two = rpcNode(2);
  got = [];
  two.network.serve({
    unary: {
      BrokerHeartbeat: (_request, _from, answer) => {
        got.push('heartbeat');
        answer(HEARTBEAT_ANSWER);
      },
    },
    stream: {
      Produce: (stream) => ({
        message: ({ correlationId }) => {
          got.push(`produce ${correlationId}`);
          stream.send({ correlationId, partitions: [] });
        },
        ended: () => {
          got.push('ended');
          stream.end();
        },
        closed: () => got.push('broken'),
      }),
    },
  });
  one.network.setAddress(2, '127.0.0.1', await two.server.listen('127.0.0.1', 0));
  const clock = createRealClock(one.turns, { holdsProcess: true });
  const nothing = (): void => undefined;
  const effects = { kill: nothing, pause: nothing, elsewhere: nothing };
  engine = new FaultEngine({ node: 1, clock, random: { next: () => 0 }, effects, trace: nothing });
  faulty = new FaultyNetwork({ node: 1, inner: one.network, engine, clock });
});
afterEach(() => {
  closeNode(one);
  closeNode(two);
});

test('a produce whose producer has given up the stream', async () => {
  engine.arm(faultSpec({ id: 'stall', point: 'rpc.Produce.request', action: 'hold', times: 1 }));
  const heard: string[] = [];
  const stream = faulty.open(2, 'Produce', {
    message: ({ correlationId }) => heard.push(`answer ${correlationId}`),
    closed: () => heard.push('closed'),
  });
  const request = {
    acks: -1,
    timeoutMs: 1000,
    transactionalId: '',
    transactionVersion: 0,
    clientId: '',
    partitions: [],
  };
  stream.send({ ...request, correlationId: 0 });
  stream.send({ ...request, correlationId: 1 });
  stream.abort();
  engine.release('stall');
  await until(() => got.length === 3, 'both arrive, then the end');
  expect([got, heard]).toEqual([['produce 0', 'produce 1', 'ended'], []]);
});

test('a call whose caller has given up', async () => {
  engine.arm(faultSpec({ id: 'stall', point: 'rpc.BrokerHeartbeat.request', action: 'hold' }));
  const ended: string[] = [];
  faulty.request(2, 'BrokerHeartbeat', HEARTBEAT, 1, ({ kind }) => ended.push(kind));
  await until(() => ended.length === 1, 'it times out');
  engine.release('stall');
  await until(() => got.length === 1, 'it arrives');
  expect([got, ended]).toEqual([['heartbeat'], ['timed-out']]);
});
