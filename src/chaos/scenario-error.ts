// What is wrong in a scenario file, where, and what to write instead (ux.md 2.5, no. 7 and 8).

export type ScenarioErrorCode =
  | 'HW2410' // a value that is not what its place takes
  | 'HW2411' // a key that does not exist
  | 'HW2412' // two things where one is meant
  | 'HW2413' // a name that refers to nothing
  | 'HW2414'; // not YAML at all

/** Where a value stands in the file's tree: keys and indexes from the top. */
export type Path = readonly (string | number)[];

/** A problem at a path, before it is known where in the file that is. */
export class Misfit extends Error {
  override name = 'Misfit';
  readonly code: ScenarioErrorCode;
  readonly path: Path;

  constructor(code: ScenarioErrorCode, path: Path, message: string) {
    super(message);
    this.code = code;
    this.path = path;
  }
}

/** A problem in a file. `message` is a whole line: file:line:column, what, and what to write. */
export class ScenarioError extends Error {
  override name = 'ScenarioError';
  readonly code: ScenarioErrorCode;
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** The line of the file with a caret under the place. */
  readonly excerpt: string;

  constructor(
    code: ScenarioErrorCode,
    place: { readonly file: string; readonly line: number; readonly column: number; readonly text: string },
    message: string,
  ) {
    super(`${place.file}:${place.line}:${place.column} ${message}`);
    this.code = code;
    this.file = place.file;
    this.line = place.line;
    this.column = place.column;
    this.excerpt = `${place.text}\n${' '.repeat(Math.max(0, place.column - 1))}^`;
  }
}
