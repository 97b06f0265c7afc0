// What every Runtime does with events: numbers them over restarts and gives them a Lamport time. See trace/events.ts.
import { expect } from 'vitest';
import type { Stamped } from '../../trace/events.ts';
import type { Runtime } from '../ports.ts';
import type { Case, Harness } from './harness.ts';

export interface TraceHarness extends Harness {
  /** The node as it runs now. */
  readonly runtime: Runtime;
  /** Every event of the node so far, over its restarts. */
  events(): Promise<readonly Stamped[]>;
  /** Ends the node's process as a kill would and starts it again. */
  restart(): Promise<void>;
}

const line = (message: string) => ({ type: 'log.line', level: 'info', message }) as const;

/** The suite of tracing and of the other small duties of a Runtime. */
export const TRACE_SUITE: readonly Case<TraceHarness>[] = [
  {
    name: 'trace: events are numbered from 0 without gaps, over restarts, with rising Lamport times',
    async run(harness) {
      for (const message of ['a', 'b']) harness.runtime.trace(line(message));
      await harness.restart();
      for (const message of ['c', 'd']) harness.runtime.trace(line(message));
      const events = (await harness.events()).filter(({ event }) => event.type === 'log.line');
      expect(events.map(({ event }) => event)).toEqual(['a', 'b', 'c', 'd'].map(line));
      const all = await harness.events();
      expect(all.map(({ seq }) => seq)).toEqual(all.map((_, i) => i));
      const lamports = all.map(({ lamport }) => lamport);
      expect([...new Set(lamports)].sort((a, b) => a - b)).toEqual(lamports);
      for (const { node, time } of all) {
        expect(node).toBe(harness.runtime.node);
        expect(Number.isInteger(time)).toBe(true);
      }
    },
  },
  {
    name: 'faults: at an unarmed point the flow goes on at once, exactly once',
    async run(harness) {
      let proceeded = 0;
      harness.runtime.faults.reach('replica.isr.shrink', { topic: 'orders', partition: 0 }, () => proceeded++);
      expect(proceeded).toBe(1);
      harness.runtime.faults.observe('log.flushed', { topic: 'orders', partition: 0, offset: 3 });
      expect(proceeded).toBe(1);
    },
  },
  {
    name: 'safeguards: all are on unless a run switched one off',
    async run(harness) {
      expect(harness.runtime.safeguard('hw.bound')).toBe(true);
      expect(harness.runtime.safeguard('trunc.leaderEpoch')).toBe(true);
    },
  },
];
