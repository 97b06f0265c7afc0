// What `highwater clients` prints for clients of Debian, as printed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installed } from '../run-client.ts';
import { paste } from '../support/pasted.ts';
import { serve, type Served } from '../support/served.ts';

let cluster: Served;
beforeAll(async () => {
  cluster = await serve({});
});
afterAll(() => cluster.close());

const CLIENTS = [
  ['kcat', installed.kcat, /^hello\n$/],
  ['confluent-kafka-python', installed.confluentKafka, /^0\n$/],
  ['kafka-python', installed.kafkaPython, /RecordMetadata\(topic='kafka-python', partition=0, .*offset=0,/],
] as const;

for (const [client, isInstalled, said] of CLIENTS) {
  test.skipIf(!isInstalled)(`the line for ${client} writes a record to a topic that is not there yet`, async () => {
    const { status, stdout, stderr } = await paste(client, { bootstrap: cluster.bootstrap, topic: client });
    expect(status, stderr).toBe(0);
    expect(stdout).toMatch(said);
  });
}
