// The listener as a client sees it: order, parking, closing, limits. Over a MemoryBroker and real sockets.
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { startKafkaListener } from '../../src/kafka/listener.ts';
import { WIRE_APIS } from '../../src/kafka/registry.ts';
import { nodeConfig } from '../../src/protocol/config.ts';
import {
  API_VERSIONS,
  batchOf,
  DEMO,
  FETCH,
  fetchBody,
  LIST_OFFSETS,
  METADATA,
  metadataBody,
  PRODUCE,
  produceBody,
} from './bodies.ts';
import { aListener, type Listening } from './listening.ts';
import { MemoryBroker } from './memory-broker.ts';
import { frame, request, response } from './raw-client.ts';

const open: Listening[] = [];
async function listening(...options: Parameters<typeof aListener>): Promise<Listening> {
  const one = await aListener(...options);
  open.push(one);
  return one;
}
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

describe('ApiVersions', () => {
  test('wire W-16, W-18, ladder 1: v0 and v3 tables; v5, v99 and -1 get a v0 body with error 35 and one entry', async () => {
    const { broker, client } = await listening();
    broker.finalized = { transactionVersion: 1, elrVersion: 1, metadataOffset: 1 };
    const one = client();
    const table = WIRE_APIS.map(({ key, advertised: { min, max } }) => {
      return { apiKey: key, minVersion: min, maxVersion: max };
    });
    expect((await one.ask(API_VERSIONS, 0, {})).body).toEqual({ errorCode: 0, apiKeys: table });
    // Some clients ask for version 3 alone (wire W-21).
    for (const version of [3, 4]) {
      const answer = await one.ask(API_VERSIONS, version, DEMO, { correlationId: -7 });
      expect(answer).toEqual({ correlationId: -7, body: { errorCode: 0, apiKeys: table, throttleTimeMs: 0 } });
    }
    for (const version of [5, 99, 32_767, -1, -32_768]) {
      one.send(request(API_VERSIONS, version, DEMO, { bodyVersion: 3 }));
      expect(response(await one.receive(), API_VERSIONS, 0).body).toEqual({
        ...{ errorCode: 35, apiKeys: [{ apiKey: 18, minVersion: 0, maxVersion: 4 }] },
      });
    }
  });

  test.each(['', '-x', 'x-', 'a b', 'a\n'])('wire W-17: the software name %j is error 42', async (name) => {
    const { client } = await listening();
    const answer = await client().ask(API_VERSIONS, 3, { ...DEMO, clientSoftwareName: name });
    expect(answer.body).toEqual({ errorCode: 42, apiKeys: [], throttleTimeMs: 0 });
  });
});

describe('order', () => {
  test('wire W-12: 10 000 pipelined ApiVersions are answered in order', async () => {
    const { client } = await listening();
    const one = client();
    const count = 10_000;
    one.send(
      Buffer.concat(Array.from({ length: count }, (_, i) => request(API_VERSIONS, 3, DEMO, { correlationId: i }))),
    );
    for (let i = 0; i < count; i++) expect((await one.receive()).readInt32BE(0)).toBe(i);
  });

  test('wire W-13: a parked fetch delays what follows on its connection and on no other', async () => {
    const { client, broker } = await listening();
    broker.createTopic('t');
    const [parked, other] = [client(), client()];
    parked.send(request(FETCH, 11, fetchBody({ maxWaitMs: 60_000 }), { correlationId: 1 }));
    parked.send(request(API_VERSIONS, 0, {}, { correlationId: 2 }));
    await other.ask(API_VERSIONS, 0, {});
    await other.ask(METADATA, 1, { topics: [] });
    expect(parked.pendingCount).toBe(0);
    await other.ask(PRODUCE, 7, produceBody(1));
    expect((await parked.receive()).readInt32BE(0)).toBe(1);
    expect((await parked.receive()).readInt32BE(0)).toBe(2);
  });

  test('wire W-2: requests sent byte by byte, and many in one write', async () => {
    const { client } = await listening();
    const one = client();
    const bytes = request(API_VERSIONS, 3, DEMO);
    for (const byte of bytes) {
      one.send(Buffer.from([byte]));
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    await one.receive();
    one.send(Buffer.concat([bytes, bytes, bytes]));
    for (let i = 0; i < 3; i++) await one.receive();
  });

  test('wire W-10: correlation ids may be negative and repeat', async () => {
    const { client } = await listening();
    const one = client();
    for (const correlationId of [-1, -2147483648, 7, 7]) {
      expect((await one.ask(METADATA, 9, metadataBody([]), { correlationId })).correlationId).toBe(correlationId);
    }
  });
});

describe('acks=0', () => {
  test('wire W-14: nothing is answered, and the next request is', async () => {
    const { client, broker } = await listening();
    broker.createTopic('t');
    const one = client();
    one.send(request(PRODUCE, 7, produceBody(0), { correlationId: 1 }));
    expect((await one.ask(API_VERSIONS, 0, {}, { correlationId: 2 })).correlationId).toBe(2);
    expect(broker.log('t').logEndOffset).toBe(1);
  });

  test('wire W-14: a failed partition closes the connection', async () => {
    const { client, broker, listener, logged } = await listening();
    broker.createTopic('t');
    const one = client();
    one.send(request(PRODUCE, 7, produceBody(0, batchOf('a'), 'nowhere')));
    expect(await one.closed()).toBe(0);
    expect(logged.join('\n')).toContain('acks=0 produce to nowhere-0 failed: UNKNOWN_TOPIC_OR_PARTITION');
    expect(listener.counters.malformed).toBe(0);
  });

  test('wire W-14, W-15: requests sent before the FIN still take effect', async () => {
    const { client, broker } = await listening();
    broker.createTopic('t');
    const one = client();
    for (let i = 0; i < 50; i++) one.send(request(PRODUCE, 7, produceBody(0)));
    one.socket.end();
    await one.closed();
    expect(broker.log('t').logEndOffset).toBe(50);
  });
});

describe('closing', () => {
  test.each([
    ['garbage', frame(Buffer.from('garbage'))],
    ['a size out of bounds', Buffer.from([0x7f, 0xff, 0xff, 0xff])],
    ['a failed acks=0 produce', request(PRODUCE, 7, produceBody(0, batchOf('a'), 'no-such-topic'))],
  ])(
    'wire W-12, W-30: %s closes behind the answers to what came before, and nothing after it is served',
    async (_what, bad) => {
      const { client, broker } = await listening();
      broker.createTopic('t');
      const one = client();
      const good = request(PRODUCE, 7, produceBody(1), { correlationId: 1 });
      one.send(Buffer.concat([good, request(METADATA, 4, metadataBody([]), { correlationId: 2 }), bad, good]));
      for (const correlationId of [1, 2]) expect((await one.receive()).readInt32BE(0)).toBe(correlationId);
      expect(await one.closed()).toBe(0);
      expect(broker.log('t').logEndOffset).toBe(1);
    },
  );

  test.each(['end', 'destroy', 'resetAndDestroy'] as const)(
    'wire W-15: a peer that is gone (%s) withdraws its parked fetch',
    async (how) => {
      const { client, broker, listener } = await listening();
      broker.createTopic('t');
      const one = client();
      await one.ask(API_VERSIONS, 0, {});
      one.send(request(FETCH, 11, fetchBody({ maxWaitMs: 600_000 })));
      await client().ask(API_VERSIONS, 0, {});
      one.socket[how]();
      await until(() => listener.counters.connections === 1);
      expect(broker.withdrawnCount).toBe(1);
    },
  );

  test('wire W-15: the effect of a produce whose asker is gone stands', async () => {
    const { client, broker, listener } = await listening();
    broker.createTopic('t');
    broker.replicating = false;
    const one = client();
    one.send(request(PRODUCE, 7, produceBody(-1)));
    await until(() => broker.log('t').logEndOffset === 1);
    one.close();
    await until(() => listener.counters.connections === 0);
    expect(broker.withdrawnCount).toBe(1);
    broker.replicate();
    expect(broker.log('t').highWatermark).toBe(1);
  });

  test('wire W-5: half a frame and a FIN is dropped without a word', async () => {
    const { client, listener, logged } = await listening();
    const one = client();
    one.send(request(API_VERSIONS, 3, DEMO).subarray(0, 12));
    one.socket.end();
    expect(await one.closed()).toBe(0);
    await until(() => listener.counters.connections === 0);
    expect(listener.counters.malformed).toBe(0);
    expect(logged).toEqual([]);
  });

  test('wire W-5: an idle connection is closed', async () => {
    const { client } = await listening({ 'connections.max.idle.ms': 20 });
    expect(await client().closed()).toBe(0);
  });

  test('wire W-5: one with a request in flight is not', async () => {
    const { client, broker } = await listening({ 'connections.max.idle.ms': 20 });
    broker.createTopic('t');
    const [parked, idle] = [client(), client()];
    parked.send(request(FETCH, 11, fetchBody({ maxWaitMs: 200 })));
    await idle.closed();
    expect((await parked.receive()).readInt32BE(0)).toBe(1);
    expect(await parked.closed()).toBe(0);
  });

  test('a closed listener closes its connections and withdraws what is parked', async () => {
    const { client, broker, close } = await listening();
    broker.createTopic('t');
    const one = client();
    await one.ask(API_VERSIONS, 0, {});
    one.send(request(FETCH, 11, fetchBody({ maxWaitMs: 600_000 })));
    const two = client();
    await two.ask(API_VERSIONS, 0, {});
    const bothClosed = Promise.all([one.closed(), two.closed()]);
    await close();
    await bothClosed;
    expect(broker.withdrawnCount).toBe(1);
  });
});

describe('limits', () => {
  test('wire W-6: connections beyond max.connections are turned away', async () => {
    const { client, listener } = await listening({ 'max.connections': 2 });
    const [first, second] = [client(), client()];
    await first.ask(API_VERSIONS, 0, {});
    await second.ask(API_VERSIONS, 0, {});
    expect(await client().closed()).toBe(0);
    expect(listener.counters).toEqual({ connections: 2, refused: 1, malformed: 0 });
    first.close();
    await until(() => listener.counters.connections === 1);
    await client().ask(API_VERSIONS, 0, {});
  });

  test('a port in use is a sentence that names it', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const { port } = holder.address() as AddressInfo;
    const options = { host: '127.0.0.1', port, broker: new MemoryBroker(), nodeId: 2, config: nodeConfig() };
    await expect(startKafkaListener({ ...options, clusterId: () => 'c' })).rejects.toThrow(
      `broker 2 cannot open its Kafka listener on 127.0.0.1:${port}: the port is in use; stop what holds it or choose another`,
    );
    await new Promise((resolve) => holder.close(resolve));
  });

  test('wire W-12: ten megabytes pipelined behind a parked request are served after it, in order', async () => {
    const { client, broker } = await listening();
    broker.createTopic('t');
    const one = client();
    one.send(request(FETCH, 11, fetchBody({ maxWaitMs: 600_000 }), { correlationId: 0 }));
    const count = 2000;
    const large = batchOf('x'.repeat(5000));
    for (let i = 1; i <= count; i++) one.send(request(PRODUCE, 7, produceBody(1, large), { correlationId: i }));
    await client().ask(PRODUCE, 7, produceBody(1));
    for (let i = 0; i <= count; i++) expect((await one.receive()).readInt32BE(0)).toBe(i);
    expect(broker.log('t').logEndOffset).toBe(count + 1);
  });

  test('a peer that reads late gets all its answers, in order', async () => {
    const { client, broker } = await listening();
    broker.createTopic('t');
    await client().ask(PRODUCE, 7, produceBody(1, batchOf('x'.repeat(1_000_000))));
    const one = client();
    one.socket.pause();
    const count = 40;
    for (let i = 0; i < count; i++)
      one.send(request(FETCH, 11, fetchBody({ maxBytes: 2_000_000 }), { correlationId: i }));
    await client().ask(API_VERSIONS, 0, {});
    one.socket.resume();
    for (let i = 0; i < count; i++) expect((await one.receive()).readInt32BE(0)).toBe(i);
  });
});

describe('memory', () => {
  test('a slow reader is asked for no more than sockets hold: what it does not read is not fetched', async () => {
    const { client, broker } = await listening();
    broker.createTopic('t');
    await client().ask(PRODUCE, 7, produceBody(1, batchOf('x'.repeat(1_000_000))));
    let fetches = 0;
    const fetch = broker.fetch.bind(broker);
    broker.fetch = (request, answer) => {
      fetches += 1;
      return fetch(request, answer);
    };
    const one = client();
    one.socket.pause();
    const body = fetchBody({ maxBytes: 2_000_000 });
    one.send(Buffer.concat(Array.from({ length: 1000 }, (_, i) => request(FETCH, 11, body, { correlationId: i }))));
    const other = client();
    let before = -1;
    while (fetches !== before) {
      before = fetches;
      for (let i = 0; i < 50; i++) await other.ask(API_VERSIONS, 0, {});
    }
    // Each answer is a megabyte: a thousand would be a gigabyte. Both sides' sockets together hold a few.
    expect(fetches).toBeGreaterThan(0);
    expect(fetches).toBeLessThan(50);
    one.socket.resume();
    for (let i = 0; i < 20; i++) expect((await one.receive()).readInt32BE(0)).toBe(i);
  });

  test('what is sent behind a parked request is read up to a limit, and stays with its sender beyond it', async () => {
    const { client, broker } = await listening();
    broker.createTopic('t');
    const one = client();
    one.send(request(FETCH, 11, fetchBody({ maxWaitMs: 600_000 })));
    const large = request(PRODUCE, 7, produceBody(1, batchOf('x'.repeat(1_000_000)), 'u'));
    for (let i = 0; i < 50; i++) one.send(large);
    const other = client();
    let before = -1;
    while (one.socket.writableLength !== before) {
      before = one.socket.writableLength;
      for (let i = 0; i < 50; i++) await other.ask(API_VERSIONS, 0, {});
    }
    expect(one.socket.writableLength).toBeGreaterThan(20_000_000);
  });
});

test('events are written before the bytes that they caused leave', async () => {
  const sent: number[] = [];
  const { client } = await listening({}, { beforeSend: () => sent.push(sent.length) });
  await client().ask(API_VERSIONS, 0, {});
  expect(sent).toEqual([0]);
});

describe('failures inside', () => {
  test('wire W-31: an unexpected exception is error -1 in every slot, logged with a stack, and the connection goes on', async () => {
    const { client, broker, logged } = await listening();
    broker.listOffsets = () => {
      throw new TypeError('planted');
    };
    const one = client();
    const partitions = [{ partitionIndex: 3, timestamp: -1 }];
    const answer = await one.ask(LIST_OFFSETS, 1, { replicaId: -1, topics: [{ name: 't', partitions }] });
    expect(answer.body).toEqual({
      topics: [{ name: 't', partitions: [{ partitionIndex: 3, errorCode: -1, timestamp: -1, offset: -1 }] }],
    });
    expect(logged.join('\n')).toMatch(/^error: ListOffsets v1 failed: TypeError: planted\n +at /);
    await one.ask(API_VERSIONS, 0, {});
  });

  test('wire W-31: so is an answer that does not fit the question, without reaching the broker that gave it', async () => {
    const { client, broker } = await listening();
    let reached = false;
    broker.produce = (_request, _origin, answer) => {
      answer({ correlationId: 0, partitions: [] });
      reached = true;
      return () => undefined;
    };
    const answer = await client().ask(PRODUCE, 3, produceBody(1));
    expect(answer.body).toMatchObject({ responses: [{ partitionResponses: [{ errorCode: -1, baseOffset: -1 }] }] });
    expect(reached).toBe(true);
  });
});

describe('wire W-30: closed without a word', () => {
  test.each([
    ['an unknown key', frame(Buffer.from('0063000000000001ffff', 'hex'))],
    ['an internal key', frame(Buffer.from('0004000000000001ffff', 'hex'))],
    ['a negative key', frame(Buffer.from('ffff000000000001ffff', 'hex'))],
    ['Produce v2, advertised only (wire W-33)', request(PRODUCE, 2, produceBody(1))],
    ['Fetch v3, advertised only (wire W-33)', request(FETCH, 3, fetchBody())],
    ['Fetch v18', request(FETCH, 18, fetchBody({ topics: [] }))],
    ['an empty frame (wire W-4)', Buffer.alloc(4)],
    ['a header cut short', frame(Buffer.from('0012000300000001', 'hex'))],
    ['a TLS hello', Buffer.from('16030100c8010000c40303', 'hex')],
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['a negative size', Buffer.from('fffffffe', 'hex')],
  ])('%s', async (_what, bytes) => {
    const { client, listener } = await listening();
    const [bystander, one] = [client(), client()];
    await bystander.ask(API_VERSIONS, 0, {});
    one.send(bytes);
    expect(await one.closed()).toBe(0);
    expect(listener.counters.malformed).toBe(1);
    await bystander.ask(API_VERSIONS, 0, {});
  });
});

test('wire W-29: bytes after a request are ignored', async () => {
  const { client, logged } = await listening();
  const bytes = request(API_VERSIONS, 3, DEMO);
  await answerTo(client(), frame(Buffer.concat([bytes.subarray(4), Buffer.from('left over')])));
  expect(logged).toEqual(['debug: 9 bytes after ApiVersions v3 ignored']);
});

async function answerTo(client: ReturnType<Listening['client']>, bytes: Buffer): Promise<Buffer> {
  client.send(bytes);
  return client.receive();
}

/** Waits for something that events of this process will make true. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise<void>((resolve) => setImmediate(resolve));
}
