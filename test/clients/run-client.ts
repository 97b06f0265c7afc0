// Runs the command-line programs of foreign clients, and says which are installed here.
import { spawn, spawnSync } from 'node:child_process';

/** A client that hangs is a failure, and must not outlive its test. */
const CLIENT_MAX_MS = 30_000;
/** Debian's packages install for the system's Python, whatever else is in PATH. */
export const PYTHON = '/usr/bin/python3';

/** The librdkafka that programs must run on here; undefined: whichever they come with (vitest.config.ts). */
const WANTED = process.env['HIGHWATER_TEST_LIBRDKAFKA'];

const says = (command: string, args: readonly string[]): string | undefined => {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8' });
  return status === 0 ? stdout : undefined;
};
const librdkafkaOf = (said: string | undefined) => said && /librdkafka (\d+\.\d+\.\d+)/.exec(said)?.[1];
const runsOn = (version: string | undefined) => version !== undefined && version === (WANTED ?? version);

/** The version of librdkafka that kcat runs on; undefined if there is no kcat. */
export const librdkafka = librdkafkaOf(says('kcat', ['-V']));
const ofPython = says(PYTHON, ['-c', "import confluent_kafka as c; print('librdkafka ' + c.libversion()[0])"]);

export const installed = {
  kcat: runsOn(librdkafka),
  kafkaPython: says(PYTHON, ['-c', 'import kafka']) !== undefined,
  confluentKafka: runsOn(librdkafkaOf(ofPython)),
};

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end. */
export function run(command: string, args: readonly string[], input = ''): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { timeout: CLIENT_MAX_MS, killSignal: 'SIGKILL' });
    const output = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
    child.stdin.on('error', () => undefined); // It may end without reading.
    child.stdin.end(input);
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, ...output }));
  });
}

/** Runs kcat against a cluster; throws what it said if it failed. */
export async function kcat(bootstrap: string, args: readonly string[], input = ''): Promise<string> {
  const { status, stdout, stderr } = await run('kcat', ['-b', bootstrap, ...args], input);
  if (status !== 0) throw new Error(`kcat ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}
