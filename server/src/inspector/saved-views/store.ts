// The SQL of saved views, in the Console's database. Each statement is limited to the views of one member.
import { newUuid } from '../../kit/crypto/ids.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import { MAX_VIEWS, type SavedViewRow } from './saved-view.ts';

interface ViewOwner {
  organisationId: string;
  personId: string;
}

/** Returns the views in the order of their names. */
export function listViews(db: Queryable, { organisationId, personId }: ViewOwner): Promise<SavedViewRow[]> {
  return db.query(sql`select view_id, app_id, page, name, filters from saved_views
    where organisation_id = ${organisationId} and person_id = ${personId}
    order by lower(name), view_id limit ${MAX_VIEWS}`);
}

/**
 * Stores the view, in place of the view with the same app, page and name. Returns undefined if the member has
 * MAX_VIEWS other views. The caller holds the lock of the organisation, so the count includes concurrent calls.
 */
export async function upsertView(
  tx: Queryable,
  { organisationId, personId }: ViewOwner,
  view: Omit<SavedViewRow, 'view_id'>,
): Promise<SavedViewRow | undefined> {
  const { app_id, page, name, filters } = view;
  const rows = await tx.query<SavedViewRow>(sql`
    with others as (
      select count(*) as number from saved_views
      where organisation_id = ${organisationId} and person_id = ${personId}
        and (app_id, page, name) <> (${app_id}::uuid, ${page}::text, ${name}::text))
    insert into saved_views (view_id, organisation_id, person_id, app_id, page, name, filters)
    select ${newUuid()}::uuid, ${organisationId}::uuid, ${personId}::text, ${app_id}::uuid, ${page}::text, ${name}::text,
      ${filters}::text
    from others where number < ${MAX_VIEWS}
    on conflict (organisation_id, person_id, app_id, page, name) do update set filters = excluded.filters
    returning view_id, app_id, page, name, filters`);
  return rows[0];
}

/** Returns the apps of the member's views. */
export async function listViewedApps(tx: Queryable, { organisationId, personId }: ViewOwner): Promise<string[]> {
  const rows = await tx.query<{ app_id: string }>(sql`select distinct app_id from saved_views
    where organisation_id = ${organisationId} and person_id = ${personId} limit ${MAX_VIEWS}`);
  return rows.map((row) => row.app_id);
}

/** Deletes the member's views of these apps. A member has at most MAX_VIEWS views. */
export async function deleteViewsOfApps(
  tx: Queryable,
  { organisationId, personId }: ViewOwner,
  appIds: readonly string[],
): Promise<void> {
  await tx.query(sql`delete from saved_views
    where organisation_id = ${organisationId} and person_id = ${personId} and app_id = any(${appIds}::uuid[])`);
}

/** Returns false if the member has no such view. */
export async function deleteView(
  tx: Queryable,
  { organisationId, personId }: ViewOwner,
  viewId: string,
): Promise<boolean> {
  const rows = await tx.query(sql`delete from saved_views
    where view_id = ${viewId} and organisation_id = ${organisationId} and person_id = ${personId} returning view_id`);
  return rows.length === 1;
}
