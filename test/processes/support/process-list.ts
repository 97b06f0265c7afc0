// The processes of this machine as /proc shows them. Every process of a cluster has its data directory on its command line.
import { readdirSync, readFileSync } from 'node:fs';

export interface ListedProcess {
  readonly pid: number;
  readonly command: string;
  /** R running, S sleeping, T stopped, Z dead and not yet buried. */
  readonly state: string;
}

/** Living processes with `text` on their command line, this one excluded. */
export function processesWith(text: string): ListedProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const state = stat.slice(stat.lastIndexOf(')') + 2).charAt(0);
        return command.includes(text) && state !== 'Z' ? [{ pid: Number(name), command, state }] : [];
      } catch {
        return []; // It ended while we looked.
      }
    });
}
