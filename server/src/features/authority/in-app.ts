// One transaction of the manager's role inside an app and its organisation, where no member of it has asked.
import type { OrganisationContext } from './actor.ts';
import { auditIn } from './actor.ts';
import type { Plane } from './plane.ts';
import { type AppRow, findApp, findOwner, openTenant, setOrganisation, type TenantTransaction } from './store.ts';
import { readerOf } from './tenant.ts';

export interface InAppContext {
  organisationId: string;
  app: AppRow;
  tenant: TenantTransaction;
  audit: OrganisationContext['audit'];
}

/** `actor` is what the audit log calls whoever asked. Undefined when there is no such app. */
export async function inApp<T>(
  plane: Plane,
  appId: string,
  actor: string,
  run: (context: InAppContext) => Promise<T>,
): Promise<T | undefined> {
  const organisationId = await findOwner(readerOf(plane.db.api, appId));
  if (organisationId === undefined) return undefined;
  return plane.db.manager.transaction(async (tx) => {
    setOrganisation(tx, organisationId);
    const app = await findApp(tx, organisationId, appId);
    if (!app) return undefined;
    return run({ organisationId, app, tenant: openTenant(tx, appId), audit: auditIn(tx, organisationId, actor) });
  });
}
