// Opens a tenant: a transaction in which one app's rows can be seen.
import type { Database } from '../../kit/db.ts';
import { setTenant, type Tenant } from './store.ts';

export function asTenant<T>(db: Database, appId: string, run: (tenant: Tenant) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await setTenant(tx, appId);
    return run({ appId, query: tx.query });
  });
}
