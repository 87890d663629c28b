// The SQL of apps.
import type { Queryable } from '../../kit/db.ts';
import { sql } from '../../kit/sql.ts';
import type { AppRow } from './app.ts';

const COLUMNS = sql`app_id, organisation_id, name, state, created_by, created_at`;

export function listAppRows(tx: Queryable, organisationId: string, after: string | undefined, limit: number) {
  const beyond = after === undefined ? sql`` : sql`and app_id < ${after}`;
  return tx.query<AppRow>(sql`select ${COLUMNS} from apps where organisation_id = ${organisationId} ${beyond}
    order by app_id desc limit ${limit}`);
}

export async function findAppRow(tx: Queryable, organisationId: string, appId: string): Promise<AppRow | undefined> {
  const rows = await tx.query<AppRow>(
    sql`select ${COLUMNS} from apps where organisation_id = ${organisationId} and app_id = ${appId}`,
  );
  return rows[0];
}

export async function insertApp(
  tx: Queryable,
  app: { appId: string; organisationId: string; name: string; createdBy: string },
): Promise<AppRow> {
  const rows = await tx.query<AppRow>(sql`insert into apps (app_id, organisation_id, name, created_by)
    values (${app.appId}, ${app.organisationId}, ${app.name}, ${app.createdBy}) returning ${COLUMNS}`);
  return rows[0] as AppRow; // an insert without a conflict clause returns its row or throws
}
