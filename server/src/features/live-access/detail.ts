// A request with all that is shown beside it.
import type { Queryable } from '../../kit/db.ts';
import { findLiveAccess } from './access-store.ts';
import type { RequestRow } from './live-access.ts';
import { type LiveAccessRequestDetail, toDetail } from './shown.ts';
import { listSteps } from './store.ts';

const MOST_STEPS = 200;

export async function detailOf(tx: Queryable, row: RequestRow): Promise<LiveAccessRequestDetail> {
  const access = await findLiveAccess(tx, row.organisation_id, row.app_id);
  return toDetail(row, access, await listSteps(tx, row.request_id, MOST_STEPS));
}
