// highwater attach: records a cluster whose nodes run in containers or on other hosts, so that every command can address it.
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { agentClient } from '../../agent/agent-client.ts';
import { forgetState, inContainers, readState, writeState, type ClusterState } from '../../agent/home.ts';
import type * as pb from '../../protocol/generated/index.ts';
import { CallFailed } from '../../rpc/remote-service.ts';
import { bootstrapOf } from '../client-lines.ts';
import { checkClusterName, Cluster } from '../cluster.ts';
import { globals, type GlobalOptions } from '../command.ts';
import { document, say, write } from '../output.ts';
import { EXIT, Problem } from '../problem.ts';
import { untilUp } from '../readiness.ts';

/** Where the compose file publishes the controller's agent. */
const DEFAULT_ADDRESS = '127.0.0.1:19291';
const ANSWER_MS = 5000;
const READY_MS = 30_000;

export function registerAttachCommand(program: Command): void {
  program
    .command('attach [agent]')
    .description(`address a cluster in containers, by any of its agents (default: ${DEFAULT_ADDRESS})`)
    .option('--no-wait', 'do not wait until all brokers are members')
    .option('--secret-file <file>', "the cluster's secret (or HIGHWATER_SECRET, HIGHWATER_SECRET_FILE)")
    .action((agent: string | undefined, options: AttachOptions, command: Command) =>
      attach(agent ?? DEFAULT_ADDRESS, options, globals(command)),
    );
  program
    .command('detach')
    .description('forget a cluster in containers; it goes on')
    .action((_options, command: Command) => detach(globals(command)));
}

interface AttachOptions {
  readonly secretFile?: string;
  readonly wait: boolean;
}

async function attach(text: string, options: AttachOptions, out: GlobalOptions): Promise<void> {
  checkClusterName(out.cluster);
  refuseLocal(out);
  const address = parseAgent(text);
  const secret = readSecret(options.secretFile);
  const place = await ask(text, { ...address, secret });
  const state = stateOf(place, { ...address, secret, name: out.cluster });
  writeState(state);
  if (options.wait) await untilMembers(state);
  const bootstrap = bootstrapOf(state);
  if (out.json) {
    await write(document('attach', { cluster: out.cluster, nodes: state.nodes.length }, { bootstrap }));
    return;
  }
  await write(
    `cluster ${out.cluster} is addressed by its agents   ${state.nodes.length} nodes, timers ${state.timers}\n`,
  );
  await write(`  Kafka clients   ${bootstrap}\n`);
  const flag = out.cluster === 'default' ? '' : ` --cluster ${out.cluster}`;
  say(out, `next: highwater clients${flag} | highwater status${flag} | highwater fault points`);
}

async function untilMembers(state: ClusterState): Promise<void> {
  const cluster = new Cluster(state);
  try {
    await untilUp(cluster, [], READY_MS);
  } finally {
    cluster.close();
  }
}

function detach(out: GlobalOptions): void {
  const state = readState(out.cluster);
  if ('problem' in state) throw new Problem('HW4001', state.problem, EXIT.unreachable);
  if (!inContainers(state)) {
    throw new Problem('HW2001', `cluster ${out.cluster} runs on this machine. Use: highwater down --wipe`);
  }
  forgetState(out.cluster);
  say(out, `cluster ${out.cluster} is forgotten here; its containers go on`);
}

function refuseLocal(out: GlobalOptions): void {
  const recorded = readState(out.cluster);
  if ('problem' in recorded || inContainers(recorded)) return;
  throw new Problem(
    'HW5001',
    `${out.cluster} is a cluster of this machine. Choose another name, e.g.: highwater attach --cluster compose`,
    EXIT.conflict,
  );
}

function parseAgent(text: string): { readonly host: string; readonly port: number } {
  const match = /^(.+):(\d{1,5})$/.exec(text);
  if (match === null) throw new Problem('HW2001', `write the agent's address as HOST:PORT, e.g. ${DEFAULT_ADDRESS}`);
  return { host: match[1]!, port: Number(match[2]) };
}

function readSecret(file: string | undefined): string {
  const given = process.env['HIGHWATER_SECRET'] ?? '';
  const path = file ?? process.env['HIGHWATER_SECRET_FILE'] ?? '';
  if (file === undefined && given !== '') return given;
  if (path === '') {
    throw new Problem('HW2001', 'attach needs the secret of the cluster: --secret-file FILE, or HIGHWATER_SECRET');
  }
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new Problem('HW2001', `the secret cannot be read: ${(error as Error).message}`);
  }
}

async function ask(
  text: string,
  { host, port, secret }: { readonly host: string; readonly port: number; readonly secret: string },
): Promise<pb.DescribePlaceResponse> {
  const agent = agentClient({ host, agent: { pid: 0, startTime: '', port }, secret });
  try {
    return await agent.call('DescribePlace', {}, ANSWER_MS);
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    const why =
      error.code === 'UNAUTHENTICATED'
        ? `refuses: ${error.message}`
        : 'does not answer. Is the cluster up, and this port published?';
    throw new Problem('HW4001', `the agent at ${text} ${why}`, EXIT.unreachable);
  } finally {
    agent.close();
  }
}

/** Addresses as they are seen from here: inside the network if the agent was found at its port there, else outside. */
function stateOf(
  place: pb.DescribePlaceResponse,
  from: { readonly host: string; readonly port: number; readonly secret: string; readonly name: string },
): ClusterState {
  const inside = place.nodes.some((node) => node.inside?.agentPort === from.port);
  const nodes = place.nodes.map((node): ClusterState['nodes'][number] => {
    const address = inside ? node.inside : node.outside;
    if (address === null) {
      const why = 'it was told no outside address (HIGHWATER_OUTSIDE)';
      throw new Problem('HW4001', `${node.role} ${node.id} cannot be reached from here: ${why}`, EXIT.unreachable);
    }
    const role = node.role === 'controller' ? 'controller' : 'broker';
    return { id: node.id, role, pid: 0, startTime: '', dataDir: '', ...address };
  });
  return {
    ...{ version: 1, name: from.name, dir: '', secret: from.secret, host: from.host, config: {} },
    ...{ timers: place.timers === 'fast' ? 'fast' : 'kafka', nodes },
    agent: { pid: 0, startTime: '', port: from.port },
  };
}
