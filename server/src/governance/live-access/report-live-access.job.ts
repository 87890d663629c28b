// Reports live access to production until it has confirmed the latest version. The work is stored in the database, so
// any number of Consoles may run this job, and another one continues after a crash.
import { processInBatches } from '../../kit/flow/batches.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import { listUnconfirmed } from './access-store.ts';
import { type LiveAccessServices, reportLiveAccess } from './report-live-access.ts';

const RUN_EVERY_MS = 5_000;

/** Starts the job. `onReported` is called after each batch of reports, whether production confirmed them or not. */
export function startLiveAccessReports(
  services: LiveAccessServices,
  onError: (error: unknown) => void,
  onReported: () => Promise<void>,
): Loop {
  const run = async (): Promise<void> => {
    if (await reportUnconfirmedAccess(services, onError)) await onReported();
  };
  return startLoop(run, RUN_EVERY_MS, onError);
}

/** Returns whether there was an approval to report. An app whose report fails delays no other app. */
export function reportUnconfirmedAccess(
  services: LiveAccessServices,
  onError: (error: unknown) => void,
): Promise<boolean> {
  // After a reopening all approvals wait.
  return processInBatches(
    (limit) => listUnconfirmed(services.db, limit),
    ({ organisation_id, app_id }) => reportLiveAccess(services, organisation_id, app_id).catch(onError),
  );
}
