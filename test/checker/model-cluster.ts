// A correct cluster as plain data, and clients that use it at random: transactions that commit, abort, time out, are taken
// over or end in doubt, copies with offsets, groups, readers. It makes histories in which nothing is wrong, though much
// looks so.
import { Prng } from '../../src/base/prng.ts';
import type { HistoryEntry, LogRecord, NewEntry, SeenRecord } from '../../src/history/operations.ts';

const OUTPUTS = ['orders-0', 'payments-0'] as const;
const TIMEOUT_MS = 1000;

interface ModelTxn {
  outcome: 'open' | 'commit' | 'abort';
  readonly pid: number;
  readonly partitions: Set<string>;
  readonly offsets: { group: string; partition: string; offset: number; order: number }[];
}

interface Stored {
  readonly record: LogRecord;
  readonly txn: ModelTxn | undefined;
}

/** One incarnation of a transactional client. */
interface App {
  readonly id: string;
  readonly pid: number;
  process: string;
  incarnation: number;
  txn: number;
  open: ModelTxn | undefined;
  /** A copy: the inputs of its open transaction end here. */
  readonly copies: boolean;
  position: number;
}

/** Makes one history. */
export class ModelCluster {
  readonly entries: HistoryEntry[] = [];
  readonly #random: Prng;
  readonly #logs = new Map<string, Stored[]>();
  readonly #committed = new Map<string, { offset: number; order: number }>();
  /** Up to where nothing is open any more. */
  readonly #stable = new Map<string, number>();
  readonly #apps: App[];
  readonly #positions = new Map<string, number>();
  #time = 0;
  #op = 0;
  #value = 0;
  #order = 0;
  /** Who was given the partition of the group last. */
  #owner: string | undefined;
  #generation = 0;

  constructor(seed: number, steps: number) {
    this.#random = new Prng(seed);
    for (const partition of ['in-0', ...OUTPUTS]) this.#logs.set(partition, []);
    this.#apps = [1, 2, 3].map((pid) => {
      const app = { id: `id-${pid}`, pid, process: '', incarnation: 0, txn: 0, open: undefined, copies: pid === 3 };
      return { ...app, position: 0 };
    });
    for (const app of this.#apps) this.#start(app);
    for (let step = 0; step < steps; step++) this.#step();
    this.#conclude();
  }

  #step(): void {
    const random = this.#random;
    this.#time += random.below(50);
    const turn = random.below(10);
    if (turn < 4) this.#act(this.#apps[random.below(2)]!);
    else if (turn < 6) this.#copy(this.#apps[2]!);
    else if (turn < 7) this.#sendPlain('in-0');
    else if (turn < 8)
      this.#read(OUTPUTS[random.below(2)]!, random.chance(0.6) ? 'read_committed' : 'read_uncommitted');
    else if (turn < 9) this.#commitPlain();
    else this.#rebalance();
  }

  #record(entry: NewEntry): void {
    const index = this.entries.length;
    this.entries.push({ index, time: this.#time, ...entry } as HistoryEntry);
  }

  /** An operation that ends at once. `happen` is what it does in between. */
  #operation(fields: object, type: 'ok' | 'fail' | 'info', more: object = {}, happen = (): void => undefined): void {
    const invoke = { ...fields, op: this.#op++ };
    this.#record({ ...invoke, type: 'invoke' } as unknown as NewEntry);
    happen();
    this.#record({ ...invoke, ...more, type } as unknown as NewEntry);
  }

  #start(app: App): void {
    if (app.open !== undefined) this.#decide(app.open, 'abort');
    app.open = undefined;
    app.incarnation += 1;
    app.process = `app-${app.pid}#${app.incarnation}`;
    app.txn = 0;
    app.position = this.#committed.get('g in-0')?.offset ?? 0;
    const init = { f: 'init', process: app.process, transactionalId: app.id, timeoutMs: TIMEOUT_MS };
    this.#operation(init, 'ok', { producerId: app.pid, producerEpoch: app.incarnation });
  }

  #begin(app: App): ModelTxn {
    app.txn += 1;
    app.open = { outcome: 'open', pid: app.pid, partitions: new Set(), offsets: [] };
    this.#operation({ f: 'begin', process: app.process, transactionalId: app.id, txn: app.txn }, 'ok');
    return app.open;
  }

  #act(app: App): void {
    const open = app.open ?? this.#begin(app);
    if (this.#random.chance(0.6)) {
      this.#send(app, open, OUTPUTS[this.#random.below(2)]!, `v${this.#value++}`, []);
    } else this.#end(app, open);
  }

  #send(app: App, open: ModelTxn, partition: string, value: string, from: readonly string[]): boolean {
    const send = { f: 'send', process: app.process, partition, value, acks: -1, txn: app.txn };
    const landed = this.#random.chance(0.9);
    const known = landed && this.#random.chance(0.9);
    const derived = from.length === 0 ? {} : { from };
    this.#operation({ ...send, ...derived }, known ? 'ok' : 'info', {}, () => {
      if (!landed) return;
      open.partitions.add(partition);
      this.#append(partition, value, open);
    });
    return known;
  }

  /** All the ways in which a transaction may end. */
  #end(app: App, open: ModelTxn): void {
    const { process, id: transactionalId, txn } = app;
    const [commit, abort] = [
      { f: 'commit', process, transactionalId, txn },
      { f: 'abort', process, transactionalId, txn },
    ];
    const decide = (outcome: 'commit' | 'abort') => (): void => this.#decide(open, outcome);
    app.open = undefined;
    const way = this.#random.below(7);
    if (way < 3) return this.#operation(commit, 'ok', {}, decide('commit'));
    if (way === 3) return this.#operation(abort, 'ok', {}, decide('abort'));
    if (way === 4) {
      const happened = this.#random.chance(0.5);
      this.#operation(commit, 'info', { error: 'REQUEST_TIMED_OUT' }, happened ? decide('commit') : undefined);
      if (!happened) app.open = open;
      return this.#start(app);
    }
    if (way === 5) {
      // Too slow: the coordinator aborts, and the producer adopts that or is fenced.
      this.#time += 2 * TIMEOUT_MS;
      this.#decide(open, 'abort');
      if (this.#random.chance(0.5)) return this.#operation(abort, 'ok');
      this.#operation(commit, 'fail', { error: 'PRODUCER_FENCED', fatal: true });
      return this.#start(app);
    }
    app.open = open;
    this.#start(app); // Taken over…
    this.#operation(commit, 'fail', { error: 'PRODUCER_FENCED', fatal: true }); // …and the zombie wakes up.
  }

  #copy(app: App): void {
    const input = this.#logs.get('in-0')!;
    const count = Math.min(input.length - app.position, 1 + this.#random.below(3));
    if (count <= 0) return;
    const from = app.position;
    const given = input.slice(from, from + count).map(({ record }) => seen(record));
    this.#poll(app.process, 'in-0', [from, from + count], given, 'read_committed', 'g');
    const open = this.#begin(app);
    const all = given.map(({ offset, value }) =>
      this.#send(app, open, 'orders-0', `copy-${value}`, [`in-0@${offset}`]),
    );
    const { process, id: transactionalId, txn } = app;
    const sent = { f: 'send-offsets', process, transactionalId, txn, group: 'g', offsets: { 'in-0': from + count } };
    this.#operation(sent, 'ok', {}, () => {
      open.offsets.push({ group: 'g', partition: 'in-0', offset: from + count, order: this.#order++ });
    });
    app.position = from + count;
    if (all.every((known) => known)) this.#end(app, open);
    else {
      this.#operation({ f: 'abort', process, transactionalId, txn }, 'ok', {}, () => this.#decide(open, 'abort'));
      app.open = undefined;
    }
    if (open.outcome !== 'commit') this.#rewind(app);
  }

  /** txn T-170: positions do not rewind by themselves. */
  #rewind(app: App): void {
    const to = this.#committed.get('g in-0')?.offset ?? 0;
    const { process } = app;
    this.#record({ f: 'position', type: 'info', process, partition: 'in-0', why: 'seek', from: app.position, to });
    app.position = to;
  }

  #sendPlain(partition: string): void {
    const value = `v${this.#value++}`;
    const offset = this.#logs.get(partition)!.length;
    const send = { f: 'send', process: 'plain', partition, value, acks: -1 };
    this.#operation(send, 'ok', { offset }, () => this.#append(partition, value, undefined));
  }

  #append(partition: string, value: string, txn: ModelTxn | undefined): void {
    const log = this.#logs.get(partition)!;
    const of = txn === undefined ? {} : { producerId: txn.pid, producerEpoch: 0, transactional: true as const };
    log.push({ record: { offset: log.length, leaderEpoch: 0, crc: value, value, ...of }, txn });
  }

  #decide(txn: ModelTxn, outcome: 'commit' | 'abort'): void {
    txn.outcome = outcome;
    for (const partition of txn.partitions) {
      const log = this.#logs.get(partition)!;
      const marker = { producerId: txn.pid, producerEpoch: 0, transactional: true, marker: outcome } as const;
      const times = this.#random.chance(0.1) ? 2 : 1; // A marker that was sent again has no effect (txn T-89).
      for (let n = 0; n < times; n++)
        log.push({ record: { offset: log.length, leaderEpoch: 0, crc: outcome, ...marker }, txn: undefined });
    }
    if (outcome === 'abort') return;
    for (const { group, partition, offset, order } of txn.offsets) this.#commit(`${group} ${partition}`, offset, order);
  }

  /** What is later in the log wins. */
  #commit(slot: string, offset: number, order: number): void {
    if ((this.#committed.get(slot)?.order ?? -1) < order) this.#committed.set(slot, { offset, order });
  }

  #commitPlain(): void {
    const offset = this.#random.below(100);
    const happened = this.#random.chance(0.8);
    const known = happened && this.#random.chance(0.8);
    const commit = { f: 'commit-offsets', process: 'member', group: 'h', offsets: { 'orders-0': offset } };
    this.#operation(commit, known ? 'ok' : 'info', {}, () => {
      if (happened) this.#commit('h orders-0', offset, this.#order++);
    });
    const offsets = { 'orders-0': this.#committed.get('h orders-0')?.offset ?? -1 };
    this.#operation({ f: 'fetch-offsets', process: 'other', group: 'h' }, 'ok', { offsets });
  }

  #read(partition: string, isolation: 'read_committed' | 'read_uncommitted'): void {
    const reader = `${isolation} of ${partition}`;
    const log = this.#logs.get(partition)!;
    const from = this.#positions.get(reader) ?? 0;
    const committedOnly = isolation === 'read_committed';
    const end = committedOnly ? this.#lastStableOffset(partition) : log.length;
    const to = Math.min(end, from + 1 + this.#random.below(5));
    if (to <= from) return;
    this.#positions.set(reader, to);
    const given = log.slice(from, to).filter(({ record, txn }) => {
      return record.marker === undefined && (!committedOnly || txn === undefined || txn.outcome === 'commit');
    });
    this.#poll(
      reader,
      partition,
      [from, to],
      given.map(({ record }) => seen(record)),
      isolation,
    );
  }

  #poll(
    process: string,
    partition: string,
    [from, to]: readonly [number, number],
    ...[records, isolation, group]: [readonly SeenRecord[], 'read_committed' | 'read_uncommitted', string?]
  ): void {
    const poll = { f: 'poll', type: 'ok', process, op: this.#op++, partition, from, to, records, isolation } as const;
    this.#record(group === undefined ? poll : { ...poll, group });
  }

  #lastStableOffset(partition: string): number {
    const log = this.#logs.get(partition)!;
    let stable = this.#stable.get(partition) ?? 0;
    while (stable < log.length && log[stable]!.txn?.outcome !== 'open') stable += 1;
    this.#stable.set(partition, stable);
    return stable;
  }

  #rebalance(): void {
    const before = this.#owner;
    const after = this.#random.chance(0.5) ? 'a' : 'b';
    const give = (f: 'assigned' | 'revoked', member: string): void => {
      const of = { process: member, group: 'h', member, generation: this.#generation };
      this.#record({ f, type: 'info', ...of, partitions: ['orders-0'] });
    };
    // Who does not give it up is a zombie of the generation before.
    if (before !== undefined && this.#random.chance(0.7)) give('revoked', before);
    this.#generation += 1;
    give('assigned', after);
    this.#owner = after;
  }

  #conclude(): void {
    this.#time += 10 * TIMEOUT_MS;
    for (const app of this.#apps) if (app.open !== undefined) this.#decide(app.open, 'abort');
    for (const partition of OUTPUTS) this.#read(partition, 'read_committed');
    for (const [partition, log] of this.#logs) this.#observe(partition, log);
    const observer = { type: 'info', process: 'observer' } as const;
    for (const { id, pid } of this.#apps) {
      const shard = { node: 1, statePartition: 0, coordinatorEpoch: 0 };
      const state = { state: 'CompleteAbort', producerId: pid, producerEpoch: 0, partitions: [], startTimeMs: 0 };
      this.#record({ f: 'transaction', ...observer, transactionalId: id, ...shard, ...state, timeoutMs: TIMEOUT_MS });
    }
    for (const [group, partition] of [
      ['g', 'in-0'],
      ['h', 'orders-0'],
    ] as const) {
      const offsets = { [partition]: this.#committed.get(`${group} ${partition}`)?.offset ?? -1 };
      this.#record({ f: 'committed', ...observer, group, offsets, unstable: [] });
    }
    const awaited = this.#apps.map(({ process }) => process);
    this.#record({ f: 'quiesce', type: 'ok', process: 'observer', missing: [], awaited });
  }

  #observe(partition: string, log: readonly Stored[]): void {
    const ends = { logStartOffset: 0, highWatermark: log.length, logEndOffset: log.length };
    const records = log.map(({ record }) => record);
    const observer = { type: 'info', process: 'observer', partition } as const;
    for (const node of [1, 2, 3]) this.#record({ f: 'replica', ...observer, node, records, ...ends });
    const { highWatermark } = ends;
    this.#record({
      f: 'open-transactions',
      ...observer,
      node: 1,
      lastStableOffset: log.length,
      highWatermark,
      open: [],
    });
    for (const isolation of ['read_committed', 'read_uncommitted'] as const) {
      const given = log.filter(({ record, txn }) => {
        if (record.marker !== undefined) return false;
        return isolation === 'read_uncommitted' || txn === undefined || txn.outcome === 'commit';
      });
      const seenRecords = given.map(({ record }) => seen(record));
      this.#record({ f: 'scan', ...observer, isolation, to: log.length, records: seenRecords });
    }
  }
}

function seen({ offset, value }: LogRecord): SeenRecord {
  return { offset, value: value! };
}
