// Builds histories by hand, one short line an entry, as the tests of checkers read best.
import type { HistoryEntry, LogRecord, NewEntry } from '../../src/history/operations.ts';

const P = 'orders-0';

/** Entries, or several at once. */
export type Entries = (NewEntry | readonly NewEntry[])[];

/** Gives entries their place. */
export function history(...entries: Entries): HistoryEntry[] {
  return entries.flat().map((entry, index) => ({ index, time: index, ...entry }) as HistoryEntry);
}

let op = 0;

/** A send and its outcome: where it landed, or how it ended. */
export function sent(
  value: string,
  outcome: number | 'fail' | 'info',
  { acks = -1 as 0 | 1 | -1, process = 'p', partition = P, idempotent = false } = {},
): NewEntry[] {
  op += 1;
  const numbered = idempotent ? { idempotent: true as const } : {};
  const invoke = { f: 'send', type: 'invoke', process, op, partition, value, acks, ...numbered } as const;
  if (typeof outcome === 'number') return [invoke, { ...invoke, type: 'ok', offset: outcome }];
  return [invoke, { ...invoke, type: outcome, error: 'REQUEST_TIMED_OUT' }];
}

/** A question where the partition ends, and the answer of the leader of an epoch. */
export function ended(process: string, offset: number, leaderEpoch: number, partition = P): NewEntry[] {
  op += 1;
  const invoke = { f: 'end-offset', type: 'invoke', process, op, partition } as const;
  return [invoke, { ...invoke, type: 'ok', offset, leaderEpoch }];
}

/** A poll that was also told a high watermark by the leader of an epoch. */
export function told(
  reader: string,
  from: number,
  values: readonly string[],
  by: { highWatermark: number; leaderEpoch: number },
): NewEntry {
  return { ...polled(reader, from, values), ...by } as NewEntry;
}

/** A poll that was given values at consecutive offsets from `from`; `to` is where it goes on, if not right behind them. */
export function polled(reader: string, from: number, values: readonly string[], to = from + values.length): NewEntry {
  op += 1;
  const records = values.map((value, at) => ({ offset: from + at, value }));
  return { f: 'poll', type: 'ok', process: reader, op, partition: P, from, to, records };
}

/** A reader was moved. */
export function moved(
  reader: string,
  why: 'seek' | 'start' | 'reset' | 'truncated',
  from: number,
  to: number,
): NewEntry {
  return { f: 'position', type: 'info', process: reader, partition: P, why, from, to };
}

/** What one replica held: values at consecutive offsets, each "value" of epoch 0 or "value/epoch"; "-" is a gap. */
export function replica(node: number, values: readonly string[], more: { hw?: number; start?: number } = {}): NewEntry {
  const start = more.start ?? 0;
  const records = values.flatMap((text, at): LogRecord[] => {
    if (text === '-') return [];
    const [value, epoch] = text.split('/') as [string, string | undefined];
    return [{ offset: start + at, leaderEpoch: Number(epoch ?? 0), crc: `crc-${value}`, value }];
  });
  const logEndOffset = start + values.length;
  return {
    ...{ f: 'replica', type: 'info', process: 'observer', partition: P, node, records },
    ...{ logStartOffset: start, highWatermark: more.hw ?? logEndOffset, logEndOffset },
  };
}

/** The replicas of nodes 1 to n, all alike, and agreed. */
export function agreed(values: readonly string[], nodes = [1, 2, 3]): NewEntry[] {
  return [...nodes.map((node) => replica(node, values)), quiet()];
}

/** Everything is quiet; some partitions did not agree or were not seen. */
export function quiet(...missing: string[]): NewEntry {
  return { f: 'quiesce', type: missing.length === 0 ? 'ok' : 'info', process: 'observer', missing };
}

export function budget(
  what: 'unclean-election' | 'last-known-election' | 'power-loss' | 'wipe' | 'made-good',
  node?: number,
  tolerated?: number,
): NewEntry {
  return {
    f: 'budget',
    type: 'info',
    process: 'observer',
    what,
    partition: P,
    ...(node === undefined ? {} : { node }),
    ...(tolerated === undefined ? {} : { tolerated }),
  };
}
