import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { BUILT_DIR, BUILT_VERSION } from './test/clients/support/built-librdkafka.ts';

// `core` runs everything that needs no process, in milliseconds and without isolation (repeatable module loading costs half a
// CPU second a file). `processes` starts real clusters, one file at a time: at most ten tests, run by `npm test`. `slow` is the
// rest of the process tests, run by `npm run test:processes` and by CI: two files at a time, since they wait more than they work
// and each has a home of its own. `containers` needs an engine and the image: `npm run image`, then `npm run test:containers`.
// `clients-npm`, `-debian` and `-java` are real Kafka clients, by where the clients come from: `npm test` runs the first against
// real cores in its process, CI the first two, `npm run test:clients` all of them against processes; and `clients-built` too,
// where Debian's programs run on a newer librdkafka that is built for it.

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

const clients = (origin: string, minutes: number, more: object = {}) => ({
  test: {
    name: `clients-${origin}`,
    include: [`test/clients/${origin}/*.test.ts`],
    fileParallelism: false,
    pool: 'forks' as const,
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
            'test/clients/{npm,debian,java,librdkafka,built}/**',
            'node_modules/**',
          ],
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
      clients('debian', 2, { include: ['test/clients/debian/*.test.ts', LIBRDKAFKA] }),
      clients('built', 2, {
        include: ['test/clients/built/*.test.ts', LIBRDKAFKA],
        globalSetup: ['test/clients/support/built-librdkafka.ts'],
        env: { LD_LIBRARY_PATH: BUILT_DIR, HIGHWATER_TEST_LIBRDKAFKA: BUILT_VERSION },
      }),
      clients('java', 5),
    ],
  },
});
