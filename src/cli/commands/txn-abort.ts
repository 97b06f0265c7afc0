// highwater txn abort: writes an ABORT marker to one partition, past all coordinators (txn T-179; KIP-664). For hanging
// transactions; one that a coordinator still owns would be torn (txn W-15), so that takes --force.
import type { Command } from 'commander';
import { formatPartition, type TopicPartition } from '../../base/units.ts';
import { HighwaterError, type HighwaterClient, type MarkerIdentity } from '../../client/index.ts';
import { withClient } from '../client-command.ts';
import { globals } from '../command.ts';
import { parseCount } from '../duration.ts';
import { printReport, type Column } from '../output.ts';
import { checkPartition, partitionArgument, type PartitionFlags } from '../partition-argument.ts';
import { EXIT, Problem } from '../problem.ts';

interface AbortOptions extends PartitionFlags {
  readonly startOffset?: string;
  readonly producerId?: string;
  readonly producerEpoch?: string;
  readonly coordinatorEpoch?: string;
  readonly force?: boolean;
}

export function registerTxnAbort(txn: Command): void {
  txn
    .command('abort [topic-partition]')
    .description('end a hanging transaction in one partition: no coordinator is asked, none hears of it')
    .option('--topic <topic>', 'instead of TOPIC-PARTITION, with --partition')
    .option('--partition <p>', 'its partition')
    .option('--start-offset <n>', 'where it begins there, as find-hanging says')
    .option('--producer-id <id>', 'instead of --start-offset: whose it is, with both epochs')
    .option('--producer-epoch <n>', 'epoch of the marker')
    .option('--coordinator-epoch <n>', 'coordinator epoch of the marker')
    .option('--force', 'also if a coordinator owns it, which tears it if it commits')
    .action((text: string | undefined, options: AbortOptions, command: Command) => abort(text, options, command));
}

interface AbortRow {
  readonly [key: string]: unknown;
  readonly topic: string;
  readonly partition: number;
  readonly producerId: number;
  readonly producerEpoch: number;
  readonly coordinatorEpoch: number;
  /** Absent: the producer had nothing open there. */
  readonly startOffset?: number;
  /** Last stable offset after the marker. */
  readonly lso: number;
}

const COLUMNS: readonly Column<AbortRow>[] = [
  { title: 'Topic', of: (row) => row.topic },
  { title: 'Partition', of: (row) => row.partition },
  { title: 'ProducerId', of: (row) => row.producerId },
  { title: 'ProducerEpoch', of: (row) => row.producerEpoch },
  { title: 'CoordinatorEpoch', of: (row) => row.coordinatorEpoch },
  { title: 'StartOffset', of: (row) => row.startOffset },
  { title: 'LSO', of: (row) => row.lso },
];

async function abort(text: string | undefined, options: AbortOptions, command: Command): Promise<void> {
  const out = globals(command);
  const target = partitionArgument('txn abort', text, options);
  const named = producerOf(options);
  await withClient(out, 'HW2501', async (client) => {
    await checkPartition(client, target);
    const open = await openThere(client, target);
    const chosen = 'startOffset' in named ? beginningAt(target, named.startOffset, open) : named;
    const warnings = await ownedWarning(client, target, chosen, options.force === true);
    await writeAbort(client, target, chosen);
    const startOffset = open.find(({ producerId }) => producerId === chosen.producerId)?.startOffset;
    const row: AbortRow = {
      ...{ ...target, producerId: chosen.producerId, producerEpoch: chosen.producerEpoch },
      coordinatorEpoch: Math.max(0, chosen.coordinatorEpoch),
      ...(startOffset === undefined ? {} : { startOffset }),
      lso: await client.admin().endOffset(target, 'read_committed'),
    };
    const nothing = `producer ${chosen.producerId} had nothing open in ${nameOf(target)}: the marker ended nothing`;
    if (startOffset === undefined) warnings.push(nothing);
    await printReport(out, { schema: 'txn.abort', rows: [row], columns: COLUMNS, warnings });
  });
}

const nameOf = ({ topic, partition }: TopicPartition): string => formatPartition(topic, partition);

/** Which transaction the flags mean. Touches nothing. */
function producerOf(options: AbortOptions): MarkerIdentity | { readonly startOffset: number } {
  const { startOffset, producerId, producerEpoch, coordinatorEpoch } = options;
  const byProducer = [producerId, producerEpoch, coordinatorEpoch].filter((value) => value !== undefined);
  if (startOffset !== undefined && byProducer.length === 0) {
    return { startOffset: parseCount('--start-offset', startOffset, 0) };
  }
  if (startOffset !== undefined || byProducer.length !== 3) {
    throw new Problem(
      'HW2001',
      'txn abort needs --start-offset N, or --producer-id, --producer-epoch and --coordinator-epoch, all three. ' +
        'Both are in: highwater txn find-hanging',
    );
  }
  return {
    producerId: parseCount('--producer-id', producerId!, 0),
    producerEpoch: parseCount('--producer-epoch', producerEpoch!, 0, 32_767),
    coordinatorEpoch: parseCount('--coordinator-epoch', coordinatorEpoch!, -1, 2_147_483_647),
  };
}

type Open = MarkerIdentity & { readonly startOffset: number };

/** What is open in a partition, as its leader has it. */
async function openThere(client: HighwaterClient, target: TopicPartition): Promise<readonly Open[]> {
  const [described] = await client.admin().transactions.describeProducers([target]);
  return (described?.producers ?? [])
    .filter(({ currentTxnStartOffset }) => currentTxnStartOffset >= 0)
    .map(({ currentTxnStartOffset, ...producer }) => ({ ...producer, startOffset: currentTxnStartOffset }));
}

function beginningAt(target: TopicPartition, startOffset: number, open: readonly Open[]): Open {
  const found = open.find((one) => one.startOffset === startOffset);
  if (found !== undefined) return found;
  const there = open.map((one) => `${one.startOffset} (producer ${one.producerId})`).join(', ') || 'nothing';
  throw new Problem(
    'HW2501',
    `no open transaction of ${nameOf(target)} begins at offset ${startOffset}. Open there: ${there}`,
    EXIT.failed,
  );
}

/** Refuses what a coordinator still owns, or says what --force may break. */
async function ownedWarning(
  client: HighwaterClient,
  target: TopicPartition,
  { producerId }: MarkerIdentity,
  force: boolean,
): Promise<string[]> {
  const [owner] = await client.admin().transactions.owners([{ ...target, producerId }]);
  if (owner?.kind !== 'owned') return [];
  const { transactionalId, state, epoch } = owner;
  const live = `${transactionalId} (${state}, epoch ${epoch}) owns this transaction`;
  const torn = `if it commits, it is torn: committed elsewhere, aborted in ${nameOf(target)}`;
  if (force) return [`${live}; ${torn}`];
  throw new Problem(
    'HW2501',
    `${live}: it does not hang, its coordinator ends it. To abort it here would not tell the coordinator, and ` +
      `${torn} (txn W-15). Do it all the same with --force`,
    EXIT.failed,
  );
}

async function writeAbort(client: HighwaterClient, target: TopicPartition, marker: MarkerIdentity): Promise<void> {
  try {
    await client.admin().transactions.abortProducer(target, marker);
  } catch (error) {
    if (!(error instanceof HighwaterError)) throw error;
    const { producerId, producerEpoch, coordinatorEpoch } = marker;
    const see = `See: highwater txn describe-producers ${nameOf(target)}`;
    if (error.code === 'INVALID_PRODUCER_EPOCH') {
      const message = `${nameOf(target)} knows a newer epoch of producer ${producerId} than ${producerEpoch}. ${see}`;
      throw new Problem('HW2501', message, EXIT.failed);
    }
    if (error.code === 'TRANSACTION_COORDINATOR_FENCED') {
      const newer = `a marker of producer ${producerId} from a newer coordinator than epoch ${coordinatorEpoch}`;
      const message = `${nameOf(target)} has ${newer}. ${see}`;
      throw new Problem('HW2501', message, EXIT.failed);
    }
    throw error;
  }
}
