// Which versions of the APIs librdkafka chooses of what is offered, as it says itself (wire section 2.2; section 14, steps 2 and
// 22): what it does not find in the range it wants it leaves out without a word (wire W-44), so that every other test could pass.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installed, librdkafka, run } from '../run-client.ts';
import { startHighwater, type Highwater } from '../support/highwater.ts';
import { autoCreate } from '../topics.ts';

type Versions = Readonly<Record<string, number>>;

/** What both of them choose. */
const BOTH: Versions = {
  ...{ ApiVersion: 3, FindCoordinator: 2, JoinGroup: 5, SyncGroup: 3, Heartbeat: 3, LeaveGroup: 1 },
  ...{ InitProducerId: 4, AddPartitionsToTxn: 0, EndTxn: 1 },
};
const OLD: Versions = { Metadata: 4, Produce: 7, Fetch: 11, ListOffsets: 2, OffsetCommit: 7, OffsetFetch: 7 };
const NEW: Versions = { Metadata: 12, Fetch: 13, ListOffsets: 7, OffsetCommit: 9, OffsetFetch: 9 };
/** By version of librdkafka and by transaction.version. */
const CHOSEN: Readonly<Record<string, Readonly<Record<'1' | '2', Versions>>>> = {
  '2.0.2': { 1: { ...BOTH, ...OLD }, 2: { ...BOTH, ...OLD } },
  '2.15.1': { 1: { ...BOTH, ...NEW, Produce: 9 }, 2: { ...BOTH, ...NEW, Produce: 10 } },
};
const expected = librdkafka === undefined ? undefined : CHOSEN[librdkafka];

describe.each(['1', '2'] as const)('transaction.version %s', (version) => {
  let cluster: Highwater;
  beforeAll(async () => {
    const topics = { 'default.replication.factor': '3', 'num.partitions': '1' };
    cluster = await startHighwater({ config: { ...topics, 'transaction.version': version } });
  });
  afterAll(() => cluster.close());

  /** Runs kcat; the versions of all that it has sent. */
  async function sent(args: readonly string[], input = ''): Promise<[string, number][]> {
    const { status, stderr } = await run('kcat', ['-b', cluster.bootstrap, '-d', 'protocol', ...args], input);
    expect(status, stderr).toBe(0);
    return [...stderr.matchAll(/Sent (\w+)Request \(v(\d+),/g)].map(([, api, number]) => [api!, Number(number)]);
  }

  test.skipIf(!installed.kcat || expected === undefined)(
    'wire ladder 2, 22: it chooses the versions that its column says, and no other',
    async () => {
      await autoCreate(cluster.ports[0]!, 'chosen');
      const all = [
        ...(await sent(['-P', '-t', 'chosen', '-p', '0', '-X', 'transactional.id=chooser'], 'a\nb\n')),
        ...(await sent(['-C', '-e', '-o', 'beginning', '-t', 'chosen', '-p', '0'])),
        ...(await sent(['-X', 'auto.offset.reset=earliest', '-e', '-G', 'choosers', 'chosen'])),
      ];
      const sorted = [...new Set(all.map((each) => each.join(' ')))].sort();
      expect(sorted).toEqual(
        Object.entries(expected![version])
          .map((each) => each.join(' '))
          .sort(),
      );
    },
  );
});
