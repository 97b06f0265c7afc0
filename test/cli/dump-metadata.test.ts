// `log dump` of the metadata log: records under Kafka's names, snapshots, and data directories that are damaged or somebody
// else's. The log is a real controller's, the directory a real database.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Level } from 'level';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { metadataLine, shown, type MetadataDump, type ShownMetadata } from '../../src/cli/dump/metadata-dump.ts';
import { dumpMetadata } from '../../src/cli/dump/metadata-records.ts';
import { withStoredLog } from '../../src/cli/dump/stored-logs.ts';
import { withStoredMetadata } from '../../src/cli/dump/stored-metadata.ts';
import { recordKey, SNAPSHOT_MARK_KEY } from '../../src/controller/log-store.ts';
import { factKey } from '../../src/log/keys.ts';
import * as made from '../../src/metadata/records.ts';
import { LEVELDB_OPTIONS } from '../../src/runtime/real/leveldb-store.ts';
import { alter, bringUp, createTopic, proposal } from '../controller/fleet.ts';
import { Desk, type Disk } from '../controller/lone-controller.ts';

let directory: string;
beforeEach(() => (directory = join(mkdtempSync(join(tmpdir(), 'highwater-dump-')), 'controller')));
afterEach(() => rmSync(join(directory, '..'), { recursive: true, force: true }));

/** Three brokers and a topic whose ISR has shrunk; snapshots every so many bytes. */
function cluster(snapshotBytes = 1_000_000): Desk {
  const desk = new Desk({ config: { 'metadata.log.max.record.bytes.between.snapshots': snapshotBytes } }).start();
  bringUp(desk, 1, 2, 3);
  createTopic(desk, 'orders', { replicas: [[1, 2, 3]], configs: { 'min.insync.replicas': '2' } });
  alter(desk, proposal(desk, 'orders', [1, 3]));
  return desk;
}

/** A node's folder with what is on the disk. */
async function folder(disk: Disk): Promise<void> {
  mkdirSync(directory);
  const db = new Level<Buffer, Buffer>(join(directory, 'store'), LEVELDB_OPTIONS);
  await db.batch([...disk].map(([key, value]) => ({ type: 'put', key: Buffer.from(key, 'latin1'), value })));
  await db.close();
}

const ALL: MetadataDump = { snapshot: false, from: undefined, max: Infinity };

async function dumped(asked: Partial<MetadataDump> = {}): Promise<ShownMetadata[]> {
  const seen: ShownMetadata[] = [];
  await withStoredMetadata(directory, async (stored) => {
    for await (const each of shown(stored, { ...ALL, ...asked })) seen.push(each);
  });
  return seen;
}

const refusal = (opening: Promise<unknown>): Promise<string> =>
  opening.then(
    () => 'it opened',
    (error: Error) => error.message,
  );

const lines = (seen: readonly ShownMetadata[]): string[] =>
  seen.map((each) => ('warning' in each ? `warning: ${each.warning}` : metadataLine(each)));

describe("repl R-84: records have Kafka's names, and what did not change is left out", () => {
  const place = { topicId: 'T', partition: 3 };

  test.each([
    [made.clusterRecord('c'), 'CLUSTER_RECORD', { clusterId: 'c' }],
    [made.featureLevelRecord('f', 1), 'FEATURE_LEVEL_RECORD', { name: 'f', featureLevel: 1 }],
    [
      made.configRecord('t', 'segment.ms', '5'),
      ...['CONFIG_RECORD', { resourceType: 2, resourceName: 't', name: 'segment.ms', value: '5' }],
    ],
    [
      made.removeConfigRecord('', 'a'),
      ...['CONFIG_RECORD', { resourceType: 4, resourceName: '', name: 'a', value: null }],
    ],
    [made.producerIdsRecord(1, 1000), 'PRODUCER_IDS_RECORD', { brokerId: 1, nextProducerId: 1000 }],
    [made.topicRecord('t', 'T'), 'TOPIC_RECORD', { name: 't', topicId: 'T' }],
    [
      made.partitionChangeRecord(place, { isr: [1], leader: 1, leaderRecoveryState: 'RECOVERING', reason: 'unclean' }),
      'PARTITION_CHANGE_RECORD',
      { partitionId: 3, topicId: 'T', isr: [1], leader: 1, leaderRecoveryState: 1, reason: 'unclean' },
    ],
    [
      made.partitionChangeRecord(place, { elr: [], reason: 'isr-expand' }),
      'PARTITION_CHANGE_RECORD',
      { partitionId: 3, topicId: 'T', eligibleLeaderReplicas: [], reason: 'isr-expand' },
    ],
  ] as const)('%j', (record, type, data) => {
    expect(dumpMetadata(record)).toEqual({ type, version: expect.any(Number), data });
    expect(Object.keys((dumpMetadata(record) as { data: object }).data)).toEqual(Object.keys(data));
  });

  test('one of a type that is not known says so', () => {
    expect(dumpMetadata({ surprise: {} } as object)).toBe('cannot be read (no known type in surprise)');
    expect(dumpMetadata({})).toBe('cannot be read (no known type in an empty record)');
  });

  test('every record of a controller is of a known type', () => {
    const desk = cluster();
    const { records, endOffset } = desk.call('DescribeMetadataLog', {
      fromOffset: 0,
      snapshot: false,
      maxRecords: 500,
    });
    expect(records).toHaveLength(endOffset);
    expect(records.map(dumpMetadata).filter((each) => typeof each === 'string')).toEqual([]);
  });
});

describe('a data directory', () => {
  test("a line a record, as Kafka's tool with --cluster-metadata-decoder", async () => {
    const desk = cluster();
    const topicId = desk.controller.image.topicNamed('orders')!.topicId;
    await folder(desk.disk);
    const all = lines(await dumped());
    expect(all).toHaveLength(desk.controller.image.endOffset);
    expect(all[0]).toBe('| offset: 0 payload: {"type":"CLUSTER_RECORD","version":0,"data":{"clusterId":"cluster-1"}}');
    expect(all.slice(-2)).toEqual([
      `| offset: ${all.length - 2} payload: {"type":"PARTITION_RECORD","version":2,"data":{"partitionId":0,"topicId":"${topicId}",` +
        '"replicas":[1,2,3],"isr":[1,2,3],"removingReplicas":[],"addingReplicas":[],"leader":1,"leaderEpoch":0,"partitionEpoch":0}}',
      `| offset: ${all.length - 1} payload: {"type":"PARTITION_CHANGE_RECORD","version":2,"data":{"partitionId":0,` +
        `"topicId":"${topicId}","isr":[1,3],"reason":"isr-shrink"}}`,
    ]);
    expect(lines(await dumped({ from: 3, max: 2 }))).toEqual([all[3], all[4], 'warning: more follows: --from 5']);
  });

  test('what is deleted has a snapshot that stands for it', async () => {
    const desk = cluster(400);
    const { startOffset, endOffset, records } = desk.traced('metadata.snapshot').at(-1)!;
    await folder(desk.disk);
    expect(lines(await dumped())[0]).toBe(
      `warning: what stood below offset ${startOffset} is deleted: the snapshot at offset ${endOffset}, of ${records} records, ` +
        'stands for it. See it: --snapshot',
    );
    const snapshot = await dumped({ snapshot: true });
    expect(snapshot).toHaveLength(records);
    expect(snapshot[0]).toMatchObject({ offset: 0, type: 'CLUSTER_RECORD' });
  });

  test('repl R-102: a record that cannot be read, and one that is missing, are told; what follows is dumped', async () => {
    const { disk } = cluster();
    disk.set(recordKey(1).toString('latin1'), Buffer.from('{"cluster"'));
    disk.delete(recordKey(3).toString('latin1'));
    await folder(disk);
    expect(lines(await dumped({ max: 3 }))).toEqual([
      expect.stringMatching(/^\| offset: 0 payload: \{"type":"CLUSTER_RECORD"/),
      expect.stringMatching(/^\| offset: 1 payload: cannot be read \(/),
      expect.stringMatching(/^\| offset: 2 payload: \{"type":"FEATURE_LEVEL_RECORD"/),
      'warning: more follows: --from 4',
    ]);
    expect(lines(await dumped({ from: 2, max: 2 }))[1]).toBe('warning: offsets 3 to 3 are missing');
  });

  test('a snapshot that is not what was written says so', async () => {
    const { disk } = cluster(400);
    const mark = disk.get(SNAPSHOT_MARK_KEY.toString('latin1'))!;
    const [key] = [...disk.keys()].filter((each) => each.startsWith('snapshot/'));
    disk.set(key!, Buffer.from('{"cluster":{"clusterId":"other"}}'));
    await folder(disk);
    const { endOffset, count } = JSON.parse(mark.toString()) as { endOffset: number; count: number };
    expect((await dumped({ snapshot: true }))[0]).toEqual({
      warning:
        `the snapshot at offset ${endOffset} is damaged: ${count} of ${count} records, not the checksum it was ` +
        'written with. No controller starts from it',
    });
  });

  test('a mark that cannot be read', async () => {
    const { disk } = cluster(400);
    disk.set(SNAPSHOT_MARK_KEY.toString('latin1'), Buffer.from('{'));
    await folder(disk);
    expect(await refusal(dumped())).toBe(`${directory} is damaged: what says which snapshot is whole cannot be read`);
  });

  test('a file of the database whose bytes are not what was written', async () => {
    await folder(cluster().disk);
    const store = join(directory, 'store');
    // What lies in LevelDB's journal is made a table when it is opened.
    const db = new Level<Buffer, Buffer>(store, LEVELDB_OPTIONS);
    await db.open();
    await db.close();
    const table = join(
      store,
      readdirSync(store).find((name) => name.endsWith('.ldb'))!,
    );
    const bytes = readFileSync(table);
    writeFileSync(table, bytes.fill(0x5a, 0, bytes.length - 48));
    expect(await refusal(dumped())).toMatch(/is damaged: .*(?:Corruption|corrupt)/);
  });

  test('a wrong one says what it is', async () => {
    expect(await refusal(dumped())).toBe(`${directory} does not exist`);
    mkdirSync(directory);
    writeFileSync(join(directory, 'notes'), '');
    expect(await refusal(dumped())).toMatch(/ holds no database\. Give a node's folder, e\.g\. \.\.\.\/controller$/);
    await folderOf(factKey('format'));
    expect(await refusal(dumped())).toMatch(/ holds no metadata log\. It is a broker's; the metadata log is in /);
  });

  test("of a broker's log, the controller's says how its own is read", async () => {
    await folder(cluster().disk);
    expect(await refusal(withStoredLog(directory, { topic: 'orders', partition: 0 }, () => Promise.resolve()))).toBe(
      `${directory} is no data directory of a broker: it holds no logs. It is a controller's: highwater log dump ` +
        `__cluster_metadata-0 --data-dir ${directory}`,
    );
  });

  async function folderOf(key: Buffer): Promise<void> {
    rmSync(directory, { recursive: true });
    await folder(new Map([[key.toString('latin1'), Buffer.from('1')]]));
  }
});

describe('a controller that runs', () => {
  test('answers stretches of the log, from where it begins', () => {
    const desk = cluster(400);
    const { startOffset, endOffset, records: inSnapshot } = desk.traced('metadata.snapshot').at(-1)!;
    const first = desk.call('DescribeMetadataLog', { fromOffset: 0, snapshot: false, maxRecords: 2 });
    expect(first).toMatchObject({ startOffset, baseOffset: startOffset, snapshotOffset: endOffset });
    expect(first.records).toHaveLength(2);
    const end = desk.controller.image.endOffset;
    expect(desk.call('DescribeMetadataLog', { fromOffset: end, snapshot: false, maxRecords: 2 }).records).toEqual([]);
    const snapshot = { snapshot: true, maxRecords: 500 };
    expect(desk.call('DescribeMetadataLog', { ...snapshot, fromOffset: 1 }).records).toHaveLength(inSnapshot - 1);
  });

  test('has no snapshot at first', () => {
    const answer = cluster().call('DescribeMetadataLog', { fromOffset: 0, snapshot: true, maxRecords: 500 });
    expect(answer).toMatchObject({ snapshotOffset: -1, snapshotCount: 0, startOffset: 0, records: [] });
  });
});
