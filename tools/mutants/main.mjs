// `npm run mutants [-- ids|--part x|--jobs n|--says|--list|--find id [--in folder]]`: breaks the cores one line at a time and
// shows that a test, or the simulator, notices. First the named tests must pass as things are. Exits 1 if a mutant survives, or
// could not be tried.
import { readdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { askAll } from './jobs.mjs';
import { staleProblems } from './stale.mjs';
import { mutants, REPLICATION, SEEDS_MAX } from './table.mjs';
import { redProblem, verdictOf } from './verdict.mjs';

const top = join(import.meta.dirname, '../..');
const TEST_LIMIT_MS = 90_000;
const SEEDS_LIMIT_MS = 900_000;
const CONTROL = 'control';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    part: { type: 'string', multiple: true },
    jobs: { type: 'string' },
    find: { type: 'string' },
    in: { type: 'string', multiple: true },
    list: { type: 'boolean' },
    says: { type: 'boolean' },
  },
});
const count = Number(values.jobs ?? Math.min(4, cpus().length));

const all = mutants();
const chosen = choose();
if (values.list) list();
else if (values.find !== undefined) await findTests(all.find(({ id }) => id === values.find));
else process.exitCode = await runAll();

function choose() {
  const wanted = all.filter(
    ({ id, part }) =>
      (positionals.length === 0 || positionals.includes(id)) &&
      (values.part === undefined || values.part.includes(part)),
  );
  const unknown = positionals.filter((id) => !all.some((mutant) => mutant.id === id));
  if (unknown.length > 0 || wanted.length === 0) {
    console.error(`no such mutants: ${unknown.join(', ') || values.part}. \`npm run mutants -- --list\` lists all.`);
    process.exit(2);
  }
  return wanted;
}

function list() {
  for (const { id, part, breaks, what } of chosen)
    console.log(`${part.padEnd(15)} ${id.padEnd(34)} ${breaks.padEnd(26)} ${what}`);
}

async function runAll() {
  const began = performance.now();
  const stale = staleProblems(top, chosen);
  const red = await redUnmutated(chosen.filter(({ id }) => !stale.has(id)));
  const untried = new Map([...stale, ...red]);
  for (const problem of untried.values()) console.log(`FAIL ${problem}`);
  const survivors = await killAll(chosen.filter(({ id }) => !untried.has(id)));
  const replication = chosen.filter(({ part }) => REPLICATION.has(part)).length;
  const living = survivors + untried.size;
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(
    `${living === 0 ? 'ok  ' : 'FAIL'} ${chosen.length} mutants, ${replication} of them of replication: ` +
      `${chosen.length - living} killed, ${survivors} survive, ${untried.size} could not be tried; ${seconds} s`,
  );
  return living === 0 ? 0 : 1;
}

/** Problems of the tests that are named, run as things are, by the mutants that name them. */
async function redUnmutated(rows) {
  const byFile = new Map();
  for (const mutant of rows) {
    if (mutant.test !== undefined) byFile.set(mutant.test[0], [...(byFile.get(mutant.test[0]) ?? []), mutant]);
  }
  const problems = new Map();
  const messages = [...byFile].map(([file, named]) => {
    return { act: 'green', with: { file, titles: [...new Set(named.map(({ test }) => test[1]))] } };
  });
  await askAll(messages, {
    ...{ count, limitMs: () => TEST_LIMIT_MS },
    done: ({ with: { file } }, answer) => {
      for (const mutant of byFile.get(file)) {
        const problem = redProblem(mutant, answer);
        if (problem !== undefined) problems.set(mutant.id, problem);
      }
    },
  });
  return problems;
}

/** Tries all of them, by test and by simulator; answers how many live. */
async function killAll(rows) {
  const living = new Set();
  // The long ones first, so that no job is left alone with one at the end.
  const messages = [
    ...rows.filter(({ sim }) => sim).map((mutant) => ({ act: 'killBySim', with: { mutant, seedsMax: SEEDS_MAX } })),
    ...rows.filter(({ test }) => test).map((mutant) => ({ act: 'killByTest', with: { mutant } })),
    ...controls(rows),
  ];
  await askAll(messages, {
    ...{ count, limitMs: ({ act }) => (act === 'killBySim' ? SEEDS_LIMIT_MS : TEST_LIMIT_MS) },
    done: ({ act, with: { mutant } }, answer, ms) => {
      if (mutant.id === CONTROL)
        return void (answer.result?.tests.some(({ state }) => state === 'failed') && living.add(CONTROL));
      const { killed, how, says, problem } = verdictOf(mutant, act === 'killBySim' ? 'sim' : 'test', answer);
      if (!killed) living.add(mutant.id);
      const line = `${mutant.id.padEnd(34)} ${mutant.breaks.padEnd(26)} ${killed ? how : problem}`;
      console.log(`${killed ? 'ok  ' : 'FAIL'} ${line} (${(ms / 1000).toFixed(1)} s)`);
      if (values.says && says !== undefined) console.log(`       ${says.split('\n')[0]}`);
    },
  });
  if (living.has(CONTROL))
    console.log('FAIL a change that changes nothing was noticed by a test: what else is said here is worth nothing');
  return living.size;
}

/** Changes that change nothing, behind all others: whoever kills them would kill anything. */
function controls(rows) {
  const some = rows.filter(({ test }) => test).slice(0, 2 * count);
  return some.map((mutant) => ({
    act: 'killByTest',
    with: { mutant: { ...mutant, id: CONTROL, replace: mutant.find } },
  }));
}

/** Which tests notice a mutant: those of the folders named by --in, else of its room. */
async function findTests(mutant) {
  if (mutant === undefined) return console.error(`no mutant "${values.find}"`);
  const folders = values.in ?? [mutant.file.split('/').slice(1, 2).join('/')];
  const files = folders.flatMap((folder) =>
    folder.endsWith('.test.ts')
      ? [folder]
      : readdirSync(join(top, 'test', folder), { recursive: true })
          .filter((name) => name.endsWith('.test.ts'))
          .map((name) => `test/${folder}/${name}`),
  );
  await askAll([{ act: 'find', with: { mutant, files } }], {
    ...{ count: 1, limitMs: () => SEEDS_LIMIT_MS },
    done: (_message, answer) => {
      const failed = answer.result?.tests.filter(({ state }) => state === 'failed') ?? [];
      for (const { file, title } of failed) console.log(`${file} "${title}"`);
      if (answer.result === undefined) console.log(answer.timedOut ? 'never returned' : answer.failure);
      console.log(
        `${failed.length} of ${answer.result?.tests.length ?? 0} tests in ${folders.join(', ')} notice ${mutant.id}`,
      );
    },
  });
}
