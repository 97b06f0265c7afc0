// highwater txn list and describe: transactional ids as their coordinators have them (txn T-176, T-177; KIP-664, KIP-994,
// KIP-1152).
import type { Command } from 'commander';
import { coordinatorPartition } from '../../base/java-hash.ts';
import { formatPartition } from '../../base/units.ts';
import { HighwaterError, type HighwaterClient, type TransactionFilter } from '../../client/index.ts';
import { TRANSACTION_STATES } from '../../coordinator/txn/metadata.ts';
import { TRANSACTION_TOPIC } from '../../node/internal-topics.ts';
import type { DescribedTransaction } from '../../protocol/generated/index.ts';
import { incomplete, PATIENCE_MS, withClient } from '../client-command.ts';
import { globals } from '../command.ts';
import { parseCount, parseDurationOr } from '../duration.ts';
import { durationText, printReport, printRows, say, type Column } from '../output.ts';
import { EXIT, Problem } from '../problem.ts';
import { watchable } from '../watch.ts';

interface ListOptions {
  readonly state?: readonly string[];
  readonly producerId?: readonly string[];
  readonly durationFilter?: string;
  readonly transactionalIdPattern?: string;
}

export function registerTxnLists(txn: Command): void {
  watchable(txn.command('list'))
    .description('all transactional ids of all coordinators; filters narrow each other')
    .option('--state <names...>', 'only in these states, e.g. Ongoing')
    .option('--producer-id <ids...>', 'only with these producer ids')
    .option('--duration-filter <duration>', 'only begun longer ago than this (10s, 5m; a plain number is ms)')
    .option('--transactional-id-pattern <regex>', 'only ids that match as a whole, e.g. "checkout-.*"')
    .addHelpText('after', '\nIds that never had a transaction pass --duration-filter too: add --state Ongoing.')
    .action((options: ListOptions, command: Command) => list(options, command));
  watchable(txn.command('describe <transactional-id...>'))
    .description('what the coordinators of these ids know of them')
    .action((ids: string[], _options, command: Command) => describe(ids, command));
}

/** What a row shows of a transactional id. */
interface TxnRow {
  readonly [key: string]: unknown;
  readonly transactionalId: string;
  readonly coordinator: number;
  readonly producerId: number;
  readonly epoch: number;
  readonly state: string;
  readonly txnPartition: number;
  readonly coordinatorEpoch: number;
  readonly timeoutMs: number;
  /** Absent: no transaction is open. */
  readonly openMs?: number;
  readonly partitions: readonly string[];
}

const COLUMNS: readonly Column<TxnRow>[] = [
  { title: 'TransactionalId', of: (row) => row.transactionalId },
  { title: 'Coordinator', of: (row) => row.coordinator },
  { title: 'ProducerId', of: (row) => row.producerId },
  { title: 'TransactionState', of: (row) => row.state },
  { title: 'Epoch', of: (row) => row.epoch },
  { title: 'TxnPartition', of: (row) => row.txnPartition },
  { title: 'Duration', of: (row) => (row.openMs === undefined ? undefined : durationText(row.openMs)) },
  { title: 'Partitions', of: (row) => row.partitions },
];

/** What is described of an id has all of it, the timeout too. */
const DESCRIBE_COLUMNS: readonly Column<TxnRow>[] = [
  ...COLUMNS.slice(0, -1),
  { title: 'Timeout', of: (row) => durationText(row.timeoutMs) },
  ...COLUMNS.slice(-1),
];

/** In place of rows: none at all, or none that the filters leave. */
function noneText(options: ListOptions): string {
  return Object.keys(options).length === 0 ? 'there are no transactional ids yet' : 'no id passes these filters';
}

async function list(options: ListOptions, command: Command): Promise<void> {
  const out = globals(command);
  const filter = filterOf(options);
  await withClient(out, 'HW2501', async (client) => {
    const { transactions } = client.admin();
    const { transactions: listed, silent } = await listWith(client, filter);
    const described = await transactions.describe(listed.map(({ transactionalId }) => transactionalId));
    // An id may have expired since it was listed.
    const rows = described.flatMap((one, index) =>
      one.error === 'NONE' ? [rowOf(one, listed[index]!.coordinator)] : [],
    );
    rows.sort((a, b) => (a.transactionalId < b.transactionalId ? -1 : 1));
    const warnings = incomplete(silent, 'the ids that it coordinates are missing');
    await printReport(out, { schema: 'txn.list', rows, columns: COLUMNS, warnings });
    if (rows.length === 0 && warnings.length === 0) say(out, noneText(options));
  });
}

/** What the flags ask for. Touches nothing. */
function filterOf(options: ListOptions): TransactionFilter {
  const { state: states = [], producerId = [], durationFilter, transactionalIdPattern: idPattern = '' } = options;
  const known: readonly string[] = TRANSACTION_STATES;
  const unknown = states.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Problem('HW2501', `--state: no state "${unknown.join('", "')}". States: ${known.join(', ')}`);
  }
  return {
    ...{ states, idPattern, producerIds: producerId.map((id) => parseCount('--producer-id', id, 0)) },
    ...(durationFilter === undefined
      ? {}
      : { minDurationMs: parseDurationOr('ms', '--duration-filter', durationFilter) }),
  };
}

async function listWith(client: HighwaterClient, filter: TransactionFilter) {
  try {
    return await client.admin().transactions.listSome(filter, { patienceMs: PATIENCE_MS });
  } catch (error) {
    if (!(error instanceof HighwaterError) || error.code !== 'INVALID_REGULAR_EXPRESSION') throw error;
    throw new Problem('HW2501', `--transactional-id-pattern: "${filter.idPattern}" is no regular expression`);
  }
}

async function describe(ids: readonly string[], command: Command): Promise<void> {
  const out = globals(command);
  await withClient(out, 'HW2501', async (client) => {
    const { transactions } = client.admin();
    const rows: TxnRow[] = [];
    for (const one of await transactions.describe(ids)) {
      const { nodeId } = await transactions.findCoordinator('transaction', one.transactionalId);
      if (one.error !== 'NONE') throw await unknownId(client, one, nodeId);
      rows.push(rowOf(one, nodeId));
    }
    await printRows(out, 'txn.describe', rows, DESCRIBE_COLUMNS);
  });
}

/** How many ids a message names. */
const NAMED_MAX = 10;

async function unknownId(
  client: HighwaterClient,
  { transactionalId, error }: DescribedTransaction,
  coordinator: number,
): Promise<Problem> {
  if (transactionalId === '') return new Problem('HW2501', 'the empty id has no transactions: give another one');
  if (error !== 'TRANSACTIONAL_ID_NOT_FOUND') {
    return new Problem('HW2501', `"${transactionalId}" cannot be described: ${error}`, EXIT.failed);
  }
  const admin = client.admin();
  const [topic] = await admin.describeTopics([TRANSACTION_TOPIC]);
  const partition = coordinatorPartition(transactionalId, Math.max(1, topic?.partitions.length ?? 0));
  const ids = (await admin.transactions.list()).transactions.map((each) => each.transactionalId);
  const more = ids.length > NAMED_MAX ? `, and ${ids.length - NAMED_MAX} more: highwater txn list` : '';
  const known = ids.length === 0 ? 'No id is known yet' : `Known: ${ids.slice(0, NAMED_MAX).join(', ')}${more}`;
  const where = `broker ${coordinator}, ${formatPartition(TRANSACTION_TOPIC, partition)}`;
  return new Problem('HW2501', `"${transactionalId}" is unknown to its coordinator (${where}). ${known}`, EXIT.failed);
}

function rowOf(transaction: DescribedTransaction, coordinator: number): TxnRow {
  const { transactionalId, producerId, producerEpoch, state, partition, startTimeMs, topics } = transaction;
  const open = state === 'Ongoing' || state.startsWith('Prepare');
  return {
    ...{ transactionalId, coordinator, producerId, epoch: producerEpoch, state, txnPartition: partition },
    ...{ coordinatorEpoch: transaction.coordinatorEpoch, timeoutMs: transaction.transactionTimeoutMs },
    ...(open && startTimeMs >= 0 ? { openMs: Math.max(0, Date.now() - startTimeMs) } : {}),
    partitions: topics.flatMap((of) => of.partitions.map((each) => formatPartition(of.topic, each))),
  };
}
