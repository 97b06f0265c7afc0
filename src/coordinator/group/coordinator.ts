// The group coordinator as its broker sees it: a directory of shards, and the requests that find theirs in it.
import type { CoordinatorHost } from '../host.ts';
import type { GroupCoordinator } from './api.ts';
import { Directory } from './directory.ts';
import { createOffsetHandlers } from './offsets/handlers.ts';
import { OffsetStore } from './offsets/offset-store.ts';
import { membershipHandlers } from './requests.ts';

/** A coordinator for the partitions of __consumer_offsets that its broker leads. It serves from `start` to `stop`. */
export function createGroupCoordinator(host: CoordinatorHost): GroupCoordinator {
  const directory = new Directory(host, (environment) => new OffsetStore(environment));
  const offsets = createOffsetHandlers(directory);
  return {
    ...membershipHandlers(directory),
    ...offsets,
    start: () => {
      directory.start();
      offsets.start();
    },
    stop: () => {
      offsets.stop();
      directory.stop();
    },
    elected: (partition, leaderEpoch) => directory.elected(partition, leaderEpoch),
    resigned: (partition, leaderEpoch) => directory.resigned(partition, leaderEpoch),
  };
}
