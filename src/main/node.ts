// The program of a node, broker or controller: `node dist/node/main.js --role broker --id 1 --data-dir DIR --start-file F`.
// Started by an agent, whose end is its end. Exit codes: 0 stopped in order, 1 it cannot start or go on, 70 our bug.
import { parseArgs } from 'node:util';
import pino from 'pino';
import { readStartFile, type StartFile } from '../agent/start-file.ts';
import { roomForBuffers } from '../runtime/real/heap.ts';
import { AgentPipe } from './agent-pipe.ts';
import { openShell, type NodeShell } from './node-shell.ts';
import { startBroker, startController, type RunningNode } from './roles.ts';

const stderr = pino.destination({ fd: 2, sync: true });
stderr.on('error', () => undefined); // A full disk must not silence the reason that goes to the agent.
const log = pino({ level: process.env['HIGHWATER_LOG_LEVEL'] ?? 'info' }, stderr);

async function main(): Promise<void> {
  let asked = false;
  let stop: () => void = () => (asked = true);
  const pipe = new AgentPipe({ onStop: () => stop(), onGone: () => process.exit(1) });
  process.on('SIGTERM', () => stop());
  try {
    const { start, dataDir } = readArguments();
    const shell = await openShell({ start, dataDir, pipe, log });
    const node = await (start.role === 'broker' ? startBroker(start, shell, log) : startController(start, shell));
    shell.flush();
    pipe.announce({ ready: true, grpcPort: shell.grpcPort, kafkaPort: node.kafkaPort });
    log.info({ grpcPort: shell.grpcPort, kafkaPort: node.kafkaPort }, `${start.role} ${start.id} is up`);
    stop = once(() => void end(node, shell));
    if (asked) stop();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log.fatal(reason);
    pipe.announce({ error: reason });
    process.exit(1);
  }
}

async function end(node: RunningNode, shell: NodeShell): Promise<void> {
  await node.stop();
  await shell.close();
  log.info('stopped');
  process.exit(0);
}

function once(run: () => void): () => void {
  let done = false;
  return () => {
    if (!done) run();
    done = true;
  };
}

/** The start file is what counts; role and id in the arguments are for people who read the process list. */
function readArguments(): { readonly start: StartFile; readonly dataDir: string } {
  const { values } = parseArgs({
    options: {
      role: { type: 'string' },
      id: { type: 'string' },
      'data-dir': { type: 'string' },
      'start-file': { type: 'string' },
    },
  });
  const [dataDir, startFile] = [values['data-dir'], values['start-file']];
  if (dataDir === undefined || startFile === undefined) {
    throw new Error('a node is started by its agent, with --data-dir and --start-file; use: highwater up');
  }
  const start = readStartFile(startFile);
  if (values.role !== start.role || values.id !== String(start.id)) {
    throw new Error(`${startFile} is for ${start.role} ${start.id}, not for ${values.role} ${values.id}`);
  }
  return { start, dataDir };
}

roomForBuffers();
void main();
