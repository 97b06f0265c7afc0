// The offsets of groups, each beside the ends of the log it counts in: what it lags, how much of that it can read now, and why
// the rest cannot be read.
import { formatPartition, NO_LEADER, type TopicPartition } from '../base/units.ts';
import type { HighwaterClient } from '../client/index.ts';
import { decodeAssignment } from '../client/core/group/consumer-protocol.ts';
import type { DescribedGroup, DescribedMember, ReplicaDescription } from '../protocol/generated/index.ts';
import type { Cluster } from './cluster.ts';
import { holderName, leaderReplica, lsoHolders, type LsoHolder } from './partition-ends.ts';
import { Problem } from './problem.ts';
import { ReadableCount } from './readable.ts';

export type Isolation = 'read_uncommitted' | 'read_committed';

export interface OffsetRow extends TopicPartition {
  readonly [key: string]: unknown;
  readonly groupId: string;
  /** The committed offset; absent: none. */
  readonly currentOffset?: number;
  readonly hw?: number;
  readonly lso?: number;
  readonly leo?: number;
  readonly lag?: number;
  /** Records that can be read now, under the isolation level; absent: the leader does not answer, or it was not counted. */
  readonly readable?: number;
  readonly consumerId?: string;
  readonly host?: string;
  readonly clientId?: string;
  /** A sentence: why a lag is not readable. */
  readonly note?: string;
}

/** What --isolation-level says. */
export function isolationArgument(text: string): Isolation {
  if (text === 'read_uncommitted' || text === 'read_committed') return text;
  throw new Problem('HW2001', `--isolation-level is read_uncommitted or read_committed, not "${text}"`);
}

/** Batches that one answer may bring, and answers that a count may take. */
const BATCHES_A_CALL = 1000;
const CALLS_MAX = 20;

/** A leader, and what it says of the partition. */
interface Ends {
  readonly leader: number;
  readonly replica: ReplicaDescription | undefined;
  readonly holder: LsoHolder | undefined;
}

/** A row for each partition that a group has an offset of or a member reads. */
export async function offsetRows(
  client: HighwaterClient,
  cluster: Cluster,
  groups: readonly DescribedGroup[],
  isolation: Isolation,
): Promise<OffsetRow[]> {
  const bases = (await Promise.all(groups.map((group) => committed(client, group)))).flat();
  const ends = await endsOf(client, cluster, bases);
  const rows: OffsetRow[] = [];
  for (const base of bases) {
    rows.push(await withEnds(cluster, base, ends.get(formatPartition(base.topic, base.partition)), isolation));
  }
  return rows;
}

/** Offsets and owners of one group, by topic and partition. */
async function committed(client: HighwaterClient, group: DescribedGroup): Promise<OffsetRow[]> {
  const { groupId } = group;
  const rows = new Map<string, OffsetRow>();
  const owned = group.members.flatMap((member) => assigned(group, member).map((of) => [of, member] as const));
  for (const [{ topic, partition }, member] of owned) {
    const who = { consumerId: member.memberId, host: member.clientHost, clientId: member.clientId };
    rows.set(formatPartition(topic, partition), { groupId, topic, partition, ...who });
  }
  for (const { topic, partition, offset } of await client.admin().groups.offsets(groupId)) {
    if (offset < 0) continue;
    const name = formatPartition(topic, partition);
    rows.set(name, { ...(rows.get(name) ?? { groupId, topic, partition }), currentOffset: offset });
  }
  const order = (a: OffsetRow, b: OffsetRow): number =>
    a.topic === b.topic ? a.partition - b.partition : a.topic < b.topic ? -1 : 1;
  return [...rows.values()].sort(order);
}

function assigned({ state }: DescribedGroup, { assignment }: DescribedMember): readonly TopicPartition[] {
  return state === 'Stable' ? (decodeAssignment(Buffer.from(assignment))?.partitions ?? []) : [];
}

async function endsOf(
  client: HighwaterClient,
  cluster: Cluster,
  partitions: readonly TopicPartition[],
): Promise<ReadonlyMap<string, Ends>> {
  const leaders = new Map<string, number>();
  if (partitions.length === 0) return new Map();
  for (const { name, partitions: all } of await client.admin().describeTopics()) {
    for (const { partition, leader } of all) leaders.set(formatPartition(name, partition), leader);
  }
  const asked = new Map(partitions.map((of) => [formatPartition(of.topic, of.partition), of]));
  const replicas = new Map<string, ReplicaDescription | undefined>();
  await Promise.all(
    [...asked].map(async ([name, of]) =>
      replicas.set(name, await leaderReplica(cluster, of, leaders.get(name) ?? NO_LEADER)),
    ),
  );
  const holders = await lsoHolders(
    cluster,
    [...replicas.values()].filter((replica) => replica !== undefined),
  );
  return new Map(
    [...asked.keys()].map((name) => [
      name,
      { leader: leaders.get(name) ?? NO_LEADER, replica: replicas.get(name), holder: holders.get(name) },
    ]),
  );
}

async function withEnds(
  cluster: Cluster,
  base: OffsetRow,
  ends: Ends | undefined,
  isolation: Isolation,
): Promise<OffsetRow> {
  const replica = ends?.replica;
  if (ends === undefined || replica === undefined) return { ...base, note: 'its leader does not answer' };
  const { highWatermark: hw, lastStableOffset: lso, logEndOffset: leo, logStartOffset } = replica;
  const row = { ...base, hw, lso, leo };
  const { currentOffset: from } = base;
  if (from === undefined) return { ...row, note: 'nothing is committed yet' };
  const lag = hw - from;
  if (from < logStartOffset) return { ...row, lag, note: `${from} is below the log start (${logStartOffset})` };
  if (lag < 0) return { ...row, lag, note: `${from} is behind the high watermark: records it had read are gone` };
  const committedOnly = isolation === 'read_committed';
  const to = committedOnly ? lso : hw;
  const readable = await count(cluster, base, ends.leader, new ReadableCount({ from, to, committedOnly }));
  if (readable === undefined) return { ...row, lag, note: 'too far behind to count what is readable' };
  const note = noteOf({ from, to, hw, readable, holder: ends.holder, committedOnly });
  return { ...row, lag, readable, ...(note === undefined ? {} : { note }) };
}

/** Undefined: it would take too long, or the leader went away. */
async function count(
  cluster: Cluster,
  { topic, partition }: TopicPartition,
  leader: number,
  counted: ReadableCount,
): Promise<number | undefined> {
  let next = counted.from;
  for (let calls = 0; !counted.done && next >= 0; calls++) {
    if (calls === CALLS_MAX) return undefined;
    const question = { topic, partition, fromOffset: next, maxBatches: BATCHES_A_CALL };
    const replica = (await cluster.broker(leader, 'DescribeReplicas', question)).replicas[0];
    if (replica === undefined) return undefined;
    counted.take(Buffer.from(replica.records));
    next = replica.nextOffset;
  }
  return counted.count;
}

/** Why a lag is not all readable: ux, "caught up; 38-40 belong to an open transaction". */
function noteOf(of: {
  readonly from: number;
  readonly to: number;
  readonly hw: number;
  readonly readable: number;
  readonly holder: LsoHolder | undefined;
  readonly committedOnly: boolean;
}): string | undefined {
  const { from, to, hw, readable, holder, committedOnly } = of;
  const slots = (first: number, end: number): string => (end - first === 1 ? `${first}` : `${first}-${end - 1}`);
  const hidden = Math.max(0, to - from) - readable;
  const parts: string[] = [];
  if (readable === 0 && hw > from) parts.push('caught up');
  if (hidden > 0) {
    const what = committedOnly ? 'markers or aborted records' : 'markers';
    const which = to - from === 1 ? `offset ${from}` : `${hidden} of the offsets ${slots(from, to)}`;
    parts.push(`${which} ${hidden === 1 ? 'holds' : 'hold'} ${what}, never delivered`);
  }
  if (hw > to) {
    const why = holder === undefined ? ' until a marker is replicated' : `: LSO held by ${holderName(holder)}`;
    parts.push(`${slots(Math.max(from, to), hw)} wait${why}`);
  }
  return parts.length === 0 ? undefined : parts.join('; ');
}
