// The suites. `server` runs beside a shared Postgres; `start` and `browser` start the built server as processes with folders
// and ports of their own, after it: what they stop and how long they wait is not for a busy machine's mercy.
import { defineConfig } from 'vitest/config';

// Two files at a time: each waits a good deal, for a process or a page.
const processes = { testTimeout: 60_000, hookTimeout: 60_000, maxWorkers: 2, sequence: { groupOrder: 1 } };

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
          // More than two cores can run: a good part of these files waits, for a lease to end or a second to pass.
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'start',
          include: ['test/*.test.ts'],
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
