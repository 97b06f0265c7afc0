// `npm run check`: types, lint, format, stale generated code, and the project's own rules of form (arrows between rooms,
// cores that touch the outside, rule numbers that do not exist, sizes), mutants that the tree has left behind; a page of rules
// that lags is noted. Prints every problem; exits 1 if there is one.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkArrows } from './arrows.mjs';
import { checkCore } from './cores.mjs';
import { checkRules, definedRules } from './rules.mjs';
import { checkTidy } from './tidy.mjs';
import { staleProblems } from '../mutants/stale.mjs';
import { mutants } from '../mutants/table.mjs';

const top = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Files of the tree, from git where there is one, so that what is ignored does not count. */
function projectFiles() {
  try {
    const out = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
      cwd: top,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return out.split('\n').filter((file) => file !== '' && existsSync(join(top, file)));
  } catch {
    const folders = ['src', 'test', 'tools', 'bench', 'docs', 'proto'];
    return folders.flatMap((folder) =>
      existsSync(join(top, folder))
        ? readdirSync(join(top, folder), { recursive: true }).map((name) => `${folder}/${name}`)
        : [],
    );
  }
}

function formProblems() {
  const rules = definedRules(top);
  const problems = [];
  for (const file of projectFiles()) {
    if (!/\.(?:ts|mjs|proto|md|yaml)$/.test(file) || file.startsWith('docs/spec/')) continue;
    const text = readFileSync(join(top, file), 'utf8');
    problems.push(...checkRules(file, text, rules));
    if (file.startsWith('src/') && file.endsWith('.ts'))
      problems.push(...checkArrows(file, text), ...checkCore(file, text));
    if (/^(?:src|test|tools|bench)\/.*\.(?:ts|mjs)$/.test(file)) problems.push(...checkTidy(file, text));
  }
  return problems;
}

/** Runs a tool of the project; returns whether it was content. */
function run(title, script, args) {
  const started = process.hrtime.bigint();
  const result = spawnSync(process.execPath, [join(top, script), ...args], {
    cwd: top,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const seconds = Number((process.hrtime.bigint() - started) / 1_000_000n) / 1000;
  console.log(`${result.status === 0 ? 'ok  ' : 'FAIL'} ${title} (${seconds.toFixed(1)} s)`);
  return result.status === 0;
}

const only = process.argv[2];
const steps = {
  form: () => {
    const problems = formProblems();
    for (const problem of problems) console.log(problem);
    console.log(
      `${problems.length === 0 ? 'ok  ' : 'FAIL'} form: arrows, cores, rule numbers, sizes (${problems.length} problems)`,
    );
    return problems.length === 0;
  },
  types: () => run('types', 'node_modules/typescript/bin/tsc', ['--noEmit', '-p', '.']),
  lint: () => run('lint', 'node_modules/eslint/bin/eslint.js', ['--max-warnings', '0', 'src', 'test', 'bench']),
  format: () =>
    run('format', 'node_modules/prettier/bin/prettier.cjs', [
      '--check',
      '--log-level',
      'warn',
      'src',
      'test',
      'tools',
      'bench',
      '*.ts',
      '*.js',
    ]),
  generated: () => run('generated code is fresh', 'tools/generate-protocol.mjs', ['--check']),
  mutants: () => {
    const problems = [...staleProblems(top, mutants()).values()];
    for (const problem of problems) console.log(problem);
    console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} mutants fit the tree (${problems.length} problems)`);
    return problems.length === 0;
  },
  rules: () => {
    // Any new citation makes the page lag: that is said, and is red only where the page is asked for by name.
    const isFresh = spawnSync(process.execPath, [join(top, 'tools/rules.mjs')]).status === 0;
    const advice = 'docs/rules.md lags behind: node tools/rules.mjs --write';
    console.log(isFresh ? 'ok   docs/rules.md is fresh' : `${only === 'rules' ? 'FAIL' : 'note'} ${advice}`);
    return isFresh || only !== 'rules';
  },
};
const chosen = only === undefined ? Object.keys(steps) : [only];
const outcomes = chosen.map((name) => steps[name]());
process.exit(outcomes.every(Boolean) ? 0 : 1);
