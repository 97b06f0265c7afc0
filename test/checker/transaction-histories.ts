// Builds histories of transactions and groups by hand, as the tests of checkers read best.
import type { LogRecord, NewEntry } from '../../src/history/operations.ts';

let op = 100_000;

type Outcome = 'ok' | 'fail' | 'info' | 'never';

interface Ends {
  readonly process?: string;
  readonly error?: string;
  /** ms since the run began, of the end. */
  readonly at?: number;
}

/** An operation: its invocation, and its end unless it never ended. */
function operation(fields: object, outcome: Outcome, { error, at }: Ends = {}): NewEntry[] {
  op += 1;
  const invoke = { type: 'invoke', op, ...fields } as unknown as NewEntry;
  if (outcome === 'never') return [invoke];
  const more = { ...(error === undefined ? {} : { error }), ...(at === undefined ? {} : { time: at }) };
  return [invoke, { ...invoke, type: outcome, ...more } as NewEntry];
}

/** A client that runs transactions under one transactional id. */
export function producer(process = 'app', transactionalId = 'id') {
  const step = (f: string, more: object, outcome: Outcome, ends: Ends = {}): NewEntry[] =>
    operation({ f, process: ends.process ?? process, transactionalId, ...more }, outcome, ends);
  return {
    init: (outcome: Outcome = 'ok', more: Ends & { timeoutMs?: number } = {}): NewEntry[] =>
      step('init', { timeoutMs: more.timeoutMs ?? 1000, producerId: 1, producerEpoch: 0 }, outcome, more),
    begin: (txn: number): NewEntry[] => step('begin', { txn }, 'ok'),
    commit: (txn: number, outcome: Outcome = 'ok', ends: Ends = {}): NewEntry[] =>
      step('commit', { txn }, outcome, ends),
    abort: (txn: number, outcome: Outcome = 'ok', ends: Ends = {}): NewEntry[] => step('abort', { txn }, outcome, ends),
    offsets: (txn: number, offset: number, outcome: Outcome = 'ok', partition = 'in-0'): NewEntry[] =>
      step('send-offsets', { txn, group: 'g', offsets: { [partition]: offset } }, outcome),
    send: (
      txn: number,
      value: string,
      outcome: Outcome = 'ok',
      { partition = 'orders-0', from = undefined as readonly string[] | undefined, error = '' } = {},
    ): NewEntry[] => {
      const send = { f: 'send', process, partition, value, acks: -1, txn, ...(from === undefined ? {} : { from }) };
      return operation(send, outcome, error === '' ? {} : { error });
    },
  };
}

/** What a read_committed reader (or another) was given, at consecutive offsets, or with `value@offset` at that one. */
export function read(
  reader: string,
  records: readonly string[],
  {
    isolation = 'read_committed' as const,
    partition = 'orders-0',
    from = 0,
    to = undefined,
    group = undefined,
  }: {
    isolation?: 'read_committed' | 'read_uncommitted';
    partition?: string;
    from?: number;
    to?: number | undefined;
    group?: string | undefined;
  } = {},
): NewEntry {
  op += 1;
  const given = records.map((text, at) => {
    const [value, offset] = text.split('@') as [string, string | undefined];
    return { offset: offset === undefined ? from + at : Number(offset), value };
  });
  const end = to ?? Math.max(from, ...given.map(({ offset }) => offset + 1));
  const poll = {
    f: 'poll',
    type: 'ok',
    process: reader,
    op,
    partition,
    from,
    to: end,
    records: given,
    isolation,
  } as const;
  return group === undefined ? poll : { ...poll, group };
}

/**
 * Three replicas that hold a log. "value:pid" is a record of a transaction, "value" a plain one, "!commit:pid" and
 * "!abort:pid" markers, "-" a gap.
 */
export function log(texts: readonly string[], partition = 'orders-0', nodes = [1, 2, 3]): NewEntry[] {
  const records = texts.flatMap((text, offset): LogRecord[] => {
    if (text === '-') return [];
    const [word, pid] = text.split(':') as [string, string | undefined];
    const common = { offset, leaderEpoch: 0, crc: text };
    const of = pid === undefined ? {} : { producerId: Number(pid), producerEpoch: 0, transactional: true as const };
    if (word === '!commit' || word === '!abort')
      return [{ ...common, ...of, marker: word === '!commit' ? 'commit' : 'abort', coordinatorEpoch: 0 }];
    return [{ ...common, ...of, value: word }];
  });
  const ends = { logStartOffset: 0, highWatermark: texts.length, logEndOffset: texts.length };
  return nodes.map((node) => ({ f: 'replica', type: 'info', process: 'observer', partition, node, records, ...ends }));
}

/** What a group has committed when everything is quiet. */
export function committed(offsets: Record<string, number>, unstable: readonly string[] = [], group = 'g'): NewEntry {
  return { f: 'committed', type: 'info', process: 'observer', group, offsets, unstable };
}

/** A plain commit of a member. */
export function commitOffsets(
  process: string,
  offset: number,
  outcome: Outcome = 'ok',
  partition = 'in-0',
): NewEntry[] {
  return operation({ f: 'commit-offsets', process, group: 'g', offsets: { [partition]: offset } }, outcome);
}

/** A member learns what is committed. */
export function fetchOffsets(process: string, offset: number, partition = 'in-0'): NewEntry[] {
  op += 1;
  const common = { f: 'fetch-offsets', process, op, group: 'g' } as const;
  return [
    { ...common, type: 'invoke' },
    { ...common, type: 'ok', offsets: { [partition]: offset } },
  ];
}

/** A member of generation `generation` was given, or gave up, orders-0. */
export function member(
  f: 'assigned' | 'revoked' | 'lost',
  name: string,
  generation: number,
  { instance = '', partition = 'orders-0', group = 'g' } = {},
): NewEntry {
  const of = { process: name, group, member: name, generation, partitions: [partition] };
  return { f, type: 'info', ...of, ...(instance === '' ? {} : { instance }) };
}

/** What a coordinator says of a transactional id. */
export function described(
  state: string,
  { id = 'id', pid = 1, partitions = [] as readonly string[], node = 1, epoch = 0, shard = 0, timeoutMs = 1000 } = {},
): NewEntry {
  return {
    ...{ f: 'transaction', type: 'info', process: 'observer', transactionalId: id, node, statePartition: shard },
    ...{ coordinatorEpoch: epoch, state, producerId: pid, producerEpoch: 0, timeoutMs, startTimeMs: 0, partitions },
  };
}

/** What a leader holds open: nothing, or a transaction from an offset. */
export function open(firstOffset?: number, { pid = 1, idleMs = 0, partition = 'orders-0' } = {}): NewEntry {
  const one = { producerId: pid, producerEpoch: 0, firstOffset: firstOffset ?? 0, idleMs };
  const ends = { lastStableOffset: firstOffset ?? 9, highWatermark: 9 };
  const all = firstOffset === undefined ? [] : [one];
  return { f: 'open-transactions', type: 'info', process: 'observer', partition, node: 1, ...ends, open: all };
}

/** Everything is quiet, and for these clients the run waited. */
export function waited(...awaited: string[]): NewEntry {
  return { f: 'quiesce', type: 'ok', process: 'observer', missing: [], awaited };
}

export function declared(what: 'unclean-election' | 'admin-abort', partition = 'orders-0'): NewEntry {
  return { f: 'budget', type: 'info', process: 'run', what, partition };
}

export function fault(more: { halts?: string[]; frees?: string[]; skews?: true }): NewEntry {
  return { f: 'fault', type: 'info', process: 'faults', fault: 'f', action: 'pause', detail: '', ...more };
}
