// Topics by auto-creation (wire W-69): how clients without an admin API get them, and how to see that they are ready.
import { METADATA, metadataBody } from '../kafka/bodies.ts';
import type { Struct } from '../kafka/generic-codec.ts';
import { RawClient } from '../kafka/raw-client.ts';

/** Asks until the answer is what is wanted; the test's own time limit ends what never is. */
async function metadataUntil(port: number, body: Struct, holds: (answer: Struct) => boolean): Promise<void> {
  const client = new RawClient(port);
  try {
    while (!holds((await client.ask(METADATA, 4, body)).body));
  } finally {
    client.close();
  }
}

/** Resolves when this broker lists so many live brokers. */
export function untilBrokers(port: number, count: number): Promise<void> {
  return metadataUntil(port, metadataBody([]), (answer) => (answer['brokers'] as Struct[]).length === count);
}

/** Creates a topic and resolves when every partition has a leader. */
export function autoCreate(port: number, name: string): Promise<void> {
  const body = metadataBody([name], { allowAutoTopicCreation: true });
  return metadataUntil(port, body, (answer) => {
    const topic = (answer['topics'] as Struct[])[0]!;
    return topic['errorCode'] === 0 && (topic['partitions'] as Struct[]).every(({ leaderId }) => leaderId !== -1);
  });
}
