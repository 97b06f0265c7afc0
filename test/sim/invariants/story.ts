// Hand-written traces for the tests of invariants: a partition orders-0 on brokers 1, 2, 3, told event by event. Only the
// fields that a test is about are named; the rest is what a sound cluster would say.
import { partitionRecord } from '../../../src/metadata/records.ts';
import type { MetadataRecord } from '../../../src/protocol/generated/index.ts';
import { InvariantSuite } from '../../../src/sim/invariants/suite.ts';
import type { Violation } from '../../../src/sim/invariants/invariant.ts';
import type { BatchMark, Stamped, TraceEvent } from '../../../src/trace/events.ts';

export const CONTROLLER = 100;
export const ORDERS = { topic: 'orders', topicId: 'orders-id', partition: 0 };

type Epochs = readonly (readonly [number, number])[];
type EventOf<T extends TraceEvent['type']> = Extract<TraceEvent, { type: T }>;
type Fields<T extends TraceEvent['type']> = Partial<Omit<EventOf<T>, 'type'>>;

/** A batch of one record, or of records up to `lastOffset`. Content follows from its name unless `crc` is given. */
export function batch(baseOffset: number, leaderEpoch: number, rest: Partial<BatchMark> = {}): BatchMark {
  return { baseOffset, leaderEpoch, lastOffset: baseOffset, crc: baseOffset * 31 + leaderEpoch, ...rest };
}

/** Batches of one record each at offsets [from, to). */
export function batches(from: number, to: number, leaderEpoch: number): BatchMark[] {
  return Array.from({ length: to - from }, (_, i) => batch(from + i, leaderEpoch));
}

/** One trace under all invariants, with the self-check on. */
export class Story {
  readonly found: string[] = [];
  readonly suite = new InvariantSuite({
    onViolation: ({ invariant, subject }) => this.found.push(`${invariant} ${subject}`),
    selfCheck: true,
  });
  #offset = 0;
  #lamport = 0;
  readonly #seqs = new Map<number, number>();

  /** Any event of a node. */
  tell(node: number, event: TraceEvent): this {
    const seq = this.#seqs.get(node) ?? 0;
    this.#seqs.set(node, seq + 1);
    const stamped: Stamped = { node, seq, lamport: ++this.#lamport, time: 0, event };
    this.suite.onEvent(stamped);
    return this;
  }

  /** Ends the trace: what was found, as "repl I-n subject". */
  end(): string[] {
    this.suite.sweep();
    return this.found;
  }

  /** Ends the trace: what was found of one rule. For what is no whole cluster, such as followers without a leader. */
  endOf(rule: string): string[] {
    return this.end().filter((what) => what.startsWith(`${rule} `));
  }

  /** Details of what was found. */
  get details(): readonly Violation[] {
    return this.suite.violations;
  }

  commit(record: Partial<MetadataRecord>, unclean = false): this {
    const event = { type: 'metadata.committed', offset: this.#offset++, record } as const;
    return this.tell(CONTROLLER, unclean ? { ...event, unclean } : event);
  }

  broker(brokerId: number, state: { fenced?: boolean; inControlledShutdown?: boolean } = {}): this {
    const { fenced = false, inControlledShutdown = false } = state;
    return this.commit({ brokerRegistrationChange: { brokerId, brokerEpoch: 1, fenced, inControlledShutdown } });
  }

  change(change: { isr?: number[]; leader?: number; reason?: string; unclean?: boolean }): this {
    const { isr, leader, reason = 'test', unclean = false } = change;
    const record = {
      ...{ topicId: ORDERS.topicId, partition: 0, isr: isr === undefined ? null : { ids: isr }, reason },
      ...{ hasLeader: leader !== undefined, leader: leader ?? 0, leaderRecoveryState: '' },
      ...{ elr: null, lastKnownElr: null, replicas: null, addingReplicas: null, removingReplicas: null },
    };
    return this.commit({ partitionChange: record }, unclean);
  }

  opened(node: number, log: BatchMark[] = [], rest: Fields<'log.opened'> = {}): this {
    const logEndOffset = log.length === 0 ? 0 : log[log.length - 1]!.lastOffset + 1;
    const event: EventOf<'log.opened'> = {
      ...{ type: 'log.opened', ...ORDERS, logStartOffset: 0, logEndOffset, highWatermark: 0, batches: log },
      ...{ epochs: epochsOf(log), clean: true, cut: 0, lossy: false, ...rest },
    };
    return this.tell(node, event);
  }

  append(node: number, log: BatchMark[], rest: Fields<'log.appended'> = {}): this {
    const last = log[log.length - 1]!;
    const role = node === 1 ? 'leader' : 'follower';
    return this.tell(node, {
      ...{ type: 'log.appended', ...ORDERS, role, leaderEpoch: last.leaderEpoch, batches: log },
      ...{ logEndOffset: last.lastOffset + 1, ...rest },
    });
  }

  epochs(node: number, epochs: Epochs): this {
    return this.tell(node, { type: 'log.epochs', ...ORDERS, epochs });
  }

  truncate(node: number, from: number, to: number, highWatermark = 0): this {
    return this.tell(node, { type: 'log.truncated', ...ORDERS, from, to, highWatermark, why: 'test' });
  }

  lead(node: number, rest: Fields<'leader.started'> = {}): this {
    return this.tell(node, {
      ...{ type: 'leader.started', ...ORDERS, leaderEpoch: 0, partitionEpoch: 0, epochStart: 0, highWatermark: 0 },
      ...{ isr: [1, 2, 3], minIsr: 2, ...rest },
    });
  }

  follow(node: number, rest: Fields<'follower.started'> = {}): this {
    const started = { leaderEpoch: 0, partitionEpoch: 0, leader: 1, fetchOffset: 0 };
    return this.tell(node, { type: 'follower.started', ...ORDERS, ...started, ...rest });
  }

  recorded(node: number, follower: number, offset: number, leaderEpoch = 0): this {
    return this.tell(node, {
      type: 'fetch.recorded',
      ...ORDERS,
      leaderEpoch,
      follower,
      offset,
      followerEpoch: leaderEpoch,
    });
  }

  isr(node: number, rest: Fields<'isr'>): this {
    return this.tell(node, {
      ...{ type: 'isr', ...ORDERS, leaderEpoch: 0, state: 'committed', isr: [1, 2, 3], maximalIsr: [1, 2, 3] },
      ...{ partitionEpoch: 0, minIsr: 2, ...rest },
    });
  }

  hw(node: number, from: number, to: number, rest: Fields<'hw'> = {}): this {
    const role = node === 1 ? 'leader' : 'follower';
    return this.tell(node, { type: 'hw', ...ORDERS, leaderEpoch: 0, role, from, to, logEndOffset: to, ...rest });
  }
}

function epochsOf(log: readonly BatchMark[]): Epochs {
  const epochs: [number, number][] = [];
  for (const { leaderEpoch, baseOffset } of log)
    if (epochs[epochs.length - 1]?.[0] !== leaderEpoch) epochs.push([leaderEpoch, baseOffset]);
  return epochs;
}

/** orders-0 exists, brokers 1, 2, 3 are unfenced and have opened it; 1 leads in epoch 0 with min ISR 2. */
export function ordersStory(): Story {
  const story = new Story();
  for (const id of [1, 2, 3]) story.broker(id);
  story.commit({ topic: { name: 'orders', topicId: ORDERS.topicId } });
  story.commit(partitionRecord(ORDERS, { replicas: [1, 2, 3], isr: [1, 2, 3], leader: 1 }));
  for (const id of [1, 2, 3]) story.opened(id);
  story.lead(1).epochs(1, [[0, 0]]);
  return story.follow(2).follow(3);
}

/** All three hold offsets [0, count) of epoch 0, and all three know them as committed. */
export function replicated(count: number): Story {
  const story = ordersStory();
  story.append(1, batches(0, count, 0));
  for (const id of [2, 3]) story.append(id, batches(0, count, 0)).epochs(id, [[0, 0]]);
  for (const id of [2, 3]) story.recorded(1, id, count);
  for (const id of [1, 2, 3]) story.hw(id, 0, count);
  return story;
}
