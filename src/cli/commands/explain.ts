// highwater explain WORD: what an anomaly, safeguard, point, error or term means. Needs no cluster.
import type { Command } from 'commander';
import { globals } from '../command.ts';
import { explain, nearestWord, wordsByKind, type Explanation } from '../explain/explain.ts';
import { document, write } from '../output.ts';
import { Problem } from '../problem.ts';

const WIDTH = 100;

export function registerExplainCommand(program: Command): void {
  program
    .command('explain [word...]')
    .description('what an anomaly, safeguard, point, setting, error or term means: explain lso, explain HW2103')
    .action((words: string[], _options, command: Command) => run(words.join(' '), command));
}

async function run(word: string, command: Command): Promise<void> {
  const out = globals(command);
  if (word === '') {
    const known = wordsByKind();
    return write(out.json ? document('explain.words', known) : index(known));
  }
  const found = explain(word);
  if (found.length === 0) {
    const near = nearestWord(word);
    const hint = near === undefined ? 'All words: highwater explain' : `Did you mean: ${near}?`;
    throw new Problem('HW2001', `nothing is known of "${word}". ${hint}`);
  }
  await write(out.json ? document('explain', found) : found.map(text).join('\n'));
}

function text({ word, kind, says, next }: Explanation): string {
  return [
    `${word} (${kind})`,
    ...says.flatMap((sentence) => wrapped(sentence, '  ')),
    ...next.map((line) => `  > ${line}`),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** All words but points, of which there are many. */
function index(known: Readonly<Record<string, readonly string[]>>): string {
  const lines = Object.entries(known).flatMap(([kind, words]) =>
    kind === 'point'
      ? ['points', '  highwater fault points']
      : [`${kind}s`.replace('anomalys', 'anomalies'), ...wrapped(words.join(', '), '  ')],
  );
  return `${lines.join('\n')}\n`;
}

function wrapped(sentence: string, indent: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of sentence.split(/\s+/)) {
    if (line !== '' && indent.length + line.length + 1 + word.length > WIDTH) {
      lines.push(indent + line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, indent + line];
}
