// The `highwater` program: reads the command line, runs one command, and turns every error into a sentence and an exit
// code. Decides nothing; which commands there are is program.ts's.
import { CommanderError, type Command } from 'commander';
import { highwaterHome } from '../agent/home.ts';
import { nearest } from '../base/nearest.ts';
import { visible } from './completion/place.ts';
import { EXIT, Problem } from './problem.ts';
import { buildProgram } from './program.ts';
import { withClosedWatch } from './watch.ts';

/** What commander refused, in our words. */
function usageProblem(error: CommanderError, program: Command, argv: readonly string[]): Problem | undefined {
  if (error.exitCode === 0) return undefined;
  if (error.code === 'commander.unknownCommand' || error.code === 'commander.excessArguments') {
    const { command, path } = deepest(program, argv);
    const word = argv.slice(2).filter((arg) => !arg.startsWith('-'))[path.length] ?? '';
    const verbs = visible(command).map((each) => each.name());
    if (verbs.length > 0) {
      const near = nearest(word, verbs);
      const hint = near === undefined ? `Verbs: ${verbs.join(', ')}` : `Did you mean: ${near}?`;
      return new Problem('HW2001', `unknown verb "${word}"${path.length > 0 ? ` for ${path.join(' ')}` : ''}. ${hint}`);
    }
  }
  if (error.code === 'commander.help') {
    const { command, path } = deepest(program, argv);
    return new Problem(
      'HW2001',
      `${path.join(' ') || 'highwater'} needs a verb: ${visible(command)
        .map((each) => each.name())
        .join(', ')}`,
    );
  }
  const { path } = deepest(program, argv);
  return new Problem(
    'HW2001',
    `${error.message.replace(/^error: /, '')}. See: highwater ${[...path, '--help'].join(' ')}`,
  );
}

function deepest(program: Command, argv: readonly string[]): { command: Command; path: string[] } {
  let command = program;
  const path: string[] = [];
  for (const word of argv.slice(2)) {
    const child = command.commands.find((each) => each.name() === word);
    if (child === undefined) continue;
    command = child;
    path.push(word);
  }
  return { command, path };
}

function report(error: unknown, json: boolean): number {
  const problem = error instanceof Problem ? error : (fileProblem(error) ?? bug(error));
  if (json) process.stderr.write(JSON.stringify({ type: 'error', code: problem.code, detail: problem.message }) + '\n');
  else process.stderr.write(`error[${problem.code}] ${problem.message}\n`);
  return problem.exitCode;
}

/** A file or folder that the system refuses is the user's to mend, not a bug of ours. */
function fileProblem(error: unknown): Problem | undefined {
  const { code, path, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === undefined || path === undefined || syscall === undefined) return undefined;
  const hint = `If it lies in the Highwater home (${highwaterHome()}): make room there, or set HIGHWATER_HOME to another folder`;
  return new Problem('HW5003', `${path} cannot be used (${code} at ${syscall}). ${hint}`, EXIT.conflict);
}

function bug(error: unknown): Problem {
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new Problem('HW7000', `a bug of ours: ${what}`, EXIT.bug);
}

async function main(argv: readonly string[]): Promise<number> {
  const program = buildProgram();
  try {
    await program.parseAsync(argv);
    return typeof process.exitCode === 'number' ? process.exitCode : EXIT.ok;
  } catch (error) {
    const json = argv.includes('--json');
    if (!(error instanceof CommanderError)) return report(error, json);
    const problem = usageProblem(error, program, argv);
    return problem === undefined ? EXIT.ok : report(problem, json);
  }
}

// A reader that went away (`| head`) is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

main(withClosedWatch(process.argv)).then(
  (code) => process.exit(code),
  (error: unknown) => process.exit(report(error, false)),
);
