// A coordinator without the requests about offsets.
import type { GroupCoordinator } from '../../../../src/coordinator/group/api.ts';
import { Directory } from '../../../../src/coordinator/group/directory.ts';
import { membershipHandlers } from '../../../../src/coordinator/group/requests.ts';
import type { CoordinatorHost } from '../../../../src/coordinator/host.ts';
import { Reader } from '../../../../src/base/field-reader.ts';

export function createGroupCoordinator(host: CoordinatorHost): GroupCoordinator {
  const directory = new Directory(host, () => ({
    apply: ({ key, value }) => {
      const reader = new Reader(key, false);
      reader.int16();
      return value === null ? undefined : reader.string();
    },
    endTransaction: () => undefined,
    loaded: () => undefined,
    tombstones: () => [],
  }));
  return {
    ...membershipHandlers(directory),
    start: () => directory.start(),
    stop: () => directory.stop(),
    elected: (partition: number, leaderEpoch: number) => directory.elected(partition, leaderEpoch),
    resigned: (partition: number, leaderEpoch: number | undefined) => directory.resigned(partition, leaderEpoch),
  } as unknown as GroupCoordinator;
}
