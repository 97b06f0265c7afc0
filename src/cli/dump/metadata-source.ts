// Where `log dump` reads the metadata log: of the controller that runs, or from the data directory of one that does not.
import { inContainers } from '../../agent/home.ts';
import { nodeFolder } from '../../agent/layout.ts';
import { isSameProcess } from '../../agent/process-identity.ts';
import type { Offset } from '../../base/units.ts';
import type { MetadataRecord } from '../../protocol/generated/index.ts';
import { recordedCluster, withCluster, type Cluster } from '../cluster.ts';
import { EXIT, Problem } from '../problem.ts';
import type { SourceFlags } from './log-source.ts';
import { METADATA_TOPIC } from './metadata-records.ts';
import { withStoredMetadata } from './stored-metadata.ts';

/** What is said of the log beside its records. */
export interface MetadataFacts {
  /** The data directory, if it was read. */
  readonly directory?: string;
  /** First offset that the log still holds. */
  readonly startOffset: Offset;
  /** Exclusive. */
  readonly endOffset: Offset;
  /** The newest snapshot stands for the log below this offset. */
  readonly snapshotOffset?: Offset;
  readonly snapshotRecords?: number;
}

/** A record of the log, or of a snapshot, whose records count from 0; or what is wrong with one, or between two. */
export type MetadataAt =
  | { readonly offset: Offset; readonly record: MetadataRecord }
  | { readonly offset: Offset; readonly unread: string }
  | { readonly warning: string };

export interface MetadataSource {
  readonly facts: MetadataFacts;
  /** Records of the log from an offset on. */
  records(from: Offset): AsyncIterable<MetadataAt>;
  /** Records of the newest snapshot, from one of them on. */
  snapshot(from: number): AsyncIterable<MetadataAt>;
}

/** Records that one answer of the controller may bring. */
const RECORDS_A_CALL = 500;

/** Runs `use` with the metadata log of a cluster, or of a data directory. */
export async function withMetadataSource(
  cluster: string,
  flags: SourceFlags,
  use: (source: MetadataSource) => Promise<void>,
): Promise<void> {
  if (flags.broker !== undefined) {
    throw new Problem('HW2001', `${METADATA_TOPIC} is the controller's log, no broker's: leave --broker out`);
  }
  const directory = flags.dataDir ?? stoppedController(cluster);
  if (directory !== undefined) return withStoredMetadata(directory, use);
  await withCluster(cluster, (opened) => fromController(opened, use));
}

/** The folder of the controller, if its process does not run. */
function stoppedController(cluster: string): string | undefined {
  const state = recordedCluster(cluster);
  const node = state.nodes.find(({ role }) => role === 'controller')!;
  if (inContainers(state) || isSameProcess(node)) return undefined;
  return nodeFolder(state.dir, 'controller', node.id);
}

async function fromController(cluster: Cluster, use: (source: MetadataSource) => Promise<void>): Promise<void> {
  const ask = (snapshot: boolean, fromOffset: number, maxRecords = RECORDS_A_CALL) =>
    cluster.controller('DescribeMetadataLog', { snapshot, fromOffset, maxRecords });
  const { startOffset, endOffset, snapshotOffset, snapshotCount } = await ask(false, 0, 0);
  const newest = snapshotOffset < 0 ? {} : { snapshotOffset, snapshotRecords: snapshotCount };
  await use({
    facts: { startOffset, endOffset, ...newest },
    records: (from) => pages(endOffset, from, (next) => ask(false, next)),
    snapshot: (from) =>
      pages(snapshotCount, from, async (next) => {
        const page = await ask(true, next);
        if (page.snapshotOffset === snapshotOffset) return page;
        throw new Problem(
          'HW2501',
          `the controller has written another snapshot meanwhile, at offset ${page.snapshotOffset}: ask again`,
          EXIT.failed,
        );
      }),
  });
}

/** Up to `end`, answer by answer: what comes behind it came later. */
async function* pages(
  end: number,
  from: number,
  ask: (next: number) => Promise<{ readonly baseOffset: number; readonly records: readonly MetadataRecord[] }>,
): AsyncGenerator<MetadataAt> {
  for (let next = from; next < end;) {
    const { baseOffset, records } = await ask(next);
    const wanted = records.slice(0, Math.max(0, end - baseOffset));
    yield* wanted.map((record, at) => ({ offset: baseOffset + at, record }));
    if (wanted.length === 0) return;
    next = baseOffset + wanted.length;
  }
}
