// What must be true when bytes leave: the events that caused them are written, and a node that kills itself at a point lets
// go what came before the point and nothing that came after (design sections 6 and 7).
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RequestOf } from '../../src/protocol/apis.ts';
import {
  HEARTBEAT,
  HEARTBEAT_ANSWER,
  LOG_REQUEST,
  logResponse,
} from '../../src/runtime/conformance/sample-messages.ts';
import type { InStream, OutStream } from '../../src/runtime/ports.ts';
import { Departures } from '../../src/rpc/departures.ts';
import { closeNode, rpcNode, until, type RpcNode } from './harness.ts';

let one: RpcNode;
let two: RpcNode;

beforeEach(() => {
  one = rpcNode(1);
  two = rpcNode(2);
});
afterEach(() => {
  closeNode(one);
  closeNode(two);
});

async function connect(): Promise<void> {
  const port = await two.server.listen('127.0.0.1', 0);
  one.network.setAddress(2, '127.0.0.1', port);
}

const produce = (index: number, sizeBytes: number): RequestOf<'Produce'> => ({
  ...{ correlationId: index, acks: -1, timeoutMs: 1000, transactionalId: '', transactionVersion: 0, clientId: '' },
  partitions: [{ topic: 't', partition: 0, records: Buffer.alloc(sizeBytes, index) }],
});

/** Node 2 notes which produce requests it got. */
function servingProduce(): number[] {
  const got: number[] = [];
  two.network.serve({
    unary: {},
    stream: {
      Produce: () => ({
        message: (request) => got.push(request.correlationId),
        ended: () => undefined,
        closed: () => got.push(-1),
      }),
    },
  });
  return got;
}

const openProduce = (): OutStream<RequestOf<'Produce'>> =>
  one.network.open(2, 'Produce', { message: () => undefined, closed: () => undefined });

test('events are written before a request, a stream message and an answer leave', async () => {
  two.network.serve({
    unary: { BrokerHeartbeat: (_request, _from, answer) => answer(HEARTBEAT_ANSWER) },
    stream: { MetadataLog: (stream) => ({ ...silent, message: () => stream.send(logResponse(1)) }) },
  });
  await connect();
  let heard = 0;
  one.network.request(2, 'BrokerHeartbeat', HEARTBEAT, 5000, () => (heard += 1));
  expect(one.flushes()).toBe(1);
  await until(() => heard === 1, 'the request ends');
  expect(two.flushes()).toBe(1);
  const stream = one.network.open(2, 'MetadataLog', { message: () => (heard += 1), closed: () => undefined });
  stream.send(LOG_REQUEST);
  expect(one.flushes()).toBe(2);
  await until(() => heard === 2, 'the stream answers');
  expect(two.flushes()).toBe(2);
});

const silent = { message: () => undefined, ended: () => undefined, closed: () => undefined };

test('a stopped node lets go what it had sent, however large, and nothing that it says afterwards', async () => {
  const got = servingProduce();
  await connect();
  const stream = openProduce();
  stream.send(produce(0, 10));
  await until(() => got.length === 1, 'the stream is open');
  for (let index = 1; index <= 20; index++) stream.send(produce(index, 256 * 1024));
  one.turns.stop();
  stream.send(produce(99, 10));
  one.network.request(2, 'BrokerHeartbeat', HEARTBEAT, 1000, () => got.push(99));
  let drained = false;
  one.network.drained(10_000, () => (drained = true));
  await until(() => drained, 'everything has left');
  // What has left is on its way: the process may end now.
  await until(() => got.length === 21, 'all that was sent before arrives');
  expect(got).toEqual(Array.from({ length: 21 }, (_, index) => index));
});

test('an answer handed over before the point leaves, one after it does not', async () => {
  const answers: (() => void)[] = [];
  two.network.serve({
    unary: { BrokerHeartbeat: (_request, _from, answer) => answers.push(() => answer(HEARTBEAT_ANSWER)) },
    stream: {},
  });
  await connect();
  const outcomes: string[] = [];
  for (let index = 0; index < 2; index++) {
    one.network.request(2, 'BrokerHeartbeat', HEARTBEAT, 300, ({ kind }) => outcomes.push(kind));
  }
  await until(() => answers.length === 2, 'both arrive');
  answers[0]?.();
  two.turns.stop();
  answers[1]?.();
  let drained = false;
  two.network.drained(10_000, () => (drained = true));
  await until(() => drained && outcomes.length === 2, 'both end');
  expect(outcomes).toEqual(['ok', 'timed-out']);
});

test('draining is bounded: what never leaves cannot hold a node alive', async () => {
  const departures = new Departures();
  const left = departures.begin();
  const drained: string[] = [];
  departures.drained(20, () => drained.push('bound'));
  await until(() => drained.length === 1, 'the bound passes');
  departures.drained(20_000, () => drained.push('left'));
  left();
  left();
  await until(() => drained.length === 2, 'everything has left');
  expect(drained).toEqual(['bound', 'left']);
});

test('a held node hears and says nothing; then everything goes on in order', async () => {
  let served: InStream<ReturnType<typeof logResponse>> | undefined;
  const heardByTwo: number[] = [];
  two.network.serve({
    unary: {},
    stream: {
      MetadataLog: (stream) => {
        served = stream;
        return { ...silent, message: (request) => heardByTwo.push(request.fromOffset) };
      },
    },
  });
  await connect();
  const heard: number[] = [];
  const stream = one.network.open(2, 'MetadataLog', {
    message: (response) => heard.push(response.baseOffset),
    closed: () => undefined,
  });
  stream.send({ ...LOG_REQUEST, fromOffset: 0 });
  await until(() => heardByTwo.length === 1, 'the stream is open');
  two.turns.hold();
  served?.send(logResponse(1));
  stream.send({ ...LOG_REQUEST, fromOffset: 1 });
  let fenced = false;
  one.network.request(2, 'BrokerHeartbeat', HEARTBEAT, 5000, () => (fenced = true));
  await until(() => fenced, 'a later round trip on the same connection');
  expect([heard, heardByTwo]).toEqual([[], [0]]);
  two.turns.resumeWith(() => heardByTwo.push(-1));
  await until(() => heard.length === 1, 'what waited goes on');
  expect(heardByTwo).toEqual([0, -1, 1]);
});
