// The SQL of the uses of scopes. Every node writes them in batches, and they are read with the keys.
import type { Database } from '../../kit/db/db.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import { type ScopeUse, UNUSED_AFTER_DAYS } from './scope-use.ts';

const NO_SERVER = '00000000-0000-0000-0000-000000000000';

/** The current day in UTC. */
export const TODAY: Sql = sql`(clock_timestamp() at time zone 'utc')::date`;

/** The first of the counted days. The current day is the last one. */
const FIRST_DAY: Sql = sql`${TODAY} - ${UNUSED_AFTER_DAYS - 1}::int`;

/** Writes the uses in the order of their keys, so that two nodes cannot deadlock. */
export async function addScopeUses(db: Database, uses: readonly ScopeUse[]): Promise<void> {
  const noted = sql`unnest(${uses.map((use) => use.appId)}::uuid[], ${uses.map((use) => use.keyId)}::uuid[],
    ${uses.map((use) => use.serverId ?? NO_SERVER)}::uuid[], ${uses.map((use) => use.scope)}::text[],
    ${uses.map((use) => use.day)}::date[], ${uses.map((use) => use.uses)}::bigint[],
    ${uses.map((use) => use.isOfKey)}::bool[]) as n (app_id, key_id, server_id, scope, day, uses, is_of_key)`;
  await db.together([
    sql`
      insert into key_scope_uses as u (app_id, key_id, scope, day, uses)
      select app_id, key_id, scope, day, sum(uses) from ${noted} where is_of_key
      group by app_id, key_id, scope, day order by app_id, key_id, scope, day
      on conflict (app_id, key_id, scope, day) do update set uses = u.uses + excluded.uses`,
    sql`
      insert into grant_uses as g (app_id, server_id, scope, used_on)
      select app_id, server_id, scope, max(day) from ${noted}
      group by app_id, server_id, scope order by app_id, server_id, scope
      on conflict (app_id, server_id, scope) do update set used_on = excluded.used_on
        where excluded.used_on > g.used_on`,
  ]);
}

/**
 * Selects the uses of key k and of its predecessors within the counted days: whether the uses were counted for long
 * enough, and the number of uses of each scope. The limit of predecessors is exceeded only by several rotations per
 * day.
 */
export const SCOPE_USES: Sql = sql`(
  with recursive line as (
    select p.key_id, p.predecessor_id, p.created_at, 1 as nth from keys p where p.app_id = k.app_id and p.key_id = k.key_id
    union all
    select p.key_id, p.predecessor_id, p.created_at, line.nth + 1 from line
      join keys p on p.app_id = k.app_id and p.key_id = line.predecessor_id
      where line.nth < 100)
  select json_build_object(
    -- greatest() ignores a null: a key that is being inserted is not in its line yet.
    'isLongEnough', count(*) > 0 and greatest((min(created_at) at time zone 'utc')::date,
      (select counts_scopes_since from plane_state)) <= ${TODAY} - ${UNUSED_AFTER_DAYS}::int,
    'scopes', (
      select coalesce(json_agg(used), '[]') from (
        select u.scope, sum(u.uses)::int8 as uses, max(u.day) as "lastUsedOn"
        from line join key_scope_uses u on u.app_id = k.app_id and u.key_id = line.key_id and u.day >= ${FIRST_DAY}
        group by u.scope) used))
  from line)`;

/** Builds the condition that no request and no delivery used grant g of installation i within the counted days. */
export const isGrantUnused = (server: Sql, scope: Sql): Sql => sql`not exists (
  select from grant_uses u where u.app_id = i.app_id and u.server_id in (${server}, ${NO_SERVER}::uuid) and u.scope = ${scope}
    and u.used_on >= ${FIRST_DAY})`;
