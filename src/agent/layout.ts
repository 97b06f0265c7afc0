// What lies where in a cluster's directory: one folder a node, and a mark that says whose directory it is.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';

/** Names of the files in a node's folder. */
export const NODE_FILES = {
  start: 'start.json',
  log: 'node.log',
  events: 'events.ndjson',
  firings: 'firings.ndjson',
  store: 'store',
} as const;

const MARK = 'highwater.json';

/** The folder of a node: "broker-2" or "controller". */
export function nodeFolder(dir: string, role: 'broker' | 'controller', id: number): string {
  return join(dir, role === 'controller' ? 'controller' : `broker-${id}`);
}

/**
 * Makes `dir` the directory of cluster `name`. It may be new, empty, or already this cluster's; anything else is
 * refused with a sentence, and nothing is touched.
 */
export function claimDirectory(dir: string, name: string): string | undefined {
  const mark = join(dir, MARK);
  try {
    makeFolder(dir);
  } catch (error) {
    return `${dir} cannot be made: ${(error as Error).message}. Give another one with --dir`;
  }
  if (existsSync(mark)) {
    const owner = ownerOf(mark);
    return owner === name
      ? undefined
      : `${dir} holds cluster "${owner}", not "${name}". Use --cluster ${owner}, or another --dir`;
  }
  if (readdirSync(dir).length > 0)
    return `${dir} is not empty and holds no Highwater cluster. Give an empty or new one with --dir`;
  try {
    writeFileSync(mark, JSON.stringify({ cluster: name, version: 1 }) + '\n', { mode: 0o600 });
  } catch (error) {
    return `${dir} cannot be written: ${(error as Error).message}. Give another one with --dir`;
  }
  return undefined;
}

function ownerOf(mark: string): string {
  try {
    return String((JSON.parse(readFileSync(mark, 'utf8')) as { cluster?: unknown }).cluster);
  } catch {
    return '(unreadable)';
  }
}

/** Empties a node's store, as a lost disk does. Its event file, log and start file stay. */
export function wipeStore(nodeDir: string): void {
  rmSync(join(nodeDir, NODE_FILES.store), { recursive: true, force: true });
}
