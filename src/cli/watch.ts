// `--watch`: a table again and again until Ctrl-C. On a terminal the former frame is drawn over; else frames follow each
// other, with --json one document a line. The first frame fails as the command does; later problems are talk, and it goes
// on, because a cluster may be restarted while somebody watches (ux 2.1).
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { globals } from './command.ts';
import { parseCount, parseDuration } from './duration.ts';
import { gathered, write, say, type OutputOptions } from './output.ts';
import { EXIT, Problem } from './problem.ts';

/** How often, unless somebody says so. */
export const WATCH_EVERY = '250ms';

/** How often a frame is shown, and after how many it ends. */
export interface WatchPace {
  readonly everyMs: number;
  readonly times: number;
}

/** What a terminal has room for, in characters and lines; undefined: stdout is none. */
export interface Screen {
  readonly columns: number;
  readonly rows: number;
}

/** Gives a verb the flags --watch and --times: its action, set afterwards, runs once or again and again. */
export function watchable(command: Command): Command {
  command
    .option('--watch [every]', `again and again until Ctrl-C (--watch=1s; default: ${WATCH_EVERY})`)
    .option('--times <n>', 'with --watch: end after so many');
  const setAction = command.action.bind(command);
  command.action = (run) =>
    setAction((...args: unknown[]) => {
      const once = async (): Promise<void> => void (await run.apply(command, args));
      const pace = paceOf(command.opts<{ watch?: string | true; times?: string }>());
      return pace === undefined ? once() : watch(globals(command), pace, once);
    });
  return command;
}

function paceOf(flags: { watch?: string | true; times?: string }): WatchPace | undefined {
  if (flags.watch !== undefined) return watchPace(flags.watch === true ? WATCH_EVERY : flags.watch, flags.times);
  if (flags.times !== undefined) throw new Problem('HW2001', '--times counts the frames of --watch; add it');
  return undefined;
}

/** Reads the flags of a watch. */
export function watchPace(every: string, times: string | undefined): WatchPace {
  return {
    everyMs: parseDuration('--watch', every),
    times: times === undefined ? Infinity : parseCount('--times', times, 1),
  };
}

/**
 * The command line with every `--watch` closed up: commander would take the word behind it, the topic of
 * `topics describe --watch orders`, for its value. A duration behind it is one.
 */
export function withClosedWatch(argv: readonly string[]): string[] {
  const closed: string[] = [];
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  for (let at = 0; at < argv.length; at++) {
    const [word, next] = [argv[at]!, argv[at + 1]];
    if (word !== '--watch' || at > end) closed.push(word);
    else if (next !== undefined && /^\d+(\.\d+)?(ms|s|m|h)$/.test(next)) {
      closed.push(`--watch=${next}`);
      at += 1;
    } else closed.push(`--watch=${WATCH_EVERY}`);
  }
  return closed;
}

/** Shows what `frame` prints, as often as `pace` says. */
export async function watch(out: OutputOptions, pace: WatchPace, frame: () => Promise<void>): Promise<void> {
  process.once('SIGINT', () => process.exit(EXIT.interrupted));
  const show = process.stdout.isTTY && !out.json ? redrawn() : following(out);
  let [shown, wrong] = ['', ''];
  for (let count = 0; count < pace.times; count++) {
    if (count > 0) await delay(pace.everyMs);
    process.exitCode = undefined;
    try {
      const { data, talk } = await gathered(frame);
      [shown, wrong] = [data, ''];
      await show(data, talk);
    } catch (error) {
      if (count === 0 || !(error instanceof Problem)) throw error;
      if (error.message !== wrong) await show(shown, [`error[${error.code}] ${error.message}`], true);
      wrong = error.message;
    }
  }
}

type Show = (data: string, talk: readonly string[], again?: boolean) => Promise<void>;

/** Frame behind frame, tables with an empty line between them; what stands there already is not said again. */
function following(out: OutputOptions): Show {
  let between = '';
  return async (data, talk, again = false) => {
    if (!again) await write(between + data);
    if (!out.json) between = '\n';
    for (const line of talk) say(out, line);
  };
}

/** Each frame over the one before, with what was said below it. */
function redrawn(): Show {
  let lines = 0;
  return async (data, talk) => {
    const screen = { columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 };
    const frame = fitted(data + talk.map((line) => `${line}\n`).join(''), screen);
    await write((lines === 0 ? '' : `\u001b[${lines}A\r\u001b[J`) + frame);
    lines = screenLines(frame.split('\n').slice(0, -1), screen);
  };
}

/** As much of a frame as a screen can draw over, and how much is left out. */
export function fitted(frame: string, screen: Screen): string {
  const lines = frame.split('\n').slice(0, -1);
  if (screenLines(lines, screen) < screen.rows) return frame;
  let kept = lines.length;
  while (kept > 0 && screenLines(lines.slice(0, kept), screen) > screen.rows - 2) kept -= 1;
  return [...lines.slice(0, kept), `… ${lines.length - kept} more lines: make the window taller`].join('\n') + '\n';
}

/** How many lines of the screen these take: long ones are broken. */
function screenLines(lines: readonly string[], { columns }: Screen): number {
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
}
