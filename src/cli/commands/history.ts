// highwater record and check: what Kafka clients asked and were told becomes a history, and a history is judged, wherever it
// was recorded.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { NODE_FILES } from '../../agent/layout.ts';
import { inContainers, readState } from '../../agent/home.ts';
import { nearest } from '../../base/nearest.ts';
import { EventReader } from '../../chaos/processes/event-reader.ts';
import { isWireEvent, WireHistory, type WireEvent } from '../../chaos/recorded/wire-history.ts';
import { checkHistory } from '../../checker/check.ts';
import { ANOMALIES, type AnomalyName, type Findings, type Verdict } from '../../checker/findings.ts';
import { historyLine } from '../../history/lines.ts';
import type { HistoryEntry } from '../../history/operations.ts';
import { HistoryRecorder } from '../../history/recorder.ts';
import type { Stamped } from '../../trace/events.ts';
import { checkClusterName } from '../cluster.ts';
import { collect, globals, type GlobalOptions } from '../command.ts';
import { readHistoryFile } from '../history-file.ts';
import { count, document, say, write } from '../output.ts';
import { EXIT, Problem } from '../problem.ts';

/** What a recording cannot have, and where it is had. */
const CLIENTS_ALONE =
  'this is what clients asked and were told, not what the logs hold in the end, so some verdicts stay unclear; ' +
  'a scenario with external: workloads has both (scenarios/clients)';

export function registerHistoryCommands(program: Command): void {
  program
    .command('record <file>')
    .description(
      'write what Kafka clients asked and were told so far as a history; the cluster must be up with --record',
    )
    .option('--events <file>', "event file of a broker, instead of this cluster's; repeatable", collect, [])
    .action((file: string, options: { events: readonly string[] }, command: Command) =>
      record(file, options.events, globals(command)),
    );
  program
    .command('check <history>')
    .description('judge a history, wherever it was recorded: 0 pass, 1 fail, 3 nobody can tell')
    .option('--checker <name,…>', 'look for these anomalies alone')
    .option('--partial', 'check what is whole of a history that ends inside an entry; it can never say pass')
    .action((file: string, options: CheckOptions, command: Command) => check(file, options, globals(command)));
}

async function record(file: string, given: readonly string[], out: GlobalOptions): Promise<void> {
  const files = given.length > 0 ? given : eventFiles(out.cluster);
  const events = files.flatMap((path) => new EventReader(path).read()).flatMap(recordedIn);
  if (events.length === 0) {
    const hint = 'start it with: highwater up --record';
    throw new Problem('HW2601', `nothing of the wire is recorded in ${files.join(', ')}; ${hint}`);
  }
  const { entries, doubts } = historyOf(events);
  writeFileSync(file, entries.map(historyLine).join(''), { mode: 0o600 });
  for (const doubt of doubts) say(out, `note: ${doubt}`);
  say(out, `note: ${CLIENTS_ALONE}`);
  if (out.json) await write(document('record', { file, entries: entries.length, doubts }));
  else
    await write(
      `${count(entries.length, 'entry').replace('entrys', 'entries')} in ${file}; judge them: highwater check ${file}\n`,
    );
}

function eventFiles(cluster: string): string[] {
  checkClusterName(cluster);
  const state = readState(cluster);
  if ('problem' in state) throw new Problem('HW4001', state.problem, EXIT.unreachable);
  if (inContainers(state)) {
    throw new Problem(
      'HW2601',
      `the event files of ${cluster} are in its containers: copy them out and name them with --events`,
    );
  }
  return state.nodes.filter(({ role }) => role === 'broker').map(({ dataDir }) => join(dataDir, NODE_FILES.events));
}

/** An event of a recording, and the broker that told it. */
interface Recorded {
  readonly node: number;
  readonly event: WireEvent;
}

function recordedIn({ node, event }: Stamped): Recorded[] {
  return isWireEvent(event) ? [{ node, event }] : [];
}

/** All brokers' events as one history, in the order of the machine's clock. */
function historyOf(events: readonly Recorded[]): { readonly entries: HistoryEntry[]; readonly doubts: string[] } {
  const inOrder = [...events].sort((a, b) => a.event.atUs - b.event.atUs);
  const beganUs = inOrder[0]!.event.atUs;
  let nowUs = beganUs;
  const entries: HistoryEntry[] = [];
  const recorder = new HistoryRecorder(
    () => Math.round((nowUs - beganUs) / 1000),
    (entry) => void entries.push(entry),
  );
  const history = new WireHistory((entry) => void recorder.record(entry));
  for (const { node, event } of inOrder) {
    nowUs = event.atUs;
    history.take(event, node);
  }
  return { doubts: history.finish(), entries };
}

interface CheckOptions {
  readonly checker?: string;
  readonly partial?: boolean;
}

async function check(file: string, options: CheckOptions, out: GlobalOptions): Promise<void> {
  const names = options.checker?.split(',').map(anomalyNamed);
  const { entries, torn } = readHistoryFile(file, options.partial === true);
  const beganMs = performance.now();
  const found = names === undefined ? checkHistory(entries) : checkHistory(entries, names);
  const effort = effortOf(entries, performance.now() - beganMs);
  const verdict = verdictOf(found, torn);
  if (out.json) await write(document('check', { file, verdict, entries: entries.length, ...effort, ...found }));
  else await write(inWords(verdict, found, { entryCount: entries.length, ...effort }));
  process.exitCode = { pass: EXIT.ok, fail: EXIT.failed, inconclusive: EXIT.inconclusive }[verdict];
}

function anomalyNamed(name: string): AnomalyName {
  const known = ANOMALIES.find((each) => each === name.trim());
  if (known !== undefined) return known;
  const near = nearest(name, ANOMALIES);
  const hint = near === undefined ? `Checkers: ${ANOMALIES.join(', ')}` : `Did you mean ${near}?`;
  throw new Problem('HW2001', `no checker "${name}". ${hint}`);
}

/** What cannot be decided is no pass; nothing to be judged is neither. */
function verdictOf({ anomalies, inconclusive }: Findings, torn: boolean): Verdict {
  if (anomalies.length > 0) return 'fail';
  return torn || inconclusive.length > 0 ? 'inconclusive' : 'pass';
}

interface Effort {
  readonly operations: number;
  readonly operationsPerSecond: number;
  /** The most memory that this process has held. */
  readonly memoryMib: number;
}

/** How many operations ended, how many of them were judged in a second, and what that took. */
function effortOf(entries: readonly HistoryEntry[], tookMs: number): Effort {
  let operations = 0;
  for (const entry of entries) if ('op' in entry && entry.type !== 'invoke') operations += 1;
  const operationsPerSecond = Math.round((operations * 1000) / Math.max(1, tookMs));
  return { operations, operationsPerSecond, memoryMib: Math.round(process.resourceUsage().maxRSS / 1024) };
}

function inWords(
  verdict: Verdict,
  { anomalies, allowed, inconclusive }: Findings,
  { entryCount, operations, operationsPerSecond, memoryMib }: Effort & { readonly entryCount: number },
): string {
  const effort = `${operations} operations, ${operationsPerSecond} operations/s, ${memoryMib} MiB`;
  const lines = [
    `${verdict.toUpperCase()} ${entryCount} entries, ${effort}`,
    ...anomalies.map(({ anomaly, says }) => `  found     ${anomaly}: ${says}`),
    ...allowed.map(({ anomaly, because }) => `  allowed   ${anomaly}: ${because}`),
    ...inconclusive.map((sentence) => `  unclear   ${sentence}`),
  ];
  return `${lines.join('\n')}\n`;
}
