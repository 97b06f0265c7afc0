import { defineConfig } from 'vitest/config';

// Four projects. `core` runs everything that needs no process, in milliseconds and without isolation (repeatable
// module loading costs half a CPU second a file). `processes` starts real clusters, one file at a time: at most ten tests,
// run by `npm test`. `slow` is the rest of the process tests, run by `npm run test:processes` and by CI. `containers` needs an
// engine and the image: `npm run image`, then `npm run test:containers`.
export default defineConfig({
  test: {
    reporters: ['default'],
    projects: [
      {
        test: {
          name: 'core',
          include: ['test/**/*.test.ts'],
          exclude: ['test/processes/**', 'test/containers/**', 'node_modules/**'],
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
    ],
  },
});
