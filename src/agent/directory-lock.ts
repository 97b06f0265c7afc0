// One agent at a time runs the cluster of a directory, whichever home recorded it: a file in the directory names that
// agent. It is never trusted for longer than its process lives, so that kill -9 leaves nothing to clean up.
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSameProcess } from './process-identity.ts';

/** An agent, and where its cluster is recorded. */
export interface DirectoryHolder {
  readonly pid: number;
  readonly startTime: string;
  readonly home: string;
}

const LOCK = 'agent.lock';

/** Takes a directory for an agent. Answers undefined if it has it now (or had it), else the living agent that has it. */
export function takeDirectory(dir: string, agent: DirectoryHolder): DirectoryHolder | undefined {
  const lock = join(dir, LOCK);
  const mine = `${lock}.${agent.pid}`;
  writeFileSync(mine, JSON.stringify(agent) + '\n', { mode: 0o600 });
  try {
    // Linking refuses what exists, so that of two agents one gets it.
    while (!links(mine, lock)) {
      const holder = livingHolder(lock);
      if (holder !== undefined) return isSame(holder, agent) ? undefined : holder;
      removeDead(lock, `${mine}.dead`);
    }
    return undefined;
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Gives a directory back, if this agent has it. */
export function leaveDirectory(dir: string, agent: Pick<DirectoryHolder, 'pid' | 'startTime'>): void {
  const lock = join(dir, LOCK);
  const holder = livingHolder(lock);
  if (holder !== undefined && isSame(holder, agent)) rmSync(lock, { force: true });
}

function isSame(a: Pick<DirectoryHolder, 'pid' | 'startTime'>, b: typeof a): boolean {
  return a.pid === b.pid && a.startTime === b.startTime;
}

function links(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function livingHolder(file: string): DirectoryHolder | undefined {
  try {
    const holder = JSON.parse(readFileSync(file, 'utf8')) as DirectoryHolder;
    return isSameProcess(holder) ? holder : undefined;
  } catch {
    return undefined;
  }
}

/** Moves a dead agent's lock out of the way; should a living one have taken its place meanwhile, that is put back. */
function removeDead(lock: string, aside: string): void {
  try {
    renameSync(lock, aside);
  } catch {
    return; // Somebody else has moved it.
  }
  if (livingHolder(aside) !== undefined) links(aside, lock);
  rmSync(aside, { force: true });
}
