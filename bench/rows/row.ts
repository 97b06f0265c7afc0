// What a row is to the program that runs them.
import type { Result } from '../figures.ts';
import type { Room } from '../room.ts';

export interface Row {
  /** What one writes behind `npm run bench --`. */
  readonly name: string;
  /** One line for people. */
  readonly about: string;
  /** Measures. Whatever it starts ends with the room. */
  run(room: Room): Promise<Result[]>;
}
