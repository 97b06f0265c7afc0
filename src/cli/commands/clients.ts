// highwater clients: the bootstrap list, and for each client that is known one line to paste.
import { join } from 'node:path';
import type { Command } from 'commander';
import { inContainers } from '../../agent/home.ts';
import { NODE_FILES } from '../../agent/layout.ts';
import { topicNameProblem } from '../../protocol/topic-name.ts';
import { bootstrapOf, clientLines, type Where } from '../client-lines.ts';
import { recordedCluster } from '../cluster.ts';
import { globals, type GlobalOptions } from '../command.ts';
import { document, say, table, write } from '../output.ts';
import { Problem } from '../problem.ts';

const DEFAULT_TOPIC = 'hello';

interface ClientsOptions {
  readonly topic: string;
  readonly outside?: boolean;
  readonly bootstrap?: boolean;
}

export function registerClientsCommand(program: Command): void {
  program
    .command('clients')
    .description('the bootstrap list, and for each Kafka client that is known one line to paste')
    .option('--topic <name>', 'the topic of those lines; it is created when it is first used', DEFAULT_TOPIC)
    .option('--outside', 'for clients outside the network of the nodes')
    .option('--bootstrap', 'print the bootstrap list alone')
    .action((options: ClientsOptions, command: Command) => clients(options, globals(command)));
}

async function clients({ topic, outside, bootstrap: alone }: ClientsOptions, out: GlobalOptions): Promise<void> {
  const problem = topicNameProblem(topic);
  if (problem !== undefined) throw new Problem('HW2001', `--topic: ${problem}`);
  const state = recordedCluster(out.cluster);
  const where: Where = outside === true ? 'outside' : 'inside';
  const bootstrap = bootstrapOf(state, where);
  const lines = clientLines({ bootstrap, topic, cluster: out.cluster });
  if (out.json) return write(document('clients', lines, { bootstrap }));
  if (alone === true) return write(`${bootstrap}\n`);
  await write(`bootstrap  ${bootstrap}\n\n`);
  await write(
    table(lines, [
      { title: 'CLIENT', of: ({ client }) => client },
      { title: 'LINE', of: ({ line }) => line },
    ]),
  );
  if (!inContainers(state)) {
    const broker = state.nodes.find(({ role }) => role === 'broker')!;
    say(out, `whom a broker turns away, and why, it says in its log: ${join(broker.dataDir, NODE_FILES.log)}, …`);
  }
  if (state.config['auto.create.topics.enable'] === 'false') {
    const flag = out.cluster === 'default' ? '' : ` --cluster ${out.cluster}`;
    say(out, `topics are not created on their own in this cluster: highwater topics create ${topic}${flag}`);
  }
}
