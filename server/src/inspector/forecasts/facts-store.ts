// The SQL of the current state that decides about recorded requests and deliveries.

import {
  type AppStatus,
  KEY_SCOPES,
  KEY_STATE_COLUMNS,
  type KeyState,
  type Scope,
  type Tenant,
} from '../../access/authority/index.ts';
import { sql } from '../../kit/db/sql.ts';

export interface ForecastKeyRow extends KeyState {
  key_id: string;
  predecessor_id: string | null;
  created_at_ms: number;
  scopes: Scope[];
}

/** Returns the keys, and the keys that their rotations created. */
export function listKeysAndSuccessors(tenant: Tenant, keyIds: readonly string[]): Promise<ForecastKeyRow[]> {
  return tenant.query(sql`
    with recursive line as (
      select key_id from keys where app_id = ${tenant.appId} and key_id = any(${keyIds}::uuid[])
      union
      select s.key_id from line join keys s on s.app_id = ${tenant.appId} and s.predecessor_id = line.key_id)
    select k.key_id, k.predecessor_id, (extract(epoch from k.created_at) * 1000)::float8 as created_at_ms,
      ${KEY_STATE_COLUMNS}, ${KEY_SCOPES} as scopes
    from line join keys k on k.app_id = ${tenant.appId} and k.key_id = line.key_id
    join apps a on a.app_id = k.app_id`);
}

/** A key lives for 30 days at most, so the requests of a longer line are past the period. Rotations can be more frequent. */
const MAX_PREDECESSORS = 1_000;

/** Returns the key and the keys that it replaced, newest first. */
export async function listKeyLine(tenant: Tenant, keyId: string): Promise<string[]> {
  const rows = await tenant.query<{ key_id: string }>(sql`
    with recursive line as (
      select key_id, predecessor_id, 1 as nth from keys where app_id = ${tenant.appId} and key_id = ${keyId}
      union all
      select p.key_id, p.predecessor_id, line.nth + 1 from line
        join keys p on p.app_id = ${tenant.appId} and p.key_id = line.predecessor_id
        where line.nth < ${MAX_PREDECESSORS}::int)
    select key_id from line order by nth`);
  return rows.map(({ key_id }) => key_id);
}

export interface AppFactsRow {
  status: AppStatus;
  approved_scopes: Scope[];
  enforces_event_scopes: boolean;
}

export function findAppFacts(tenant: Tenant): Promise<AppFactsRow | undefined> {
  return tenant.first(sql`
    select standing as status, approved_scopes, enforces_event_scopes from apps where app_id = ${tenant.appId}`);
}
