// Membership alone: a coordinator without requests about offsets, whose shards a test can reach into.
import type { GroupCoordinator } from '../../../../src/coordinator/group/api.ts';
import { Directory } from '../../../../src/coordinator/group/directory.ts';
import { OffsetStore } from '../../../../src/coordinator/group/offsets/offset-store.ts';
import { membershipHandlers } from '../../../../src/coordinator/group/requests.ts';
import type { CoordinatorHost } from '../../../../src/coordinator/host.ts';

/** The requests about members over a directory of their own. */
export function membershipOnly(host: CoordinatorHost): { directory: Directory; coordinator: GroupCoordinator } {
  const directory = new Directory(host, (environment) => new OffsetStore(environment));
  const coordinator = {
    ...membershipHandlers(directory),
    start: () => directory.start(),
    stop: () => directory.stop(),
    elected: (partition: number, leaderEpoch: number) => directory.elected(partition, leaderEpoch),
    resigned: (partition: number, leaderEpoch: number | undefined) => directory.resigned(partition, leaderEpoch),
  } as unknown as GroupCoordinator;
  return { directory, coordinator };
}
