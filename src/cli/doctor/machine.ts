// What a machine must have for a cluster of processes: a Node that is new enough, memory, open files, a clock that goes.
import { readFileSync, statSync } from 'node:fs';
import { freemem } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { ok, problem, warning, type Answer, type Check } from './finding.ts';

const MIB = 1024 * 1024;

/** A cluster of three brokers and a controller takes a little less than this. */
const CLUSTER_BYTES = 600 * MIB;
const TIGHT_BYTES = 2 * CLUSTER_BYTES;

/** What a broker may hold open: files of its store, and a connection a client. */
const FEW_FILES = 1024;
const TOO_FEW_FILES = 256;

/** How long the two clocks are compared. */
const CLOCK_MS = 200;
/** A wall clock that goes otherwise by more than this is being set. */
const CLOCK_JUMP_MS = 100;

/** `needed` as package.json has it: ">=20.11". */
export function nodeCheck(needed: string, running: string = process.versions.node): Check {
  return { name: 'node', run: () => [nodeAnswer(needed, running)] };
}

function nodeAnswer(needed: string, running: string): Answer {
  const least = needed.replace(/^>=/, '');
  if (isAtLeast(running, least)) return ok(`Node ${running}`);
  return problem(`Node ${running} is too old`, `install Node ${least} or newer`);
}

/** Whether a version is another one or a later one. */
export function isAtLeast(version: string, least: string): boolean {
  const [have, want] = [version, least].map((text) => text.split('.').map(Number)) as [number[], number[]];
  for (const [at, number] of want.entries()) {
    const own = have[at] ?? 0;
    if (own !== number) return own > number;
  }
  return true;
}

/** `available` bytes: without the memory that others can give back. */
export function memoryCheck(available: () => number = availableMemory): Check {
  return { name: 'memory', run: () => [memoryAnswer(available())] };
}

function memoryAnswer(bytes: number): Answer {
  const says = `${Math.floor(bytes / MIB)} MiB available; three brokers and a controller take about 600 MiB`;
  if (bytes < CLUSTER_BYTES / 2) return problem(says, 'end something else');
  if (bytes < TIGHT_BYTES) return warning(says, 'start fewer brokers (--brokers 1), or end something else');
  return ok(says);
}

/** Newer Nodes know the limit of a container too. */
function availableMemory(): number {
  return (process as { availableMemory?: () => number }).availableMemory?.() ?? freemem();
}

/** `limits` as /proc/self/limits has it; undefined where there is none. */
export function filesCheck(limits: () => string | undefined = ownLimits): Check {
  return { name: 'open files', run: () => [filesAnswer(limits())] };
}

function filesAnswer(limits: string | undefined): Answer {
  const text = limits === undefined ? undefined : /^Max open files\s+(\S+)/m.exec(limits)?.[1];
  if (text === undefined) return ok('this system does not tell its limit');
  const limit = text === 'unlimited' ? Infinity : Number(text);
  const says = `at most ${text} a process`;
  if (limit < TOO_FEW_FILES) return problem(says, `raise it: ulimit -n ${FEW_FILES}`);
  if (limit < FEW_FILES) return warning(says, `many partitions or clients need more: ulimit -n ${FEW_FILES}`);
  return ok(says);
}

function ownLimits(): string | undefined {
  return process.platform === 'linux' ? readFileSync('/proc/self/limits', 'utf8') : undefined;
}

/** Whether the wall clock goes as time does, and is not before the day of this program. Timeouts do not depend on it. */
export function clockCheck(program: string, wallMs: () => number = Date.now): Check {
  return {
    name: 'clock',
    run: async () => {
      const [wall, steady] = [wallMs(), performance.now()];
      await delay(CLOCK_MS);
      return [clockAnswer(wallMs() - wall - (performance.now() - steady), wall, statSync(program).mtimeMs)];
    },
  };
}

function clockAnswer(jumpMs: number, wallMs: number, builtMs: number): Answer {
  const now = new Date(wallMs).toISOString();
  if (Math.abs(jumpMs) > CLOCK_JUMP_MS) {
    const says = `the wall clock moved by ${Math.round(jumpMs)} ms in a moment`;
    return warning(says, 'record timestamps and retention follow it; wait until it is set');
  }
  if (wallMs < builtMs) return warning(`it is ${now}, before this program was written to this disk`, 'set the clock');
  return ok(now);
}
