// The test projects. `server` and `apart` share one Postgres. `start` and `browser` run after them: they start
// processes with their own folders and ports, the built server or a Postgres, and their waiting times must not depend
// on a busy machine. Projects that run only by name: `proofs` and `proofs-start` are the short proofs
// (`npm run prove -- short`), which `npm test` omits. `database` is a part of `server`, and `rest` is the other part.
// `newest` and `newest-start` are the parts of `server` and `start` that also run on the newest Node.js.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { defaultExclude, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { hasNodes } from './scripts/nodes/has-nodes.ts';
import { useScratch } from './scripts/temporary-folder.ts';

useScratch();

// The test files of the server in all folders, relative to the root.
const serverTests = ['server/src', 'server/test'].flatMap((folder) =>
  readdirSync(new URL(folder, import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `${folder}/${file}`),
);

/**
 * Returns the files of the tests with these names, which spaces separate; `*` stands for any text. Throws if a name has
 * no file.
 */
function testsNamed(...names: string[]): string[] {
  return names
    .join(' ')
    .split(' ')
    .flatMap((name) => {
      const pattern = new RegExp(`/${name.replaceAll('*', '[^/]*')}\\.test\\.ts$`);
      const found = serverTests.filter((file) => pattern.test(file));
      if (found.length === 0) throw new Error(`vitest.config.ts names the test ${name}, which no folder has.`);
      return found;
    });
}

const onPostgres = {
  globalSetup: ['server/test/global-setup.ts'],
  testTimeout: 30_000,
  hookTimeout: 60_000,
  // They wait for the database half of their time: with two, a core of two is idle now and then.
  maxWorkers: 3,
  sequence: { groupOrder: 0 },
};
// The limit only ends a test that hangs: a story that takes 20 s on an idle machine has taken more than 60 s on a busy
// one.
const longestMs = 180_000;
// Four files at a time: each mostly waits, for a process or a page. One, where each starts nine processes
// (prove/nodes.ts).
const processes = {
  isolate: false,
  testTimeout: longestMs,
  hookTimeout: longestMs,
  maxWorkers: hasNodes ? 1 : 4,
  sequence: { groupOrder: 1 },
};

// The short proofs: each is a smaller run of a proof in prove/, or as long as one. `.ci/run` runs them after
// `npm test`.
const proofs = testsNamed(
  'webhook-proofs sweep sweep-production fuzz revocation production-revocation inspector-proof suspended-node canaries',
  'production-installations-model forecast-history key-activity-history',
);
const proofsOnProcesses = [
  'test/{backup,restore,production,production-own-contract,production-restore,webhook-postgres,nodes}.test.ts',
  ...testsNamed('world-large'),
];

// The tests of statements: jobs, locks, searches, roles. CI runs these on an external Postgres, except tests that wait
// for workers that die and for clocks.
const database = testsNamed(
  'custom-headers delivery health json-difference validate-settings reseal world signing-secrets concurrent-queue-changes',
  'attempt-result delivery-headers endpoint-health find-queues in-flight-attempts queue-plan examine-limits statement-plans mask-echo move-retries unsealed-endpoints probe',
  'queue-age older-queue-rows rotated-key retry-schedule scope-uses cancellation-workers access-change-backlog app-erasure backup-store cursors',
  'database-* events-feed* key-facts privileged-roles notices records redeliveries record-retention request-search',
  'request-summaries revisions workflow-runs world-ticks world-reset*',
);
// They replace a module, or move the clock, after which ids stay in the future. So each needs its modules for itself. The
// others share theirs, file after file, as a process that runs for long does: the suite takes a third less time.
const apart = [
  'cli/test/own-contract.test.ts',
  'sdk/test/own-contract.test.ts',
  ...testsNamed(
    'own-contract* isolation-layers constant-time shared-lookups paused-feed waiting-mutations pre-send-check dispatch-clock ids console-second-factor',
  ),
];
// Tests that need another program: the guides in Python and a shell, and the chart that Helm renders.
const beyondNode = [
  { program: 'python3', file: 'server/test/receivers-guide-python.test.ts', what: 'the guide’s receiver in Python' },
  { program: 'python3', file: 'test/quickstart-python.test.ts', what: 'the quickstart in Python' },
  { program: 'python3', file: 'sdk/test/conformance-python.test.ts', what: 'the SDK for Python' },
  {
    program: 'openssl',
    argument: 'version',
    file: 'server/test/receivers-guide-shell.test.ts',
    what: 'the guide’s verification in a shell',
  },
  { program: 'helm', file: 'test/helm.test.ts', what: 'the Helm chart' },
];
const missing = beyondNode.filter(({ program, argument = '--help' }) => spawnSync(program, [argument]).status !== 0);
for (const { program, what } of missing) console.warn(`There is no ${program} here: ${what} is left out.`);
const excluded = missing.map(({ file }) => file);
// The longest files, by processor time and waiting time, begin first. Otherwise one of them would run alone at the end.
const longest = [
  ...[
    'webhook-proofs',
    'sweep',
    'sweep-production',
    'fuzz',
    'console-sessions',
    'invitations',
    'dispatch-workers',
    'cancel-in-flight-deliveries',
  ],
  ...['live-access', 'end-to-end', 'reference', 'webhooks', 'inspector'].map((name) => `browser/${name}`),
  ...['test/shutdown', 'test/backup', 'world-large', 'test/production'],
].map((name) => `${name}.test.ts`);

// One project after the other: a worker is given up, with all that it has loaded, where the next file is another
// project's.
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const at = longest.findIndex((name) => moduleId.endsWith(name));
      return projects.indexOf(project.name) * (longest.length + 1) + (at === -1 ? longest.length : at);
    };
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}

// Tests of code that depends most on Node itself: HTTP and TLS both ways, streams, crypto, processes, files; the SDK
// and the CLI, which run on other machines.
const newest = [
  'cli/test/*.test.ts',
  'sdk/test/!(package).test.ts',
  'server/src/kit/{crypto,flow,http,openapi,outbound,telemetry,text}/*.test.ts',
  ...testsNamed(
    'api api-input api-unusual-syntax backup-store console-provider gateway host-header ingest request-exports tails tracing webhook-hostile',
  ),
];
const newestStart = ['test/{start,commands}.test.ts'];

const preparedData = 'test/global-setup.ts';

const isAsked = (name: string): boolean => process.argv.some((one) => one.replace('--project=', '') === name);

const withOwnPostgres = testsNamed('embedded world-large');
const ofServer = ['{server,cli,bench,sdk}/**/*.test.ts'];
const notOfServer = [...defaultExclude, ...withOwnPostgres, ...proofs, ...apart, ...excluded];

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'server',
          include: ofServer,
          exclude: notOfServer,
          isolate: false,
          ...onPostgres,
        },
      },
      ...[
        { test: { name: 'proofs', include: proofs, isolate: false, ...onPostgres } },
        { test: { name: 'proofs-start', include: proofsOnProcesses, globalSetup: [preparedData], ...processes } },
        { test: { name: 'database', include: database, isolate: false, ...onPostgres } },
        {
          test: {
            name: 'rest',
            include: ofServer,
            exclude: [...notOfServer, ...database],
            isolate: false,
            ...onPostgres,
          },
        },
        {
          test: {
            name: 'newest',
            include: newest,
            exclude: [...defaultExclude, ...apart, ...excluded],
            isolate: false,
            ...onPostgres,
          },
        },
        { test: { name: 'newest-start', include: newestStart, globalSetup: [preparedData], ...processes } },
      ].filter(({ test }) => isAsked(test.name)),
      { test: { name: 'apart', include: apart, ...onPostgres } },
      {
        test: {
          name: 'start',
          include: ['test/*.test.ts', ...withOwnPostgres],
          exclude: [...defaultExclude, ...proofsOnProcesses, ...excluded],
          globalSetup: [preparedData],
          ...processes,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/*.test.ts'],
          // Stories of production run on a Console of this process.
          globalSetup: [preparedData, 'test/browser/global-setup.ts', 'server/test/global-setup.ts'],
          setupFiles: ['test/browser/failure-pictures.ts'],
          ...processes,
        },
      },
    ],
  },
});
