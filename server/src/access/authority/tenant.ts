// Opens a tenant: its statements can see the rows of one app only.
import type { TransactionOptions } from '../../kit/db/db.ts';
import type { ReadDatabase } from './plane.ts';
import type { Tenant, TenantTransaction } from './store.ts';
import { createTenant, openTenant, tenantSetting } from './tenant-store.ts';

/** Runs one transaction. */
export function runAsTenant<T>(
  db: ReadDatabase,
  appId: string,
  run: (tenant: TenantTransaction) => Promise<T>,
  options?: TransactionOptions,
): Promise<T> {
  return db.transaction((tx) => run(openTenant(tx, appId)), options);
}

/** Runs each query in one round trip and a separate transaction. */
export function createTenantReader(db: ReadDatabase, appId: string): Tenant {
  return createTenant(appId, (statement) => db.together([tenantSetting(appId), statement]));
}
