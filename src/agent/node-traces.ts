// What a node leaves behind for its agent: whether it froze itself, and which fault it fired before it died.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NODE_FILES } from './layout.ts';

/** Whether a process is stopped by a signal (a fault may freeze the node that carries it). */
export function isFrozen(pid: number): boolean {
  if (process.platform !== 'linux' || pid <= 0) return false;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) === 'T';
  } catch {
    return false;
  }
}

/** The last fault a node carried out on itself, as "fault f1 at point"; undefined if none is on record. */
export function lastFiring(nodeDir: string): string | undefined {
  try {
    const lines = readFileSync(join(nodeDir, NODE_FILES.firings), 'utf8').trimEnd().split('\n');
    const firing = JSON.parse(lines.at(-1) ?? '') as { fault?: string; point?: string };
    return `fault ${firing.fault} at ${firing.point}`;
  } catch {
    return undefined;
  }
}
