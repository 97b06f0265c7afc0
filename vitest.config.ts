import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// `core` runs everything that needs no process, in milliseconds and without isolation (repeatable module loading costs half a
// CPU second a file). `processes` starts real clusters, one file at a time: at most ten tests, run by `npm test`. `slow` is the
// rest of the process tests, run by `npm run test:processes` and by CI: two files at a time, since they wait more than they work
// and each has a home of its own. `containers` needs an engine and the image: `npm run image`, then `npm run test:containers`.
// `clients-npm`, `-debian` and `-java` are real Kafka clients against real clusters, by where the clients come from: `npm test`
// runs the first, CI the first two, `npm run test:clients` all of them.

/** Of `slow`, the files that take longest, the longest first: begun last, one would run on while the other worker has nothing. */
const LONGEST = ['transactions', 'read-process-write', 'kill-rounds', 'crash-points', 'campaign', 'not-ready'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/processes/slow/${name}.test.ts`));
      return at < 0 ? LONGEST.length : at;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

const clients = (origin: string, minutes: number) => ({
  test: {
    name: `clients-${origin}`,
    include: [`test/clients/${origin}/*.test.ts`],
    fileParallelism: false,
    pool: 'forks' as const,
    testTimeout: minutes * 60_000,
    hookTimeout: 240_000,
  },
});

export default defineConfig({
  test: {
    reporters: ['default'],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'core',
          include: ['test/**/*.test.ts'],
          exclude: ['test/processes/**', 'test/containers/**', 'test/clients/{npm,debian,java}/**', 'node_modules/**'],
          isolate: false,
          pool: 'forks',
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'processes',
          include: ['test/processes/quick/*.test.ts'],
          fileParallelism: false,
          pool: 'forks',
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'slow',
          include: ['test/processes/*.test.ts', 'test/processes/slow/*.test.ts'],
          maxWorkers: 2,
          pool: 'forks',
          testTimeout: 300_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'containers',
          include: ['test/containers/*.test.ts'],
          fileParallelism: false,
          pool: 'forks',
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
      clients('npm', 2),
      clients('debian', 2),
      clients('java', 5),
    ],
  },
});
