// What the tests of an API start from: a listener over a broker that has topic "t", anew for each test.
import { afterEach, beforeEach } from 'vitest';
import type { Struct, Value } from '../generic-codec.ts';
import { aListener, type Listening } from '../listening.ts';

export interface ServedTopic {
  served(): Listening;
  /** Id of topic "t". */
  topicId(): string;
  /** Asks on a connection of its own and gives the body of the answer. */
  ask(key: number, version: number, body: Struct, clientId?: string): Promise<Struct>;
}

/** Registers the hooks of a test file. */
export function aServedTopic(): ServedTopic {
  let served: Listening;
  let topicId: string;
  beforeEach(async () => {
    served = await aListener();
    topicId = served.broker.createTopic('t');
  });
  afterEach(() => served.close());
  return {
    served: () => served,
    topicId: () => topicId,
    ask: async (key, version, body, clientId) => {
      const client = served.client();
      const answer = await client.ask(key, version, body, clientId === undefined ? {} : { clientId });
      client.close();
      return answer.body;
    },
  };
}

/** The first struct of an array. */
export function first(value: Value | undefined): Struct {
  return (value as Struct[])[0]!;
}
