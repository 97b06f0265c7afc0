// What the parts of a recording share: how they tell the history, and how they call clients. A client of the wire is known by
// its client id alone; what is surely one instance of it (a connection, an identity) is a process of its own: app, app~2, …
import type { NewEntry } from '../../history/operations.ts';
import { ERRORS, type ErrorName } from '../../protocol/errors.ts';

/** Takes an entry, in the order of the history. */
export type Tell = (entry: NewEntry) => void;

/** Where a request came from. */
export interface From {
  readonly clientId: string;
  readonly connection: string;
}

/** Numbers and names, one of each kind a recording. */
export class Names {
  #ops = 0;
  readonly #counts = new Map<string, number>();
  readonly #connections = new Map<string, string>();

  /** The number of the next operation. */
  op(): number {
    return this.#ops++;
  }

  /** A process of a client that is none of those before. */
  instance(clientId: string): string {
    const name = clientId === '' ? 'client' : clientId.replaceAll('~', '-');
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    return count === 1 ? name : `${name}~${count}`;
  }

  /** The process of a connection. */
  connection({ clientId, connection }: From): string {
    const key = `${connection} ${clientId}`;
    let process = this.#connections.get(key);
    if (process === undefined) this.#connections.set(key, (process = this.instance(clientId)));
    return process;
  }
}

/** How an attempt ended. `lost`: nobody was told. */
export type End = ErrorName | 'lost';

/** Whether it may have done what it asked for. */
export function isUnknown(end: End): boolean {
  return end === 'lost' || !ERRORS[end].definite;
}

/** Whether its client may ask the same again. */
export function mayRepeat(end: End): boolean {
  return end === 'lost' || ERRORS[end].retriable;
}
