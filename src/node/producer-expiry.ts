// Looks from time to time for producers that every hosted log may forget (txn T-109). When that is so is the log's.
import { Repeated } from '../runtime/repeated.ts';
import type { NodeContext } from './context.ts';
import type { Replicas } from './replicas.ts';

/** The looks; to be started and stopped with the broker. */
export function producerExpiry({ runtime, config }: NodeContext, replicas: Replicas): Repeated {
  return new Repeated(runtime.clock, config['producer.id.expiration.check.interval.ms'], () => {
    for (const replica of replicas) replica.log.expireProducers();
  });
}
