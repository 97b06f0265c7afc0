// Membership alone: a coordinator without offsets, whose shards a test can reach into.
import { Reader } from '../../../../src/base/field-reader.ts';
import type { GroupCoordinator } from '../../../../src/coordinator/group/api.ts';
import type { OffsetState } from '../../../../src/coordinator/group/contract.ts';
import { Directory } from '../../../../src/coordinator/group/directory.ts';
import { membershipHandlers } from '../../../../src/coordinator/group/requests.ts';
import type { CoordinatorHost } from '../../../../src/coordinator/host.ts';

/** Keeps nothing: tells only whose offsets a record holds. */
const NO_OFFSETS: OffsetState = {
  apply: ({ key, value }) => {
    const reader = new Reader(key, false);
    reader.int16();
    return value === null ? undefined : reader.string();
  },
  endTransaction: () => undefined,
  loaded: () => undefined,
  tombstones: () => [],
};

/** The requests about members over a directory of their own. */
export function membershipOnly(host: CoordinatorHost): { directory: Directory; coordinator: GroupCoordinator } {
  const directory = new Directory(host, () => NO_OFFSETS);
  const coordinator = {
    ...membershipHandlers(directory),
    start: () => directory.start(),
    stop: () => directory.stop(),
    elected: (partition: number, leaderEpoch: number) => directory.elected(partition, leaderEpoch),
    resigned: (partition: number, leaderEpoch: number | undefined) => directory.resigned(partition, leaderEpoch),
  } as unknown as GroupCoordinator;
  return { directory, coordinator };
}
