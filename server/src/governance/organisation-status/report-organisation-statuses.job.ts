// Reports the status of organisations until each environment has confirmed the latest, and erases organisations whose
// grace period is over. The work is stored in the database, so any number of Consoles may run this job, and another one
// continues after a crash.
import { processInBatches } from '../../kit/flow/batches.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import { type OrganisationStatusServices, reportAndErase } from './report-organisation-status.ts';
import { beginErasing, listUnconfirmedOrganisations } from './store.ts';

const RUN_EVERY_MS = 5_000;

/** Starts the job. `onReported` is called after each batch of reports, whether environments confirmed them or not. */
export function startOrganisationStatusReports(
  services: OrganisationStatusServices,
  onError: (error: unknown) => void,
  onReported: () => Promise<void>,
): Loop {
  const run = async (): Promise<void> => {
    if (await reportOrganisationStatuses(services, onError)) await onReported();
  };
  return startLoop(run, RUN_EVERY_MS, onError);
}

/** Returns whether there was a status to report. An organisation whose report fails delays no other organisation. */
export async function reportOrganisationStatuses(
  services: OrganisationStatusServices,
  onError: (error: unknown) => void,
): Promise<boolean> {
  const { db, environments } = services;
  await beginErasing(db);
  const names = environments.map(({ name }) => name);
  // After a reopening all organisations wait.
  return processInBatches(
    (limit) => listUnconfirmedOrganisations(db, names, limit),
    (organisationId) => reportAndErase(services, organisationId).catch(onError),
  );
}
