// Asks programs of this machine for their versions: that of containers with our image, and Kafka clients of others.
import { execFile } from 'node:child_process';
import { ok, warning, type Check } from './finding.ts';

/** The image that `npm run image` builds. */
export const IMAGE = 'highwater:latest';

/** What a program printed, or undefined: it is not there, or it failed. */
export function output(program: string, args: readonly string[], signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, [...args], { signal, encoding: 'utf8', killSignal: 'SIGKILL' }, (error, stdout, stderr) =>
      resolve(error === null ? (stdout + stderr).trim() : undefined),
    );
  });
}

/** The engine of containers, and the image that compose files and tests use. */
export const containersCheck: Check = {
  name: 'containers',
  run: async (signal) => {
    const engine = await output('docker', ['version', '--format', '{{.Server.Version}}'], signal);
    if (engine === undefined) {
      const there = await output('docker', ['--version'], signal);
      if (there === undefined) return [ok('no docker here: only compose files and tests in containers need it')];
      return [warning('docker is installed, but its engine does not answer', 'start it, or do without containers')];
    }
    const built = await output('docker', ['image', 'inspect', '--format', '{{.Id}}', IMAGE], signal);
    if (built === undefined) return [ok(`docker ${engine}, without the image ${IMAGE}; npm run image builds it`)];
    return [ok(`docker ${engine}, image ${IMAGE}`)];
  },
};

/** A client that is not ours: how its version is asked for. */
interface ForeignClient {
  readonly name: string;
  readonly ask: readonly [string, ...string[]];
}

const pythonModule = (module: string): ForeignClient['ask'] => [
  'python3',
  '-c',
  `import ${module}; print(${module}.__version__)`,
];

const FOREIGN: readonly ForeignClient[] = [
  { name: 'kcat', ask: ['kcat', '-V'] },
  { name: 'confluent-kafka (Python)', ask: pythonModule('confluent_kafka') },
  { name: 'kafka-python', ask: pythonModule('kafka') },
  { name: 'java', ask: ['java', '-version'] },
];

/** Which clients of others can be tried at a cluster. None is needed. */
export const clientsCheck: Check = {
  name: 'clients',
  run: async (signal) => {
    const found = await Promise.all(
      FOREIGN.map(async ({ name, ask: [program, ...args] }) => {
        const text = await output(program, args, signal);
        return text === undefined ? undefined : `${name} ${versionIn(text)}`.trim();
      }),
    );
    const there = found.filter((each) => each !== undefined);
    return [there.length === 0 ? ok('no Kafka client but ours: none is needed') : ok(there.join(', '))];
  },
};

/** The first thing in a text that looks like a version. */
export function versionIn(text: string): string {
  return /\d+(\.\d+)+[\w.+-]*/.exec(text)?.[0] ?? '';
}
