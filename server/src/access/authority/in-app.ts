// A unit of work inside an app and its organisation without a member: jobs, reports of leaked keys, reports of the upstream API.
import type { Plane } from './plane.ts';
import { type AppRow, findApp } from './store.ts';
import { readerOf } from './tenant.ts';
import { findOwner } from './unasked-store.ts';
import { inTenant, type PlaneScope, planeWork, type TenantWork } from './unit-of-work.ts';

export interface InAppContext extends TenantWork {
  app: AppRow;
}

/**
 * Resolves after the commit and the cancellation of in-flight deliveries. Resolves to undefined if no such app exists.
 */
export async function inApp<T>(
  plane: Plane,
  appId: string,
  scope: Omit<PlaneScope, 'organisationId' | 'appId'>,
  run: (context: InAppContext) => Promise<T>,
): Promise<T | undefined> {
  const organisationId = await findOwner(readerOf(plane.db.api, appId));
  if (organisationId === undefined) return undefined;
  return planeWork(plane, { ...scope, organisationId }, async (work) => {
    const app = await findApp(work.tx, organisationId, appId);
    return app && run({ ...inTenant(work, appId), app });
  });
}
