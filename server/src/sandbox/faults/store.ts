// The SQL of fault rules. The Console manages them, and each call of an app with rules reads them.

import { readRevised, type Tenant } from '../../access/authority/index.ts';
import { sql } from '../../kit/db/sql.ts';
import type { Effect, FaultRow } from './fault.ts';

const COLUMNS = sql`fault_id, operation_id, share, latency_ms, problem_code, is_reset, is_enabled, created_by, created_at`;

export function listFaultRows(tenant: Tenant, after: string | undefined, limit: number): Promise<FaultRow[]> {
  const beyond = after === undefined ? sql`` : sql`and fault_id < ${after}`;
  return tenant.query(
    sql`select ${COLUMNS} from faults where app_id = ${tenant.appId} ${beyond} order by fault_id desc limit ${limit}`,
  );
}

/** Returns the enabled rules, oldest first, and the revision at which they were read. */
export function listRules(tenant: Tenant): Promise<{ revision: number; rows: FaultRow[] }> {
  const rows = sql`select ${COLUMNS} from faults where app_id = ${tenant.appId} and is_enabled`;
  return readRevised(tenant, 'faults', rows, sql`order by page.fault_id`);
}

/**
 * Returns the number of rules. Locks the app's row until the transaction ends, so that concurrent requests cannot
 * exceed the limit.
 */
export async function countFaults(tenant: Tenant): Promise<number> {
  await tenant.query(sql`select from apps where app_id = ${tenant.appId} for no key update`);
  const rows = await tenant.query<{ count: number }>(
    sql`select count(*)::int as count from faults where app_id = ${tenant.appId}`,
  );
  return rows[0]?.count ?? 0;
}

interface NewFaultRow {
  faultId: string;
  operationId: string | null;
  share: number;
  effect: Effect;
  createdBy: string;
}

export async function insertFault(tenant: Tenant, fault: NewFaultRow): Promise<FaultRow> {
  const { latencyMs = null, code = null, reset = false } = fault.effect;
  const rows = await tenant.query<FaultRow>(sql`
    insert into faults (app_id, fault_id, operation_id, share, latency_ms, problem_code, is_reset, created_by)
    values (${tenant.appId}, ${fault.faultId}, ${fault.operationId}, ${fault.share}, ${latencyMs}, ${code}, ${reset},
      ${fault.createdBy})
    returning ${COLUMNS}`);
  return rows[0] as FaultRow; // an insert without a conflict clause returns its row or throws
}

/** Returns the changed rule; undefined if it does not exist. */
export function updateFaultRow(
  tenant: Tenant,
  faultId: string,
  change: { share?: number; isEnabled?: boolean },
): Promise<FaultRow | undefined> {
  return tenant.first(sql`
    update faults set share = coalesce(${change.share ?? null}, share),
      is_enabled = coalesce(${change.isEnabled ?? null}, is_enabled)
    where app_id = ${tenant.appId} and fault_id = ${faultId} returning ${COLUMNS}`);
}

export async function deleteFaultRow(tenant: Tenant, faultId: string): Promise<boolean> {
  const rows = await tenant.query(
    sql`delete from faults where app_id = ${tenant.appId} and fault_id = ${faultId} returning fault_id`,
  );
  return rows.length > 0;
}
