// Whether the table still fits the tree: every fragment occurs once in its file, every test is where it is said to be. Cheap,
// so that `npm run check` can ask it; whether the mutants die is for `npm run mutants`.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A source text with the mutant in it, or why there is none. */
export function mutate(text, { find, replace }) {
  const at = text.indexOf(find);
  if (at < 0) return { problem: 'its line is not there any more' };
  if (text.indexOf(find, at + 1) >= 0) return { problem: 'its line is there more than once' };
  return { text: text.slice(0, at) + replace + text.slice(at + find.length) };
}

/** What is wrong with these rows, by id, as sentences with what to do. */
export function staleProblems(top, rows) {
  const texts = new Map();
  const read = (file) => {
    if (!texts.has(file))
      texts.set(file, existsSync(join(top, file)) ? readFileSync(join(top, file), 'utf8') : undefined);
    return texts.get(file);
  };
  const problems = new Map();
  for (const mutant of rows) {
    const problem = sourceProblem(mutant, read) ?? testProblem(mutant, read);
    if (problem !== undefined)
      problems.set(mutant.id, `tools/mutants/data/${mutant.part}.mjs: ${mutant.id}: ${problem}`);
  }
  return problems;
}

function sourceProblem(mutant, read) {
  const source = read(mutant.file);
  if (source === undefined) return `there is no ${mutant.file}: name the file where the rule is now`;
  const { problem } = mutate(source, mutant);
  const advice = 'choose a fragment that stands for the same rule, and occurs once';
  return problem && `stale in ${mutant.file}, ${problem} (${mutant.find}): ${advice}`;
}

function testProblem({ test }, read) {
  if (test === undefined) return undefined;
  const [file, title] = test;
  return read(file)?.includes(title) === true
    ? undefined
    : `no test "${title}" in ${file}: name the one that pins the rule`;
}
