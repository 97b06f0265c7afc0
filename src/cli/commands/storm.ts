// highwater fault storm: strikes a running cluster at random, so often or so long, while records are written and read; then
// the whole history is judged, as that of a scenario is. The cluster is whole again afterwards.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { Prng } from '../../base/prng.ts';
import { checkHistory } from '../../checker/check.ts';
import type { Findings } from '../../checker/findings.ts';
import type { HighwaterClient } from '../../client/index.ts';
import { historyLine } from '../../history/lines.ts';
import type { HistoryEntry } from '../../history/operations.ts';
import { HistoryRecorder } from '../../history/recorder.ts';
import { withClient } from '../client-command.ts';
import type { Cluster } from '../cluster.ts';
import { globals, type GlobalOptions } from '../command.ts';
import { parseCount, parseDuration } from '../duration.ts';
import { count, document, durationText, say, write } from '../output.ts';
import { EXIT, Problem } from '../problem.ts';
import { untilUp } from '../readiness.ts';
import { newRunFolder } from '../scenario-run.ts';
import { observeQuiet } from '../storm/quiet.ts';
import { rage, type Rage } from '../storm/rage.ts';
import { Reader, READER } from '../storm/reader.ts';
import { STRIKES, type StrikeKind } from '../storm/strikes.ts';
import { judgeStorm, type StormFacts } from '../storm/verdict.ts';
import { Writer, WRITER, type StormTopic } from '../storm/writer.ts';

interface StormOptions {
  readonly for?: string;
  readonly rounds?: string;
  readonly calm: string;
  readonly kinds?: string;
  readonly seed?: string;
}

const PARTITIONS = 3;
const DEFAULT_LENGTH = '30s';
/** Until the cluster is whole, all is answered, all is read, the replicas agree: each ends by itself much sooner. */
const BOUND_MS = 60_000;
/** A send is answered within its delivery.timeout.ms, 120 s at most. */
const ANSWERS_MS = 150_000;
const FINDINGS_SHOWN = 5;

export function registerStormCommand(fault: Command): void {
  fault
    .command('storm')
    .description('strike the running cluster at random while records are written and read, and judge what happened')
    .option('--for <duration>', `how long (default: ${DEFAULT_LENGTH})`)
    .option('--rounds <n>', 'how many strikes, instead of --for')
    .option('--calm <duration>', 'between two strikes, once every partition has acknowledged something again', '1s')
    .option('--kinds <list>', `only these, with commas between them: ${STRIKES.join(', ')}`)
    .option('--seed <seed>', 'same seed, same strikes (default: drawn)')
    .addHelpText('after', HELP)
    .action((options: StormOptions, command: Command) => {
      const out = globals(command);
      const length = lengthOf(options);
      const calmMs = parseDuration('--calm', options.calm);
      const kinds = kindsOf(options.kinds);
      return withClient(out, 'HW2501', (client, cluster) => {
        const seed = options.seed ?? String(Math.floor(Math.random() * 1e9));
        return storm({ client, cluster, out, seed, until: length, calmMs, kinds });
      });
    });
}

const HELP = `
A strike is a kill -9, a stop in order, a pause (SIGSTOP), a cut link or lost fetch answers, of a broker or of the controller;
or a broker's disk is full, slow, or cannot be written or read. One at a time, undone before the next. After each, every
partition must acknowledge again. At the end nothing that was acknowledged may be missing or doubled, what was read must stay,
and the replicas must hold the same: 0 pass, 1 fail, 3 nobody can tell. The history stays, for highwater check. When a strike
meets what is under way no seed can say.`;

function lengthOf({ for: length, rounds }: StormOptions): Rage['until'] {
  if (rounds === undefined) return { forMs: parseDuration('--for', length ?? DEFAULT_LENGTH) };
  if (length !== undefined) throw new Problem('HW2001', 'fault storm: --rounds or --for, not both');
  return { rounds: parseCount('--rounds', rounds, 1) };
}

function kindsOf(list: string | undefined): readonly StrikeKind[] {
  if (list === undefined) return STRIKES;
  const names = list.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !(STRIKES as readonly string[]).includes(name));
  if (unknown === undefined) return STRIKES.filter((kind) => names.includes(kind));
  throw new Problem('HW2001', `fault storm: "${unknown}" is no kind of strike. Kinds: ${STRIKES.join(', ')}`);
}

interface Storm extends Pick<Rage, 'until' | 'calmMs' | 'kinds'> {
  readonly client: HighwaterClient;
  readonly cluster: Cluster;
  readonly out: GlobalOptions;
  readonly seed: string;
}

async function storm({ client, cluster, out, seed, ...how }: Storm): Promise<void> {
  const topic = `storm-${new Prng(seed + String(Date.now())).below(1e9)}`;
  await createTopic(client, cluster, topic);
  const history = openHistory();
  const { record } = history;
  const to: StormTopic = { topic, partitions: PARTITIONS, record };
  const [writer, reader] = [new Writer(client, to), new Reader(client, to)];
  writer.begin();
  reader.begin();
  const { signal, release } = interruptible();
  const random = new Prng(seed);
  const raged = await rage({ cluster, random, writer, record, signal, say: (text) => say(out, text), ...how });
  release();
  const troubles = [...raged.troubles, ...(await whyNotWhole(cluster))];
  await writer.end(ANSWERS_MS);
  const drained = (await reader.end(BOUND_MS)) ? [READER] : [];
  if (drained.length === 0) troubles.push('what was written could not be read to the end');
  await observeQuiet(cluster, to, { withinMs: BOUND_MS, awaited: [WRITER], drained });
  const { acknowledged, unacknowledged } = writer;
  const told = { ...raged, troubles, acknowledged, unacknowledged, seed, topic, file: history.file };
  await tell(told, checkHistory(history.entries), out);
}

/** Three replicas of which two must have each record, where there are so many brokers. */
async function createTopic(client: HighwaterClient, cluster: Cluster, topic: string): Promise<void> {
  const brokers = cluster.brokerIds().length;
  await client.admin().createTopic(topic, {
    ...{ partitions: PARTITIONS, replicationFactor: Math.min(3, brokers) },
    configs: brokers < 3 ? {} : { 'min.insync.replicas': '2' },
  });
}

/** A history that is written down entry by entry. */
function openHistory() {
  const file = join(newRunFolder().dir, 'history.ndjson');
  const entries: HistoryEntry[] = [];
  const began = performance.now();
  const recorder = new HistoryRecorder(
    () => Math.round(performance.now() - began),
    (entry) => {
      entries.push(entry);
      appendFileSync(file, historyLine(entry), { mode: 0o600 });
    },
  );
  return { file, entries, record: recorder.record.bind(recorder) as StormTopic['record'] };
}

/** Interrupted once, a storm ends and is judged; interrupted again, the program ends. */
function interruptible(): { readonly signal: AbortSignal; release(): void } {
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, abort);
  return { signal: stop.signal, release: () => signals.forEach((signal) => process.off(signal, abort)) };
}

async function whyNotWhole(cluster: Cluster): Promise<string[]> {
  try {
    await untilUp(cluster, [], BOUND_MS);
    return [];
  } catch (error) {
    if (error instanceof Problem) return [error.message];
    throw error;
  }
}

interface Told extends StormFacts {
  readonly seed: string;
  readonly topic: string;
  /** Path of the history. */
  readonly file: string;
}

async function tell(told: Told, found: Findings, out: GlobalOptions): Promise<void> {
  const { verdict, findings, unclear } = judgeStorm(told, found);
  process.exitCode = { pass: EXIT.ok, fail: EXIT.failed, inconclusive: EXIT.inconclusive }[verdict];
  const { troubles: _, ...facts } = told;
  if (out.json) return write(document('fault.storm', { verdict, ...facts, findings, unclear }));
  const more = findings.length > FINDINGS_SHOWN ? ` (${findings.length} findings)` : '';
  const kinds = Object.entries(told.byKind).map(([kind, times]) => `${times} ${kind}`);
  const lines = [
    ...findings.slice(0, FINDINGS_SHOWN),
    ...unclear.map((sentence) => `unclear: ${sentence}`),
    `${verdict.toUpperCase()}${more}   ${count(told.strikes, 'strike')} (${kinds.join(', ')}), ` +
      `${told.acknowledged} records acknowledged, ${told.unacknowledged} not; ` +
      `slowest recovery ${durationText(told.slowestRecoveryMs)}`,
    `topic ${told.topic}, seed ${told.seed}, history ${told.file}`,
  ];
  await write(`${lines.join('\n')}\n`);
}
