// Reads requests with all details that a page shows for each request.
import type { Queryable } from '../../kit/db/db.ts';
import { listLiveAccessOf } from './access-store.ts';
import type { LiveAccessRequestRow, StepRow } from './live-access.ts';
import { type LiveAccessRequestDetail, toDetail } from './live-access-views.ts';
import { listRequestRows, listSteps } from './store.ts';

const MOST_STEPS = 200;

/**
 * Returns the details of requests of one organisation, in the order of the requests, with two queries for any number of
 * requests.
 */
async function detailsOf(
  tx: Queryable,
  organisationId: string,
  rows: readonly LiveAccessRequestRow[],
): Promise<LiveAccessRequestDetail[]> {
  const appIds = [...new Set(rows.map((row) => row.app_id))];
  const [access, steps] = await Promise.all([
    listLiveAccessOf(tx, organisationId, appIds),
    listSteps(
      tx,
      rows.map((row) => row.request_id),
      MOST_STEPS,
    ),
  ]);
  const accessOf = new Map(access.map((one) => [one.app_id, one]));
  const stepsOf = new Map<string, StepRow[]>();
  for (const step of steps) stepsOf.set(step.request_id, [...(stepsOf.get(step.request_id) ?? []), step]);
  return rows.map((row) => toDetail(row, accessOf.get(row.app_id), stepsOf.get(row.request_id) ?? []));
}

export async function detailOf(tx: Queryable, row: LiveAccessRequestRow): Promise<LiveAccessRequestDetail> {
  const [detail] = await detailsOf(tx, row.organisation_id, [row]);
  return detail as LiveAccessRequestDetail; // one detail per row
}

/**
 * Returns the next requests of the organisation after a request, newest first, as its members see them. `last` is where
 * the next page begins.
 */
export async function readRequests(
  db: Queryable,
  organisationId: string,
  after: string | undefined,
  limit: number,
): Promise<{ requests: LiveAccessRequestDetail[]; last: string | undefined }> {
  const rows = await listRequestRows(db, organisationId, { appId: undefined, after, limit });
  const requests = await detailsOf(db, organisationId, rows);
  return { requests, last: rows.length < limit ? undefined : rows.at(-1)?.request_id };
}
