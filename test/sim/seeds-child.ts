// Run by seeds.test.ts in other processes, time zones and locales: the command `highwater sim`, and no other.
import { Command } from 'commander';
import { registerSimCommand } from '../../src/cli/commands/sim.ts';

const program = new Command('highwater').option('--json').option('--quiet');
registerSimCommand(program);
await program.parseAsync(process.argv);
