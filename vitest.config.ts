// The suites. `server`, `slow`, `apart` and `wide` run beside a shared Postgres; `start` and `browser` start processes with folders and ports of
// their own, the built server or a Postgres, after them: what they stop and how long they wait is not for a busy machine's mercy.
import { spawnSync } from 'node:child_process';
import { defaultExclude, defineConfig } from 'vitest/config';
import { useScratch } from './scripts/scratch.ts';

useScratch();

const onPostgres = {
  globalSetup: ['server/test/global-setup.ts'],
  testTimeout: 30_000,
  hookTimeout: 60_000,
  // They wait for the database half of their time: with two, a core of two is idle now and then.
  maxWorkers: 3,
  sequence: { groupOrder: 0 },
};
// Two files at a time: each waits a good deal, for a process or a page.
const processes = { testTimeout: 60_000, hookTimeout: 60_000, maxWorkers: 2, sequence: { groupOrder: 1 } };

// They ask thousands of times what `server` asks of the database once, or come to it by the SDK: CI runs `server` on an external
// Postgres too, and has no time for these twice.
const wide = ['server/test/{sweep,fuzz}.test.ts', 'sdk/**/*.test.ts'];
// Nor for these: they wait for workers that die, for clocks and for passwords' hashes, on statements that others ask too.
const slow = [
  'server/src/features/webhooks/{dispatch,dispatch-clock,dispatch-workers,stop-deliveries}.test.ts',
  'server/test/{webhook-proofs,drills,console-sessions,console-second-factor,members,invitations,revocation}.test.ts',
];
// They replace a module, so that each needs its modules for itself. The others share theirs, file after file, as a process that
// runs for long does: the suite takes a third less time.
const apart = ['server/test/{two-walls,constant-time}.test.ts', 'server/src/features/webhooks/permits.test.ts'];
// The receivers' guide in Python, for which Node is not enough.
const python = ['server/test/receivers-guide-python.test.ts'];
const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) console.warn('There is no python3 here: the guide’s receiver in Python is left out.');
const withOwnPostgres = ['server/src/embedded/**/*.test.ts', 'server/test/world-large.test.ts'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts', 'cli/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: [...defaultExclude, ...withOwnPostgres, ...wide, ...slow, ...apart, ...python],
          isolate: false,
          ...onPostgres,
        },
      },
      { test: { name: 'slow', include: slow, isolate: false, ...onPostgres } },
      { test: { name: 'apart', include: apart, ...onPostgres } },
      { test: { name: 'wide', include: wide, ...onPostgres } },
      ...(hasPython ? [{ test: { name: 'python', include: python, ...onPostgres } }] : []),
      { test: { name: 'start', include: ['test/*.test.ts', ...withOwnPostgres], ...processes } },
      {
        test: {
          name: 'browser',
          include: ['test/browser/*.test.ts'],
          globalSetup: ['test/browser/global-setup.ts'],
          ...processes,
        },
      },
    ],
  },
});
