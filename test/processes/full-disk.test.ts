// A file system that is really full (repl R-114): a broker's data directory on a small one in memory, which acks=all load
// fills while that broker leads. Needs the right to mount; where there is none, the test is skipped and shown as skipped.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAll, type HighwaterClient } from '../../src/client/index.ts';
import { connectTo, partitionOf, untilConverged } from './support/client.ts';
import { Highwater } from './support/highwater.ts';
import { until } from './support/until.ts';

const SIZE_MIB = 24;
const FILLER_MIB = 16;
const RECORD_BYTES = 64 * 1024;
const of = ['--cluster', 'full'] as const;

function mountSmall(directory: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MIB}m`, 'highwater-test', directory], { stdio: 'ignore' });
}
const unmount = (directory: string): unknown => execFileSync('umount', [directory], { stdio: 'ignore' });

/** Whether this user may mount. */
function canMount(): boolean {
  const probe = mkdtempSync(join(tmpdir(), 'highwater-mount-'));
  try {
    mountSmall(probe);
    unmount(probe);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(probe, { recursive: true, force: true });
  }
}

describe.skipIf(!canMount())('a full file system', () => {
  let highwater: Highwater;
  let client: HighwaterClient;
  let small: string;
  const acknowledged: string[] = [];

  interface NodeRow {
    readonly id: number;
    readonly state: string;
    readonly exit: string;
    readonly cause: string;
  }
  const broker2 = async (): Promise<NodeRow> =>
    (await highwater.json<{ data: NodeRow[] }>('node', 'list', ...of)).data.find(({ id }) => id === 2)!;

  beforeAll(async () => {
    highwater = new Highwater();
    await highwater.up('full', '--config', 'min.insync.replicas=2');
    await highwater.ok('down', ...of);
    small = highwater.state('full').nodes.find(({ id }) => id === 2)!.dataDir;
    mountSmall(small);
    await highwater.up('full');
    await highwater.ok('topics', 'create', 'logs', '--replica-assignment', '2:1:3', ...of);
    client = await connectTo(highwater.state('full'));
  });
  afterAll(async () => {
    await client?.close(100);
    await highwater.ok('down', ...of);
    unmount(small);
    expect(await highwater.close()).toEqual([]);
  });

  test('the leader on it stops with its reason, and nothing acknowledged is lost', async () => {
    expect((await partitionOf(client, 'logs')).leader).toBe(2);
    writeFileSync(join(small, 'filler'), Buffer.alloc(FILLER_MIB * 1024 * 1024));
    const producer = client.producer({ 'batch.size': RECORD_BYTES });
    const filling = ' '.repeat(RECORD_BYTES);
    // Until the broker is gone, and some more, which its successor takes.
    for (let number = 0, after = 0; after < 20; number++) {
      await producer.send({ topic: 'logs', value: `${number}${filling}` });
      acknowledged.push(String(number));
      if ((await partitionOf(client, 'logs')).leader !== 2) after += 1;
    }
    const stopped = await until('broker 2 has ended', async () => {
      const node = await broker2();
      return node.state === 'dead' && node;
    });
    expect(stopped).toMatchObject({ exit: 'code 1' });
    expect(stopped.cause).toMatch(/No space left on device|ENOSPC/i);
    expect(stopped.cause).toMatch(/[Mm]ake the disk work, then start/);
    const found = (await readAll(client, 'logs')).map(({ value }) => String(value).trim());
    expect(found.filter((value, index) => found.indexOf(value) === index)).toEqual(acknowledged);
  });

  test('while it is full the node does not start again, and says why', async () => {
    const { code, stderr } = await highwater.run(['node', 'start', '2', ...of]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error\[HW2301\] [^\n]*(?:no space left|ENOSPC)[^\n]*\n$/i);
  });

  test('with space again it starts, finds what it had counted, and rejoins the ISR', async () => {
    rmSync(join(small, 'filler'));
    await highwater.ok('node', 'start', '2', ...of);
    const replicas = await untilConverged(client, 'logs');
    expect(replicas.map(({ logEndOffset }) => logEndOffset)).toEqual(replicas.map(() => replicas[0]!.logEndOffset));
    expect(replicas[0]!.logEndOffset).toBeGreaterThanOrEqual(acknowledged.length);
    const found = (await readAll(client, 'logs')).map(({ value }) => String(value).trim());
    expect(found).toEqual(expect.arrayContaining(acknowledged));
  });
});
