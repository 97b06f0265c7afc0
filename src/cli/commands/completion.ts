// highwater completion SHELL prints what makes a shell complete; __complete is what those scripts ask, and nobody else.
import type { Command } from 'commander';
import { candidates } from '../completion/candidates.ts';
import { knowledgeOf } from '../completion/knowledge.ts';
import { completionScript, SHELLS } from '../completion/scripts.ts';
import { globals } from '../command.ts';
import { write } from '../output.ts';
import { Problem } from '../problem.ts';

export function registerCompletionCommand(program: Command): void {
  program
    .command('completion <shell>')
    .description(`the script that makes a shell complete verbs, flags and names: ${SHELLS.join(', ')}`)
    .addHelpText('after', HELP)
    .action((shell: string) => script(shell));
  program
    .command('__complete [words...]', { hidden: true })
    .option('--next', 'a new word begins')
    .action((words: string[], options: { next?: boolean }, command: Command) =>
      complete(program, options.next === true ? [...words, ''] : words, globals(command).cluster),
    );
}

const HELP = `
bash         source <(highwater completion bash)                            in ~/.bashrc
zsh          source <(highwater completion zsh)                             in ~/.zshrc, behind compinit
fish         highwater completion fish | source                             in ~/.config/fish/config.fish
powershell   highwater completion powershell | Out-String | Invoke-Expression   in $PROFILE
The script for PowerShell has been parsed, and never been run: no PowerShell was at hand. The others are tested in their shells.
Names of topics, partitions, groups and the like come from the cluster that runs, if it answers at once.`;

async function script(name: string): Promise<void> {
  const shell = SHELLS.find((each) => each === name);
  if (shell === undefined) throw new Problem('HW2001', `no script for "${name}". Shells: ${SHELLS.join(', ')}`);
  await write(completionScript(shell));
}

async function complete(program: Command, words: readonly string[], cluster: string): Promise<void> {
  const found = await candidates(program, words, knowledgeOf(cluster));
  await write(found.map(({ word, says }) => (says === undefined ? `${word}\n` : `${word}\t${says}\n`)).join(''));
}
