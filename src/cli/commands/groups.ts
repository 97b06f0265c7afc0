// highwater groups list and describe: consumer groups as their coordinators have them, in Kafka's words and columns.
import type { Command } from 'commander';
import { incomplete, PATIENCE_MS, withClient } from '../client-command.ts';
import { globals } from '../command.ts';
import { printReport, say, type Column } from '../output.ts';
import { Problem } from '../problem.ts';
import { describeGroups, type DescribeFlags } from './group-describe.ts';
import { watchable } from '../watch.ts';

export function registerGroupCommands(program: Command): void {
  const groups = program
    .command('groups')
    .description('consumer groups: states, members, offsets and what is readable');
  watchable(groups.command('list'))
    .description('all groups of all coordinators')
    .option('--state <names...>', 'only in these states, e.g. Stable')
    .action((options: { state?: string[] }, command: Command) => list(options.state ?? [], command));
  watchable(groups.command('describe [group...]'))
    .description('offsets partition by partition (default: of all groups)')
    .option(
      '--isolation-level <level>',
      'for READABLE: read_uncommitted or read_committed, as its consumers read',
      'read_uncommitted',
    )
    .option('--members', 'members and their assignments instead')
    .option('--state', 'state, coordinator and strategy instead')
    .addHelpText('after', HELP)
    .action((ids: string[], flags: DescribeFlags, command: Command) => describeGroups(ids, flags, command));
}

const HELP = `
CURRENT-OFFSET   the committed offset: the next one to be read
LOG-END-OFFSET   the high watermark, under the name that Kafka's tool gives it; LAG is the distance to it
LSO, LEO         last stable offset and the real end of the leader's log
READABLE         records that the next polls bring: a lag counts markers and aborted records too, which no poll brings`;

/** Kafka's names of states. */
const STATES = ['Empty', 'PreparingRebalance', 'CompletingRebalance', 'Stable', 'Dead'] as const;

interface GroupRow {
  readonly [key: string]: unknown;
  readonly groupId: string;
  readonly state: string;
  /** Empty: it has offsets alone. */
  readonly protocolType: string;
  readonly coordinator: number;
}

const COLUMNS: readonly Column<GroupRow>[] = [
  { title: 'GROUP', of: (row) => row.groupId },
  { title: 'STATE', of: (row) => row.state },
  { title: 'PROTOCOL', of: (row) => row.protocolType },
  { title: 'COORDINATOR', of: (row) => row.coordinator },
];

async function list(states: readonly string[], command: Command): Promise<void> {
  const out = globals(command);
  const known = STATES.map((name) => name.toLowerCase());
  const unknown = states.filter((name) => !known.includes(name.toLowerCase()));
  if (unknown.length > 0) {
    throw new Problem('HW2501', `--state: no state "${unknown.join('", "')}". States: ${STATES.join(', ')}`);
  }
  await withClient(out, 'HW2501', async (client) => {
    const listed = await client.admin().groups.listSome({ states }, { patienceMs: PATIENCE_MS });
    const rows = listed.groups
      .map(({ groupId, state, protocolType, coordinator }) => ({ groupId, state, protocolType, coordinator }))
      .sort((a, b) => (a.groupId < b.groupId ? -1 : 1));
    const warnings = incomplete(listed.silent, 'the groups that it coordinates are missing');
    await printReport(out, { schema: 'groups.list', rows, columns: COLUMNS, warnings });
    if (rows.length === 0 && warnings.length === 0)
      say(out, states.length === 0 ? 'there are no groups yet' : 'no group is in such a state');
  });
}
