// Every request of the wire is a message point: what clients ask and are told can be lost, held, refused, repeated and broken,
// and all of it heals. Real cores behind real sockets.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { POINTS } from '../../src/fault/points.ts';
import { legalActions, refuseFault } from '../../src/fault/legality.ts';
import { equals, faultSpec, type FaultDraft } from '../../src/fault/spec.ts';
import { WIRE_APIS } from '../../src/kafka/registry.ts';
import { ERRORS } from '../../src/protocol/errors.ts';
import { pointApi } from '../../src/protocol/wire-points.ts';
import { first } from './apis/served-topic.ts';
import {
  API_VERSIONS,
  batchOf,
  DEMO,
  FETCH,
  fetchBody,
  fetchPartition,
  METADATA,
  metadataBody,
  PRODUCE,
  produceBody,
} from './bodies.ts';
import type { Struct } from './generic-codec.ts';
import { request, response, type RawClient } from './raw-client.ts';
import { RealCluster } from './real-broker.ts';

let cluster: RealCluster;
let topics = 0;
let topic = '';
beforeAll(async () => {
  cluster = await RealCluster.start();
});
afterAll(() => cluster.close());
afterEach(() => cluster.sim.disarm('*'));

async function aTopic(): Promise<string> {
  topic = `t${topics++}`;
  await cluster.createTopic(topic);
  return topic;
}

function arm(draft: Omit<FaultDraft, 'id'>): void {
  expect(cluster.sim.arm(faultSpec({ id: 'f', ...draft }))).toBe('');
}
const firings = (): number => cluster.sim.broker(1)!.engine.list()[0]?.firings ?? 0;

const produce = (value: string, correlationId = 1, acks = -1): Buffer =>
  request(PRODUCE, 7, produceBody(acks, batchOf(value), topic), { correlationId });
const produced = (content: Buffer): Struct =>
  first(first(response(content, PRODUCE, 7).body['responses'])['partitionResponses']);

/** How many records the topic has. */
async function end(): Promise<number> {
  const body = fetchBody({ topics: [{ topic, partitions: [fetchPartition()] }] });
  const { body: fetched } = await cluster.client().ask(FETCH, 4, body, { clientId: 'observer' });
  return Number(first(first(fetched['responses'])['partitions'])['highWatermark']);
}

/** Nothing has come although something asked later has been answered. */
async function hearsNothing(client: RawClient): Promise<void> {
  await cluster.client().ask(API_VERSIONS, 3, DEMO, { clientId: 'observer' });
  expect(client.pendingCount).toBe(0);
}

describe('which points there are', () => {
  test('wire section 3: every API served has its two points, with the fields of the wire', () => {
    for (const { name } of WIRE_APIS) {
      for (const direction of ['request', 'response']) {
        expect(POINTS[`rpc.${pointApi(name)}.${direction}`]?.fields).toEqual(
          expect.arrayContaining(['via', 'clientId', 'listener', 'apiVersion', 'key', 'value', 'sequence']),
        );
      }
    }
  });

  test('what only the listener can do is legal where only the wire is meant', () => {
    expect(legalActions('rpc.ApiVersions.request')).toEqual(expect.arrayContaining(['error', 'lose-response']));
    expect(legalActions('rpc.ApiVersions.response')).toEqual(expect.arrayContaining(['disconnect', 'error']));
    const error = { kind: 'error', error: 'NOT_COORDINATOR' } as const;
    const refusal = (where: FaultDraft['where']): string | undefined =>
      refuseFault(faultSpec({ id: 'f', point: 'rpc.EndTxn.request', action: error, where: where ?? [] }));
    expect(refusal([])).toContain('via=kafka');
    expect(refusal([equals('via', 'kafka')])).toBeUndefined();
    expect(refusal([equals('via', 'kafka', 'grpc')])).toContain('via=kafka');
  });
});

describe('what befalls a request', () => {
  test('drop: the broker never sees it, its connection is mute until all is healed, others go on', async () => {
    await aTopic();
    arm({ point: 'rpc.Produce.request', where: [equals('value', 'lost')], action: 'drop' });
    const client = cluster.client();
    client.send(Buffer.concat([produce('lost'), produce('behind', 2)]));
    await cluster.until(() => firings() === 1);
    expect(produced(await cluster.client().askRaw(produce('other', 3)))['errorCode']).toBe(0);
    await hearsNothing(client);
    expect(await end()).toBe(1);
    cluster.sim.disarm('*');
    expect(await client.closed()).toBe(0);
  });

  test('lose-response: what was asked is done, and nobody is told', async () => {
    await aTopic();
    arm({
      point: 'rpc.Produce.request',
      where: [equals('value', 'a'), equals('via', 'kafka')],
      action: 'lose-response',
    });
    const client = cluster.client();
    client.send(produce('a'));
    await cluster.until(() => firings() === 1);
    expect(produced(await cluster.client().askRaw(produce('b', 2)))['baseOffset']).toBe(1);
    await hearsNothing(client);
    expect(await end()).toBe(2);
  });

  test('hold: it stands before the broker, keeps its connection, and goes on when released', async () => {
    await aTopic();
    arm({ point: 'rpc.Produce.request', where: [equals('value', 'held')], action: 'hold' });
    const client = cluster.client();
    client.send(Buffer.concat([produce('held', 1), request(API_VERSIONS, 3, DEMO, { correlationId: 2 })]));
    await cluster.until(() => firings() === 1);
    await hearsNothing(client);
    expect(await end()).toBe(0);
    cluster.sim.release('f');
    expect(produced(await client.receive())['baseOffset']).toBe(0);
    expect(response(await client.receive(), API_VERSIONS, 3).correlationId).toBe(2);
  });

  test('hold: a client that gives up has asked all the same', async () => {
    await aTopic();
    arm({ point: 'rpc.Produce.request', where: [equals('value', 'zombie')], action: 'hold' });
    const client = cluster.client();
    client.send(produce('zombie'));
    await cluster.until(() => firings() === 1);
    client.close();
    cluster.sim.release('f');
    const deadline = cluster.client();
    await deadline.ask(API_VERSIONS, 3, DEMO);
    expect(await end()).toBe(1);
  });

  test('disconnect: it is not served, and the client sees its connection break', async () => {
    await aTopic();
    arm({ point: 'rpc.Produce.request', where: [equals('via', 'kafka')], action: 'disconnect' });
    const client = cluster.client();
    client.send(produce('a'));
    expect(await client.closed()).toBe(0);
    expect(await end()).toBe(0);
  });

  test('error: it is refused in the form of its version, and not served', async () => {
    await aTopic();
    const error = { kind: 'error', error: 'NOT_ENOUGH_REPLICAS' } as const;
    arm({ point: 'rpc.Produce.request', where: [equals('via', 'kafka')], times: 1, action: error });
    const answer = produced(await cluster.client().askRaw(produce('a')));
    expect(answer).toMatchObject({ errorCode: ERRORS.NOT_ENOUGH_REPLICAS.code, baseOffset: -1 });
    expect(await end()).toBe(0);
  });

  test('duplicate: it is served twice and answered once', async () => {
    await aTopic();
    arm({ point: 'rpc.Produce.request', where: [equals('topic', topic)], times: 1, action: 'duplicate' });
    expect(produced(await cluster.client().askRaw(produce('a')))).toMatchObject({ errorCode: 0, baseOffset: 0 });
    await cluster.client().askRaw(produce('b', 2));
    expect(await end()).toBe(3);
  });

  test("reorder: another connection's overtakes it", async () => {
    await aTopic();
    arm({ point: 'rpc.Produce.request', where: [equals('value', 'slow')], times: 1, action: 'reorder' });
    const slow = cluster.client();
    slow.send(produce('slow'));
    const quick = produced(await cluster.client().askRaw(produce('quick', 2)));
    expect(quick['baseOffset']).toBe(0);
    expect(produced(await slow.receive())['baseOffset']).toBe(1);
    expect(firings()).toBe(1);
  });

  test('acks=0: a lost request leaves no trace, and its connection goes on (wire W-14)', async () => {
    await aTopic();
    arm({ point: 'rpc.Produce.request', where: [equals('value', 'lost')], times: 1, action: 'drop' });
    const client = cluster.client();
    client.send(produce('lost', 1, 0));
    expect(produced(await client.askRaw(produce('told', 2)))['baseOffset']).toBe(0);
  });
});

describe('what befalls an answer', () => {
  test('drop: applied, and its client hears nothing', async () => {
    await aTopic();
    arm({ point: 'rpc.Produce.response', where: [equals('topic', topic)], times: 1, action: 'drop' });
    const client = cluster.client();
    client.send(produce('a'));
    await cluster.until(() => firings() === 1);
    await hearsNothing(client);
    expect(await end()).toBe(1);
  });

  test('disconnect: applied, and its client sees the connection break', async () => {
    await aTopic();
    arm({ point: 'rpc.Produce.response', where: [equals('via', 'kafka')], times: 1, action: 'disconnect' });
    const client = cluster.client();
    client.send(produce('a'));
    expect(await client.closed()).toBe(0);
    expect(await end()).toBe(1);
  });

  test('error: applied, and told otherwise', async () => {
    await aTopic();
    const error = { kind: 'error', error: 'REQUEST_TIMED_OUT' } as const;
    arm({ point: 'rpc.Produce.response', where: [equals('topic', topic)], times: 1, action: error });
    const answer = produced(await cluster.client().askRaw(produce('a')));
    expect(answer).toMatchObject({ errorCode: ERRORS.REQUEST_TIMED_OUT.code, baseOffset: -1 });
    expect(await end()).toBe(1);
  });

  test('hold: answers behind it wait (wire W-12), those of other connections do not', async () => {
    await aTopic();
    arm({ point: 'rpc.Metadata.response', where: [equals('clientId', 'test')], action: 'hold' });
    const client = cluster.client();
    const asked = request(METADATA, 4, metadataBody([topic]), { correlationId: 1 });
    client.send(Buffer.concat([asked, request(API_VERSIONS, 3, DEMO, { correlationId: 2 })]));
    await cluster.until(() => firings() === 1);
    await hearsNothing(client);
    cluster.sim.disarm('f');
    expect(response(await client.receive(), METADATA, 4).correlationId).toBe(1);
    expect(response(await client.receive(), API_VERSIONS, 3).correlationId).toBe(2);
  });

  test('delay: it comes later', async () => {
    await aTopic();
    const delay = { kind: 'delay', durationMs: 40 } as const;
    arm({ point: 'rpc.Produce.response', where: [equals('topic', topic)], times: 1, action: delay });
    expect(produced(await cluster.client().askRaw(produce('a')))['errorCode']).toBe(0);
    expect(firings()).toBe(1);
  });
});

describe('what a fault can aim at', () => {
  const cases: readonly (readonly [string, string, string | number])[] = [
    ['clientId', 'rpc.Produce.request', 'test'],
    ['listener', 'rpc.Produce.request', 'inside'],
    ['apiVersion', 'rpc.Produce.request', 7],
    ['partition', 'rpc.Produce.request', 0],
    ['acks', 'rpc.Produce.request', -1],
    ['value', 'rpc.Produce.request', 'a'],
    ['partition', 'rpc.Produce.response', 0],
  ];
  test.each(cases)('%s at %s', async (field, point, value) => {
    await aTopic();
    arm({ point, where: [equals(field, value), equals('topic', topic)], action: 'notify' });
    await cluster.client().askRaw(produce('a'));
    expect(firings()).toBe(1);
    const other = field === 'listener' ? 'outside' : typeof value === 'number' ? value + 1 : `${value}x`;
    arm({ point, where: [equals(field, other), equals('topic', topic)], action: 'notify' });
    await cluster.client().askRaw(produce('a', 2));
    expect(firings()).toBe(0);
  });

  test('a fetch by topic id is known by its name', async () => {
    const topicId = await cluster.createTopic((topic = `t${topics++}`));
    arm({ point: 'rpc.ConsumerFetch.request', where: [equals('topic', topic), equals('offset', 0)], action: 'notify' });
    await cluster.client().ask(FETCH, 13, fetchBody({ topics: [{ topicId, partitions: [fetchPartition()] }] }));
    expect(firings()).toBe(1);
  });
});
