// highwater up, down, status.
import type { Command } from 'commander';
import { agentAlive, agentClient } from '../../agent/agent-client.ts';
import { forgetState, highwaterHome, hostOf, inContainers, readState, type ClusterState } from '../../agent/home.ts';
import { ManyAgents } from '../../agent/many-agents.ts';
import { endLeftovers } from '../../agent/leftovers.ts';
import { isSameProcess, signalProcess } from '../../agent/process-identity.ts';
import { withCluster, checkClusterName, type Cluster } from '../cluster.ts';
import { clusterFacts } from '../cluster-facts.ts';
import { collect, globals, type GlobalOptions } from '../command.ts';
import { count, document, few, printRows, say, table, write } from '../output.ts';
import { holderName, leaderReplicas, lsoHolders, lsoLag } from '../partition-ends.ts';
import { EXIT, Problem } from '../problem.ts';
import { up, type UpOptions } from '../up.ts';
import { watchable } from '../watch.ts';

export function registerClusterCommands(program: Command): void {
  program
    .command('up')
    .description('start a cluster on this machine: one controller and brokers, each a process; Ctrl-C stops it')
    .option('--brokers <n>', 'number of brokers (default: 3, or as many as it had)')
    .option('--racks <a,b,…>', 'where brokers 1, 2, … stand, round and round (default: nowhere, or what it had)')
    .option('--dir <dir>', "where its data lives: new, empty, or this cluster's (default: in the Highwater home)")
    .option('--timers <profile>', "kafka (Kafka's defaults) or fast (experiments take seconds)")
    .option('--topic <name:partitions:rf>', 'create a topic; repeatable', collect, [])
    .option('--config <name=value>', "setting of all nodes, by Kafka's name; repeatable", collect, [])
    .option('--transaction-version <level>', 'protocol of transactions: 0, 1 or 2 (default: 2, or what it had)')
    .option(
      '--as-version <release>',
      'offer Kafka clients the API versions of a release, such as 2.8 (default: the newest)',
    )
    .option(
      '--record [values]',
      'record what Kafka clients ask and are told; values hashed (default) or plain; off ends it',
    )
    .option('--port-base <n>', 'Kafka port of broker 1, the others follow; 0 picks free ones')
    .option(
      '--advertise <host:port>',
      'what Kafka clients are told of broker 1 instead of where it listens; others follow',
    )
    .option('--outside <host:port>', 'a second Kafka listener a broker, and what its clients are told of broker 1')
    .option('--outside-bind <host:port>', 'where that one listens (default: 127.0.0.1, the same ports)')
    .option('--detach', 'return when the cluster is up and leave it running')
    .action((options: UpOptions, command: Command) => up(options, globals(command)));
  program
    .command('down')
    .description('stop the cluster; its data stays unless --wipe')
    .option('--wipe', 'forget the cluster and delete its data')
    .action((options: { wipe?: boolean }, command: Command) => down(options.wipe === true, globals(command)));
  watchable(program.command('status'))
    .description('nodes, topics, and what is wrong')
    .action((_options, command: Command) => status(globals(command)));
}

const SHUTDOWN_MS = 15_000;

/** Returns 0 when no process of the cluster is left, also if there was none. */
async function down(wipe: boolean, out: GlobalOptions): Promise<void> {
  checkClusterName(out.cluster);
  const state = readState(out.cluster);
  if ('problem' in state) {
    if (state.damaged) throw new Problem('HW4001', `cannot tell what to stop: ${state.problem}`, EXIT.unreachable);
    say(out, `nothing to stop: ${state.problem}`);
    if (out.json) await write(document('down', { cluster: out.cluster, stopped: 0 }));
    return;
  }
  if (inContainers(state)) return downInContainers(state, wipe, out);
  const running = state.nodes.filter(isSameProcess).length;
  if (agentAlive(state)) await stopThroughAgent(state, out);
  // Read again: nodes may have started since.
  const now = readState(out.cluster);
  const left = await endLeftovers('problem' in now ? state : now);
  if (left.length > 0)
    say(out, `ended ${count(left.length, 'node')} that a dead agent left: ${left.map((node) => node.id).join(', ')}`);
  if (wipe) {
    const { rmSync } = await import('node:fs');
    rmSync(state.dir, { recursive: true, force: true });
    forgetState(out.cluster, highwaterHome());
  }
  say(out, `cluster ${out.cluster} is down${wipe ? ' and forgotten' : ''}`);
  if (out.json) await write(document('down', { cluster: out.cluster, stopped: running }));
}

/** Ends the agents, and with them the containers. What they are made of belongs to whoever made them. */
async function downInContainers(state: ClusterState, wipe: boolean, out: GlobalOptions): Promise<void> {
  if (wipe) {
    const hint = 'Use: docker compose down --volumes; and to forget it here: highwater detach';
    throw new Problem('HW2001', `the data of cluster ${out.cluster} lies in volumes of its containers. ${hint}`);
  }
  const agents = new ManyAgents(state);
  try {
    await agents.call('Shutdown', { graceMs: SHUTDOWN_MS }, SHUTDOWN_MS * 2);
  } finally {
    agents.close();
  }
  say(out, `the containers of cluster ${out.cluster} have ended; start them again with: docker compose up --detach`);
  if (out.json) await write(document('down', { cluster: out.cluster, stopped: state.nodes.length }));
}

async function stopThroughAgent(state: ClusterState, out: GlobalOptions): Promise<void> {
  const agent = agentClient(state);
  try {
    await agent.call('Shutdown', { graceMs: SHUTDOWN_MS }, SHUTDOWN_MS * 2);
  } catch (error) {
    say(out, `the agent did not stop in order (${(error as Error).message}); ending it`);
    signalProcess(state.agent, 'SIGKILL');
  } finally {
    agent.close();
  }
  const { setTimeout: delay } = await import('node:timers/promises');
  for (let waited = 0; isSameProcess(state.agent); waited += 20) {
    if (waited > 10_000) signalProcess(state.agent, 'SIGKILL');
    if (waited > 20_000) throw new Problem('HW4001', `agent ${state.agent.pid} does not end`, EXIT.unreachable);
    await delay(20);
  }
}

function hostOfNode(state: ClusterState, id: number): string {
  return hostOf(state, state.nodes.find((node) => node.id === id) ?? {});
}

const NO_CONTROLLER = 'the controller does not answer: membership and topics are unknown';

async function status(out: GlobalOptions): Promise<void> {
  await withCluster(out.cluster, async (cluster) => {
    const { nodes } = await cluster.reach('the agent', cluster.agent.call('ListNodes', {}, 5000));
    const described = await cluster.controller('DescribeCluster', {}).catch((error: unknown) => {
      if (error instanceof Problem) return undefined;
      throw error;
    });
    const rows = nodes.map((node) => {
      const broker = described?.brokers.find((each) => each.id === node.id);
      const role =
        broker === undefined
          ? node.role === 'broker' && described !== undefined
            ? 'not registered'
            : ''
          : broker.fenced
            ? 'fenced'
            : broker.inControlledShutdown
              ? 'shutting down'
              : 'active';
      return {
        id: node.id,
        role: node.role,
        pid: node.pid,
        state: node.state,
        membership: role,
        kafkaPort: node.kafkaPort,
        host: hostOfNode(cluster.state, node.id),
      };
    });
    const stable = await stableFigures(cluster);
    const facts = { cluster: out.cluster, ...clusterFacts(described), ...stable };
    const warnings = described === undefined ? [NO_CONTROLLER] : [];
    if (out.json) return write(document('status', { ...facts, nodes: rows }, { warnings }));
    await printRows(out, 'status', rows, [
      { title: 'NODE', of: (row) => row.id },
      { title: 'ROLE', of: (row) => row.role },
      { title: 'PID', of: (row) => row.pid || undefined },
      { title: 'PROCESS', of: (row) => row.state },
      { title: 'MEMBER', of: (row) => row.membership },
      { title: 'KAFKA', of: (row) => (row.kafkaPort ? `${row.host}:${row.kafkaPort}` : undefined) },
    ]);
    const features = facts.features.map((feature) => `${feature.name}=${feature.value}`).join(', ');
    await write(
      `\n${table(
        [facts],
        [
          { title: 'TOPICS', of: (row) => row.topics },
          { title: 'PARTITIONS', of: (row) => row.partitions },
          { title: 'OFFLINE', of: (row) => few(row.offline ?? []) },
          { title: 'UNDER-REPLICATED', of: (row) => few(row.underReplicated ?? []) },
          { title: 'MAX-LSO-LAG', of: ({ maxLsoLag: max }) => max && `${max.lag} (${max.partition})` },
          { title: 'LATE-TXNS', of: (row) => few(row.lateTransactions) },
          { title: 'FEATURES', of: () => features },
        ],
      )}`,
    );
    for (const { partition, lag, lsoHeldBy } of stable.lsoLags) {
      if (lsoHeldBy !== undefined)
        say(out, `${partition}: LSO held by ${holderName(lsoHeldBy)}; ${lag} behind the high watermark`);
    }
    if (stable.silentBrokers.length > 0) {
      say(out, `no answer from broker ${stable.silentBrokers.join(', ')}: the LSO of what it leads is not known`);
    }
    for (const warning of warnings) say(out, warning);
  });
}

/** Partitions whose readers of committed records lag behind, worst first, and those with a late transaction (txn T-182, T-183). */
async function stableFigures(cluster: Cluster) {
  const { replicas, silent } = await leaderReplicas(cluster);
  const holders = await lsoHolders(cluster, [...replicas.values()]);
  const lsoLags = [...replicas]
    .filter(([, replica]) => lsoLag(replica) > 0)
    .map(([partition, replica]) => {
      const holder = holders.get(partition);
      return { partition, lag: lsoLag(replica), ...(holder === undefined ? {} : { lsoHeldBy: holder }) };
    })
    .sort((a, b) => b.lag - a.lag);
  const late = [...replicas].filter(([, replica]) => replica.oldestTransaction?.late === true);
  const max = lsoLags[0] === undefined ? {} : { maxLsoLag: { partition: lsoLags[0].partition, lag: lsoLags[0].lag } };
  return { lsoLags, ...max, lateTransactions: late.map(([partition]) => partition).sort(), silentBrokers: silent };
}
