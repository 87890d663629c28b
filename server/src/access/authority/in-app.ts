// One transaction of the manager's role inside an app and its organisation, where no member of it has asked.
import { type AuditEntry, appendAuditEntry } from '../audit/index.ts';
import type { OrganisationContext } from './actor.ts';
import { type AfterCommit, committed } from './after-commit.ts';
import type { Denial, Plane } from './plane.ts';
import { type AppRow, findApp, type TenantTransaction } from './store.ts';
import { readerOf } from './tenant.ts';
import { openTenant, setOrganisation } from './tenant-store.ts';
import { findOwner } from './unasked-store.ts';

export interface InAppContext {
  organisationId: string;
  app: AppRow;
  tenant: TenantTransaction;
  audit: OrganisationContext['audit'];
  stopAfterCommit(denial: Omit<Denial, 'appId'>): void;
  wakeAfterCommit: AfterCommit['wakeAfterCommit'];
}

/** By whom, as the audit log has it. Resolves once it is committed and its stops are done; undefined when there is no such app. */
export async function inApp<T>(
  plane: Plane,
  appId: string,
  by: Pick<AuditEntry, 'actor' | 'requestId' | 'clientAddress'>,
  run: (context: InAppContext) => Promise<T>,
): Promise<T | undefined> {
  const organisationId = await findOwner(readerOf(plane.db.api, appId));
  if (organisationId === undefined) return undefined;
  const { manager } = plane.db;
  return committed<T | undefined>(plane, manager.transaction, async (tx, { stopAfterCommit, wakeAfterCommit }) => {
    setOrganisation(tx, organisationId);
    const app = await findApp(tx, organisationId, appId);
    if (!app) return undefined;
    return run({
      organisationId,
      app,
      tenant: openTenant(tx, appId),
      audit: (action, target, detail = {}, ofApp) =>
        appendAuditEntry(tx, { ...by, organisationId, appId: ofApp ?? null, action, target, detail }),
      stopAfterCommit: (denial) => stopAfterCommit({ appId, ...denial }),
      wakeAfterCommit,
    });
  });
}
