// The Java side: says whether it can be had here, gets its packages once (pom.xml, by Maven), compiles its sources, and runs
// its programs. Everything made is kept below node_modules/.cache, by the hash of what it was made of.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/cli/version.ts';
import type { Ran } from '../run-client.ts';

// By the root, since the benchmark is one bundle elsewhere.
const HERE = join(packageRoot(), 'test/clients/java');
const CACHE = join(packageRoot(), 'node_modules/.cache/highwater-java');
const MAVEN_MAX_MS = 300_000;
const PROGRAM_MAX_MS = 120_000;

/** Small, and quick to start: two cores carry up to four of them. */
export const SMALL_JVM: readonly string[] = ['-Xms64m', '-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

const QUIET = '-Dorg.slf4j.simpleLogger.defaultLogLevel=error';

const runs = (command: string, args: readonly string[]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

export type JavaSide = { readonly classpath: string } | { readonly missing: string };

let known: JavaSide | undefined;

/** The class path of Kafka and of the programs here, or why there is none. Asked once a process. */
export function javaSide(): JavaSide {
  return (known ??= prepare());
}

/** The class path; throws where there is none. */
export function classpath(): string {
  const side = javaSide();
  if ('missing' in side) throw new Error(side.missing);
  return side.classpath;
}

function prepare(): JavaSide {
  if (!runs('javac', ['-version'])) return { missing: 'no JDK (javac) of version 17 or newer' };
  if (!runs('mvn', ['-version'])) return { missing: 'no Maven (mvn)' };
  mkdirSync(CACHE, { recursive: true });
  const packages = kept('packages', [join(HERE, 'pom.xml')], (made) => {
    const args = ['-q', '-B', '-f', join(HERE, 'pom.xml'), 'dependency:build-classpath', `-Dmdep.outputFile=${made}`];
    return spawnSync('mvn', args, { encoding: 'utf8', timeout: MAVEN_MAX_MS });
  });
  if (typeof packages !== 'string') return { missing: `Maven does not get the packages: ${packages.failure}` };
  const path = readFileSync(packages, 'utf8').trim();
  const sources = readdirSync(join(HERE, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.java'))
    .map((name) => join(HERE, 'src', name))
    .sort();
  const classes = kept('classes', [join(HERE, 'pom.xml'), ...sources], (made) => {
    return spawnSync('javac', ['-nowarn', '-d', made, '-cp', path, ...sources], { encoding: 'utf8' });
  });
  // Sources that do not compile are a bug, nothing that is missing here.
  if (typeof classes !== 'string') throw new Error(`javac: ${classes.failure}`);
  return { classpath: `${classes}:${path}` };
}

/** What `make` makes of these files, made once; or what it said when it failed. */
function kept(
  name: string,
  files: readonly string[],
  make: (made: string) => { status: number | null; stdout: string; stderr: string; error?: Error },
): string | { readonly failure: string } {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(readFileSync(file));
  const path = join(CACHE, `${name}-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(path)) return path;
  const made = `${path}.${process.pid}`;
  const { status, stdout, stderr, error } = make(made);
  if (status !== 0) return { failure: error?.message ?? `${stdout}${stderr}` };
  rmSync(path, { recursive: true, force: true });
  renameSync(made, path);
  return path;
}

export interface JavaOptions {
  readonly jvm?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a program; its standard input stays open until it is ended. */
export function startJava(main: string, args: readonly string[], options: JavaOptions = {}): ChildProcess {
  const { jvm = [], env = {} } = options;
  return spawn('java', [...SMALL_JVM, QUIET, ...jvm, '-cp', classpath(), main, ...args], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** Runs a program to its end. One that takes too long is killed, and has no status. */
export function java(main: string, args: readonly string[], input = '', maxMs = PROGRAM_MAX_MS): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = startJava(main, args);
    const late = setTimeout(() => child.kill('SIGKILL'), maxMs);
    const output = { stdout: '', stderr: '' };
    child.stdout!.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
    child.stdin!.on('error', () => undefined); // It may end without reading.
    child.stdin!.end(input);
    child.on('error', reject);
    child.on('close', (status) => {
      clearTimeout(late);
      resolve({ status, ...output });
    });
  });
}
