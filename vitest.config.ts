import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BUILT_DIR, BUILT_VERSION } from './test/clients/support/built-librdkafka.ts';
import { LongestFirst } from './test/longest-first.ts';

// `core` runs everything that needs no process, in milliseconds and without isolation (repeatable module loading costs half a
// CPU second a file). `processes` starts real clusters, one file at a time: at most ten tests, run by `npm test`. `slow` is the
// rest of the process tests, run by `npm run test:processes` and by CI. `containers` needs an engine and the image: `npm run
// image`, then `npm run test:containers`. A file has one cluster at a time; CI runs two files side by side (HIGHWATER_TEST_FILES).
// `clients-npm`, `-debian` and `-java` are real Kafka clients, by where the clients come from: `npm test` runs the first against
// real cores in its process, CI the first two, `npm run test:clients` all of them against processes; and `clients-built` too,
// where Debian's programs run on a newer librdkafka that is built for it. `clients-scenarios` runs the files of scenarios/clients,
// with clients of npm and of Debian, each on a cluster of its own.

/** Files with clusters that run side by side: they wait more than they work. */
const FILES = Number(process.env['HIGHWATER_TEST_FILES'] ?? 1);
const clusters = {
  fileParallelism: FILES > 1,
  maxWorkers: FILES,
  pool: 'forks' as const,
};
/** The product as it is installed. */
const built = { globalSetup: ['test/processes/support/package.ts'] };

const clients = (origin: string, minutes: number, more: object = {}) => ({
  test: {
    name: `clients-${origin}`,
    include: [`test/clients/${origin}/*.test.ts`],
    ...clusters,
    testTimeout: minutes * 60_000,
    hookTimeout: 240_000,
    ...more,
  },
});

/** Tests of programs that run on librdkafka, whichever it is. */
const LIBRDKAFKA = 'test/clients/librdkafka/*.test.ts';

export default defineConfig({
  test: {
    reporters: ['default'],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'core',
          include: ['test/**/*.test.ts'],
          exclude: [
            'test/processes/**',
            'test/containers/**',
            'test/clients/{npm,debian,java,librdkafka,built,scenarios}/**',
            'node_modules/**',
          ],
          isolate: false,
          pool: 'forks',
          // All cores: the default leaves one free, which of two is half of them.
          maxWorkers: availableParallelism(),
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'processes',
          include: ['test/processes/quick/*.test.ts'],
          ...built,
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
          ...clusters,
          ...built,
          testTimeout: 300_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'containers',
          include: ['test/containers/*.test.ts'],
          ...clusters,
          ...built,
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
      clients('npm', 2),
      clients('debian', 2, { include: ['test/clients/debian/*.test.ts', LIBRDKAFKA] }),
      clients('built', 2, {
        include: ['test/clients/built/*.test.ts', LIBRDKAFKA],
        globalSetup: ['test/clients/support/built-librdkafka.ts'],
        env: { LD_LIBRARY_PATH: BUILT_DIR, HIGHWATER_TEST_LIBRDKAFKA: BUILT_VERSION },
      }),
      clients('scenarios', 2, { ...built, maxConcurrency: 2 }),
      clients('java', 5),
    ],
  },
});
