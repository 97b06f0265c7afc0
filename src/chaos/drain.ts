// The end of readers and copies: each is let read on until it has all there is, or its time is over, and is then told to end.
import type { Offset } from '../base/units.ts';
import type { ClientRuns } from './client-runs.ts';
import type { ClusterDriver } from './driver.ts';
import type { Moment } from './moments.ts';
import { longestReadMs, longestTransactionMs, PATIENCE, type Patience } from './patience.ts';
import type { RunPlan } from './plan.ts';
import type { Watch } from './watch.ts';

export interface DrainParts {
  readonly driver: Pick<ClusterDriver, 'after'>;
  readonly plan: RunPlan;
  readonly clients: Pick<ClientRuns, 'running' | 'foreign' | 'isBehind' | 'stop'>;
  readonly watch: Pick<Watch, 'when'>;
  readonly patience: Patience;
  /** Where partitions end; who stands below is waited for, though it was given nothing. */
  readonly ends: ReadonlyMap<string, Offset>;
  /** Whether the run has ended meanwhile. */
  readonly isOver: () => boolean;
  /** Whether something that is expected in the end does not hold yet, and still may. */
  readonly mayCome: () => boolean;
}

/** Drains and stops all running clients of a kind. `done` hears who never came to a poll that gave it nothing. */
export function drain(purpose: 'copy' | 'read', parts: DrainParts, done: (unread: readonly string[]) => void): void {
  const { clients, watch, patience, driver, ends } = parts;
  const reading = new Set(clients.running(purpose));
  for (const client of reading) {
    const moment: Moment = { text: 'drained', parts: [{ kind: 'polled-empty', client }] };
    watch.when(moment, () => {
      reading.delete(client);
      patience.changed();
    });
  }
  // Nobody can ask a program of the user's own: it may be quiet because its group waits for a dead member's session.
  const hasAll = (client: string): boolean =>
    (clients.foreign.isQuiet(client) && !parts.mayCome()) || (!reading.has(client) && !clients.isBehind(client, ends));
  const drained = (): boolean => clients.running(purpose).every(hasAll);
  const look = (): void => {
    patience.changed();
    if (!drained() && !parts.isOver()) driver.after(PATIENCE.lookMs, look);
  };
  if (clients.foreign.any) look();
  patience.await(PATIENCE.drainMs + beyondMs(purpose, parts), drained, (inTime) => {
    clients.stop(purpose);
    const stopped = (): boolean => clients.running(purpose).length === 0;
    patience.await(PATIENCE.stopMs, stopped, () => done(inTime ? [] : [...reading]));
  });
}

/** Input behind a transaction that a worker has left open is read when that times out. */
function beyondMs(purpose: 'copy' | 'read', { plan, clients }: DrainParts): number {
  if (purpose === 'read') return longestReadMs(plan);
  return Math.max(clients.foreign.any ? PATIENCE.foreignMs : 0, longestTransactionMs(plan));
}
