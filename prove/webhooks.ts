// `npm run prove -- webhooks [--only NAME,NAME] [--seeds 20]`: the guarantees of webhooks, with processes that die or
// are suspended and with the worst receivers. A NAME is one of: crashes, postgres, revoke, mutant, hand-off, isolation,
// backlog, hostile. The public library verifies every arrival over its raw bytes. `--revokes N` and `--faults N` set the
// number of revocations without and with a fault, `--waiting N` and `--in-flight N` the deliveries during them,
// `--seconds N` the duration of each phase of isolation, and `--each N` the deliveries of each hostile receiver. All
// parts take about an hour.
import { argument, progress, temporaryFolder } from '../bench/kit.ts';
import { startBenchDatabase } from '../bench/world.ts';
import { migrate } from '../server/src/kit/db/migrate.ts';
import { startExternalPostgres } from '../test/external-postgres.ts';
import { atLeast, type Check, conclude, numberAfter } from './kit.ts';
import { proveBacklog } from './webhooks/backlog.ts';
import { crashEverywhere, crashHandOffs } from './webhooks/crashes.ts';
import { proveHostile } from './webhooks/hostile.ts';
import { type IsolationOptions, proveIsolation, type SlowBehaviour } from './webhooks/isolation.ts';
import { crashPostgres } from './webhooks/postgres-crashes.ts';
import { judgeRevokes, type RevocationReport, type RevokeOptions, watchRevokes } from './webhooks/revoke.ts';
import { openWebhookSetup, type WebhookSetup } from './webhooks/setup.ts';

const SEEDS = numberAfter('--seeds', 20);
const REVOKES = numberAfter('--revokes', 100);
const FAULTS = numberAfter('--faults', 20);
const WAITING = numberAfter('--waiting', 10_000);
const ANSWERED_MS = 250;
const ANSWERED_IN_FAULT_MS = 2_100;
/** So many violations are no coincidence. */
const MUTANT_VIOLATIONS = 5;

const LOAD: RevokeOptions = {
  revokes: REVOKES,
  workers: 4,
  waiting: WAITING,
  inFlight: numberAfter('--in-flight', 200),
  bystanders: 4,
  answerAfterMs: 2_000,
  fault: 'none',
};
const QUICK = { answerAfterMs: 5, inFlight: 1, bystanders: 0 };

/** Combines the checks of all seeds by name: each with the first failing figure, or the last figure. */
function combineSeeds(name: string, seeds: readonly (readonly Check[])[]): Check[] {
  // An aborted seed has fewer checks than the others.
  const whole = seeds.reduce((one, other) => (other.length > one.length ? other : one), []);
  return whole.map((check, at) => {
    const all = seeds.flatMap((checks) => checks[at] ?? []);
    const wrong = all.find(({ ok }) => !ok);
    return {
      name: `${name}, ${seeds.length} seeds: ${check.name}`,
      ok: wrong === undefined && all.length === seeds.length,
      figure: (wrong ?? all.at(-1))?.figure ?? '',
    };
  });
}

/**
 * Runs all seeds. An aborted seed is a failure and does not end the others. Each seed reports its result immediately.
 */
async function runSeeds(prove: (seed: number) => Promise<Check[]>): Promise<Check[][]> {
  const seeds: Check[][] = [];
  for (let seed = 1; seed <= SEEDS; seed++) {
    const beganMs = performance.now();
    const ran = { name: 'ran to the end', ok: true, figure: `seed ${seed}` };
    const checks = await prove(seed).catch((error: unknown): Check[] => {
      ran.ok = false;
      ran.figure += `: ${error instanceof Error ? error.stack : String(error)}`;
      return [];
    });
    seeds.push([ran, ...checks]);
    const wrong = [ran, ...checks].filter(({ ok }) => !ok).map(({ name, figure }) => `${name}: ${figure}`);
    const seconds = ((performance.now() - beganMs) / 1_000).toFixed(0);
    progress(`seed ${seed} of ${SEEDS}, ${seconds} s: ${wrong.length === 0 ? 'no violation' : wrong.join('; ')}`);
  }
  return seeds;
}

async function runOnSeparatePostgres(folder: string): Promise<Check[]> {
  const postgres = await startExternalPostgres();
  const url = postgres.settings.SLIPWAY_SANDBOX_DATABASE_URL;
  await migrate(url, new URL('../server/migrations/plane', import.meta.url).pathname);
  const setup = await openWebhookSetup(url, postgres.superuserUrl);
  try {
    return combineSeeds('Postgres killed', await runSeeds((seed) => crashPostgres(setup, postgres, folder, seed)));
  } finally {
    await setup.close();
    await postgres.remove();
  }
}

/** The worker has in-flight deliveries, which it begins before it receives any notification. */
const SUSPENDED_WORKER = { fault: 'stopped', beginsLate: true } as const;

const MUTANTS: Record<string, Partial<RevokeOptions>> = {
  'a worker without the pre-send check': { ...SUSPENDED_WORKER, isWithoutPermit: true },
  'a worker whose claims the revocation barrier does not see': { hidesClaims: true },
  'a worker that claims through a revoked key': { hasSecondKey: true, claimsRevokedKeys: true },
  'a resource scope that claims do not check': { isOfScope: true, isEarlier: true },
  'a revoke that cancels in-flight deliveries for events:read only': {
    ...SUSPENDED_WORKER,
    isOfScope: true,
    stopsEventsReadOnly: true,
  },
};

async function proveMutants(setup: WebhookSetup, folder: string): Promise<Check[]> {
  const checks: Check[] = [];
  for (const [name, wrong] of Object.entries(MUTANTS)) {
    const input = { ...LOAD, ...QUICK, revokes: FAULTS, ...wrong, enough: MUTANT_VIOLATIONS };
    const { late, revoked } = await watchRevokes(setup, folder, input);
    checks.push({
      name: `detected: ${name}`,
      ok: late.length >= MUTANT_VIOLATIONS,
      figure: `${late.length} violations in ${revoked.length} revokes (at least ${MUTANT_VIOLATIONS})`,
    });
  }
  return checks;
}

/** Judges revocations of the first of two keys: the deliveries of the endpoints continue through the second one. */
const judgeSecondKey = (report: RevocationReport): Check[] => [
  ...judgeRevokes('the first of two keys', report, ANSWERED_MS),
  atLeast('the first of two keys: requests that continued', report.continued, report.revoked.length, 'requests'),
];

async function proveRevokes(setup: WebhookSetup, folder: string): Promise<Check[]> {
  const watch = (changes: Partial<RevokeOptions>) => watchRevokes(setup, folder, { ...LOAD, ...changes });
  const fault = { revokes: FAULTS } as const;
  return [
    ...judgeRevokes('slow receivers', await watch({}), ANSWERED_MS),
    ...judgeRevokes('quick receivers', await watch(QUICK), ANSWERED_MS),
    ...judgeRevokes('a worker is killed', await watch({ ...fault, fault: 'killed' }), ANSWERED_IN_FAULT_MS),
    ...judgeRevokes('a worker is stopped', await watch({ ...fault, fault: 'stopped' }), ANSWERED_IN_FAULT_MS),
    ...judgeRevokes(
      'a worker is stopped, quick receivers',
      await watch({ ...fault, ...QUICK, fault: 'stopped' }),
      ANSWERED_IN_FAULT_MS,
    ),
    ...judgeRevokes(
      'a worker is stopped after it claimed deliveries',
      await watch({ ...fault, ...QUICK, ...SUSPENDED_WORKER }),
      ANSWERED_IN_FAULT_MS,
    ),
    ...judgeSecondKey(await watch({ ...fault, ...QUICK, hasSecondKey: true })),
    ...judgeRevokes('the scope of publications', await watch({ ...fault, isOfScope: true }), ANSWERED_MS),
    ...judgeRevokes(
      'the scope of publications, a worker is stopped after it claimed deliveries',
      await watch({ ...fault, ...QUICK, ...SUSPENDED_WORKER, isOfScope: true }),
      ANSWERED_IN_FAULT_MS,
    ),
  ];
}

/** Proves that a crash or a revocation treats a delivery that was handed off like a claimed one. */
async function proveHandOffs(setup: WebhookSetup, folder: string): Promise<Check[]> {
  const crashes = combineSeeds('killed after a hand-off', await runSeeds((seed) => crashHandOffs(setup, folder, seed)));
  const watch = (changes: Partial<RevokeOptions>) =>
    watchRevokes(setup, folder, { ...LOAD, ...QUICK, workers: 2, handsOff: true, ...changes });
  const judge = (name: string, report: RevocationReport, limitMs: number): Check[] => [
    ...judgeRevokes(`hand-off, ${name}`, report, limitMs),
    atLeast(
      `hand-off, ${name}: deliveries that were handed off`,
      report.handedOff,
      report.revoked.length,
      'deliveries',
    ),
  ];
  const fault = { revokes: FAULTS } as const;
  const { late } = await watch({ ...fault, hidesHandOffs: true, enough: MUTANT_VIOLATIONS });
  return [
    ...crashes,
    ...judge('revocations', await watch({}), ANSWERED_MS),
    ...judge('a process is killed', await watch({ ...fault, fault: 'killed' }), ANSWERED_IN_FAULT_MS),
    ...judge('a process is stopped', await watch({ ...fault, fault: 'stopped' }), ANSWERED_IN_FAULT_MS),
    {
      name: 'detected: a hand-off that the revocation barrier does not see',
      ok: late.length >= MUTANT_VIOLATIONS,
      figure: `${late.length} violations (at least ${MUTANT_VIOLATIONS})`,
    },
  ];
}

const ISOLATION = {
  manner: 'hang',
  isShared: false,
  emitEveryMs: 100,
  // The compiler settles: p95 was two to three times as high in the first seconds of a worker.
  warmUpMs: 10_000,
  withoutMs: numberAfter('--seconds', 30) * 1_000,
  buildUpMs: 20_000,
  withMs: numberAfter('--seconds', 30) * 1_000,
  limit: 1.2,
} as const;

/** Twenty slow endpoints of two apps. */
const TWENTY_SLOW_ENDPOINTS = { ...ISOLATION, apps: 2, endpoints: 10, slow: 10, leastOpen: 10 } as const;

const SLOW_BEHAVIOURS: readonly SlowBehaviour[] = ['hang', 'tarpit', 2_000, 5_000, 14_000];

const SCENES: readonly IsolationOptions[] = [
  { ...ISOLATION, apps: 10, endpoints: 10, slow: 10, leastOpen: 50 },
  ...SLOW_BEHAVIOURS.flatMap((manner) =>
    [false, true].map((isShared) => ({ ...TWENTY_SLOW_ENDPOINTS, manner, isShared })),
  ),
  // Each event has a delivery per endpoint, so there are fewer events: otherwise the queue's growth would be measured.
  { ...TWENTY_SLOW_ENDPOINTS, slow: 100, isShared: true, emitEveryMs: 400 },
  { ...TWENTY_SLOW_ENDPOINTS, apps: 1, slow: 20, isShared: true },
];

async function proveIsolations(setup: WebhookSetup, folder: string): Promise<Check[]> {
  const checks: Check[] = [];
  for (const input of SCENES) checks.push(...(await proveIsolation(setup, folder, input)));
  return checks;
}

const PROOFS: Record<string, (setup: WebhookSetup, folder: string) => Promise<Check[]>> = {
  crashes: async (setup, folder) =>
    combineSeeds('killed at every step', await runSeeds((seed) => crashEverywhere(setup, folder, seed))),
  postgres: (_, folder) => runOnSeparatePostgres(folder),
  revoke: proveRevokes,
  mutant: proveMutants,
  'hand-off': proveHandOffs,
  isolation: proveIsolations,
  backlog: (setup, folder) => proveBacklog(setup, folder, { events: 5_000, mostMs: 5_000 }),
  hostile: (setup, folder) => proveHostile(setup, folder, numberAfter('--each', 8)),
};

const only = argument('--only')?.split(',');
const checks: Check[] = [];
for (const [name, prove] of Object.entries(PROOFS)) {
  if (only?.includes(name) === false) continue;
  progress(`--- ${name}`);
  // A separate database, so that the rows of one proof do not burden the next.
  const folder = await temporaryFolder();
  const database = await startBenchDatabase(folder.path);
  const setup = await openWebhookSetup(database.url, database.superuserUrl);
  try {
    checks.push(...(await prove(setup, folder.path)));
  } finally {
    await setup.close();
    await database.stop();
    await folder.remove();
  }
}
conclude('webhooks', checks);
