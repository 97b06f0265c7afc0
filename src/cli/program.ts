// The tree of commands: names, flags and what each does. Runs nothing; main.ts does.
import { Command } from 'commander';
import { registerAttachCommand } from './commands/attach.ts';
import { registerClientsCommand } from './commands/clients.ts';
import { registerClusterCommands } from './commands/cluster-life.ts';
import { registerCompletionCommand } from './commands/completion.ts';
import { registerCrashPointCommands } from './commands/crash-points.ts';
import { registerDoctorCommand } from './commands/doctor.ts';
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
import { version } from './version.ts';

/** The whole program; errors of usage are thrown, and not printed. */
export function buildProgram(): Command {
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
  registerDoctorCommand(program);
  registerCompletionCommand(program);
  inheritSettings(program);
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
