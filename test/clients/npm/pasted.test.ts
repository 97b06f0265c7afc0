// What `highwater clients` prints for clients of npm, as printed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paste } from '../support/pasted.ts';
import { serve, type Served } from '../support/served.ts';

let cluster: Served;
beforeAll(async () => {
  cluster = await serve({});
});
afterAll(() => cluster.close());

test.each([
  ['kafkajs', /topicName: 'kafkajs'.*errorCode: 0.*baseOffset: '0'/s],
  ['@platformatic/kafka', /topic: 'platformatic-kafka'.*offset: 0n/s],
])('the line for %s writes a record to a topic that is not there yet', async (client, said) => {
  const topic = client.replace('@', '').replace('/', '-');
  const { status, stdout, stderr } = await paste(client, { bootstrap: cluster.bootstrap, topic });
  expect(status, stderr).toBe(0);
  expect(stdout).toMatch(said);
});
