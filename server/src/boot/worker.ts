// The jobs of a worker: housekeeping, erasure, compaction of records, warnings of expiring keys and failing endpoints,
// redeliveries, webhook dispatch, and receiver drills.

import { isPlaneClosed } from '../access/authority/index.ts';
import { startSealing } from '../inspector/requests/index.ts';
import { createOutbound } from '../kit/outbound/outbound.ts';
import type { Log } from '../kit/telemetry/log.ts';
import { type Retention, startHousekeeping } from '../platform/housekeeping/index.ts';
import { startJournal } from '../platform/revocation-journal/index.ts';
import { startErasing } from '../tenancy/apps/index.ts';
import { type EventScopesSetting, startEnforcingEventScopes } from '../tenancy/event-scopes/index.ts';
import { startExpiryWarnings, startPepperCount } from '../tenancy/keys/index.ts';
import { type Dispatcher, startDispatcher, startFailureWarnings } from '../webhooks/dispatch/index.ts';
import { startDrills } from '../webhooks/drills/index.ts';
import { startRedeliveries } from '../webhooks/redeliveries/index.ts';
import { startForgettingSecrets, startResealing } from '../webhooks/webhooks/index.ts';
import { watchGate } from './gate.ts';
import type { OpenPlane } from './plane.ts';
import type { Lifetime } from './process.ts';

/** Runs a worker while the restore gate of its plane is open; returns its measures. */
export async function runWorker(
  open: OpenPlane,
  start: typeof startWorker,
  options: Parameters<typeof startWorker>[1],
  log: Log,
  lifetime: Lifetime,
): Promise<Pick<Dispatcher, 'measures'>> {
  let dispatcher: Dispatcher | undefined;
  const gate = await watchGate(() => isPlaneClosed(open.worker), log, lifetime);
  await gate.whileOpen(async (jobs) => {
    dispatcher = await start(open, options, log, jobs);
    jobs.onStop(async () => {
      dispatcher = undefined;
    });
  }, lifetime);
  return { measures: () => dispatcher?.measures() ?? { inFlight: 0, attempts: [] } };
}

export async function startWorker(
  open: OpenPlane,
  options: {
    webhookAllowHosts: readonly string[];
    webhookAllowCidrs: readonly string[];
    retention: Retention;
    revocationJournal?: string | undefined;
    eventScopes: EventScopesSetting;
  },
  log: Log,
  lifetime: Lifetime,
): Promise<Dispatcher> {
  const { worker, keeper, dispatch, plane } = open;
  const housekeeping = await startHousekeeping(worker, options.retention, (error) => log.error('housekeeping', error));
  lifetime.onStop(() => housekeeping.stop());
  const warnings = startExpiryWarnings(worker, (error) => log.error('warnings of an expiry', error));
  lifetime.onStop(() => warnings.stop());
  const failures = startFailureWarnings(worker, (error) => log.error('warnings of failures', error));
  lifetime.onStop(() => failures.stop());
  const enforcing = startEnforcingEventScopes(worker, plane, options.eventScopes, (error) =>
    log.error('enforcing the scopes of events', error),
  );
  lifetime.onStop(() => enforcing.stop());
  const erasing = startErasing(worker, (error) => log.error('erasing', error));
  lifetime.onStop(() => erasing.stop());
  const sealing = startSealing(keeper, worker, (error) => log.error('sealing of records', error));
  lifetime.onStop(() => sealing.stop());
  const peppers = startPepperCount(worker, plane.peppers, log);
  lifetime.onStop(() => peppers.stop());
  const resealing = startResealing(worker, plane.masterKeys, log);
  lifetime.onStop(() => resealing.stop());
  const forgetting = startForgettingSecrets(worker, (error) => log.error('signing secrets', error));
  lifetime.onStop(() => forgetting.stop());
  const journal = startJournal(worker, options.revocationJournal, plane.masterKeys, (error) =>
    log.error('revocation journal', error),
  );
  lifetime.onStop(() => journal.stop());
  const redeliveries = startRedeliveries(worker, plane, (error) => log.error('redeliveries', error));
  lifetime.onStop(() => redeliveries.stop());
  const outbound = createOutbound({ allowHosts: options.webhookAllowHosts, allowCidrs: options.webhookAllowCidrs });
  lifetime.onStop(() => outbound.close());
  const dispatcher = await startDispatcher({
    db: dispatch,
    outbound,
    masterKeys: plane.masterKeys,
    hasSpeeds: plane.environment === 'sandbox',
    log: (line) => log.info('webhook', line),
  });
  const drills = startDrills({
    db: worker,
    environment: plane.environment,
    send: dispatcher.probe,
    onError: (error) => log.error('drills', error),
  });
  const detach = open.attachDispatcher(dispatcher);
  lifetime.onStop(() => {
    detach();
    // The dispatcher stops first, because only it aborts a drill's request in flight.
    return Promise.all([dispatcher.stop(), drills.stop()]);
  });
  return dispatcher;
}
