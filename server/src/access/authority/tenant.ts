// Opens a tenant: its statements can see the rows of one app only.
import type { TransactionOptions } from '../../kit/db/db.ts';
import type { Reader } from './plane.ts';
import type { Tenant, TenantTransaction } from './store.ts';
import { aloneIn, openTenant, tenantSetting } from './tenant-store.ts';

/** Runs one transaction. */
export function asTenant<T>(
  db: Reader,
  appId: string,
  run: (tenant: TenantTransaction) => Promise<T>,
  options?: TransactionOptions,
): Promise<T> {
  return db.transaction((tx) => run(openTenant(tx, appId)), options);
}

/** Runs each query in one round trip and a separate transaction. */
export function readerOf(db: Reader, appId: string): Tenant {
  return aloneIn(appId, (statement) => db.together([tenantSetting(appId), statement]));
}
