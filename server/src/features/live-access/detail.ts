// A request with all that is shown beside it.
import type { Queryable } from '../../kit/db.ts';
import { findLiveAccess } from './access-store.ts';
import type { RequestRow } from './live-access.ts';
import { type LiveAccessRequestDetail, toDetail } from './shown.ts';
import { listRequestRows, listSteps } from './store.ts';

const MOST_STEPS = 200;

export async function detailOf(tx: Queryable, row: RequestRow): Promise<LiveAccessRequestDetail> {
  const access = await findLiveAccess(tx, row.organisation_id, row.app_id);
  return toDetail(row, access, await listSteps(tx, row.request_id, MOST_STEPS));
}

/** The organisation's next requests after one, newest first, as its members see them; and where the next page begins. */
export async function readRequests(
  db: Queryable,
  organisationId: string,
  after: string | undefined,
  limit: number,
): Promise<{ requests: LiveAccessRequestDetail[]; last: string | undefined }> {
  const rows = await listRequestRows(db, organisationId, { appId: undefined, after, limit });
  const requests: LiveAccessRequestDetail[] = [];
  for (const row of rows) requests.push(await detailOf(db, row));
  return { requests, last: rows.length < limit ? undefined : rows.at(-1)?.request_id };
}
