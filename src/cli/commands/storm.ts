// highwater fault storm: strikes a running cluster at random for a while, with records being written, and says whether one
// that was acknowledged is lost. The cluster is whole again afterwards.
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { Prng } from '../../base/prng.ts';
import { withClient } from '../client-command.ts';
import type { Cluster } from '../cluster.ts';
import { globals, type GlobalOptions } from '../command.ts';
import { partitionsOf } from '../connection.ts';
import { parseDuration } from '../duration.ts';
import { document, say, write } from '../output.ts';
import { EXIT, Problem } from '../problem.ts';
import { untilUp } from '../readiness.ts';
import { Ledger, type Audit } from '../storm/ledger.ts';
import { describeStrike, drawStrike, strike, undo, type Strike } from '../storm/strikes.ts';

interface StormOptions {
  readonly for: string;
  readonly calm: string;
  readonly seed?: string;
}

const PARTITIONS = 3;
const WHOLE_MS = 60_000;
const FINDINGS_SHOWN = 5;

export function registerStormCommand(fault: Command): void {
  fault
    .command('storm')
    .description('strike the running cluster at random while records are written; is one lost that was acknowledged?')
    .option('--for <duration>', 'how long', '30s')
    .option('--calm <duration>', 'between two strikes', '1s')
    .option('--seed <seed>', 'same seed, same strikes (default: drawn)')
    .action((options: StormOptions, command: Command) => {
      const out = globals(command);
      return withClient(out, 'HW2501', async (client, cluster) => {
        const seed = options.seed ?? String(Math.floor(Math.random() * 1e9));
        const topic = `storm-${new Prng(seed + String(Date.now())).below(1e9)}`;
        await client.admin().createTopic(topic, {
          ...{ partitions: PARTITIONS, replicationFactor: Math.min(3, cluster.brokerIds().length) },
          configs: cluster.brokerIds().length < 3 ? {} : { 'min.insync.replicas': '2' },
        });
        const ledger = new Ledger(client, topic);
        ledger.begin();
        const strikes = await rage(cluster, options, seed, out);
        await untilUp(cluster, [], WHOLE_MS);
        await ledger.end();
        const audit = await ledger.audit(await partitionsOf(client, topic));
        await tell(audit, { strikes, seed, topic }, out);
      });
    });
}

/** Strikes and undoes, until the time is over. Answers how many strikes were carried out. */
async function rage(cluster: Cluster, options: StormOptions, seed: string, out: GlobalOptions): Promise<number> {
  const [forMs, calmMs] = [parseDuration('--for', options.for), parseDuration('--calm', options.calm)];
  const random = new Prng(seed);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const started = performance.now();
  let carriedOut = 0;
  while (performance.now() - started < forMs && !stop.signal.aborted) {
    const next = drawStrike(random, cluster.brokerIds());
    const refused = await strike(cluster.agent, next);
    if (refused === '') carriedOut += 1;
    const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(5);
    say(out, `${seconds} s  ${describeStrike(next)}${refused === '' ? '' : `: ${refused}`}`);
    await pause(next.forMs, stop.signal);
    if (refused === '') await undone(cluster, next);
    await pause(calmMs, stop.signal);
  }
  return carriedOut;
}

async function undone(cluster: Cluster, what: Strike): Promise<void> {
  const refused = await undo(cluster.agent, what);
  if (refused !== '') throw new Problem('HW2301', `cannot undo "${describeStrike(what)}": ${refused}`, EXIT.failed);
}

/** An interrupted storm ends at once, and as it would have ended. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

async function tell(
  audit: Audit,
  about: { readonly strikes: number; readonly seed: string; readonly topic: string },
  out: GlobalOptions,
): Promise<void> {
  const { acknowledged, unacknowledged, findings } = audit;
  const idle = acknowledged === 0 || about.strikes === 0;
  const verdict = findings.length > 0 ? 'fail' : idle ? 'inconclusive' : 'pass';
  process.exitCode = verdict === 'fail' ? EXIT.failed : verdict === 'pass' ? EXIT.ok : EXIT.inconclusive;
  if (out.json) return write(document('fault.storm', { verdict, ...about, acknowledged, unacknowledged, findings }));
  for (const finding of findings.slice(0, FINDINGS_SHOWN)) await write(`${finding}\n`);
  const more = findings.length > FINDINGS_SHOWN ? ` (${findings.length} findings)` : '';
  await write(
    `${verdict.toUpperCase()}${more}   ${about.strikes} strikes, ${acknowledged} records acknowledged, ` +
      `${unacknowledged} not; topic ${about.topic}, seed ${about.seed}\n`,
  );
}
