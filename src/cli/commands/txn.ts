// highwater txn: transactional ids as their coordinators know them, and who coordinates what. Kafka's names and columns.
import type { Command } from 'commander';
import { coordinatorPartition } from '../../base/java-hash.ts';
import { formatPartition } from '../../base/units.ts';
import type { HighwaterClient } from '../../client/index.ts';
import { CONFIG_KEYS } from '../../protocol/config.ts';
import type { DescribedTransaction } from '../../protocol/generated/index.ts';
import { withCluster } from '../cluster.ts';
import { globals } from '../command.ts';
import { connectTo } from '../connection.ts';
import { parseCount } from '../duration.ts';
import { document, printRows, table, write, type Column } from '../output.ts';
import { Problem } from '../problem.ts';

const PARTITIONS = CONFIG_KEYS['transaction.state.log.num.partitions'].default;

export function registerTxnCommands(program: Command): void {
  const txn = program.command('txn').description('transactional ids: who coordinates them, and how they stand');
  txn
    .command('map <transactional-id>')
    .description('the partition of __transaction_state that an id belongs to; needs no cluster')
    .option('--partitions <n>', 'how many that topic has', String(PARTITIONS))
    .action((id: string, options: { partitions: string }, command: Command) => map(id, options, command));
  txn
    .command('list')
    .description('all transactional ids of all coordinators')
    .option('--state <names...>', 'only in these states, e.g. Ongoing')
    .action((options: { state?: string[] }, command: Command) => list(options.state ?? [], command));
  txn
    .command('describe <transactional-id...>')
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
  { title: 'Duration', of: (row) => (row.openMs === undefined ? undefined : `${(row.openMs / 1000).toFixed(1)}s`) },
  { title: 'Partitions', of: (row) => row.partitions },
];

async function map(id: string, options: { partitions: string }, command: Command): Promise<void> {
  const out = globals(command);
  const count = parseCount('--partitions', options.partitions, 1);
  const row = { transactionalId: id, topic: '__transaction_state', partition: coordinatorPartition(id, count) };
  if (out.json) return write(document('txn.map', row));
  const columns = [
    { title: 'TransactionalId', of: (each: typeof row) => each.transactionalId },
    { title: 'TxnPartition', of: (each: typeof row) => formatPartition(each.topic, each.partition) },
  ];
  await write(table([row], columns));
}

async function list(states: readonly string[], command: Command): Promise<void> {
  const out = globals(command);
  await withClient(out.cluster, async (client) => {
    const { transactions, unknownStates } = await client.admin().transactions.list({ states });
    if (unknownStates.length > 0) throw new Problem('HW2501', `no state "${unknownStates.join('", "')}"`);
    const ids = transactions.map(({ transactionalId }) => transactionalId);
    await printRows(out, 'txn.list', await rowsOf(client, ids), COLUMNS);
  });
}

async function describe(ids: readonly string[], command: Command): Promise<void> {
  const out = globals(command);
  await withClient(out.cluster, async (client) => {
    await printRows(out, 'txn.describe', await rowsOf(client, ids), COLUMNS);
  });
}

async function withClient(cluster: string, use: (client: HighwaterClient) => Promise<void>): Promise<void> {
  await withCluster(cluster, async (opened) => {
    const client = await connectTo(opened, {});
    try {
      await use(client);
    } finally {
      await client.close();
    }
  });
}

async function rowsOf(client: HighwaterClient, ids: readonly string[]): Promise<TxnRow[]> {
  if (ids.length === 0) return [];
  const { transactions } = client.admin();
  const described = await transactions.describe(ids);
  const rows: TxnRow[] = [];
  for (const transaction of described) {
    const { transactionalId, error } = transaction;
    if (error !== 'NONE') {
      const problem =
        error === 'TRANSACTIONAL_ID_NOT_FOUND' ? 'is unknown to its coordinator' : `cannot be described: ${error}`;
      throw new Problem('HW2501', `"${transactionalId}" ${problem}. Known: highwater txn list`);
    }
    const { nodeId } = await transactions.findCoordinator('transaction', transactionalId);
    rows.push(rowOf(transaction, nodeId));
  }
  return rows;
}

function rowOf(transaction: DescribedTransaction, coordinator: number): TxnRow {
  const { transactionalId, producerId, producerEpoch, state, partition, startTimeMs, topics } = transaction;
  const open = state === 'Ongoing' || state.startsWith('Prepare');
  return {
    ...{ transactionalId, coordinator, producerId, epoch: producerEpoch, state, txnPartition: partition },
    timeoutMs: transaction.transactionTimeoutMs,
    ...(open && startTimeMs >= 0 ? { openMs: Math.max(0, Date.now() - startTimeMs) } : {}),
    partitions: topics.flatMap((of) => of.partitions.map((each) => formatPartition(of.topic, each))),
  };
}
