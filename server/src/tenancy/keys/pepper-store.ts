// The SQL of the rotation of peppers.

import { KEY_STATE, type Tenant, type VerifierRenewal } from '../../access/authority/index.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';

/**
 * Replaces the verifier of a key. Changes nothing if another node has already replaced it. Does not change the key's
 * state, so the trigger that waits for mutations does not run.
 */
export async function renewVerifier(tenant: Tenant, renewal: VerifierRenewal): Promise<void> {
  await tenant.query(sql`
    update keys set verifier = ${renewal.verifier}, pepper_version = ${renewal.pepperVersion}::smallint
    where app_id = ${tenant.appId} and key_id = ${renewal.keyId}
      and pepper_version = ${renewal.fromVersion}::smallint`);
}

/** Counts the keys that can still be used by the version of their pepper, for the worker's role. */
export function countByPepper(db: Queryable): Promise<{ version: number; keys: number }[]> {
  return db.query(sql`
    select k.pepper_version as version, count(*)::int as keys from keys k
    where ${KEY_STATE} = 'active' and k.expires_at > clock_timestamp()
    group by k.pepper_version order by k.pepper_version`);
}
