// Two listeners: whoever comes from outside the network of the nodes is told addresses that he can reach (the trap of
// advertised listeners), over gRPC as over the Kafka protocol.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BrokerApi } from '../../src/node/api.ts';
import { fromOutside } from '../../src/main/broker-door.ts';
import { outsideEndpoint, seenFromOutside } from '../../src/protocol/listeners.ts';
import type { ResponseOf } from '../../src/protocol/apis.ts';
import { RpcNetwork } from '../../src/rpc/network.ts';
import { RpcServer } from '../../src/rpc/server.ts';
import { LamportClock } from '../../src/runtime/lamport.ts';
import { Turns } from '../../src/runtime/real/turns.ts';

const BROKER = { fenced: false, brokerEpoch: 5, inControlledShutdown: false, rack: '' };
const METADATA: ResponseOf<'Metadata'> = {
  ...{ clusterId: 'c', topics: [], metadataOffset: 0, transactionVersion: 2 },
  brokers: [
    {
      ...{ ...BROKER, id: 1 },
      endpoints: [
        { name: 'REPLICATION', host: 'broker-1', port: 9191 },
        { name: 'KAFKA', host: 'broker-1', port: 9092 },
        { name: outsideEndpoint('REPLICATION'), host: '127.0.0.1', port: 19192 },
        { name: outsideEndpoint('KAFKA'), host: '127.0.0.1', port: 19092 },
      ],
    },
    { ...{ ...BROKER, id: 2 }, endpoints: [{ name: 'KAFKA', host: 'broker-2', port: 9092 }] },
  ],
};
const OUTSIDE = [
  { name: 'REPLICATION', host: '127.0.0.1', port: 19192 },
  { name: 'KAFKA', host: '127.0.0.1', port: 19092 },
];

const turns = (): Turns =>
  new Turns((error) => {
    throw error;
  });
const parts = () => ({ secret: '', turns: turns(), lamport: new LamportClock(), flush: () => undefined });
let server: RpcServer;
let client: RpcNetwork;

beforeEach(() => {
  server = new RpcServer({ secret: '', outside: true });
  const network = new RpcNetwork({ ...parts(), node: 1, server, fromOutside: seenFromOutside });
  network.serve({ unary: { Metadata: (_request, _from, answer) => answer(METADATA) }, stream: {} });
  client = new RpcNetwork({ ...parts(), node: -1 });
});
afterEach(() => {
  client.close();
  server.kill();
});

function endpointsAt(port: number): Promise<unknown> {
  client.setAddress(1, '127.0.0.1', port);
  return new Promise((resolve, reject) => {
    const request = { allTopics: true, topics: [], allowAutoTopicCreation: false };
    client.request(1, 'Metadata', request, 5000, (outcome) => {
      if (outcome.kind === 'ok') resolve(outcome.response.brokers.map(({ endpoints }) => endpoints));
      else reject(new Error(outcome.kind));
    });
  });
}

test('the port a gRPC client comes through decides what it is told', async () => {
  const [inside, outside] = [await server.listen('127.0.0.1', 0), await server.listenOutside('127.0.0.1', 0)];
  expect(await endpointsAt(outside)).toEqual([OUTSIDE, []]);
  expect(await endpointsAt(inside)).toEqual(METADATA.brokers.map(({ endpoints }) => endpoints));
});

test('without a second listener there is nothing to listen on', async () => {
  const single = new RpcServer({ secret: '' });
  await expect(single.listenOutside('127.0.0.1', 0)).rejects.toThrow('without a listener for the outside');
});

test('the door of the Kafka listener outside tells the same', () => {
  const door = { metadata: (_request, answer) => answer(METADATA) } as BrokerApi;
  let told: ResponseOf<'Metadata'> | undefined;
  const request = { allTopics: true, topics: [], allowAutoTopicCreation: false };
  fromOutside(door).metadata(request, (answer) => (told = answer));
  expect(told?.brokers.map(({ endpoints }) => endpoints)).toEqual([OUTSIDE, []]);
});
