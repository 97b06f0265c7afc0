// highwater node list|kill|stop|start|restart|pause|resume|logs. NODE is an id or a selector such as leader(orders-0).
import { createReadStream, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { inContainers } from '../../agent/home.ts';
import { NODE_FILES } from '../../agent/layout.ts';
import { CONTROLLER_ID } from '../../base/units.ts';
import { ERRORS } from '../../protocol/errors.ts';
import type { NodeStatus } from '../../protocol/generated/index.ts';
import { withCluster, type Cluster } from '../cluster.ts';
import { globals } from '../command.ts';
import { parseCount } from '../duration.ts';
import { document, printRows, write } from '../output.ts';
import { EXIT, Problem } from '../problem.ts';
import { watchable } from '../watch.ts';

/** A clean stop moves leaders away first. */
const STOP_MS = 20_000;
const START_MS = 35_000;
const ACT_MS = 15_000;

type Act = (cluster: Cluster, id: number) => Promise<void>;

const kill: Act = (cluster, id) => cluster.act(cluster.agent.call('KillNode', { id, cause: 'cli' }, ACT_MS));
const stop: Act = (cluster, id) => cluster.act(cluster.agent.call('StopNode', { id, cause: 'cli' }, STOP_MS));
const pause: Act = (cluster, id) => cluster.act(cluster.agent.call('PauseNode', { id, cause: 'cli' }, ACT_MS));
const resume: Act = (cluster, id) => cluster.act(cluster.agent.call('ResumeNode', { id, cause: 'cli' }, ACT_MS));

export function registerNodeCommands(program: Command): void {
  const node = program.command('node').description('the processes of the cluster: list, kill, stop, start, pause them');
  watchable(node.command('list'))
    .description('all nodes and how they are')
    .action((_options, command: Command) => list(command));
  onNodes(node, 'kill', 'SIGKILL, at once', kill);
  onNodes(node, 'stop', 'clean stop: controlled shutdown, flush, exit', stop);
  onNodes(node, 'pause', 'SIGSTOP: the process freezes and keeps its connections', pause);
  onNodes(node, 'resume', 'SIGCONT', resume);
  const start = onNodes(node, 'start', 'start a node that is not running', async (cluster, id) =>
    startNode(cluster, id, start),
  );
  startFlags(start);
  const restart = onNodes(node, 'restart', 'kill, then start', async (cluster, id) => {
    const { nodes } = await cluster.reach('the agent', cluster.agent.call('ListNodes', {}, ACT_MS));
    if (nodes.find((each) => each.id === id)?.pid) await kill(cluster, id);
    await startNode(cluster, id, restart);
  });
  startFlags(restart);
  node
    .command('unregister <id>')
    .description('forget a broker that will not come back: it leaves every ISR, and its id is free')
    .action((text: string, _options: unknown, command: Command) => unregister(text, command));
  node
    .command('logs <node>')
    .description("what a node's process printed")
    .option('-f, --follow', 'go on as it grows')
    .action((text: string, options: { follow?: boolean }, command: Command) =>
      logs(text, options.follow === true, command),
    );
}

/** What it has replicas of stays assigned to it, until it is moved: highwater topics reassign. */
async function unregister(text: string, command: Command): Promise<void> {
  const out = globals(command);
  const brokerId = parseCount('the broker', text, 1);
  await withCluster(out.cluster, async (cluster) => {
    const { error, errorMessage } = await cluster.controller('UnregisterBroker', { brokerId });
    if (error !== 'NONE') throw new Problem('HW2301', errorMessage || ERRORS[error].message, EXIT.failed);
    const said = `Broker ${brokerId} is forgotten. Its replicas stay assigned to it: highwater topics reassign moves them.\n`;
    await write(out.json ? document('node.unregister', [{ id: brokerId }]) : said);
  });
}

function onNodes(parent: Command, verb: string, meaning: string, act: Act): Command {
  return parent
    .command(`${verb} <node>`)
    .description(meaning)
    .action(async (text: string, _options: unknown, command: Command) => {
      const out = globals(command);
      await withCluster(out.cluster, async (cluster) => {
        const ids = await cluster.nodes(text);
        for (const id of ids) await act(cluster, id);
        const { nodes } = await cluster.reach('the agent', cluster.agent.call('ListNodes', {}, ACT_MS));
        const rows = nodes.filter((each) => ids.includes(each.id)).map(row);
        if (out.json) await write(document(`node.${verb}`, rows));
        else
          await write(
            rows
              .map((each) => `${each.role} ${each.id}: ${each.state}${each.pid ? ` (pid ${each.pid})` : ''}\n`)
              .join(''),
          );
      });
    });
}

function startFlags(command: Command): void {
  command.option('--wipe', 'with an empty store, as after losing the disk');
  command.option(
    '--truncate-tail <n>',
    'as after a power loss: of each partition lose up to n unflushed batches (all: every one)',
  );
}

async function startNode(cluster: Cluster, id: number, command: Command): Promise<void> {
  const { wipe = false, truncateTail } = command.opts<{ wipe?: boolean; truncateTail?: string }>();
  const tail =
    truncateTail === undefined ? 0 : truncateTail === 'all' ? -1 : parseCount('--truncate-tail', truncateTail, 1);
  await cluster.act(cluster.agent.call('StartNode', { id, wipe, truncateTail: tail }, START_MS));
}

function row(node: NodeStatus) {
  const { id, role, pid, state, exitCode, exitSignal, cause, kafkaPort, grpcPort, starts, dataDir } = node;
  const exit = pid !== 0 ? '' : exitSignal || (exitCode >= 0 ? `code ${exitCode}` : '');
  return { id, role, pid, state, exit, cause, kafkaPort, grpcPort, starts, dataDir };
}

async function list(command: Command): Promise<void> {
  const out = globals(command);
  await withCluster(out.cluster, async (cluster) => {
    const { nodes } = await cluster.reach('the agent', cluster.agent.call('ListNodes', {}, ACT_MS));
    const rows = nodes.map(row).sort((a, b) => a.id - b.id);
    await printRows(out, 'node.list', rows, [
      { title: 'NODE', of: (each) => each.id },
      { title: 'ROLE', of: (each) => each.role },
      { title: 'PID', of: (each) => each.pid || undefined },
      { title: 'STATE', of: (each) => each.state },
      { title: 'EXIT', of: (each) => each.exit },
      { title: 'CAUSE', of: (each) => each.cause },
      { title: 'KAFKA', of: (each) => each.kafkaPort || undefined },
      { title: 'GRPC', of: (each) => each.grpcPort },
      { title: 'STARTS', of: (each) => each.starts },
    ]);
  });
}

async function logs(text: string, follow: boolean, command: Command): Promise<void> {
  const out = globals(command);
  await withCluster(out.cluster, async (cluster) => {
    const id = await cluster.node(text);
    if (inContainers(cluster.state)) {
      const container = id === CONTROLLER_ID ? 'controller' : `broker-${id}`;
      throw new Problem('HW2301', `node ${id} prints to its container's log: docker compose logs ${container}`);
    }
    const file = join(cluster.state.nodes.find((node) => node.id === id)!.dataDir, NODE_FILES.log);
    if (!existsSync(file)) throw new Problem('HW2301', `node ${id} has written no log yet (${file})`);
    let at = await copyFrom(file, 0);
    while (follow) {
      await delay(200);
      if (statSync(file).size > at) at = await copyFrom(file, at);
    }
  });
}

async function copyFrom(file: string, start: number): Promise<number> {
  let at = start;
  for await (const chunk of createReadStream(file, { start })) {
    at += (chunk as Buffer).length;
    await write((chunk as Buffer).toString('utf8'));
  }
  return at;
}
