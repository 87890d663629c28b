// A unit of work inside an app and its organisation without a member: jobs, reports of leaked keys, reports of the
// upstream API.
import type { WorkPort } from './plane.ts';
import { findOrganisationOfApp } from './process-access-store.ts';
import { type AppStatusRow, findApp } from './store.ts';
import { createTenantReader } from './tenant-store.ts';
import { type PlaneScope, planeWork, type TenantWork, withTenant } from './unit-of-work.ts';

interface InAppContext extends TenantWork {
  app: AppStatusRow;
}

/**
 * Resolves after the commit and the cancellation of in-flight deliveries. Resolves to undefined if no such app exists.
 */
export async function runInApp<T>(
  plane: WorkPort,
  appId: string,
  scope: Omit<PlaneScope, 'organisationId' | 'appId'>,
  run: (context: InAppContext) => Promise<T>,
): Promise<T | undefined> {
  const organisationId = await findOrganisationOfApp(createTenantReader(plane.db.api, appId));
  if (organisationId === undefined) return undefined;
  return planeWork(plane, { ...scope, organisationId }, async (work) => {
    const app = await findApp(work.tx, organisationId, appId);
    return app && run({ ...withTenant(work, appId), app });
  });
}
