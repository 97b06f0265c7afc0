// `--watch`: which words of the command line belong to it, what fits on a screen, and that problems end only the first frame.
import { Command } from 'commander';
import { afterEach, expect, test, vi } from 'vitest';
import { gathered, say, write } from '../../src/cli/output.ts';
import { Problem } from '../../src/cli/problem.ts';
import { fitted, watchable, watchPace, withClosedWatch } from '../../src/cli/watch.ts';

afterEach(() => void vi.restoreAllMocks());

test.each([
  ['topics describe --watch orders', 'topics describe --watch=250ms orders'],
  ['status --watch', 'status --watch=250ms'],
  ['status --watch 2s --json', 'status --watch=2s --json'],
  ['status --watch=1.5s', 'status --watch=1.5s'],
  ['produce orders -- --watch', 'produce orders -- --watch'],
])('%s', (typed, read) => {
  expect(withClosedWatch(typed.split(' ')).join(' ')).toBe(read);
});

test('a pace is a duration and a count', () => {
  expect(watchPace('2s', '3')).toEqual({ everyMs: 2000, times: 3 });
  expect(watchPace('250ms', undefined).times).toBe(Infinity);
  expect(() => watchPace('soon', undefined)).toThrow('--watch is not a duration');
  expect(() => watchPace('1s', '0')).toThrow('--times is a whole number at least 1');
});

test('a frame that fits is left alone; of a higher one the head is shown, and how much is missing', () => {
  const lines = (count: number): string => Array.from({ length: count }, (_, at) => `line ${at}\n`).join('');
  expect(fitted(lines(9), { columns: 80, rows: 10 })).toBe(lines(9));
  expect(fitted(lines(10), { columns: 80, rows: 10 })).toBe(`${lines(8)}… 2 more lines: make the window taller\n`);
  // A line of 30 takes three of 10 columns.
  expect(fitted(`${'x'.repeat(30)}\nab\n`, { columns: 10, rows: 5 })).toBe(`${'x'.repeat(30)}\nab\n`);
  expect(fitted(`${'x'.repeat(30)}\nab\n`, { columns: 10, rows: 4 })).toMatch(/^… 2 more lines/);
});

/** Runs a verb with these words; frame i is what `frames[i]` prints. What it wrote to stdout and stderr. */
async function watched(words: string[], frames: readonly (() => Promise<void>)[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const taken = (to: string[]) => (text: unknown, done?: unknown) => {
    to.push(String(text));
    if (typeof done === 'function') done();
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(taken(out));
  vi.spyOn(process.stderr, 'write').mockImplementation(taken(err));
  const program = new Command('highwater').option('--json').option('-q, --quiet').option('--cluster <name>');
  let at = 0;
  watchable(program.command('list')).action(() => frames[at++]!());
  const before = process.listenerCount('SIGINT');
  try {
    await program.parseAsync(['node', 'highwater', ...words]);
  } finally {
    for (const each of process.listeners('SIGINT').slice(before)) process.removeListener('SIGINT', each as () => void);
    vi.restoreAllMocks();
  }
  return { out: out.join(''), err: err.join(''), frames: at };
}

const prints = (text: string) => () => write(text);
const fails = (message: string) => () => Promise.reject(new Problem('HW4001', message, 4));

test('without --watch it runs once', async () => {
  expect(await watched(['list'], [prints('a\n')])).toEqual({ out: 'a\n', err: '', frames: 1 });
  await expect(watched(['list', '--times', '2'], [])).rejects.toThrow('--times counts the frames of --watch');
});

test('frames follow each other with an empty line between tables, and none between documents', async () => {
  const words = ['list', '--watch=1ms', '--times', '2'];
  expect((await watched(words, [prints('a\n'), prints('b\n')])).out).toBe('a\n\nb\n');
  expect((await watched(['--json', ...words], [prints('{}\n'), prints('{}\n')])).out).toBe('{}\n{}\n');
});

test('the first frame fails as the command does; a later problem is said once, and it goes on', async () => {
  const words = ['list', '--watch=1ms', '--times', '4'];
  await expect(watched(words, [fails('gone')])).rejects.toThrow('gone');
  const half = async (): Promise<void> => {
    await write('half a table\n');
    throw new Problem('HW4001', 'gone', 4);
  };
  expect(await watched(words, [prints('a\n'), half, fails('gone'), prints('b\n')])).toEqual({
    ...{ out: 'a\n\nb\n', err: 'error[HW4001] gone\n', frames: 4 },
  });
});

test('on a terminal a frame is drawn over the one before, and what went wrong stands below what was last known', async () => {
  const { isTTY, columns, rows } = process.stdout;
  Object.assign(process.stdout, { isTTY: true, columns: 80, rows: 24 });
  try {
    const { out, err } = await watched(
      ['list', '--watch=1ms', '--times', '3'],
      [prints('a\nb\n'), fails('gone'), prints('c\n')],
    );
    const over = (lines: number): string => `\u001b[${lines}A\r\u001b[J`;
    expect(out).toBe(`a\nb\n${over(2)}a\nb\nerror[HW4001] gone\n${over(3)}c\n`);
    expect(err).toBe('');
  } finally {
    Object.assign(process.stdout, { isTTY, columns, rows });
  }
});

test('what is no Problem ends it at any frame', async () => {
  const broken = () => Promise.reject(new TypeError('a bug'));
  await expect(watched(['list', '--watch=1ms', '--times', '2'], [prints('a\n'), broken])).rejects.toThrow('a bug');
});

test('what a command prints can be gathered: data and talk apart', async () => {
  const printed = await gathered(async () => {
    await write('data\n');
    say({ json: false, quiet: false }, 'talk');
    say({ json: false, quiet: true }, 'not said');
  });
  expect(printed).toEqual({ data: 'data\n', talk: ['talk'] });
});
