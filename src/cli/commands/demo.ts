// highwater demo: a ghost read, with and without its safeguards, and a coordinator that dies in the middle of a commit, on a
// real cluster of processes, told so that someone who has read nothing understands it. Exit 0 only if each variant ended as expected.
import type { Command } from 'commander';
import { exitCodeOf, runLine, type VerdictLine } from '../../chaos/report.ts';
import type { RunPlan } from '../../chaos/plan.ts';
import { globals, type GlobalOptions } from '../command.ts';
import { Narrator } from '../narrator.ts';
import { say, table, write } from '../output.ts';
import { EXIT } from '../problem.ts';
import { Interrupted, newRunFolder, runScenario } from '../scenario-run.ts';
import { readPlans } from './run.ts';

/** One experiment, and how it is told. */
interface Act {
  readonly scenario: string;
  readonly prologue: string;
  /** By variant, or by the cell of the matrix. */
  readonly chapters: Readonly<Record<string, { readonly title: string; readonly ask: string }>>;
  conclusion(plan: RunPlan, line: VerdictLine): string;
}

const GHOST_READ: Act = {
  scenario: 'scenarios/ghost-read.yaml',
  prologue: `
Can a record that you have read vanish?

Three brokers, each its own process with its own log, keep a partition named orders-0. One of them leads:
producers write to it, consumers read from it, the other two copy it. Everybody gets records 0 to 4. From record 5 on
the copying is stopped: 5, 6 and 7 are with the leader alone. Then we kill the leader with SIGKILL. A copy takes
over. It never saw 5 to 7, so the next five records get the offsets 5 to 9.

Whoever had read 5, 6, 7 before the kill has read ghosts: other values stand there now. Kafka prevents it with one
rule, the HIGH WATERMARK: a consumer is given only what every in-sync copy has. We play the same schedule three
times on real processes; only the rule changes.
`,
  chapters: {
    kafka: {
      title: 'Kafka as it is',
      ask: 'The high watermark stands at 5 while the copies lack 5 to 7. What does the reader get?',
    },
    'no-hw': {
      title: 'Without the high watermark, with a client of before 2018 (KIP-320)',
      ask: 'The reader is given everything the leader has. What happens when the leader dies?',
    },
    'no-hw-kip320': {
      title: 'Without the high watermark, with a client of today',
      ask: 'This reader asks the new leader where its epoch ended. Does that save it?',
    },
  },
  conclusion: ghostReadConclusion,
};

const COORDINATOR_FAILOVER: Act = {
  scenario: 'scenarios/coordinator-failover.yaml',
  prologue: `
Can half of a transaction happen?

A producer writes one record to orders-0 and one to payments-0 in one transaction, and commits. Whether it is committed
is one record in a log of its own, kept on three brokers; its leader, the COORDINATOR, then writes a marker into every
partition of the transaction. We kill the coordinator with SIGKILL, twice: once when the decision is on all copies and
no marker is written, and once when it is in the coordinator's own log alone.
`,
  chapters: {
    'txn.prepare-commit.durable': {
      title: 'Killed once the decision is on every in-sync copy',
      ask: 'Nobody has told the producer, and no partition has a marker. Who finishes the transaction?',
    },
    'txn.prepare-commit.appended': {
      title: 'Killed while only the coordinator itself has the decision',
      ask: 'The decision may die with it. Whatever happens, may it happen in one partition alone?',
    },
  },
  conclusion: (plan, line) => {
    if (line.verdict !== 'pass') return `Not as expected: ${line.reasons.join('; ')}`;
    return plan.cell['point'] === 'txn.prepare-commit.durable'
      ? 'The next coordinator reads the decision in its copy of the log and writes both markers: committed, in both partitions.'
      : 'The producer asks the next coordinator again, or the transaction times out: one outcome, the same in both partitions.';
  },
};

const ACTS: readonly Act[] = [GHOST_READ, COORDINATOR_FAILOVER];

export function registerDemoCommand(program: Command): void {
  program
    .command('demo')
    .description('a ghost read and a dying transaction coordinator on real processes, and a verdict')
    .action((_options, command: Command) => demo(globals(command)));
}

async function demo(out: GlobalOptions): Promise<void> {
  const end = new AbortController();
  const interrupt = (): void => end.abort();
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt).on('SIGHUP', interrupt);
  const tell = out.json || out.quiet ? () => undefined : (line: string): void => void process.stdout.write(`${line}\n`);
  const folder = newRunFolder();
  const lines: VerdictLine[] = [];
  try {
    for (const act of ACTS) {
      tell(act.prologue);
      for (const plan of readPlans(act.scenario, {})) {
        const chapter = act.chapters[plan.variant] ?? act.chapters[String(plan.cell['point'])];
        const title = chapter?.title ?? plan.variant;
        tell(`── ${lines.length + 1}. ${title} ${'─'.repeat(Math.max(3, 84 - title.length))}`);
        tell(chapter === undefined ? '' : `   ${chapter.ask}\n`);
        const narrator = new Narrator(tell);
        const line = await runScenario(plan, {
          ...{ folder, simulated: false, signal: end.signal },
          onEntry: (entry) => narrator.entry(entry),
          onEvent: (stamped) => narrator.event(stamped),
        });
        narrator.close();
        lines.push(line);
        tell(`\n   ${act.conclusion(plan, line)}\n`);
        if (out.json) await write(`${JSON.stringify(line)}\n`);
      }
    }
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    say(out, 'interrupted; nothing is left running');
    process.exitCode = EXIT.interrupted;
    return;
  }
  const total = runLine(lines.map(({ verdict }) => verdict));
  if (out.json) await write(`${JSON.stringify(total)}\n`);
  else await write(`${verdictTable(lines)}${LEGEND}\nhistories: ${folder.dir}\n`);
  process.exitCode = exitCodeOf(total.verdict);
}

const LEGEND = `
ghost-read            a value that was read is in no log any more
inconsistent-offsets  two values were read at one offset
poll-skip             a reader moved past records without being given them
acks=1 losses         acknowledged by the leader alone and gone with it: Kafka never promised more
`;

/** What a variant showed, in a sentence. */
function ghostReadConclusion(plan: RunPlan, line: VerdictLine): string {
  const names = new Set(line.findings.map((finding) => String(finding['anomaly'])));
  if (line.verdict !== 'pass') return `Not as expected: ${line.reasons.join('; ')}`;
  if (names.size === 0) {
    return 'Nothing that anybody read ever changed. 5 to 7 are lost, legally: acks=1 promises nothing once the leader is gone.';
  }
  if (plan.variant === 'no-hw') {
    return 'A ghost read: 5, 6, 7 were read and are gone; 8, 9, 10 stand at their offsets, and this reader never gets them.';
  }
  return 'The reader is told that its log was cut and reads on correctly, but what it had read before is gone all the same.';
}

function verdictTable(lines: readonly VerdictLine[]): string {
  const rows = lines.map((line, index) => ({
    variant: `${index + 1}. ${labelOf(line)}`,
    expected: line.expected.length === 0 ? 'no anomaly' : `at least ${line.expected.join(', ')}`,
    found: [...new Set(line.findings.map((finding) => String(finding['anomaly'])))].join(', ') || 'no anomaly',
    allowed: line.allowed.length === 0 ? '' : `${line.allowed.length} acks=1 losses`,
    verdict: line.verdict === 'pass' ? 'as expected' : line.verdict,
  }));
  return table(rows, [
    { title: 'VARIANT', of: (row) => row.variant },
    { title: 'EXPECTED', of: (row) => row.expected },
    { title: 'FOUND', of: (row) => row.found },
    { title: 'ALLOWED', of: (row) => row.allowed },
    { title: 'VERDICT', of: (row) => row.verdict },
  ]);
}

/** The variant, or the cell of the matrix where a scenario has one. */
function labelOf({ variant, cell }: VerdictLine): string {
  const cells = Object.values(cell);
  return cells.length === 0 ? variant : cells.join(' ');
}
