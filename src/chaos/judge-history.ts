// What expectations ask of a history directly: how operations ended, what was seen, which epochs were given, what the final
// log holds. Anomalies are the checkers'.
import type { HistoryEntry, LogRecord, TxnOp } from '../history/operations.ts';
import { clientOf } from './process-names.ts';
import type { Expectation } from './plan.ts';

type Of<K extends Expectation['kind']> = Extract<Expectation, { readonly kind: K }>;

/** The values of these that a client was given. */
export function valuesSeen(history: readonly HistoryEntry[], { client, values }: Of<'unseen'>): string[] {
  const seen = new Set<string>();
  for (const entry of history) {
    if (entry.f !== 'poll' || clientOf(entry.process) !== client) continue;
    for (const { value } of entry.records ?? []) if (values.includes(value)) seen.add(value);
  }
  return [...seen];
}

/** Whether some operation of a client ended as expected. */
export function endedAs(history: readonly HistoryEntry[], expected: Of<'operation'>): boolean {
  return endings(history, expected).some(({ type, error }) => {
    if (expected.outcome === 'ok') return type === 'ok';
    if (type === 'ok') return false;
    return expected.errors.length === 0 || expected.errors.some((name) => name === error);
  });
}

/** What became of them instead, for people. */
export function operationMissed(history: readonly HistoryEntry[], expected: Of<'operation'>): string {
  const { client, operations, outcome, errors } = expected;
  const wanted = outcome === 'ok' ? 'ok' : `an error${errors.length === 0 ? '' : ` (${errors.join(' or ')})`}`;
  const ended = endings(history, expected).map(
    ({ f, type, error }) => `${f} ${type === 'ok' ? 'ok' : (error ?? type)}`,
  );
  const instead = ended.length === 0 ? 'none of them ended' : `they ended ${[...new Set(ended)].join(', ')}`;
  return `expected ${operations.join(' or ')} of ${client} to end with ${wanted}; ${instead}`;
}

interface Ending {
  readonly f: string;
  readonly type: string;
  readonly error?: string;
}

function endings(history: readonly HistoryEntry[], { client, operations }: Of<'operation'>): Ending[] {
  return history.flatMap((entry): Ending[] => {
    if (
      clientOf(entry.process) !== client ||
      !('op' in entry) ||
      entry.type === 'invoke' ||
      !operations.includes(entry.f)
    )
      return [];
    return [{ f: entry.f, type: entry.type, ...(entry.error === undefined ? {} : { error: entry.error }) }];
  });
}

/** Why an epoch is not above the other; undefined if it is. */
export function epochProblem(
  history: readonly HistoryEntry[],
  { transactionalId, of, above }: Of<'epoch'>,
): string | undefined {
  const [mine, theirs] = [identity(history, transactionalId, of), identity(history, transactionalId, above)];
  if (mine === undefined) return `${of} was never given an epoch of ${transactionalId}`;
  if (theirs === undefined) return `${above} was never given an epoch of ${transactionalId}`;
  // A new producer id begins at epoch 0 and is newer than any epoch of the one before (txn T-46).
  if (mine.producerId !== theirs.producerId || mine.producerEpoch > theirs.producerEpoch) return undefined;
  return `${of} has epoch ${mine.producerEpoch} of ${transactionalId}, and ${above} ${theirs.producerEpoch}`;
}

/** The first identity that a client was given. */
function identity(
  history: readonly HistoryEntry[],
  transactionalId: string,
  client: string,
): { producerId: number; producerEpoch: number } | undefined {
  const given = history.find(
    (entry): entry is TxnOp =>
      entry.f === 'init' &&
      entry.type === 'ok' &&
      clientOf(entry.process) === client &&
      entry.transactionalId === transactionalId,
  );
  const { producerId, producerEpoch } = given ?? {};
  return producerId === undefined || producerEpoch === undefined ? undefined : { producerId, producerEpoch };
}

/** Why no such marker ends the transaction of a value; undefined if one does. */
export function markerProblem(history: readonly HistoryEntry[], expected: Of<'marker'>): string | undefined {
  const { partition, marker, closes } = expected;
  const logs = history.filter((entry) => entry.f === 'replica' && entry.partition === partition);
  for (const log of logs) {
    if (log.f !== 'replica') continue;
    const found = closingMarker(log.records, closes);
    if (found === marker) return undefined;
    if (found !== undefined) return `${closes} in ${partition} is ended by a ${found.toUpperCase()} marker`;
  }
  return `no marker in ${partition} ends the transaction of ${closes}`;
}

function closingMarker(records: readonly LogRecord[], value: string): 'commit' | 'abort' | undefined {
  const at = records.findIndex((record) => record.value === value && record.transactional === true);
  const { producerId } = records[at] ?? {};
  if (producerId === undefined) return undefined;
  return records.slice(at).find((record) => record.marker !== undefined && record.producerId === producerId)?.marker;
}
