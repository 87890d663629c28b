import type { Tenant } from '../../access/authority/index.ts';
import { type Deprecation, endsMs } from '../../kit/http/deprecation.ts';
import { type DeprecatedUse, toDeprecatedUse } from './deprecated-use.ts';
import { findUse, listAnswers } from './store.ts';

/** Returns the app's uses of these deprecations with the answers of members, the earliest end first. */
export async function readDeprecatedUses(
  tenant: Tenant,
  deprecations: readonly Deprecation[],
  publicUrl: string,
): Promise<DeprecatedUse[]> {
  const answers = await listAnswers(tenant);
  const uses: DeprecatedUse[] = [];
  for (const deprecation of [...deprecations].sort((a, b) => endsMs(a) - endsMs(b))) {
    const row = await findUse(tenant, tenant.appId, deprecation);
    const answer = answers.find((one) => one.deprecation_id === deprecation.id);
    if (row.uses > 0 || row.endpoints > 0) uses.push(toDeprecatedUse(row, deprecation, answer, publicUrl));
  }
  return uses;
}
