// highwater txn: transactional ids as coordinators know them, open transactions as partitions know them, and what to do
// where the two disagree. Kafka's verbs, names and columns.
import type { Command } from 'commander';
import { coordinatorPartition } from '../../base/java-hash.ts';
import { formatPartition } from '../../base/units.ts';
import { CONFIG_KEYS } from '../../protocol/config.ts';
import { globals } from '../command.ts';
import { parseCount } from '../duration.ts';
import { document, table, write } from '../output.ts';
import { registerTxnAbort } from './txn-abort.ts';
import { registerTxnHanging } from './txn-hanging.ts';
import { registerTxnLists } from './txn-list.ts';

const PARTITIONS = CONFIG_KEYS['transaction.state.log.num.partitions'].default;

export function registerTxnCommands(program: Command): void {
  const txn = program
    .command('txn')
    .description('transactions: who coordinates them, how they stand, which of them hang')
    .addHelpText('after', HELP);
  txn
    .command('map <transactional-id>')
    .description('the partition of __transaction_state that an id belongs to; needs no cluster')
    .option('--partitions <n>', 'how many that topic has', String(PARTITIONS))
    .action((id: string, options: { partitions: string }, command: Command) => map(id, options, command));
  registerTxnLists(txn);
  registerTxnHanging(txn);
  registerTxnAbort(txn);
}

const HELP = `
A transaction is open in two places: its coordinator knows the id and the partitions (list, describe), and each partition
knows the producer and where it began (describe-producers). Readers of what is committed wait at the first open one, the
last stable offset (LSO). If a partition has one that no coordinator will end, it hangs (find-hanging): only abort ends it.
  highwater topics describe       which partitions wait, and for whom
  highwater txn find-hanging      what hangs, and the command that ends it`;

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
