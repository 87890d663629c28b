// The suites. `server` runs beside a shared Postgres; `start` and `browser` start the built server as a process and
// run alone, one file after another, so that what they time and stop is theirs.
import { defineConfig } from 'vitest/config';

const processTimeouts = { testTimeout: 60_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts', 'sdk/**/*.test.ts', 'cli/**/*.test.ts', 'bench/**/*.test.ts'],
          globalSetup: ['server/test/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'start',
          include: ['test/*.test.ts'],
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          ...processTimeouts,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/*.test.ts'],
          fileParallelism: false,
          sequence: { groupOrder: 2 },
          ...processTimeouts,
        },
      },
    ],
  },
});
