// highwater doctor: whether this machine is fit for clusters: a line for each thing that was looked at, and what to do about
// it. Asks no cluster, and changes nothing.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { highwaterHome } from '../../agent/home.ts';
import { globals, type GlobalOptions } from '../command.ts';
import { runChecks, type Check, type Finding } from '../doctor/finding.ts';
import { clockCheck, filesCheck, memoryCheck, nodeCheck } from '../doctor/machine.ts';
import { clustersCheck, diskCheck, flushCheck, portsCheck } from '../doctor/place.ts';
import { clientsCheck, containersCheck } from '../doctor/programs.ts';
import { document, printRows, write } from '../output.ts';
import { EXIT } from '../problem.ts';
import { packageRoot } from '../version.ts';

export function registerDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('is this machine fit for clusters: 0 if nothing is wrong, 1 if something is; changes nothing')
    .action((_options, command: Command) => doctor(globals(command)));
}

async function doctor(out: GlobalOptions): Promise<void> {
  const found = await runChecks(checks());
  if (out.json) await write(document('doctor', found));
  else {
    await printRows(out, 'doctor', found, [
      { title: 'CHECK', of: ({ check }: Finding) => check },
      { title: 'RESULT', of: ({ severity }) => severity },
      { title: 'WHAT', of: ({ says, todo }) => (todo === undefined ? says : `${says}. ${sentence(todo)}`) },
    ]);
  }
  process.exitCode = found.some(({ severity }) => severity === 'problem') ? EXIT.failed : EXIT.ok;
}

const sentence = (text: string): string =>
  text.startsWith('highwater ') ? `Use: ${text}` : text.charAt(0).toUpperCase() + text.slice(1);

function checks(): Check[] {
  const manifest = join(packageRoot(), 'package.json');
  const { engines } = JSON.parse(readFileSync(manifest, 'utf8')) as { engines: { node: string } };
  const home = highwaterHome();
  return [
    ...[nodeCheck(engines.node), memoryCheck(), filesCheck(), clockCheck(manifest)],
    ...[diskCheck(home), flushCheck(home), portsCheck(home), clustersCheck(home)],
    ...[containersCheck, clientsCheck],
  ];
}
