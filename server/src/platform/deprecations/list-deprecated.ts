// Which deprecations an app has used in the counted time, by their identifiers.
import type { Tenant } from '../../access/authority/index.ts';
import { COUNTED_DAYS } from './deprecated-use.ts';
import { listUses } from './store.ts';

export async function listDeprecated(tenant: Tenant): Promise<string[]> {
  return (await listUses(tenant, COUNTED_DAYS)).map(({ deprecation_id }) => deprecation_id).sort();
}
