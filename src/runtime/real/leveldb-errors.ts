// What LevelDB's errors mean and what to do about them, as sentences for people (design section 4).
import { readdirSync } from 'node:fs';

/** A store that cannot be opened, as a sentence that names the directory and what to do. */
export class StoreOpenError extends Error {
  override name = 'StoreOpenError';
}

/** Names that LevelDB itself gives to files of a database. */
const LEVELDB_FILE = /^(?:CURRENT|LOCK|LOG|LOG\.old|lost|MANIFEST-\d+|\d+\.(?:log|ldb|sst|dbtmp))$/;

/** Refuses a directory that holds something else than a database, before LevelDB would write into it. */
export function refuseForeignDirectory(directory: string): void {
  let names: string[];
  try {
    names = readdirSync(directory);
  } catch {
    return; // Not there yet, or unreadable: opening it says which.
  }
  const foreign = names.filter((name) => !LEVELDB_FILE.test(name)).sort();
  if (foreign.length === 0) return;
  throw new StoreOpenError(
    `${directory} is not a data directory of Highwater: it holds ${foreign.slice(0, 3).join(', ')}. ` +
      'Name another directory; nothing was changed.',
  );
}

/** A database of something else. */
export function foreignDatabase(directory: string): StoreOpenError {
  return new StoreOpenError(
    `${directory} holds a database that is not this node's: Highwater did not make it, or for another role. ` +
      'Give the node another directory, or an empty one; nothing was changed.',
  );
}

/** The deepest message of an error: LevelDB's own words are in the cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : reasonOf(error.cause);
}

function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const { code } = error as Error & { code?: unknown };
  return [...(typeof code === 'string' ? [code] : []), ...codesOf(error.cause)];
}

/** Why a database could not be opened. */
export function explainOpenError(directory: string, error: unknown): StoreOpenError {
  const reason = reasonOf(error);
  const codes = codesOf(error);
  return new StoreOpenError(sentence(directory, reason, codes), { cause: error });
}

function sentence(directory: string, reason: string, codes: readonly string[]): string {
  if (codes.includes('LEVEL_LOCKED') || /lock .*(?:held|temporarily unavailable|already)/i.test(reason)) {
    return `${directory} is in use by another process. Stop that node first, or give this one another data directory.`;
  }
  if (codes.includes('ENOSPC') || /no space left/i.test(reason)) {
    return `no space is left on the disk of ${directory}. Free some, then start the node again: ${reason}`;
  }
  if (/permission denied|read-only file system/i.test(reason) || codes.includes('EACCES') || codes.includes('EROFS')) {
    return `${directory} is not writable for this user: ${reason}`;
  }
  if (/existing comparator|does not exist \(create_if_missing/i.test(reason)) {
    return `${directory} holds a database that Highwater did not make: ${reason}. Name another directory.`;
  }
  if (codes.includes('LEVEL_CORRUPTION') || /corruption/i.test(reason)) {
    return (
      `the database in ${directory} is damaged: ${reason}. ` +
      'Start the node with an empty directory; it fetches its replicas from their leaders.'
    );
  }
  return `the database in ${directory} cannot be opened: ${reason}`;
}
