// The compose cluster of deploy/, as a test starts it: under a project name and on ports of its own, by the commands that people
// type (what testcontainers has for compose needs version 2 of it). Where something is missing, `missing` says what.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { IMAGE, missingEngine, succeeds } from './engine.ts';

const TOP = fileURLToPath(new URL('../..', import.meta.url));
const FILE = join(TOP, 'deploy/docker-compose.yml');
/** First digits of all published ports. */
const PORTS = '23';

export const SECRET_FILE = join(TOP, 'deploy/secret/highwater');
/** Where the controller's agent is published. */
export const AGENT = `127.0.0.1:${PORTS}291`;

const COMPOSE = succeeds('docker', ['compose', 'version']) ? ['docker', 'compose'] : ['docker-compose'];

/** Why these tests cannot run here; undefined if they can. */
export function missing(): string | undefined {
  const engine = missingEngine();
  if (engine !== undefined) return engine;
  if (!succeeds(COMPOSE[0]!, [...COMPOSE.slice(1), 'version']))
    return 'neither docker compose nor docker-compose is there';
  return existsSync(SECRET_FILE) ? undefined : `${SECRET_FILE} is missing: npm run image`;
}

export class Compose {
  readonly #project = `highwater-test-${process.pid}`;

  /** Runs a compose command to its end. Rejects with what it printed if it fails. */
  run(args: readonly string[]): Promise<string> {
    const [command = '', ...more] = COMPOSE;
    return output(command, [...more, '--project-name', this.#project, '--file', FILE, ...args]);
  }

  /** A command of the CLI inside a node's container. */
  inside(service: string, ...args: readonly string[]): Promise<string> {
    return this.run(['exec', '-T', service, 'highwater', ...args]);
  }

  /** The container of a service. */
  async container(service: string): Promise<string> {
    return (await this.run(['ps', '--all', '--quiet', service])).trim();
  }

  /** Has the engine do something to the containers of services: kill, start, stop, pause. */
  async engine(verb: string, ...services: readonly string[]): Promise<void> {
    const containers = await Promise.all(services.map((service) => this.container(service)));
    await output('docker', [verb, ...containers]);
  }

  /** A fact of a container, as the engine has it. */
  async inspect(service: string, format: string): Promise<string> {
    return (await output('docker', ['inspect', '--format', format, await this.container(service)])).trim();
  }

  async end(): Promise<void> {
    await this.run(['down', '--volumes', '--timeout', '5']);
  }
}

export function output(command: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, HIGHWATER_TIMERS: 'fast', HIGHWATER_PORTS: PORTS, HIGHWATER_IMAGE: IMAGE };
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(stdout);
      else reject(new Error(`${command} ${args.join(' ')} ended with ${code}: ${stderr}${stdout}`));
    });
  });
}
