// What `log dump` prints of the metadata log: a line a record, as Kafka's tool with --cluster-metadata-decoder, or the same as
// one document. Batches it has none: a record has a key of its own in the controller's store, and no timestamp.
import { document, say, write, type OutputOptions } from '../output.ts';
import { Problem } from '../problem.ts';
import { dumpMetadata, METADATA_TOPIC, type DumpedMetadata } from './metadata-records.ts';
import type { MetadataAt, MetadataFacts, MetadataSource } from './metadata-source.ts';

/** What is asked for. */
export interface MetadataDump {
  /** Of the newest snapshot, not of the log. */
  readonly snapshot: boolean;
  /** First offset; the start if absent. */
  readonly from: number | undefined;
  /** Records at most. */
  readonly max: number;
}

/** A record as it is shown, or what is odd. */
export type ShownMetadata =
  ({ readonly offset: number } & (DumpedMetadata | { readonly unread: string })) | { readonly warning: string };

/** Prints it. */
export async function printMetadata(source: MetadataSource, asked: MetadataDump, out: OutputOptions): Promise<void> {
  const { facts } = source;
  checkFrom(facts, asked);
  if (!out.json) say(out, `dumping ${METADATA_TOPIC}-0${wordsOf(facts)}`);
  const data: unknown[] = [];
  const warnings: string[] = [];
  for await (const each of shown(source, asked)) {
    if (!('warning' in each)) {
      if (out.json) data.push(each);
      else await write(`${metadataLine(each)}\n`);
    } else if (out.json) warnings.push(each.warning);
    else say(out, `warning: ${each.warning}`);
  }
  const about = { topic: METADATA_TOPIC, partition: 0, of: asked.snapshot ? 'snapshot' : 'log' };
  if (out.json) await write(document('log.dump-metadata', data, { ...about, ...facts, warnings }));
}

/** Kafka's line of a record. */
export function metadataLine(shown: Exclude<ShownMetadata, { readonly warning: string }>): string {
  const { offset, ...payload } = shown;
  return `| offset: ${offset} payload: ${'unread' in payload ? payload.unread : JSON.stringify(payload)}`;
}

/** The records asked for, and what is odd between them. */
export async function* shown(source: MetadataSource, asked: MetadataDump): AsyncGenerator<ShownMetadata> {
  const { startOffset, snapshotOffset, snapshotRecords } = source.facts;
  const { snapshot, max } = asked;
  const from = asked.from ?? (snapshot ? 0 : startOffset);
  if (!snapshot && startOffset > 0 && from <= startOffset) {
    yield {
      warning:
        `what stood below offset ${startOffset} is deleted: the snapshot at offset ${snapshotOffset}, of ` +
        `${snapshotRecords} records, stands for it. See it: --snapshot`,
    };
  }
  let [count, next] = [0, Math.max(from, snapshot ? 0 : startOffset)];
  for await (const each of snapshot ? source.snapshot(from) : source.records(next)) {
    if ('warning' in each) yield each;
    else {
      if (count === max) return yield { warning: `more follows: --from ${each.offset}` };
      if (each.offset !== next) yield { warning: `offsets ${next} to ${each.offset - 1} are missing` };
      yield shownRecord(each);
      count += 1;
      next = each.offset + 1;
    }
  }
  if (count === 0) yield { warning: 'no record stands there' };
}

function shownRecord(at: Exclude<MetadataAt, { readonly warning: string }>): ShownMetadata {
  const { offset } = at;
  const dumped = 'unread' in at ? at.unread : dumpMetadata(at.record);
  return typeof dumped === 'string' ? { offset, unread: dumped } : { offset, ...dumped };
}

function checkFrom(
  { endOffset, snapshotOffset, snapshotRecords }: MetadataFacts,
  { snapshot, from }: MetadataDump,
): void {
  if (snapshot && snapshotOffset === undefined) {
    throw new Problem(
      'HW2501',
      'the metadata log has no snapshot yet: one is written when it has grown by ' +
        'metadata.log.max.record.bytes.between.snapshots, or each metadata.log.max.snapshot.interval.ms',
    );
  }
  if (from === undefined || from <= (snapshot ? snapshotRecords! : endOffset)) return;
  const end = snapshot ? `the snapshot has ${snapshotRecords} records` : `it ends at ${endOffset}`;
  throw new Problem('HW2501', `--from ${from} is behind the end of ${METADATA_TOPIC}: ${end}`);
}

/** " of the controller: start 0, end 41, snapshot at 30". */
function wordsOf({ directory, startOffset, endOffset, snapshotOffset }: MetadataFacts): string {
  const where = directory === undefined ? ' of the controller' : ` from ${directory}`;
  const snapshot = snapshotOffset === undefined ? 'no snapshot' : `snapshot at ${snapshotOffset}`;
  return `${where}: start ${startOffset}, end ${endOffset}, ${snapshot}`;
}
