// Tells whether a pid still is the process we started: a pid alone may belong to a stranger by now. Signals go only to
// processes whose start time and command line agree (design section 10).
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** When a process started, as the system tells it; undefined if there is no such process. Zombies count as gone. */
export function startTimeOf(pid: number): string | undefined {
  if (pid <= 0) return undefined;
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
    } catch {
      return undefined;
    }
  }
  try {
    const out = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [state, ...started] = out.trim().split(/\s+/);
    return state === undefined || state.startsWith('Z') ? undefined : started.join(' ');
  } catch {
    return undefined;
  }
}

/** The command line of a process; empty if it is gone. */
export function commandLineOf(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}

/** Whether `pid` is alive and is the process that was recorded. */
export function isSameProcess(recorded: { readonly pid: number; readonly startTime: string }): boolean {
  return recorded.pid > 0 && startTimeOf(recorded.pid) === recorded.startTime;
}

/** Sends a signal to a recorded process if it still is that process. Returns whether it was sent. */
export function signalProcess(
  recorded: { readonly pid: number; readonly startTime: string },
  signal: NodeJS.Signals,
): boolean {
  if (!isSameProcess(recorded)) return false;
  try {
    process.kill(recorded.pid, signal);
    return true;
  } catch {
    return false;
  }
}
