// The storm itself: strikes one after the other, each undone before the next, and after each the cluster must get on. Ends by
// itself, early if it is interrupted or if the cluster does not get on; nothing that it did stays.
import { setTimeout as delay } from 'node:timers/promises';
import type { Prng } from '../../base/prng.ts';
import type { NewEntry } from '../../history/operations.ts';
import type { Cluster } from '../cluster.ts';
import { describeStrike, drawStrike, strike, undo, type Strike, type StrikeKind } from './strikes.ts';
import type { Writer } from './writer.ts';

export interface Rage {
  readonly cluster: Cluster;
  readonly random: Prng;
  /** What is drawn from. */
  readonly kinds: readonly StrikeKind[];
  readonly writer: Writer;
  readonly record: (entry: NewEntry) => void;
  /** How many strikes, or how long. */
  readonly until: { readonly rounds: number } | { readonly forMs: number };
  /** Between two strikes, once the cluster gets on. */
  readonly calmMs: number;
  readonly signal: AbortSignal;
  readonly say: (sentence: string) => void;
}

/** What a storm did, and what it met besides what the history shows. */
export interface Raged {
  readonly strikes: number;
  readonly byKind: Readonly<Partial<Record<StrikeKind, number>>>;
  /** The longest time from the end of a strike until every partition acknowledged again. */
  readonly slowestRecoveryMs: number;
  /** Why it ended early: the cluster did not get on. */
  readonly troubles: readonly string[];
}

/** Every bound of the cluster is shorter: sessions, elections, retries of the writer. */
const RECOVERY_MS = 60_000;
/** Strikes that are refused one after the other: something else is wrong. */
const REFUSALS_MAX = 5;

/** Strikes until it is over. */
export async function rage(options: Rage): Promise<Raged> {
  const { cluster, random, until, calmMs, signal } = options;
  const started = performance.now();
  const sinceMs = (from: number): number => performance.now() - from;
  const byKind: Partial<Record<StrikeKind, number>> = {};
  let [strikes, refusals, slowestRecoveryMs] = [0, 0, 0];
  const isOver = (): boolean => ('rounds' in until ? strikes >= until.rounds : sinceMs(started) >= until.forMs);
  const ended = (...troubles: string[]): Raged => ({ strikes, byKind, slowestRecoveryMs, troubles });
  while (!isOver() && !signal.aborted) {
    const next = drawStrike(random, cluster.brokerIds(), options.kinds);
    const refused = await carryOut(next, options, { number: strikes + 1, atMs: sinceMs(started) });
    if (refused !== '') {
      refusals += 1;
      if (refusals >= REFUSALS_MAX) return ended(`${refusals} strikes were refused, the last one: ${refused}`);
      await pause(next.forMs, signal);
      continue;
    }
    refusals = 0;
    strikes += 1;
    byKind[next.kind] = (byKind[next.kind] ?? 0) + 1;
    await pause(next.forMs, signal);
    const stays = await undo(cluster.agent, next);
    if (stays !== '') return ended(`"${describeStrike(next)}" cannot be undone: ${stays}`);
    const calm = performance.now();
    const stuck = await options.writer.progress(RECOVERY_MS, signal);
    slowestRecoveryMs = Math.max(slowestRecoveryMs, Math.round(sinceMs(calm)));
    if (stuck.length > 0) {
      const where = `${stuck.join(', ')} acknowledged nothing for ${RECOVERY_MS / 1000} s`;
      return ended(`no progress: ${where} after "${describeStrike(next)}" was over (strike ${strikes})`);
    }
    await pause(calmMs, signal);
  }
  return ended();
}

/** Strikes, says so and writes it down. Answers why not, if it could not be. */
async function carryOut(
  next: Strike,
  { cluster, record, say }: Rage,
  { number, atMs }: { readonly number: number; readonly atMs: number },
): Promise<string> {
  const detail = `${describeStrike(next)} for ${next.forMs} ms`;
  const refused = await strike(cluster.agent, next);
  if (refused === '') record({ f: 'fault', type: 'info', process: 'storm', fault: 'storm', action: next.kind, detail });
  // What was begun of it ends at once.
  else await undo(cluster.agent, next);
  const seconds = (atMs / 1000).toFixed(1).padStart(6);
  say(`${seconds} s  ${String(number).padStart(3)}  ${detail}${refused === '' ? '' : `: ${refused}`}`);
  return refused;
}

/** An interrupted storm ends at once, and as it would have ended. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
