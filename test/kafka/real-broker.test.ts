// The helper itself: real cores behind sockets replicate, fail over and come back on the same port.
import { expect, test } from 'vitest';
import { batchOf, FETCH, fetchBody, METADATA, metadataBody, PRODUCE, produceBody } from './bodies.ts';
import type { Struct } from './generic-codec.ts';
import { first } from './apis/served-topic.ts';
import { RealCluster } from './real-broker.ts';

test('wire W-36: three real brokers serve, replicate, fail over and come back at the same address', async () => {
  const cluster = await RealCluster.start({ brokers: 3 });
  try {
    await cluster.createTopic('t', { configs: { 'min.insync.replicas': '2' } });
    const leader = cluster.leaderOf('t', 0);
    const produced = await cluster.client(leader).ask(PRODUCE, 7, produceBody(-1, batchOf('a', 'b')));
    expect(first(first(produced.body['responses'])['partitionResponses'])).toMatchObject({ errorCode: 0 });

    cluster.kill(leader);
    await cluster.until(() => ![leader, -1].includes(cluster.leaderOf('t', 0)));
    const next = cluster.leaderOf('t', 0);
    await cluster.until(() => cluster.sim.isLed('t'));
    const fetched = await cluster.client(next).ask(FETCH, 4, fetchBody({ maxWaitMs: 5000 }));
    expect(first(first(fetched.body['responses'])['partitions'])).toMatchObject({ errorCode: 0, highWatermark: 2 });

    await cluster.restart(leader);
    const { body } = await cluster.client(leader).ask(METADATA, 4, metadataBody(['t']));
    const listed = (body['brokers'] as Struct[]).map(({ nodeId, port }) => [nodeId as number, port as number] as const);
    expect(new Map(listed)).toEqual(new Map([1, 2, 3].map((id) => [id, cluster.port(id)])));
  } finally {
    await cluster.close();
  }
});
