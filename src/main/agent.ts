// The agent as a process of its own, started by `highwater up`: told `run` on stdin, it takes the cluster laid out in the
// home, runs it, and says on stdout (one JSON line) whether its nodes started. It ends in order on Shutdown, SIGTERM,
// SIGINT or `stop`, and at once on a second signal or `kill`. Until told `detach`, it does not outlive its starter.
import { parseArgs } from 'node:util';
import { highwaterHome, readState } from '../agent/home.ts';
import { runAgent } from '../agent/run-agent.ts';
import { programPath } from '../cli/version.ts';

/** A clean stop may take this long before SIGKILL. */
const GRACE_MS = 10_000;

const stop = new AbortController();
const kill = new AbortController();

function end(): void {
  if (stop.signal.aborted) kill.abort();
  stop.abort();
}

/** Hears the starter. Resolves when it says `run`, and when there is no more to wait for. */
function untilToldToRun(): Promise<void> {
  return new Promise((resolve) => {
    let detached = false;
    let rest = '';
    const hear = (line: string): void => {
      if (line === 'run') resolve();
      if (line === 'detach') detached = true;
      if (line === 'stop') stop.abort();
      if (line === 'kill') kill.abort();
    };
    process.stdin.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(hear);
    });
    const gone = (): void => {
      if (!detached) stop.abort();
    };
    stop.signal.addEventListener('abort', () => resolve(), { once: true });
    process.stdin.on('end', gone).on('error', gone);
  });
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function main(): Promise<number> {
  const { cluster = '', home = highwaterHome() } = readArguments();
  await untilToldToRun();
  if (stop.signal.aborted) return 1;
  const state = readState(cluster, home);
  if ('problem' in state) return report(state.problem);
  try {
    const options = { home, program: programPath('node'), stop: stop.signal, kill: kill.signal };
    const running = await runAgent(state, options);
    process.stdout.write(JSON.stringify({ ready: true }) + '\n');
    await Promise.race([running.shutDown, whenAborted(stop.signal)]);
    await running.close(GRACE_MS);
    return 0;
  } catch (error) {
    return report((error as Error).message);
  }
}

/** The state file in the home is what counts; the data directory is for people who read the process list. */
function readArguments(): { readonly cluster?: string | undefined; readonly home?: string | undefined } {
  const flag = { type: 'string' } as const;
  return parseArgs({ options: { cluster: flag, home: flag, 'data-dir': flag } }).values;
}

function report(error: string): number {
  process.stdout.write(JSON.stringify({ error }) + '\n');
  return 1;
}

// Whoever started us may be gone by the time we speak.
process.stdout.on('error', () => undefined);
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
main().then(
  (code) => process.exit(code),
  () => process.exit(70),
);
