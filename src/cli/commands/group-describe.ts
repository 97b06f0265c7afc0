// highwater groups describe: the offsets of groups beside all ends of the logs they read, their members, their states. Which
// lag can be read away, and which waits for a transaction or is markers alone, is told apart (ux: READABLE).
import type { Command } from 'commander';
import { formatPartition } from '../../base/units.ts';
import type { HighwaterClient } from '../../client/index.ts';
import { decodeAssignment } from '../../client/core/group/consumer-protocol.ts';
import type { DescribedGroup } from '../../protocol/generated/index.ts';
import { withClient } from '../client-command.ts';
import type { Cluster } from '../cluster.ts';
import { globals, type GlobalOptions } from '../command.ts';
import { isolationArgument, offsetRows, type OffsetRow } from '../group-offsets.ts';
import { document, printRows, say, table, write, type Column } from '../output.ts';
import { EXIT, Problem } from '../problem.ts';

export interface DescribeFlags {
  readonly isolationLevel: string;
  readonly members?: boolean;
  readonly state?: boolean;
}

const OFFSET_COLUMNS: readonly Column<OffsetRow>[] = [
  { title: 'GROUP', of: (row) => row.groupId },
  { title: 'TOPIC', of: (row) => row.topic },
  { title: 'PARTITION', of: (row) => row.partition },
  { title: 'CURRENT-OFFSET', of: (row) => row.currentOffset },
  { title: 'LOG-END-OFFSET', of: (row) => row.hw },
  { title: 'LAG', of: (row) => row.lag },
  { title: 'CONSUMER-ID', of: (row) => row.consumerId },
  { title: 'HOST', of: (row) => row.host },
  { title: 'CLIENT-ID', of: (row) => row.clientId },
  { title: 'LSO', of: (row) => row.lso },
  { title: 'LEO', of: (row) => row.leo },
  { title: 'READABLE', of: (row) => row.readable },
];

export async function describeGroups(ids: readonly string[], flags: DescribeFlags, command: Command): Promise<void> {
  const out = globals(command);
  const isolation = isolationArgument(flags.isolationLevel);
  if (flags.members === true && flags.state === true) {
    throw new Problem('HW2001', '--members and --state exclude each other');
  }
  await withClient(out, 'HW2501', async (client, cluster) => {
    const groups = await groupsNamed(client, ids);
    if (groups.length === 0) say(out, 'there are no groups yet');
    if (flags.members === true) return printMembers(out, groups);
    const states = await stateRows(client, groups);
    if (flags.state === true) return printRows(out, 'groups.describe-state', states, STATE_COLUMNS);
    await printOffsets(out, { client, cluster, groups, states, isolation });
  });
}

/** The groups of these ids, or all; a Problem that lists those there are. */
async function groupsNamed(client: HighwaterClient, ids: readonly string[]): Promise<readonly DescribedGroup[]> {
  const admin = client.admin().groups;
  const named = ids.length > 0 ? ids : (await admin.list()).map(({ groupId }) => groupId).sort();
  const groups = await admin.describe([...new Set(named)]);
  for (const { groupId, error, state } of groups) {
    if (error === 'NONE' && state !== 'Dead') continue;
    if (ids.length === 0) continue; // It ended since it was listed.
    if (error !== 'NONE') throw new Problem('HW2501', `group "${groupId}" cannot be described: ${error}`, EXIT.failed);
    const known = (await admin.list()).map((each) => each.groupId).sort();
    const there = known.length === 0 ? 'There are none yet' : `Groups: ${known.join(', ')}`;
    throw new Problem('HW2501', `group "${groupId}" does not exist. ${there}`, EXIT.failed);
  }
  return groups.filter(({ error, state }) => error === 'NONE' && state !== 'Dead');
}

interface Described {
  readonly client: HighwaterClient;
  readonly cluster: Cluster;
  readonly groups: readonly DescribedGroup[];
  readonly states: readonly StateRow[];
  readonly isolation: ReturnType<typeof isolationArgument>;
}

async function printOffsets(out: GlobalOptions, described: Described): Promise<void> {
  const { client, cluster, groups, states, isolation } = described;
  const rows = await offsetRows(client, cluster, groups, isolation);
  if (out.json) return write(document('groups.describe', rows, { groups: states, isolationLevel: isolation }));
  await write(table(rows, OFFSET_COLUMNS));
  for (const { groupId, state, members } of states) {
    if (!rows.some((row) => row.groupId === groupId)) say(out, `${groupId}: no offset is committed (${state})`);
    else if (members === 0) say(out, `${groupId}: no active members (${state})`);
    else if (state !== 'Stable') say(out, `${groupId}: it is rebalancing (${state}), assignments are not known yet`);
  }
  for (const { topic, partition, note } of rows) {
    if (note !== undefined) say(out, `${formatPartition(topic, partition)}: ${note}`);
  }
}

interface MemberRow {
  readonly [key: string]: unknown;
  readonly groupId: string;
  readonly consumerId: string;
  /** Empty: dynamic. */
  readonly groupInstanceId: string;
  readonly host: string;
  readonly clientId: string;
  /** Undefined: none yet, or in a form that only its own kind can read. */
  readonly assignment: readonly string[] | undefined;
}

const MEMBER_COLUMNS: readonly Column<MemberRow>[] = [
  { title: 'GROUP', of: (row) => row.groupId },
  { title: 'CONSUMER-ID', of: (row) => row.consumerId },
  { title: 'GROUP-INSTANCE-ID', of: (row) => row.groupInstanceId },
  { title: 'HOST', of: (row) => row.host },
  { title: 'CLIENT-ID', of: (row) => row.clientId },
  { title: '#PARTITIONS', of: (row) => row.assignment?.length },
  { title: 'ASSIGNMENT', of: (row) => row.assignment },
];

async function printMembers(out: GlobalOptions, groups: readonly DescribedGroup[]): Promise<void> {
  const rows = groups.flatMap(({ groupId, state, members }) =>
    members.map((member): MemberRow => {
      const assignment = state === 'Stable' ? decodeAssignment(Buffer.from(member.assignment)) : undefined;
      return {
        ...{ groupId, consumerId: member.memberId, groupInstanceId: member.groupInstanceId },
        ...{ host: member.clientHost, clientId: member.clientId },
        assignment: assignment?.partitions.map((of) => formatPartition(of.topic, of.partition)),
      };
    }),
  );
  await printRows(out, 'groups.describe-members', rows, MEMBER_COLUMNS);
  for (const { groupId, state, members } of groups) {
    if (members.length === 0) say(out, `${groupId}: no active members (${state})`);
  }
}

interface StateRow {
  readonly [key: string]: unknown;
  readonly groupId: string;
  readonly coordinator: number;
  /** Empty: none is chosen. */
  readonly strategy: string;
  readonly state: string;
  readonly generation: number;
  readonly members: number;
}

const STATE_COLUMNS: readonly Column<StateRow>[] = [
  { title: 'GROUP', of: (row) => row.groupId },
  { title: 'COORDINATOR', of: (row) => row.coordinator },
  { title: 'ASSIGNMENT-STRATEGY', of: (row) => row.strategy },
  { title: 'STATE', of: (row) => row.state },
  { title: '#MEMBERS', of: (row) => row.members },
  { title: 'GENERATION', of: (row) => row.generation },
];

function stateRows(client: HighwaterClient, groups: readonly DescribedGroup[]): Promise<readonly StateRow[]> {
  return Promise.all(
    groups.map(async ({ groupId, state, protocol: strategy, generationId: generation, members }) => {
      const { nodeId: coordinator } = await client.admin().transactions.findCoordinator('group', groupId);
      return { groupId, coordinator, strategy, state, generation, members: members.length };
    }),
  );
}
