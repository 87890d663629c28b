// The SQL of current grants: the latest installation on a server, and the latest grant of each scope in it
// (docs/decisions/0077). Earlier installations and grants are history.
import { type Sql, sql } from '../../kit/db/sql.ts';
import { grantor, isOperatorContract, titleFieldsOf } from '../contracts/index.ts';

const latestInstallation = (columns: Sql, appId: Sql, serverId: Sql): Sql => sql`select ${columns} from installations
  where app_id = ${appId} and server_id = ${serverId} order by installation_id desc limit 1`;
const latestGrant = (column: Sql, appId: Sql, installationId: Sql, scope: Sql): Sql => sql`select ${column}
  from installation_scopes where app_id = ${appId} and installation_id = ${installationId} and scope = ${scope}
  order by grant_id desc limit 1`;

const INSTALLATION_COLUMNS = sql`app_id, installation_id, state, is_over_cap`;

/**
 * Selects servers s, each with its current installation i and the last statement u of the upstream API. The columns of
 * i and u are null without an installation or a statement.
 */
export const INSTALLED_SERVERS: Sql = sql`servers s
  left join upstream_installations u on u.app_id = s.app_id and u.server_id = s.server_id and u.stated_version = u.version
  left join lateral (${latestInstallation(INSTALLATION_COLUMNS, sql`s.app_id`, sql`s.server_id`)}) i on true`;

/** Selects the first value of these fields of object o that is not empty; otherwise the key of the object. */
export const storedTitle = (fields: readonly string[], mostCharacters: number): Sql =>
  sql`left(coalesce((select o.data ->> t.field from unnest(${fields}::text[]) with ordinality t (field, nth)
    where o.data ->> t.field <> '' order by t.nth limit 1), o.key), ${mostCharacters}::int)`;

/** Selects the name of server s. A server of an operator's contract has the name of the object that grants. */
export const SERVER_NAME: Sql =
  grantor && isOperatorContract
    ? sql`coalesce((select ${storedTitle(titleFieldsOf(grantor), 100)} from objects o
        where o.app_id = s.app_id and o.object_id = s.server_id), s.name)`
    : sql`s.name`;

/** Joins the current grant g of a scope in installation i. */
export const joinCurrentGrant = (scope: Sql): Sql =>
  sql`left join lateral (${latestGrant(sql`state`, sql`i.app_id`, sql`i.installation_id`, scope)}) g on true`;

/** Selects each scope of an installation with the state of its current grant, as a JSON array. */
export const currentScopes = (appId: Sql, installationId: Sql): Sql => sql`(select coalesce(json_agg(g), '[]') from (
  select distinct on (scope) scope, state from installation_scopes
  where app_id = ${appId} and installation_id = ${installationId} order by scope, grant_id desc) g)`;

/** Selects a column of the current installation on a server. */
export const currentInstallation = (column: Sql, appId: Sql, serverId: Sql): Sql =>
  sql`(${latestInstallation(column, appId, serverId)})`;

/** Selects a column of the current grant of a scope on a server. */
export const currentGrant = (
  column: Sql,
  { appId, serverId, scope }: Record<'appId' | 'serverId' | 'scope', Sql>,
): Sql => sql`(${latestGrant(column, appId, currentInstallation(sql`installation_id`, appId, serverId), scope)})`;
