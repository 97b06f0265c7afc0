// What the answer of a job means for a mutant, in words. Pure.

/** Outcome of one try, by `test` or by `sim`: `killed` with how, or a sentence that says what is wrong and what to do. */
export function verdictOf(mutant, by, answer) {
  if (answer.timedOut) return { killed: true, how: 'never returned' };
  if (answer.failure !== undefined) return { killed: false, problem: `could not be tried: ${answer.failure}` };
  const { tests, broken } = answer.result;
  const failed = tests.find(({ state }) => state === 'failed');
  if (failed?.says.startsWith('ReferenceError') || failed?.says.startsWith('SyntaxError')) {
    return { killed: false, problem: `does not run, so nothing was tried: ${failed.says}; mend its replacement` };
  }
  if (failed !== undefined) return { killed: true, how: howOf(mutant, by, failed), says: failed.says };
  if (tests.length === 0) {
    return {
      killed: false,
      problem: `does not load, so nothing was tried: ${broken[0] ?? 'no test ran'}; mend its replacement`,
    };
  }
  return { killed: false, problem: survival(mutant, by) };
}

function howOf({ test, sim }, by, { says }) {
  if (by === 'test') return `${test[0]} "${test[1]}"`;
  const seed = /seed \d+: (?:(?:repl|txn|wire) )?\S+/.exec(says)?.[0] ?? `a seed broke: ${says.slice(0, 60)}`;
  return `sim ${sim[0]}, ${seed}`;
}

function survival({ breaks, file, find, replace, test, sim, part }, by) {
  const what = by === 'sim' ? `no seed of sim ${sim[0]} finds it` : `${test[0]} "${test[1]}" passes`;
  return (
    `SURVIVES: ${what} with "${find}" replaced by "${replace}" in ${file}. Nothing pins ${breaks}: write the test that tells the ` +
    `two apart, cite the rule in its title, and name it in tools/mutants/data/${part}.mjs. If no test can, it is equivalent: remove it.`
  );
}

/** What is wrong with the test of a mutant in a run without mutants; undefined if it passes. */
export function redProblem({ id, test: [file, title] }, answer) {
  const where = `${id}: ${file}`;
  if (answer.timedOut) return `${where} does not end, without any mutant`;
  if (answer.failure !== undefined) return `${where} could not be run: ${answer.failure}`;
  const { tests, broken } = answer.result;
  const named = tests.filter((test) => test.title.includes(title));
  if (named.length === 0) return `${where}: no test "${title}" ran; ${broken[0] ?? 'name one that does'}`;
  const failed = named.find(({ state }) => state === 'failed');
  return failed && `${where}: "${failed.title}" fails without any mutant: ${failed.says}`;
}
