// What the operating system says of a process. Linux has it in /proc; elsewhere `ps` is asked.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const MIB = 1024 * 1024;
/** Linux counts CPU time of processes in hundredths of a second, whatever its own clock is. */
const TICK_MS = 10;

/** Resident memory, MiB. */
export function residentMib(pid: number): number {
  if (process.platform === 'linux') {
    const kib = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return (Number(kib) * 1024) / MIB;
  }
  return (Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024) / MIB;
}

/** CPU time used by processes so far, user and system, ms; undefined where that is not known exactly. */
export function cpuMs(pids: readonly number[]): number | undefined {
  if (process.platform !== 'linux') return undefined;
  let ticks = 0;
  for (const pid of pids) {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may hold anything; utime and stime are the 12th and 13th field behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks * TICK_MS;
}
