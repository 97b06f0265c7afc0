// Words for hand-written traces of what clients are told and given, and of the leader that comes next.
import type { TraceEvent } from '../../../src/trace/events.ts';
import { ORDERS, type Story } from './story.ts';

/** Fields of an event. */
export type Of<T extends TraceEvent['type']> = Partial<Omit<Extract<TraceEvent, { type: T }>, 'type'>>;
export const answered = (story: Story, node: number, rest: Of<'produce.answered'>): Story =>
  story.tell(node, {
    ...{ type: 'produce.answered', ...ORDERS, leaderEpoch: 0, acks: -1, error: 'NONE', baseOffset: 0, lastOffset: 0 },
    ...{ highWatermark: 3, maximalIsr: [1, 2, 3], minIsr: 2, ...rest },
  });
export const served = (story: Story, node: number, rest: Of<'consumer.served'>): Story =>
  story.tell(node, {
    ...{ type: 'consumer.served', ...ORDERS, leaderEpoch: 0, fetchOffset: 0, endOffset: 3, highWatermark: 3 },
    ...rest,
  });
/** 3 leads in epoch 1, from where its log is said to end. */
export const led3 = (story: Story, epochStart: number, rest: Of<'leader.started'> = {}): Story =>
  story
    .change({ leader: 3 })
    .lead(3, { leaderEpoch: 1, partitionEpoch: 1, epochStart, highWatermark: epochStart, ...rest });
/** What was found of one rule. */
export const of = (rule: string, story: Story): string[] => story.endOf(rule);
