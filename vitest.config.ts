// The suites. `server` runs beside a shared Postgres; `start` and `browser` start processes with folders and ports of their
// own, the built server or a Postgres, after it: what they stop and how long they wait is not for a busy machine's mercy.
import { defaultExclude, defineConfig } from 'vitest/config';

// Two files at a time: each waits a good deal, for a process or a page.
const processes = { testTimeout: 60_000, hookTimeout: 60_000, maxWorkers: 2, sequence: { groupOrder: 1 } };
// On an external Postgres, whose run comes after one on the embedded: not again what asks thousands of times what others ask of
// the database once, nor what comes to it by the SDK.
const isExternal = process.env.SLIPWAY_TEST_DATABASE_URL !== undefined;
const askedBefore = isExternal ? ['server/test/{sweep,fuzz}.test.ts', 'sdk/**'] : [];
const withOwnPostgres = ['server/src/embedded/**/*.test.ts', 'server/test/world-large.test.ts'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts', 'sdk/**/*.test.ts', 'cli/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: [...defaultExclude, ...withOwnPostgres, ...askedBefore],
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
          include: ['test/*.test.ts', ...withOwnPostgres],
          ...processes,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/*.test.ts'],
          ...processes,
        },
      },
    ],
  },
});
