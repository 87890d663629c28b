// The SQL of tails: finds the records that became visible after a snapshot.

import type { Tenant } from '../../access/authority/index.ts';
import { sql } from '../../kit/db/sql.ts';
import { conditionsOf, REQUEST_COLUMNS, type RequestFilter, type RequestRow } from '../requests/index.ts';
import { lateSince, MAX_EXAMINED_RECORDS, type TailCursor, type TailReading } from './tail.ts';

export async function findSnapshot(tenant: Tenant): Promise<string> {
  const rows = await tenant.query<{ snapshot: string }>(sql`select pg_current_snapshot()::text as snapshot`);
  return rows[0]?.snapshot ?? '';
}

/**
 * Returns the condition that a row's transaction had not ended in a snapshot: it was in progress or began later. A
 * smaller age means a younger transaction, also after a wraparound of the 32 bits. A record is never written in a
 * subtransaction, which a snapshot does not name.
 */
const isUnseen = (snapshot: string) => sql`(
  age(r.xmin) <= (select age(pg_snapshot_xmax(${snapshot}::pg_snapshot)::xid))
  or r.xmin = any(array(select under_way::xid from pg_snapshot_xip(${snapshot}::pg_snapshot) as under_way)))`;

/** The second form is the row without a record, which exists if there are no new records. */
type TailRow = (RequestRow & { is_late: boolean }) | (Record<keyof RequestRow, null> & { is_late: null });
interface ScanInfo {
  snapshot: string;
  examined: number;
  last_examined: string | null;
}

/**
 * Reads new records in the one snapshot of this statement. Above the floor it reads a bounded number, oldest first.
 * Late records are at most those that were in progress when the floor was set.
 */
export async function readTailRows(
  tenant: Tenant,
  filter: RequestFilter,
  position: TailCursor,
  withLate: boolean,
): Promise<TailReading<RequestRow>> {
  const ofApp = sql`select r.* from request_records r where r.app_id = ${tenant.appId}`;
  const late = sql`${ofApp} and r.request_id > ${lateSince(position)} and r.request_id <= ${position.floor}
    and ${withLate} and ${isUnseen(position.below)}`;
  const fresh = sql`${ofApp} and r.request_id > ${position.floor} and ${isUnseen(position.above)}
    order by r.request_id limit ${MAX_EXAMINED_RECORDS}`;
  const rows = await tenant.query<TailRow & ScanInfo>(sql`
    with late as (${late}), fresh as materialized (${fresh}),
      meant as (
        select true as is_late, r.* from late r where ${conditionsOf(filter)}
        union all
        select false, r.* from fresh r where ${conditionsOf(filter)})
    select pg_current_snapshot()::text as snapshot, (select count(*)::int from fresh) as examined,
      (select request_id from fresh order by request_id desc limit 1) as last_examined,
      is_late, ${REQUEST_COLUMNS}
    from (select) as always left join meant on true order by request_id`);
  const [first] = rows;
  const found = rows.filter((row) => row.request_id !== null);
  return {
    snapshot: first?.snapshot ?? '',
    withLate,
    late: found.filter((row) => row.is_late),
    fresh: found.filter((row) => !row.is_late),
    examined: first?.examined ?? 0,
    lastExamined: first?.last_examined ?? undefined,
  };
}
