import { defineConfig } from 'vitest/config';

// `core` runs everything that needs no process, in milliseconds and without isolation (repeatable module loading costs half a
// CPU second a file). `processes` starts real clusters, one file at a time: at most ten tests, run by `npm test`. `slow` is the
// rest of the process tests, run by `npm run test:processes` and by CI. `containers` needs an engine and the image:
// `npm run image`, then `npm run test:containers`.
// `clients-npm`, `-debian` and `-java` are real Kafka clients, by where the clients come from: `npm test` runs the first against
// real cores in its process, CI the first two, `npm run test:clients` all of them against processes.

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
          fileParallelism: false,
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
