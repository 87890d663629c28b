// Opens a tenant: what runs in it can see one app's rows.
import type { TransactionOptions } from '../../kit/db/db.ts';
import type { Reader } from './plane.ts';
import type { Tenant, TenantTransaction } from './store.ts';
import { aloneIn, openTenant, tenantSetting } from './tenant-store.ts';

/** One transaction. */
export function asTenant<T>(
  db: Reader,
  appId: string,
  run: (tenant: TenantTransaction) => Promise<T>,
  options?: TransactionOptions,
): Promise<T> {
  return db.transaction((tx) => run(openTenant(tx, appId)), options);
}

/** Each query in one round trip and a transaction of its own. */
export function readerOf(db: Reader, appId: string): Tenant {
  return aloneIn(appId, (statement) => db.together([tenantSetting(appId), statement]));
}
