// How many live brokers a broker lists: the first sign of life of a cluster of any make.
import { METADATA, metadataBody } from '../../kafka/bodies.ts';
import type { Struct } from '../../kafka/generic-codec.ts';
import { RawClient } from '../../kafka/raw-client.ts';

/** 0 while nobody answers there. */
export async function listedBrokers(port: number): Promise<number> {
  const client = new RawClient(port);
  try {
    const { body } = await client.ask(METADATA, 4, metadataBody([]));
    return (body['brokers'] as Struct[]).length;
  } catch {
    return 0;
  } finally {
    client.close();
  }
}
