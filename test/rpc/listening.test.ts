// Where a server may listen, and what every node offers to any gRPC tool (design section 10).
import grpc from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { afterEach, expect, test } from 'vitest';
import { BindError } from '../../src/rpc/bind.ts';
import { RpcServer } from '../../src/rpc/server.ts';
import { StandardServices } from '../../src/rpc/standard-services.ts';

const servers: RpcServer[] = [];
const clients: grpc.Client[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
  for (const server of servers.splice(0)) server.kill();
});

function newServer(secret: string): RpcServer {
  const server = new RpcServer({ secret });
  servers.push(server);
  return server;
}

const refusal = (listening: Promise<number>): Promise<Error> =>
  listening.then(
    () => new Error('it listens'),
    (error: Error) => error,
  );

test('a port in use is named, with what to do', async () => {
  const port = await newServer('s').listen('127.0.0.1', 0);
  const error = await refusal(newServer('s').listen('127.0.0.1', port));
  expect(error).toBeInstanceOf(BindError);
  expect(error.message).toBe(
    `port ${port} of 127.0.0.1 is taken by another process. Choose another port, or 0 for any free one.`,
  );
});

test('an address of another machine is named', async () => {
  const error = await refusal(newServer('s').listen('192.0.2.1', 0));
  expect(error.message).toMatch(/^192\.0\.2\.1 is not an address of this machine/);
});

test('without a secret only loopback is bound', async () => {
  const error = await refusal(newServer('').listen('0.0.0.0', 0));
  expect(error).toBeInstanceOf(BindError);
  expect(error.message).toContain('HIGHWATER_SECRET');
  expect(await newServer('').listen('127.0.0.1', 0)).toBeGreaterThan(0);
});

async function listening(): Promise<{ readonly port: number; readonly standard: StandardServices }> {
  const server = newServer('a secret that these callers do not know');
  const standard = new StandardServices(server, ['highwater.v1.BrokerClient', 'highwater.v1.NodeFaults']);
  return { port: await server.listen('127.0.0.1', 0), standard };
}

/** A client made from a library's own proto file, as a foreign tool would. */
function foreignClient(library: string, proto: string, service: string, port: number): grpc.Client {
  const root = dirname(createRequire(import.meta.url).resolve(`${library}/package.json`));
  const definition = loadSync(join(root, proto), { enums: String, defaults: true, oneofs: true });
  const found = definition[service] as grpc.ServiceDefinition;
  const client = new (grpc.makeGenericClientConstructor(found, service))(
    `127.0.0.1:${port}`,
    grpc.credentials.createInsecure(),
  );
  clients.push(client);
  return client;
}

type HealthCall = (request: object, done: (error: Error | null, response: unknown) => void) => void;

test('health answers NOT_SERVING, and SERVING once the node does its work, without a secret', async () => {
  const { port, standard } = await listening();
  const proto = 'proto/health/v1/health.proto';
  const client = foreignClient('grpc-health-check', proto, 'grpc.health.v1.Health', port);
  const check = (service: string): Promise<unknown> =>
    new Promise((resolve) => {
      const method = (client as unknown as { check: HealthCall }).check.bind(client);
      method({ service }, (error, response) => resolve(error ?? response));
    });
  expect(await check('')).toMatchObject({ status: 'NOT_SERVING' });
  standard.serving(true);
  expect(await check('')).toMatchObject({ status: 'SERVING' });
  expect(await check('highwater.v1.BrokerClient')).toMatchObject({ status: 'SERVING' });
  expect(await check('nobody')).toMatchObject({ code: grpc.status.NOT_FOUND });
});

test('reflection lists the services and describes their messages, without a secret', async () => {
  const { port } = await listening();
  const proto = 'build/proto/grpc/reflection/v1/reflection.proto';
  const client = foreignClient('@grpc/reflection', proto, 'grpc.reflection.v1.ServerReflection', port);
  const open = (client as unknown as { serverReflectionInfo: () => grpc.ClientDuplexStream<object, Reflected> })
    .serverReflectionInfo;
  const stream = open.call(client);
  const answers: Reflected[] = [];
  const ended = new Promise((resolve) => stream.on('end', resolve));
  stream.on('data', (answer: Reflected) => answers.push(answer));
  stream.write({ listServices: '' });
  stream.write({ fileContainingSymbol: 'highwater.v1.FaultSpec' });
  stream.end();
  await ended;
  const names = answers[0]?.listServicesResponse?.service.map(({ name }) => name);
  expect(names?.sort()).toEqual(['highwater.v1.BrokerClient', 'highwater.v1.NodeFaults']);
  expect(answers[1]?.fileDescriptorResponse?.fileDescriptorProto.length).toBeGreaterThan(0);
});

test('bytes that are no request of a library are answered, and the server lives', async () => {
  const { port } = await listening();
  const raw = new grpc.Client(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  clients.push(raw);
  const asIs = (bytes: Buffer): Buffer => bytes;
  const nonsense = Buffer.from([0x0a]);
  const status = await new Promise<grpc.ServiceError | null>((resolve) => {
    const path = '/grpc.health.v1.Health/Check';
    raw.makeUnaryRequest(path, asIs, asIs, nonsense, new grpc.Metadata(), (error) => resolve(error));
  });
  expect(status?.code).toBe(grpc.status.INVALID_ARGUMENT);
  const stream = raw.makeBidiStreamRequest('/grpc.reflection.v1.ServerReflection/ServerReflectionInfo', asIs, asIs);
  stream.on('error', () => undefined);
  stream.on('data', () => undefined);
  stream.write(nonsense);
  const ended = await new Promise<grpc.StatusObject>((resolve) => stream.on('status', resolve));
  expect(ended.code).toBe(grpc.status.INVALID_ARGUMENT);
});

interface Reflected {
  readonly listServicesResponse?: { readonly service: { readonly name: string }[] };
  readonly fileDescriptorResponse?: { readonly fileDescriptorProto: readonly Buffer[] };
}
