// What a row is to the program that runs them.
import type { Result } from '../figures.ts';
import type { Room } from '../room.ts';

export interface Row {
  /** What one writes behind `npm run bench --`. */
  readonly name: string;
  /** One line for people. */
  readonly about: string;
  /** Given up after this; a minute if it says nothing. */
  readonly limitMs?: number;
  /** Measures. Whatever it starts ends with the room. */
  run(room: Room): Promise<Result[]>;
}

/** Thrown by a row that cannot be measured here: what is missing, in a sentence. It has not failed. */
export class Skipped extends Error {
  override name = 'Skipped';
}
