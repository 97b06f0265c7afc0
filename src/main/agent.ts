// The agent as a process of its own, for `highwater up --detach`: takes a cluster laid out in the home, runs it, and says
// on stdout (one JSON line) whether its nodes started. Ends on Shutdown, SIGTERM or SIGINT.
import { highwaterHome, readState } from '../agent/home.ts';
import { runAgent } from '../agent/run-agent.ts';
import { programPath } from '../cli/version.ts';

/** A clean stop may take this long before SIGKILL. */
const GRACE_MS = 10_000;

async function main(): Promise<number> {
  const [name = '', home = highwaterHome()] = process.argv.slice(2);
  const state = readState(name, home);
  if ('problem' in state) return report(state.problem);
  let stop: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => (stop = resolve));
  process.on('SIGTERM', () => stop());
  process.on('SIGINT', () => stop());
  try {
    const running = await runAgent(state, { home, program: programPath('node') });
    process.stdout.write(JSON.stringify({ ready: true, pid: process.pid }) + '\n');
    await Promise.race([running.shutDown, asked]);
    await running.close(GRACE_MS);
    return 0;
  } catch (error) {
    return report((error as Error).message);
  }
}

function report(error: string): number {
  process.stdout.write(JSON.stringify({ error }) + '\n');
  return 1;
}

// Whoever started us may be gone by the time we speak.
process.stdout.on('error', () => undefined);
main().then(
  (code) => process.exit(code),
  () => process.exit(70),
);
