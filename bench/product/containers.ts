// The cluster of deploy/docker-compose.yml for a row, under a project name and on ports of its own; it ends with the room, and
// its volumes with it.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/cli/version.ts';
import type { Room } from '../room.ts';

const IMAGE = process.env['HIGHWATER_IMAGE'] ?? 'highwater:latest';
/** First digits of all published ports. */
const PORTS = '28';
const FILE = join(packageRoot(), 'deploy/docker-compose.yml');

/** The secret of the cluster, and where the agent of its controller is published. */
export const SECRET_FILE = join(packageRoot(), 'deploy/secret/highwater');
export const AGENT = `127.0.0.1:${PORTS}291`;

const succeeds = (words: readonly string[]): boolean => spawnSync(words[0]!, words.slice(1)).status === 0;
const composeWords = (): readonly string[] =>
  succeeds(['docker', 'compose', 'version']) ? ['docker', 'compose'] : ['docker-compose'];

/** Why nothing can be measured in containers here; undefined if it can. */
export function noContainers(): string | undefined {
  if (!succeeds(['docker', 'info'])) return 'no container engine answers (docker info)';
  if (!succeeds([...composeWords(), 'version'])) return 'neither docker compose nor docker-compose is there';
  if (succeeds(['docker', 'image', 'inspect', IMAGE]) && existsSync(SECRET_FILE)) return undefined;
  return `image ${IMAGE} or its secret is missing: npm run image`;
}

export interface Containers {
  up(): Promise<void>;
  /** Removes containers, network and volumes. */
  down(): Promise<void>;
  /** Resident memory of every Node process in the container of a service, MiB. */
  residentMib(service: string): Promise<number[]>;
}

export function containersIn(room: Room): Containers {
  const project = `highwater-bench-${process.pid}`;
  const compose = [...composeWords(), '--project-name', project, '--file', FILE];
  const down = async (): Promise<void> => void (await output([...compose, 'down', '--volumes', '--timeout', '5']));
  room.onClose(down);
  return {
    ...{ up: async () => void (await output([...compose, 'up', '--detach', '--no-build'])), down },
    residentMib: async (service) => {
      const look = 'grep -hE "^(Name|VmRSS):" /proc/[0-9]*/status';
      const text = await output([...compose, 'exec', '-T', service, 'bash', '-c', look]);
      return [...text.matchAll(/^Name:\s+node\nVmRSS:\s+(\d+) kB/gm)].map(([, kib]) => Number(kib) / 1024);
    },
  };
}

/** Size of the image, and of the files in it that are Highwater's, MiB. */
export async function imageMib(): Promise<{ readonly whole: number; readonly own: number }> {
  const bytes = await output(['docker', 'image', 'inspect', '--format', '{{.Size}}', IMAGE]);
  const kib = await output(['docker', 'run', '--rm', '--network', 'none', '--entrypoint', 'du', IMAGE, '-sk', '/opt']);
  return { whole: Number(bytes) / 1024 / 1024, own: Number.parseInt(kib, 10) / 1024 };
}

function output([command = '', ...args]: readonly string[]): Promise<string> {
  const env = { ...process.env, HIGHWATER_PORTS: PORTS, HIGHWATER_IMAGE: IMAGE, HIGHWATER_TIMERS: '' };
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [told, complaint] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (told += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(told);
      else reject(new Error(`${command} ${args.join(' ')} ended with ${code}: ${complaint.trim()}`));
    });
  });
}
