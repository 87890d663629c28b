// The jobs of a worker: housekeeping, erasure, compaction of records, warnings of expiring keys and failing endpoints,
// redeliveries, webhook dispatch, and receiver drills.

import { type Environment, isPlaneClosed } from '../access/authority/index.ts';
import type { Config } from '../config/config.ts';
import { startSigningInterrupted } from '../inspector/receipts/index.ts';
import { startCompaction } from '../inspector/requests/index.ts';
import type { Database } from '../kit/db/db.ts';
import { createOutboundClient } from '../kit/outbound/outbound.ts';
import type { Log } from '../kit/telemetry/log.ts';
import { type Retention, startHousekeeping } from '../platform/housekeeping/index.ts';
import { startJournal } from '../platform/revocation-journal/index.ts';
import { startAppErasure } from '../tenancy/apps/index.ts';
import { startDeprecationNotices } from '../tenancy/deprecation-notices/index.ts';
import { type EventScopesSetting, startEnforcingEventScopes } from '../tenancy/event-scopes/index.ts';
import { startExpiryWarnings, startPepperCount } from '../tenancy/keys/index.ts';
import { type Dispatcher, startDispatcher, startFailureWarnings } from '../webhooks/dispatch/index.ts';
import { startDrills } from '../webhooks/drills/index.ts';
import { startRedeliveries } from '../webhooks/redeliveries/index.ts';
import { startErasingSecrets, startResealing } from '../webhooks/webhooks/index.ts';
import { watchGate } from './gate-watch.ts';
import { type Job, type JobReports, reportFailure, startJobs } from './jobs.ts';
import { outboundRulesOf } from './outbound-rules.ts';
import type { OpenPlane } from './plane.ts';
import type { Lifetime } from './process.ts';

export interface WorkerOptions {
  webhookAllowHosts: readonly string[];
  webhookAllowCidrs: readonly string[];
  retention: Retention;
  revocationJournal?: string | undefined;
  eventScopes: EventScopesSetting;
  /** Whether the operator lets apps of the sandbox store headers and bodies; true if absent. */
  areCapturesAllowed?: boolean;
}

/** Reads the options of an environment's worker from the settings. */
export function workerOptions(config: Config, environment: Environment): WorkerOptions {
  const { webhookAllowHosts, webhookAllowCidrs } = config;
  const { retention, revocationJournal, eventScopes } = config.planes[environment];
  const areCapturesAllowed = config.captures.isAllowed;
  return { webhookAllowHosts, webhookAllowCidrs, retention, revocationJournal, eventScopes, areCapturesAllowed };
}

interface WorkerContext {
  open: OpenPlane;
  options: WorkerOptions;
  log: Log;
}

/** Jobs of a worker of either environment. `pool` is the database pool that a job uses (boot/plane.ts). */
const JOBS = [
  {
    name: 'housekeeping',
    pool: 'worker',
    start: (db, { options }, onError) => startHousekeeping(db, options.retention, onError),
  },
  { name: 'expiry-warnings', pool: 'worker', start: (db, _, onError) => startExpiryWarnings(db, onError) },
  { name: 'failure-warnings', pool: 'worker', start: (db, _, onError) => startFailureWarnings(db, onError) },
  {
    name: 'event-scopes',
    pool: 'worker',
    start: (db, { open, options }, onError) => startEnforcingEventScopes(db, open.plane, options.eventScopes, onError),
  },
  {
    name: 'deprecation-notices',
    pool: 'worker',
    start: (db, { open }, onError) => startDeprecationNotices(db, open.plane.deprecations.nowMs, onError),
  },
  { name: 'app-erasure', pool: 'worker', start: (db, _, onError) => startAppErasure(db, onError) },
  {
    name: 'record-compaction',
    pool: 'maintenance',
    start: (db, { open }, onError) => startCompaction(db, open.worker, onError),
  },
  {
    name: 'pepper-count',
    pool: 'worker',
    start: (db, { open, log }, onError) => startPepperCount(db, open.plane.secrets.peppers, log, onError),
  },
  {
    name: 'resealing',
    pool: 'worker',
    start: (db, { open, log }, onError) => startResealing(db, open.plane.secrets.masterKeys, log, onError),
  },
  { name: 'secret-erasure', pool: 'worker', start: (db, _, onError) => startErasingSecrets(db, onError) },
  {
    name: 'revocation-journal',
    pool: 'worker',
    start: (db, { open, options }, onError) =>
      startJournal(db, options.revocationJournal, open.plane.secrets.masterKeys, onError),
  },
  {
    name: 'revocation-receipts',
    pool: 'worker',
    start: (db, { open }, onError) => startSigningInterrupted(db, open.receipts, onError),
  },
  {
    name: 'redeliveries',
    pool: 'worker',
    start: (db, { open }, onError) => startRedeliveries(db, open.plane, onError),
  },
] as const satisfies readonly WorkerJob[];

export interface WorkerJob {
  name: string;
  pool: 'worker' | 'maintenance';
  start(
    db: Database,
    context: WorkerContext,
    onError: (error: unknown) => void,
  ): ReturnType<Job<WorkerContext>['start']>;
}

/** Binds each job to its pool. */
export const bindPools = (jobs: readonly WorkerJob[]): Job<WorkerContext>[] =>
  jobs.map(({ name, pool, start }) => ({
    name,
    start: (context, onError) => start(context.open[pool], context, onError),
  }));

/** Runs a worker while the restore gate of its plane is open; returns its measures. */
export async function runWorker(
  open: OpenPlane,
  start: typeof startWorker,
  options: WorkerOptions,
  reports: JobReports,
  lifetime: Lifetime,
): Promise<Pick<Dispatcher, 'measures'>> {
  let dispatcher: Dispatcher | undefined;
  const gate = await watchGate(() => isPlaneClosed(open.worker), reports.log, lifetime);
  await gate.whileOpen(async (jobs) => {
    dispatcher = await start(open, options, reports, jobs);
    jobs.onStop(async () => {
      dispatcher = undefined;
    });
  }, lifetime);
  return { measures: () => dispatcher?.measures() ?? { inFlight: 0, attempts: [] } };
}

export async function startWorker(
  open: OpenPlane,
  options: WorkerOptions,
  reports: JobReports,
  lifetime: Lifetime,
): Promise<Dispatcher> {
  const { log } = reports;
  const { worker, dispatch, plane } = open;
  await startJobs(bindPools(JOBS), { open, options, log }, reports, lifetime);
  const outbound = createOutboundClient(outboundRulesOf(options));
  lifetime.onStop(() => outbound.close());
  const dispatcher = await startDispatcher({
    db: dispatch,
    outbound,
    masterKeys: plane.secrets.masterKeys,
    environment: plane.environment,
    log: (line) => log.info('The webhook dispatcher reports an event.', line),
  });
  const drills = startDrills({
    db: worker,
    environment: plane.environment,
    send: dispatcher.probe,
    onError: reportFailure('drills', reports),
  });
  const detach = open.attachDispatcher(dispatcher);
  lifetime.onStop(() => {
    detach();
    // The dispatcher stops first, because only it aborts a drill's request in flight.
    return Promise.all([dispatcher.stop(), drills.stop()]);
  });
  return dispatcher;
}
