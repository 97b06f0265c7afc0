// `npm run bench [-- row ...] [--json]`: measures Highwater against yardsticks and prints a table (design section 9). A bar
// that is missed is reported, not failed: the exit code is 1 only if something broke. Nothing is left running.
import { parseArgs } from 'node:util';
import { bareClient } from './bare/client.ts';
import { bareFollower } from './bare/follower.ts';
import { bareLeader } from './bare/leader.ts';
import { bareLevelDb } from './bare/leveldb.ts';
import { isMet, type Result } from './figures.ts';
import { PART_FLAG, servePart, type Handlers } from './part.ts';
import { ourClient } from './product/client.ts';
import { checkedHistory } from './product/history.ts';
import { simulated } from './product/simulated.ts';
import { ourTransactions } from './product/transactions.ts';
import { Room, within } from './room.ts';
import { checkers } from './rows/checkers.ts';
import { clients } from './rows/clients.ts';
import { containers } from './rows/containers.ts';
import { failover } from './rows/failover.ts';
import { latency } from './rows/latency.ts';
import { memory } from './rows/memory.ts';
import { parts } from './rows/parts.ts';
import { produce } from './rows/produce.ts';
import { Skipped, type Row } from './rows/row.ts';
import { simulator } from './rows/simulator.ts';
import { txnCommit } from './rows/txn-commit.ts';
import { txnOpen, txnPartitions } from './rows/txn-growth.ts';
import { txnOverhead } from './rows/txn-overhead.ts';
import { up } from './rows/up.ts';
import { formatTable } from './table.ts';

const TRANSACTIONS: readonly Row[] = [txnCommit, txnOverhead, txnPartitions, txnOpen];
const ROWS: readonly Row[] = [
  up,
  memory,
  parts,
  produce,
  latency,
  ...TRANSACTIONS,
  failover,
  simulator,
  checkers,
  containers,
  clients,
];

/** What a process of the benchmark does, by the name it is started under. */
const PARTS: Readonly<Record<string, Handlers>> = {
  'bare-client': bareClient,
  'bare-leader': bareLeader,
  'bare-follower': bareFollower,
  'bare-leveldb': bareLevelDb,
  'our-client': ourClient,
  'our-transactions': ourTransactions,
  simulator: simulated,
  checkers: checkedHistory,
};

/** A row is over within this if it says nothing else, or given up; all of them within ten minutes. */
const ROW_MS = 60_000;
const TOTAL_MS = 600_000;

const EXIT = { ok: 0, broken: 1, usage: 2, interrupted: 130 } as const;

let room: Room | undefined;
let interrupted = false;

async function main(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { json: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  const unknown = positionals.filter((name) => !ROWS.some((row) => isNamed(row, name)));
  if (values.help === true || unknown.length > 0) {
    const rows = ROWS.map(({ name, about }) => `  ${name.padEnd(14)} ${about}\n`).join('');
    const complaint = unknown.length > 0 ? `no row ${unknown.join(', ')}\n` : '';
    process.stderr.write(`${complaint}npm run bench [-- row ...] [--json]\n${rows}`);
    return unknown.length > 0 ? EXIT.usage : EXIT.ok;
  }
  const chosen = positionals.length === 0 ? ROWS : ROWS.filter((row) => positionals.some((name) => isNamed(row, name)));
  const { results, failures, skipped } = await measure(chosen);
  if (interrupted) return EXIT.interrupted;
  const judged = results.map((result) => ({ ...result, met: isMet(result) ?? null }));
  if (values.json === true)
    process.stdout.write(JSON.stringify({ schema: 'bench', data: judged, failures, skipped }) + '\n');
  else process.stdout.write(`\n${formatTable(results)}`);
  return failures.length === 0 ? EXIT.ok : EXIT.broken;
}

/** By its whole name, or by what stands before a hyphen: `txn` is all rows about transactions. */
function isNamed(row: Row, name: string): boolean {
  return row.name === name || row.name.startsWith(`${name}-`);
}

interface Outcome {
  readonly results: Result[];
  readonly failures: RowAndReason[];
  /** Rows that this machine lacks something for. */
  readonly skipped: RowAndReason[];
}

interface RowAndReason {
  readonly row: string;
  readonly reason: string;
}

async function measure(rows: readonly Row[]): Promise<Outcome> {
  const outcome: Outcome = { results: [], failures: [], skipped: [] };
  const end = performance.now() + TOTAL_MS;
  for (const row of rows) {
    if (interrupted) break;
    const begun = performance.now();
    room = new Room();
    let said = 'measured';
    try {
      outcome.results.push(...(await within(Math.min(row.limitMs ?? ROW_MS, end - begun), row.name, row.run(room))));
    } catch (error) {
      const reason = (error as Error).message;
      const skipped = error instanceof Skipped;
      said = `${skipped ? 'skipped' : 'FAILED'}: ${reason}`;
      if (!interrupted) outcome[skipped ? 'skipped' : 'failures'].push({ row: row.name, reason });
    }
    await room.close();
    process.stderr.write(`${row.name}: ${said} (${((performance.now() - begun) / 1000).toFixed(1)} s)\n`);
  }
  return outcome;
}

/** Ctrl-C, twice or once: the row's processes are ended, then the row fails by itself. */
function interrupt(): void {
  interrupted = true;
  void room?.close().then(() => process.exit(EXIT.interrupted));
}

function start(words: readonly string[]): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
  main(words).then(
    (code) => process.exit(code),
    (error: Error) => {
      process.stderr.write(`bench: ${error.message}\n`);
      process.exit(EXIT.usage);
    },
  );
}

const words = process.argv.slice(2);
const handlers = words[0] === PART_FLAG ? PARTS[words[1] ?? ''] : undefined;
if (handlers !== undefined) servePart(handlers);
else start(words);
