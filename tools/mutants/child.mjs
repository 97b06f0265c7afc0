// One job of `npm run mutants`: a test runner that stays up, so that a mutant costs a run of one test and no start. A mutant is
// put in place of its file as that is loaded; the tree is never written to. Asked and answering over IPC.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVitest } from 'vitest/node';
import { mutate } from './stale.mjs';

const SEEDS_TEST = 'tools/mutants/seeds.test.ts';
const top = join(import.meta.dirname, '../..');
/** The file that is mutated now, and its text. */
let mutated;

const plugin = {
  name: 'mutants',
  enforce: 'pre',
  load: (id) => (id.split('?')[0] === mutated?.path ? mutated.text : undefined),
};

const vitest = await createVitest(
  'test',
  {
    ...{ root: top, config: false, watch: false, reporters: [{}], include: ['test/**/*.test.ts', SEEDS_TEST] },
    ...{ pool: 'forks', isolate: false, maxWorkers: 1, fileParallelism: false, testTimeout: 60_000 },
  },
  { plugins: [plugin] },
);

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** The title of a test with those around it, as patterns see it. */
const titleOf = (test) => test.fullName.replaceAll(' > ', ' ');

const saysOf = (error) => (error === undefined ? '' : `${error.name}: ${error.message}`);

/** Runs tests of files; answers all of them that matched a title (all tests if there are no titles), and what did not load. */
async function run(files, titles) {
  const [project] = vitest.projects;
  if (titles.length === 0) vitest.resetGlobalTestNamePattern();
  else vitest.setGlobalTestNamePattern(new RegExp(titles.map(escaped).join('|')));
  // The answer has all modules that ever ran: those of other runs, other mutants, do not count.
  vitest.state.clearFiles(project, vitest.state.getPaths());
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
    files.map((file) => project.createSpecification(join(top, file))),
  );
  const tests = [];
  const broken = unhandledErrors.map((error) => String(error?.message ?? error));
  for (const module of testModules) {
    const file = module.moduleId.slice(top.length + 1);
    if (!files.includes(file)) continue;
    for (const error of module.errors()) broken.push(error.message);
    for (const test of module.children.allTests()) {
      const { state, errors } = test.result();
      if (state !== 'passed' && state !== 'failed') continue;
      tests.push({ file, title: titleOf(test), state, says: saysOf(errors?.[0]) });
    }
  }
  return { tests, broken };
}

async function withMutant(mutant, act) {
  const path = join(top, mutant.file);
  mutated = { path, text: mutate(readFileSync(path, 'utf8'), mutant).text };
  vitest.invalidateFile(path);
  try {
    return await act();
  } finally {
    mutated = undefined;
    vitest.invalidateFile(path);
  }
}

const ACTS = {
  /** Whether the named tests of a file pass without any mutant. */
  green: ({ file, titles }) => run([file], titles),
  killByTest: ({ mutant }) => withMutant(mutant, () => run([mutant.test[0]], [mutant.test[1]])),
  killBySim: ({ mutant, seedsMax }) =>
    withMutant(mutant, () => {
      const [workload, first] = mutant.sim;
      vitest.projects[0].provide('seeds', { first, max: seedsMax });
      return run([SEEDS_TEST], [`${workload}: `]);
    }),
  /** Every test of these files. */
  find: ({ mutant, files }) => withMutant(mutant, () => run(files, [])),
};

process.on('message', ({ act, with: given }) => {
  ACTS[act](given).then(
    (result) => process.send({ result }),
    (error) => process.send({ failure: error.stack ?? String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
process.send({ ready: true });
