// Returns the identifiers of the deprecations that requests of an app named in the counted days. A field of a response and
// events are excluded: an app that receives them may ignore them.
import type { Tenant } from '../../access/authority/index.ts';
import { isInRequest } from '../../kit/http/deprecation.ts';
import { ALL_DEPRECATIONS } from './deprecations.ts';
import { findUse } from './store.ts';

export async function listUsedDeprecationIds(tenant: Tenant): Promise<string[]> {
  const found: string[] = [];
  for (const deprecation of ALL_DEPRECATIONS.filter(isInRequest)) {
    if ((await findUse(tenant, tenant.appId, deprecation)).uses > 0) found.push(deprecation.id);
  }
  return found.sort();
}
