// The lines of `log dump`: Kafka's, field for field, so that what reads its dumps reads these (ux: old muscle memory).
import type { DumpedBatch, DumpedRecord } from './dumped-batch.ts';

/** The line of a batch, and one line a record unless `records` is false. */
export function batchLines(batch: DumpedBatch, records = true): string[] {
  const lines = [batchLine(batch)];
  if (!records) return lines;
  lines.push(...batch.records.map((record) => recordLine(record, batch.timestampType)));
  if (batch.unread !== undefined) lines.push(`| ${batch.unread}`);
  return lines;
}

function batchLine(batch: DumpedBatch): string {
  const { header } = batch;
  return fields([
    ['baseOffset', header.baseOffset],
    ['lastOffset', header.lastOffset],
    ['count', header.recordCount],
    ['baseSequence', header.baseSequence],
    ['lastSequence', batch.lastSequence],
    ['producerId', header.producerId],
    ['producerEpoch', header.producerEpoch],
    ['partitionLeaderEpoch', header.leaderEpoch],
    ['isTransactional', batch.isTransactional],
    ['isControl', batch.isControl],
    // Not written into batches here: the cleaner remembers it for the whole log (txn T-114).
    ['deleteHorizonMs', 'OptionalLong.empty'],
    ['position', batch.position],
    [batch.timestampType, header.maxTimestamp],
    ['size', header.sizeBytes],
    ['magic', header.magic],
    ['compresscodec', batch.compression],
    ['crc', header.crc],
    ['isvalid', batch.isValid],
  ]);
}

function recordLine(record: DumpedRecord, timestampType: string): string {
  const { marker, decoded, key, payload } = record;
  const shown: (readonly [string, unknown])[] = [
    ['offset', record.offset],
    [timestampType, record.timestamp],
    ['keySize', record.keySize],
    ['valueSize', record.valueSize],
    ['sequence', record.sequence],
    ['headerKeys', `[${record.headerKeys.map(oneLine).join(',')}]`],
  ];
  if (marker !== undefined) {
    shown.push(['endTxnMarker', marker.type], ['coordinatorEpoch', marker.coordinatorEpoch]);
  } else if (decoded !== undefined) {
    shown.push(['key', oneLine(decoded.keyText)]);
    if (decoded.payloadText !== undefined) shown.push(['payload', oneLine(decoded.payloadText)]);
  } else {
    if (typeof key === 'string') shown.push(['key', oneLine(key)]);
    if (typeof payload === 'string') shown.push(['payload', oneLine(payload)]);
  }
  return `| ${fields(shown)}`;
}

function fields(of: readonly (readonly [string, unknown])[]): string {
  return of.map(([name, value]) => `${name}: ${String(value)}`).join(' ');
}

/** A record is a line, whatever is in it. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));
}

/** A batch as one document of `--json`. */
export function batchDocument(batch: DumpedBatch, records = true): Readonly<Record<string, unknown>> {
  const { header, position, lastSequence, isTransactional, isControl, timestampType, compression, isValid } = batch;
  const { leaderEpoch: partitionLeaderEpoch, attributes: _, ...numbers } = header;
  return {
    ...{ ...numbers, partitionLeaderEpoch, lastSequence, isTransactional, isControl },
    ...{ position, timestampType, compression, isValid },
    ...(batch.unread === undefined ? {} : { unread: batch.unread }),
    ...(records ? { records: batch.records.map(recordDocument) } : {}),
  };
}

function recordDocument(record: DumpedRecord): Readonly<Record<string, unknown>> {
  const { decoded, marker, ...plain } = record;
  return {
    ...plain,
    ...(marker === undefined ? {} : { endTxnMarker: marker.type, coordinatorEpoch: marker.coordinatorEpoch }),
    ...(decoded === undefined ? {} : { kind: decoded.kind, key: decoded.key, payload: decoded.value }),
  };
}
