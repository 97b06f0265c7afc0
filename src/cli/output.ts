// How commands print: stdout is data (tables or one JSON document), stderr is talk. Tables and JSON come from the same rows.

/** One row of a table; nested values appear in JSON only where a column does not ask for them. */
export type Row = Readonly<Record<string, unknown>>;

export interface Column<R extends Row> {
  readonly title: string;
  readonly of: (row: R) => unknown;
}

export interface OutputOptions {
  readonly json: boolean;
  readonly quiet: boolean;
}

/** The mark of a missing value, the same everywhere. */
export const MISSING = '-';

function cell(value: unknown): string {
  if (value === undefined || value === null || value === '') return MISSING;
  if (Array.isArray(value)) return value.length === 0 ? MISSING : value.join(',');
  return String(value);
}

/** How many of a list a cell names. */
const FEW = 5;

/** The first few of a list, and how many more there are: for tables; JSON has them all. */
export function few(values: readonly string[]): string {
  const more = values.length > FEW ? ` and ${values.length - FEW} more` : '';
  return `${values.slice(0, FEW).join(',')}${more}`;
}

/** "1 row", "2 rows". */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** A table with its heading; columns are as wide as their widest cell. */
export function table<R extends Row>(rows: readonly R[], columns: readonly Column<R>[]): string {
  const lines = [
    columns.map((column) => column.title),
    ...rows.map((row) => columns.map((column) => cell(column.of(row)))),
  ];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]!.length)));
  return (
    lines
      .map((line) =>
        line
          .map((text, index) => text.padEnd(widths[index]!))
          .join('  ')
          .trimEnd(),
      )
      .join('\n') + '\n'
  );
}

/** What a command printed: data, and talk line by line. */
export interface Printed {
  readonly data: string;
  readonly talk: readonly string[];
}

/** Set while `gathered` runs. */
let gathering: { data: string; talk: string[] } | undefined;

/** Runs `print` and gives what it printed instead of printing it. Not for two at a time. */
export async function gathered(print: () => Promise<void>): Promise<Printed> {
  const printed = { data: '', talk: [] };
  gathering = printed;
  try {
    await print();
    return printed;
  } finally {
    gathering = undefined;
  }
}

/** Writes data to stdout and waits until it is taken, so that a pipe gets everything before the process exits. */
export function write(text: string): Promise<void> {
  if (gathering !== undefined) {
    gathering.data += text;
    return Promise.resolve();
  }
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Talk for people. */
export function say(options: OutputOptions, text: string): void {
  if (options.quiet) return;
  if (gathering === undefined) process.stderr.write(`${text}\n`);
  else gathering.talk.push(text);
}

/** Prints rows as a table, or as one JSON document `{schema, at, data, warnings}`. */
export async function printRows<R extends Row>(
  options: OutputOptions,
  schema: string,
  rows: readonly R[],
  columns: readonly Column<R>[],
): Promise<void> {
  await write(options.json ? document(schema, rows) : table(rows, columns));
}

/** As `printRows`; warnings are talk, or stand in the document. */
export async function printReport<R extends Row>(
  options: OutputOptions,
  report: {
    readonly schema: string;
    readonly rows: readonly R[];
    readonly columns: readonly Column<R>[];
    readonly warnings: readonly string[];
  },
): Promise<void> {
  const { schema, rows, columns, warnings } = report;
  if (options.json) return write(document(schema, rows, { warnings }));
  await write(table(rows, columns));
  for (const warning of warnings) say(options, `warning: ${warning}`);
}

/** The time of day with its date, as tables show it: to the second. */
export function timeText(epochMs: number): string | undefined {
  return epochMs < 0 ? undefined : new Date(epochMs).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** "6.2s", "16m02s", "3h04m": how tables show a length of time. */
export function durationText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  if (seconds < 60) return `${(Math.floor(ms / 100) / 10).toFixed(1)}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m${two(seconds % 60)}s`;
  return `${Math.floor(seconds / 3600)}h${two(Math.floor(seconds / 60) % 60)}m`;
}

/** One JSON document, one line. */
export function document(schema: string, data: unknown, extra: Readonly<Record<string, unknown>> = {}): string {
  const { warnings = [], ...more } = extra;
  return (
    JSON.stringify({ schema: `highwater.${schema}/1`, at: new Date().toISOString(), ...more, data, warnings }) + '\n'
  );
}
