// The SQL of calls: which key of the app is meant.

import type { Tenant } from '../../access/authority/index.ts';
import { sql } from '../../kit/db/sql.ts';

/** The public half of a key; undefined when the app has no such key. */
export async function findKid(tenant: Tenant, keyId: string): Promise<string | undefined> {
  const rows = await tenant.query<{ kid: string }>(
    sql`select kid from keys where app_id = ${tenant.appId} and key_id = ${keyId}`,
  );
  return rows[0]?.kid;
}
