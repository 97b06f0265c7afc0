// Ways to break a correct history of the model, each with the name of the anomaly that it plants. A mutation answers
// undefined if the history has nothing that it could break.
import type { AnomalyName } from '../../src/checker/findings.ts';
import type { HistoryEntry, LogRecord, ReplicaObservation, SendOp, TxnOp } from '../../src/history/operations.ts';

type Entries = readonly HistoryEntry[];

export interface Mutation {
  readonly what: string;
  readonly finds: AnomalyName;
  readonly mutate: (entries: Entries) => Entries | undefined;
}

/** Transactions that ended in this way, with their acknowledged sends, by partition. */
function transactions(entries: Entries, f: 'commit' | 'abort'): { end: TxnOp; sends: SendOp[] }[] {
  return entries.flatMap((end) => {
    if (end.f !== f || end.type !== 'ok') return [];
    const sends = entries.filter((entry): entry is SendOp => {
      return entry.f === 'send' && entry.type === 'ok' && entry.process === end.process && entry.txn === end.txn;
    });
    return sends.length === 0 ? [] : [{ end, sends }];
  });
}

/** Changes the log of a partition in all its replicas, and moves nothing. */
function withLog(entries: Entries, partition: string, change: (records: readonly LogRecord[]) => LogRecord[]): Entries {
  return entries.map((entry) =>
    entry.f === 'replica' && entry.partition === partition ? { ...entry, records: change(entry.records) } : entry,
  );
}

function logOf(entries: Entries, partition: string): ReplicaObservation {
  return entries.find((entry): entry is ReplicaObservation => entry.f === 'replica' && entry.partition === partition)!;
}

/** Turns the marker that ends the transaction of a value; of one that was sent again, the last. */
function turnMarker(records: readonly LogRecord[], value: string, marker: 'commit' | 'abort'): LogRecord[] {
  const at = records.findLastIndex((record) => record.value === value);
  const end = records.findIndex((record, place) => {
    return place > at && record.marker !== undefined && record.producerId === records[at]!.producerId;
  });
  return records.map((record, place) => (place === end ? { ...record, marker } : record));
}

function insert(entries: Entries, at: number, ...more: HistoryEntry[]): Entries {
  return [...entries.slice(0, at), ...more, ...entries.slice(at)];
}

/** A read_committed reader is given a value where it stands. */
function reading(entries: Entries, { partition, value, index, time }: SendOp): HistoryEntry | undefined {
  const offset = logOf(entries, partition).records.find((record) => record.value === value)?.offset;
  if (offset === undefined) return undefined;
  const common = { index, time, process: 'victim', op: 1, partition, from: offset, to: offset + 1 } as const;
  return { f: 'poll', type: 'ok', ...common, records: [{ offset, value }], isolation: 'read_committed' };
}

const isCopy = ({ value }: SendOp): boolean => value.startsWith('copy-');

export const mutations: readonly Mutation[] = [
  {
    what: 'a record of an acknowledged commit is gone',
    finds: 'lost-write',
    mutate: (entries) => {
      const lost = transactions(entries, 'commit')[0]?.sends[0];
      if (lost === undefined) return undefined;
      return withLog(entries, lost.partition, (records) => records.filter(({ value }) => value !== lost.value));
    },
  },
  {
    what: 'the marker of an acknowledged commit says ABORT',
    finds: 'lost-write',
    mutate: (entries) => {
      const lost = transactions(entries, 'commit')[0]?.sends[0];
      if (lost === undefined) return undefined;
      return withLog(entries, lost.partition, (records) => turnMarker(records, lost.value, 'abort'));
    },
  },
  {
    what: 'a transaction over two partitions is committed in one only',
    finds: 'torn-txn',
    mutate: (entries) => {
      const both = transactions(entries, 'commit').find(({ sends }) => {
        return !sends.some(isCopy) && new Set(sends.map(({ partition }) => partition)).size === 2;
      });
      if (both === undefined) return undefined;
      const { partition, value } = both.sends[0]!;
      return withLog(entries, partition, (records) => turnMarker(records, value, 'abort'));
    },
  },
  {
    what: 'a reader is given a record of an aborted transaction',
    finds: 'aborted-read',
    mutate: (entries) => {
      const aborted = transactions(entries, 'abort').find(({ sends }) => !sends.some(isCopy));
      const poll = aborted === undefined ? undefined : reading(entries, aborted.sends[0]!);
      return poll === undefined ? undefined : insert(entries, aborted!.end.index + 1, poll);
    },
  },
  {
    what: 'a reader is given a record before its commit',
    finds: 'precommitted-read',
    mutate: (entries) => {
      const early = transactions(entries, 'commit').find(({ sends }) => !sends.some(isCopy))?.sends[0];
      const poll = early === undefined ? undefined : reading(entries, early);
      return poll === undefined ? undefined : insert(entries, early!.index + 1, poll);
    },
  },
  {
    what: 'a record lands behind the marker of its transaction',
    finds: 'hanging-txn',
    mutate: (entries) => {
      const late: LogRecord = {
        offset: 9999,
        leaderEpoch: 0,
        crc: 'late',
        value: 'late',
        producerId: 1,
        producerEpoch: 0,
      };
      const open = { producerId: 1, producerEpoch: 0, firstOffset: late.offset, idleMs: 0 };
      const logged = withLog(entries, 'orders-0', (records) => [...records, { ...late, transactional: true }]);
      return logged.map((entry) =>
        entry.f === 'open-transactions' && entry.partition === 'orders-0' ? { ...entry, open: [open] } : entry,
      );
    },
  },
  {
    what: 'a record is appended twice',
    finds: 'duplicate',
    mutate: (entries) => {
      const twice = transactions(entries, 'commit').find(({ sends }) => !sends.some(isCopy))?.sends[0];
      if (twice === undefined) return undefined;
      return withLog(entries, twice.partition, (records) => {
        const one = records.find(({ value }) => value === twice.value)!;
        return [...records, { ...one, offset: 9999 }];
      });
    },
  },
  {
    what: 'the committed offset of a copy is gone',
    finds: 'lost-offset-commit',
    mutate: (entries) => {
      if (!transactions(entries, 'commit').some(({ sends }) => sends.some(isCopy))) return undefined;
      return entries.map((entry) =>
        entry.f === 'committed' && entry.group === 'g' ? { ...entry, offsets: { 'in-0': -1 } } : entry,
      );
    },
  },
  {
    what: 'an older offset is seen again',
    finds: 'offset-regression',
    mutate: (entries) => {
      const last = entries.findLast((entry) => entry.f === 'fetch-offsets' && entry.type === 'ok');
      if (last?.f !== 'fetch-offsets' || (last.offsets?.['orders-0'] ?? -1) < 0) return undefined;
      const again = { ...last, op: 1e6, offsets: { 'orders-0': -1 } };
      const { offsets: _, ...invoke } = again;
      return insert(entries, last.index + 1, { ...invoke, type: 'invoke' }, again);
    },
  },
  {
    what: 'an input record is copied again',
    finds: 'eos-violation',
    mutate: (entries) => {
      const copied = transactions(entries, 'commit').find(({ sends }) => sends.some(isCopy))?.sends[0];
      if (copied === undefined) return undefined;
      const { txn: _, offset: __, ...plain } = copied;
      const again = { ...plain, process: 'zombie', op: 1e6, value: `${copied.value}-again` };
      const logged = withLog(entries, copied.partition, (records) => [
        ...records,
        { offset: 9999, leaderEpoch: 0, crc: 'again', value: again.value },
      ]);
      const commit = {
        ...plain,
        f: 'commit-offsets',
        process: 'zombie',
        group: 'g',
        offsets: {},
        op: 1e6 + 1,
      } as const;
      const invoked: HistoryEntry[] = [{ ...again, type: 'invoke' }, again, { ...commit, type: 'ok' }];
      return insert(logged, copied.index + 1, ...invoked);
    },
  },
  {
    what: 'outputs of a committed copy are aborted',
    finds: 'eos-violation',
    mutate: (entries) => {
      const lost = transactions(entries, 'commit').find(({ sends }) => sends.some(isCopy))?.sends[0];
      if (lost === undefined) return undefined;
      return withLog(entries, lost.partition, (records) => turnMarker(records, lost.value, 'abort'));
    },
  },
  {
    what: 'a partition is given to a second member of a generation',
    finds: 'double-owner',
    mutate: (entries) => {
      const at = entries.findLastIndex(({ f }) => f === 'assigned');
      const owner = entries[at];
      return owner?.f === 'assigned' ? insert(entries, at + 1, { ...owner, member: 'c', process: 'c' }) : undefined;
    },
  },
  {
    what: 'a producer without a rival is fenced',
    finds: 'self-fence',
    mutate: (entries) => {
      const init: TxnOp = {
        ...entries.find((entry): entry is TxnOp => entry.f === 'init')!,
        process: 'x',
        transactionalId: 'x',
      };
      const commit = { ...init, f: 'commit', op: 1, type: 'fail', txn: 1, error: 'PRODUCER_FENCED' } as const;
      const steps: TxnOp[] = [init, { ...init, type: 'ok' }, { ...commit, type: 'invoke' }, commit];
      return insert(entries, 0, ...steps);
    },
  },
  {
    what: 'an operation never ends',
    finds: 'stall',
    mutate: (entries) => {
      const { awaited } = entries.find((entry) => entry.f === 'quiesce') ?? {};
      const at = entries.findLastIndex(
        (entry) => entry.f === 'init' && entry.type === 'ok' && awaited!.includes(entry.process),
      );
      return entries.filter((_, place) => place !== at);
    },
  },
];
