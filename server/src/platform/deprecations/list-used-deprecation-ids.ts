// Returns the identifiers of the deprecations that an app used in the counted days.
import type { Tenant } from '../../access/authority/index.ts';
import { COUNTED_DAYS } from './deprecated-use.ts';
import { listUses } from './store.ts';

export async function listUsedDeprecationIds(tenant: Tenant): Promise<string[]> {
  return (await listUses(tenant, COUNTED_DAYS)).map(({ deprecation_id }) => deprecation_id).sort();
}
