// What a running cluster and this disk know for completion. Whoever presses Tab does not wait: what is not answered in time
// is left out, and nothing that goes wrong is said.
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { recordedClusters } from '../../agent/home.ts';
import { formatPartition } from '../../base/units.ts';
import { openCluster, type Cluster } from '../cluster.ts';
import type { Knowledge } from './candidates.ts';
import type { FileKind, LiveKind } from './kinds.ts';

/** How long a cluster is waited for. */
export const LIVE_MS = 300;

/** Knowledge of the cluster `name`, unless the line that is completed names another. */
export function knowledgeOf(name: string, limitMs: number = LIVE_MS): Knowledge {
  return { live: (kind, cluster = name) => liveWords(cluster, kind, limitMs), files, clusters: recordedClusters };
}

async function liveWords(name: string, kind: LiveKind, limitMs: number): Promise<readonly string[]> {
  let cluster: Cluster | undefined;
  try {
    cluster = openCluster(name);
    const found = ASK[kind](cluster, limitMs).catch(() => STATIC[kind]?.(cluster!) ?? []);
    return await Promise.race([found, delay(limitMs).then(() => STATIC[kind]?.(cluster!) ?? [])]);
  } catch {
    return [];
  } finally {
    cluster?.close();
  }
}

/** What is known without asking anybody. */
const STATIC: Partial<Record<LiveKind, (cluster: Cluster) => readonly string[]>> = {
  broker: (cluster) => cluster.brokerIds().map(String),
  node: (cluster) => [...cluster.state.nodes.map(({ id }) => String(id)), 'controller', 'random'],
};

type Ask = (cluster: Cluster, limitMs: number) => Promise<readonly string[]>;

const ASK: Readonly<Record<LiveKind, Ask>> = {
  topic: async (cluster) => (await topicsOf(cluster)).map(({ name }) => name),
  partition: partitionsOf,
  broker: (cluster) => Promise.resolve(STATIC.broker!(cluster)),
  node: async (cluster, limitMs) => {
    const [partitions, ids] = await Promise.all([partitionsOf(cluster), transactionalIds(cluster, limitMs)]);
    const roles = partitions.flatMap((each) => [`leader(${each})`, `followers(${each})`]);
    return [...STATIC.node!(cluster), ...roles, ...ids.map((id) => `coordinator(${id})`)];
  },
  'transactional-id': transactionalIds,
  group: (cluster, limitMs) =>
    ofBrokers(cluster, async (id) => {
      const { groups } = await cluster.broker(id, 'ListGroups', { states: [], types: [] }, limitMs);
      return groups.map(({ groupId }) => groupId);
    }),
  fault: async (cluster, limitMs) => {
    const { faults } = await cluster.agent.call('ListAllFaults', {}, limitMs);
    return faults.flatMap(({ fault }) => (fault === null ? [] : [fault.id]));
  },
};

async function topicsOf(cluster: Cluster) {
  return (await cluster.controller('DescribeCluster', {})).topics;
}

async function partitionsOf(cluster: Cluster): Promise<string[]> {
  return (await topicsOf(cluster)).flatMap(({ name, partitions }) =>
    partitions.map(({ partition }) => formatPartition(name, partition)),
  );
}

function transactionalIds(cluster: Cluster, limitMs: number): Promise<string[]> {
  const all = { states: [], producerIds: [], minDurationMs: -1, idPattern: '' };
  return ofBrokers(cluster, async (id) => {
    const { transactions } = await cluster.broker(id, 'ListTransactions', all, limitMs);
    return transactions.map(({ transactionalId }) => transactionalId);
  });
}

/** What all brokers say that answer. */
async function ofBrokers(cluster: Cluster, ask: (id: number) => Promise<string[]>): Promise<string[]> {
  const answers = await Promise.allSettled(cluster.runningBrokers().map(({ id }) => ask(id)));
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])).sort();
}

const ENDINGS: Readonly<Record<FileKind, RegExp>> = {
  scenario: /\.ya?ml$/,
  history: /\.(nd)?json(l)?$/,
  file: /./,
};

/** Files and folders of the folder that `typed` names, hidden ones if it says so. */
function files(kind: FileKind, typed: string): string[] {
  const folder = typed.endsWith('/') ? typed : dirname(typed);
  const begun = typed.endsWith('/') ? typed : typed.includes('/') ? `${dirname(typed).replace(/\/$/, '')}/` : '';
  const hidden = /(^|\/)\.[^/]*$/.test(typed);
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(
        (entry) => (hidden || !entry.name.startsWith('.')) && (entry.isDirectory() || ENDINGS[kind].test(entry.name)),
      )
      .map((entry) => (entry.isDirectory() ? `${join(begun, entry.name)}/` : join(begun, entry.name)))
      .sort();
  } catch {
    return [];
  }
}
