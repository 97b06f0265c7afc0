// What the broker's log says of clients that cannot be served (wire W-3, W-30, W-33, W-63): in words, with who it was and
// what to do; and that a client which reconnects in a loop does not flood it.
import { afterEach, describe, expect, test } from 'vitest';
import { Complaints } from '../../src/kafka/complaints.ts';
import { WIRE_APIS } from '../../src/kafka/registry.ts';
import { unservedApi } from '../../src/kafka/unserved.ts';
import { API_VERSIONS, DEMO, FETCH, fetchBody, PRODUCE, produceBody } from './bodies.ts';
import { aListener, type Listening } from './listening.ts';
import { frame, request } from './raw-client.ts';

const open: Listening[] = [];
async function listening(...options: Parameters<typeof aListener>): Promise<Listening> {
  const one = await aListener(...options);
  open.push(one);
  return one;
}
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** A request with a header and nothing behind it. */
function bare(key: number, version: number, clientId = 'app'): Buffer {
  const head = Buffer.alloc(10);
  head.writeInt16BE(key, 0);
  head.writeInt16BE(version, 2);
  head.writeInt32BE(1, 4);
  head.writeInt16BE(clientId.length, 8);
  return frame(Buffer.concat([head, Buffer.from(clientId), Buffer.alloc(1)]));
}

describe('a client that cannot be served is told of in words', () => {
  test.each<[string, Buffer, RegExp]>([
    ['TLS', Buffer.from('16030100c8010000c40303', 'hex'), /: it sent a TLS handshake\. .*security\.protocol=PLAINTEXT/],
    [
      'HTTP',
      Buffer.from('GET /metrics HTTP/1.1\r\n\r\n'),
      /: it sent an HTTP request\. This port speaks the Kafka protocol/,
    ],
    ['gRPC', Buffer.from('PRI * HTTP/2.0\r\n\r\n'), /: it sent an HTTP\/2 or gRPC greeting\./],
    [
      'SASL',
      bare(17, 1),
      /client id "app"\) closed: it sent SaslHandshake v1, which is not served\. .*leave out ssl\.\* and sasl/,
    ],
    ['new groups', bare(68, 0), /ConsumerGroupHeartbeat v0, which is not served\. .*group\.protocol=classic/],
    ['ACLs', bare(29, 3), /DescribeAcls v3, which is not served\. Nothing is authorized here/],
    [
      'a key nobody knows',
      bare(999, 0),
      /a request with API key 999, which is not served\. .*Is this a Kafka client\?/,
    ],
    [
      'an old client',
      request(PRODUCE, 2, produceBody(1)),
      /"test"\) closed: it sent Produce v2, and versions 3 to 12 are served\. .*use a newer client/,
    ],
    [
      'a new client',
      request(FETCH, 18, fetchBody({ topics: [] })),
      /Fetch v18, and versions 4 to 17 are served\. .*ApiVersions first/,
    ],
    ['a size', Buffer.from('7fffffff', 'hex'), /: it sent a frame of 2147483647 bytes; the limit is 104857600$/],
    ['half a header', frame(Buffer.from('0012000300000001', 'hex')), /: it sent /],
  ])('%s', async (_what, bytes, sentence) => {
    const { client, logged } = await listening();
    const one = client();
    one.send(bytes);
    expect(await one.closed()).toBe(0);
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatch(/^warn: connection of 127\.0\.0\.1:\d+ /);
    expect(logged[0]).toMatch(sentence);
  });

  test('with its software, once it has said it; a size out of bounds is then no other protocol', async () => {
    const { client, logged } = await listening();
    const one = client();
    const body = { ...DEMO, clientSoftwareName: 'librdkafka', clientSoftwareVersion: '2.0.2' };
    await one.ask(API_VERSIONS, 3, body, { clientId: 'shop' });
    one.send(Buffer.from('GET '));
    expect(await one.closed()).toBe(0);
    const why = 'it sent a frame of 1195725856 bytes; the limit is 104857600';
    expect(logged).toEqual([
      expect.stringMatching(/^warn: connection of [\d.:]+ \(client id "shop", librdkafka 2\.0\.2\) closed: /),
    ]);
    expect(logged[0]).toContain(why);
  });

  test('a client id of any length and kind stays one short line', async () => {
    const { client, logged } = await listening();
    const one = client();
    one.send(bare(17, 0, `a\n${'b'.repeat(30_000)}`));
    await one.closed();
    expect(logged[0]).toContain(`client id "a\\n${'b'.repeat(98)}"`);
    expect(logged[0]!.length).toBeLessThan(500);
  });

  test('no API is both served and told to be not', () => {
    const advice = 'Kafka has no such API for clients';
    for (const { key } of WIRE_APIS) expect(unservedApi(key, 0).message).toContain(advice);
  });
});

describe('a loop does not flood the log', () => {
  test('one line for a client that reconnects a hundred times', async () => {
    const { client, logged, listener } = await listening();
    for (let i = 0; i < 100; i++) {
      const one = client();
      one.send(bare(17, 1));
      await one.closed();
    }
    expect(logged).toHaveLength(1);
    expect(listener.counters.malformed).toBe(100);
    const other = client();
    other.send(bare(17, 1, 'other'));
    await other.closed();
    expect(logged).toHaveLength(2);
  });

  test('one line for connections beyond max.connections', async () => {
    const { client, logged, listener } = await listening({ 'max.connections': 1 });
    await client().ask(API_VERSIONS, 0, {});
    for (let i = 0; i < 20; i++) await client().closed();
    expect(listener.counters.refused).toBe(20);
    expect(logged).toEqual([expect.stringMatching(/refused: max\.connections is 1$/)]);
  });

  test('after a minute it is told again, with how many were not', () => {
    const lines: string[] = [];
    let now = 0;
    const complaints = new Complaints(
      (_, line) => lines.push(line),
      () => now,
    );
    const again = (times: number): void => {
      for (let i = 0; i < times; i++) complaints.hear({ level: 'warn', kind: 'k', message: 'm' });
    };
    again(5);
    now = 60_000;
    again(2);
    now = 200_000;
    again(1);
    expect(lines).toEqual([
      'm',
      ...[4, 1].map((unsaid) => `m (and ${unsaid} more of this kind since it was last told)`),
    ]);
  });

  test('whatever they are about, at most fifty in a minute', () => {
    const lines: string[] = [];
    let now = 0;
    const complaints = new Complaints(
      (_, line) => lines.push(line),
      () => now,
    );
    const many = (from: number): void => {
      for (let i = from; i < from + 2000; i++) complaints.hear({ level: 'warn', kind: `${i}`, message: `${i}` });
    };
    many(0);
    expect(lines).toHaveLength(51);
    expect(lines[50]).toMatch(/^50 different complaints about clients within a minute; no more are told/);
    now = 60_000;
    many(2000);
    expect(lines).toHaveLength(102);
  });
});
