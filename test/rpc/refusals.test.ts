// What a server refuses at its edge, and that nothing a caller sends ends the process (design sections 5 and 10).
import grpc from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MalformedMessage, messageCodec } from '../../src/runtime/codec.ts';
import { HEARTBEAT, HEARTBEAT_ANSWER } from '../../src/runtime/conformance/sample-messages.ts';
import { asIs, createChannel, MESSAGE_BYTES_MAX } from '../../src/rpc/channel.ts';
import { callerMetadata } from '../../src/rpc/access.ts';
import { pathOf } from '../../src/rpc/methods.ts';
import { closeNode, rpcNode, until, type RpcNode } from './harness.ts';

const METADATA = { clusterId: 'c', brokers: [], topics: [], metadataOffset: 0, transactionVersion: 0 };
let node: RpcNode;
let port: number;

beforeEach(async () => {
  node = rpcNode(1, { messageBytesMax: 4096 });
  node.network.serve({
    unary: {
      BrokerHeartbeat: (_request, _from, answer) => answer(HEARTBEAT_ANSWER),
      Metadata: (_request, _from, answer) => answer(METADATA),
    },
    stream: { Produce: () => ({ message: () => undefined, ended: () => undefined, closed: () => undefined }) },
  });
  port = await node.server.listen('127.0.0.1', 0);
  node.network.setAddress(1, '127.0.0.1', port);
});
afterEach(() => closeNode(node));

/** Calls with bytes as they are; answers the status. */
function call(api: 'BrokerHeartbeat' | 'Metadata', bytes: Buffer, secret: string): Promise<grpc.ServiceError | null> {
  const client = createChannel('127.0.0.1', port, MESSAGE_BYTES_MAX);
  return new Promise((resolve) => {
    const options = { deadline: Date.now() + 5000 };
    client.makeUnaryRequest(pathOf(api), asIs, asIs, bytes, callerMetadata(7, secret), options, (error) => {
      client.close();
      resolve(error);
    });
  });
}

/** Sends bytes on a Produce stream; answers the status that ends it. */
function stream(bytes: Buffer): Promise<grpc.StatusObject> {
  const client = createChannel('127.0.0.1', port, MESSAGE_BYTES_MAX);
  const opened = client.makeBidiStreamRequest(pathOf('Produce'), asIs, asIs, callerMetadata(7, ''));
  opened.on('error', () => undefined);
  opened.on('data', () => undefined);
  opened.write(bytes);
  return new Promise((resolve) =>
    opened.on('status', (status) => {
      client.close();
      resolve(status);
    }),
  );
}

async function expectAlive(): Promise<void> {
  expect(await call('BrokerHeartbeat', heartbeat, 'test-secret')).toBeNull();
}

const heartbeat = messageCodec('BrokerHeartbeatRequest').encode(HEARTBEAT);
const NONSENSE = Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x01]);

describe('the secret', () => {
  test('an inter-broker call without it is UNAUTHENTICATED, with a sentence that says what to do', async () => {
    const error = await call('BrokerHeartbeat', heartbeat, '');
    expect(error?.code).toBe(grpc.status.UNAUTHENTICATED);
    expect(error?.details).toMatch(/needs the cluster's secret as metadata x-highwater-secret.*state file/);
  });

  test('a wrong one is UNAUTHENTICATED, the right one admits', async () => {
    expect((await call('BrokerHeartbeat', heartbeat, 'another'))?.code).toBe(grpc.status.UNAUTHENTICATED);
    expect(await call('BrokerHeartbeat', heartbeat, 'test-secret')).toBeNull();
  });

  test('client services need none', async () => {
    expect(await call('Metadata', Buffer.alloc(0), '')).toBeNull();
  });

  test('a core hears of the refusal as a broken connection, with the reason', async () => {
    const stranger = rpcNode(2, { secret: 'another' });
    stranger.network.setAddress(1, '127.0.0.1', port);
    let outcome: unknown;
    stranger.network.request(1, 'BrokerHeartbeat', HEARTBEAT, 5000, (ended) => (outcome = ended));
    await until(() => outcome !== undefined, 'the request ends');
    expect(outcome).toMatchObject({ kind: 'disconnected', reason: expect.stringContaining('UNAUTHENTICATED') });
    let closed: string | undefined;
    const on = { message: () => undefined, closed: (reason: string | undefined) => (closed = reason) };
    stranger.network.open(1, 'Fetch', on);
    await until(() => closed !== undefined, 'the stream closes');
    closeNode(stranger);
  });
});

describe('what cannot be decoded', () => {
  test('is INVALID_ARGUMENT, and the next call is served', async () => {
    expect((await call('BrokerHeartbeat', NONSENSE, 'test-secret'))?.code).toBe(grpc.status.INVALID_ARGUMENT);
    await expectAlive();
  });

  test('ends a stream with INVALID_ARGUMENT, and the next call is served', async () => {
    expect((await stream(NONSENSE)).code).toBe(grpc.status.INVALID_ARGUMENT);
    await expectAlive();
  });

  test('an integer of 2^53 is INVALID_ARGUMENT, 2^53-1 is served', async () => {
    const withEpoch = (brokerEpoch: number) =>
      messageCodec('BrokerHeartbeatRequest').encode({ ...HEARTBEAT, brokerEpoch });
    const refused = await call('BrokerHeartbeat', withEpoch(2 ** 53), 'test-secret');
    expect(refused?.code).toBe(grpc.status.INVALID_ARGUMENT);
    expect(refused?.details).toMatch(/BrokerHeartbeatRequest\.brokerEpoch is beyond 2\^53-1/);
    expect(await call('BrokerHeartbeat', withEpoch(2 ** 53 - 1), 'test-secret')).toBeNull();
  });

  test('a nested integer beyond 2^53-1 and an unknown enum value are refused', () => {
    const codec = messageCodec('FetchRequest');
    const wide = codec.encode({ partitions: [{ fetchOffset: -(2 ** 60) }] });
    expect(() => codec.decode(wide)).toThrow(MalformedMessage);
    // Field 2 of BrokerHeartbeatResponse is the error; 999 is none.
    const unknown = Buffer.from([0x10, 0xe7, 0x07]);
    expect(() => messageCodec('BrokerHeartbeatResponse').decode(unknown)).toThrow(/has no value 999/);
  });
});

describe('size', () => {
  test('a message over the limit is RESOURCE_EXHAUSTED, and the next call is served', async () => {
    const large = messageCodec('MetadataRequest').encode({ topics: ['x'.repeat(5000)] });
    expect((await call('Metadata', large, ''))?.code).toBe(grpc.status.RESOURCE_EXHAUSTED);
    expect((await stream(Buffer.alloc(5000))).code).toBe(grpc.status.RESOURCE_EXHAUSTED);
    await expectAlive();
  });
});
