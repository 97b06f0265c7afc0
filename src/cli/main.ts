// The `highwater` program: reads the command line, runs one command, and turns every error into a sentence and an exit
// code. Decides nothing; commands are loaded when they are used.
import { Command, CommanderError } from 'commander';
import { registerAttachCommand } from './commands/attach.ts';
import { registerClientsCommand } from './commands/clients.ts';
import { registerClusterCommands } from './commands/cluster-life.ts';
import { registerCrashPointCommands } from './commands/crash-points.ts';
import { registerExplainCommand } from './commands/explain.ts';
import { registerFaultCommands } from './commands/fault.ts';
import { registerGroupCommands } from './commands/groups.ts';
import { registerHistoryCommands } from './commands/history.ts';
import { registerLogCommands } from './commands/log.ts';
import { registerNodeCommands } from './commands/node.ts';
import { registerRecordCommands } from './commands/records.ts';
import { registerReplicaCommands } from './commands/replicas.ts';
import { registerRunCommands } from './commands/run.ts';
import { registerSafeguardCommands } from './commands/safeguards.ts';
import { registerTopicAlterCommands } from './commands/topics-alter.ts';
import { registerTopicReassignCommand } from './commands/topics-reassign.ts';
import { registerTopicCommands } from './commands/topics.ts';
import { registerTxnCommands } from './commands/txn.ts';
import { highwaterHome } from '../agent/home.ts';
import { nearest } from '../base/nearest.ts';
import { EXIT, Problem } from './problem.ts';
import { version } from './version.ts';
import { withClosedWatch } from './watch.ts';

function buildProgram(): Command {
  const program = new Command('highwater');
  program
    .description('A Kafka-protocol cluster that you break on purpose, and a verdict on what broke.')
    .version(version(), '--version')
    .option('--cluster <name>', 'which cluster (or HIGHWATER_CLUSTER)')
    .option('--json', 'data as JSON on stdout: one document, or a line for each run or seed')
    .option('-q, --quiet', 'no talk on stderr')
    .showSuggestionAfterError(false)
    .configureOutput({ writeErr: () => undefined })
    .exitOverride();
  registerClusterCommands(program);
  registerAttachCommand(program);
  registerClientsCommand(program);
  const topics = registerTopicCommands(program);
  registerTopicAlterCommands(topics);
  registerTopicReassignCommand(topics);
  registerTxnCommands(program);
  registerGroupCommands(program);
  registerLogCommands(program);
  registerRecordCommands(program);
  registerHistoryCommands(program);
  registerNodeCommands(program);
  registerReplicaCommands(program);
  registerFaultCommands(program);
  registerRunCommands(program);
  registerSafeguardCommands(program);
  registerCrashPointCommands(program);
  registerExplainCommand(program);
  return program;
}

/** Commands inherit the handling of errors from their parent only if told so. */
function inheritSettings(command: Command): void {
  for (const child of command.commands) {
    child.copyInheritedSettings(command);
    child.exitOverride();
    inheritSettings(child);
  }
}

/** What commander refused, in our words. */
function usageProblem(error: CommanderError, program: Command, argv: readonly string[]): Problem | undefined {
  if (error.exitCode === 0) return undefined;
  if (error.code === 'commander.unknownCommand' || error.code === 'commander.excessArguments') {
    const { command, path } = deepest(program, argv);
    const word = argv.slice(2).filter((arg) => !arg.startsWith('-'))[path.length] ?? '';
    const verbs = command.commands.map((each) => each.name());
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
      `${path.join(' ') || 'highwater'} needs a verb: ${command.commands.map((each) => each.name()).join(', ')}`,
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
  inheritSettings(program);
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
