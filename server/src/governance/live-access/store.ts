// The SQL of requests for live access and of their steps, in the Console's database.

import type { Scope } from '../../access/authority/index.ts';
import { newUuid } from '../../kit/crypto/ids.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import type { LiveAccessRequestRow, RequestContents, RequestState, StepRow } from './live-access.ts';

const COLUMNS = sql`request_id, organisation_id, app_id, app_name, state, version, scopes, contacts, hands, document,
  encode(document_hash, 'hex') as document_hash, submitted_at, submitted_by, decided_at, decided_by, approved_scopes, reason,
  created_by, created_at,
  (select read_at from live_decision_reads read
    where read.request_id = live_requests.request_id and read.decided_at = live_requests.decided_at) as decision_read_at,
  (select read_by from live_decision_reads read
    where read.request_id = live_requests.request_id and read.decided_at = live_requests.decided_at) as decision_read_by`;

export function listRequestRows(
  tx: Queryable,
  organisationId: string,
  { appId, after, limit }: { appId: string | undefined; after: string | undefined; limit: number },
): Promise<LiveAccessRequestRow[]> {
  const ofApp = appId === undefined ? sql`` : sql`and app_id = ${appId}`;
  const beyond = after === undefined ? sql`` : sql`and request_id < ${after}`;
  return tx.query(sql`select ${COLUMNS} from live_requests where organisation_id = ${organisationId} ${ofApp} ${beyond}
    order by request_id desc limit ${limit}`);
}

export function findRequestRow(
  tx: Queryable,
  organisationId: string,
  requestId: string,
): Promise<LiveAccessRequestRow | undefined> {
  return tx.first(sql`select ${COLUMNS} from live_requests
    where organisation_id = ${organisationId} and request_id = ${requestId}`);
}

/** Returns requests that were submitted at least once. Only the organisation sees a draft. */
export function listSubmittedRows(
  tx: Queryable,
  { state, before, limit }: { state: RequestState; before: string | undefined; limit: number },
): Promise<LiveAccessRequestRow[]> {
  const older = before === undefined ? sql`` : sql`and request_id < ${before}`;
  return tx.query(sql`select ${COLUMNS} from live_requests where state = ${state} and document is not null ${older}
    order by request_id desc limit ${limit}`);
}

export function findSubmittedRow(tx: Queryable, requestId: string): Promise<LiveAccessRequestRow | undefined> {
  return tx.first(sql`select ${COLUMNS} from live_requests where request_id = ${requestId} and document is not null`);
}

export async function findOpenRow(tx: Queryable, organisationId: string, appId: string): Promise<string | undefined> {
  const rows = await tx.query<{ request_id: string }>(sql`select request_id from live_requests
    where organisation_id = ${organisationId} and app_id = ${appId}
      and state in ('draft', 'submitted', 'changes_requested')`);
  return rows[0]?.request_id;
}

export async function insertRequest(
  tx: Queryable,
  row: Pick<LiveAccessRequestRow, 'organisation_id' | 'app_id' | 'app_name' | 'created_by'> & { personId: string },
): Promise<LiveAccessRequestRow> {
  const rows = await tx.query<LiveAccessRequestRow>(sql`
    insert into live_requests (request_id, organisation_id, app_id, app_name, hands, created_by)
    values (${newUuid()}, ${row.organisation_id}, ${row.app_id}, ${row.app_name}, array[${row.personId}], ${row.created_by})
    returning ${COLUMNS}`);
  return rows[0] as LiveAccessRequestRow; // an insert without a conflict clause returns its row or throws
}

// The organisation or the row is locked, so no other transaction changes the row meanwhile.
async function update(tx: Queryable, requestId: string, change: Sql): Promise<LiveAccessRequestRow> {
  const rows = await tx.query<LiveAccessRequestRow>(
    sql`update live_requests set ${change} where request_id = ${requestId} returning ${COLUMNS}`,
  );
  return rows[0] as LiveAccessRequestRow; // the row was found in this transaction
}

const addEditor = (personId: string): Sql =>
  sql`hands = case when ${personId} = any(hands) then hands else hands || ${personId}::text end`;

export const updateContents = (
  tx: Queryable,
  requestId: string,
  { scopes, contacts }: RequestContents,
  personId: string,
) =>
  update(
    tx,
    requestId,
    sql`scopes = ${JSON.stringify(scopes)}::json, contacts = ${JSON.stringify(contacts)}::json, ${addEditor(personId)}`,
  );

export const updateState = (tx: Queryable, requestId: string, state: RequestState) =>
  update(tx, requestId, sql`state = ${state}`);

/** Freezes the request. The current members of the organisation are added to `hands`. */
export const freezeRequest = (
  tx: Queryable,
  requestId: string,
  frozen: { document: string; hash: Buffer; submittedAt: string; submittedBy: string },
) =>
  update(
    tx,
    requestId,
    sql`state = 'submitted', document = ${frozen.document}, document_hash = ${frozen.hash},
      submitted_at = ${frozen.submittedAt}, submitted_by = ${frozen.submittedBy}, reason = null,
      hands = array(select unnest(hands) union
        select person_id from members m where m.organisation_id = live_requests.organisation_id)`,
  );

export const updateDecision = (
  tx: Queryable,
  requestId: string,
  decision: { state: RequestState; by: string; reason: string | null; scopes: readonly Scope[] | null },
) =>
  update(
    tx,
    requestId,
    sql`state = ${decision.state}, decided_at = clock_timestamp(), decided_by = ${decision.by},
      reason = ${decision.reason}, approved_scopes = ${decision.scopes}::text[]`,
  );

/** Marks the last decision as read. Returns false if it was marked before. */
export async function insertDecisionRead(tx: Queryable, requestId: string, readBy: string): Promise<boolean> {
  const rows = await tx.query<{ read_at: Date }>(sql`
    insert into live_decision_reads (request_id, decided_at, read_by)
    select request_id, decided_at, ${readBy} from live_requests where request_id = ${requestId} and decided_at is not null
    on conflict do nothing returning read_at`);
  return rows.length > 0;
}

/** Locks the request until the transaction ends, so that the next step sees the result of this one. */
export async function lockRequest(tx: Queryable, requestId: string): Promise<void> {
  await tx.query(sql`select from live_requests where request_id = ${requestId} for update`);
}

export async function insertStep(
  tx: Queryable,
  requestId: string,
  step: Omit<StepRow, 'at' | 'detail'> & { detail?: Record<string, unknown> },
): Promise<void> {
  await tx.query(sql`insert into live_steps (step_id, request_id, by, actor, action, detail)
    values (${newUuid()}, ${requestId}, ${step.by}, ${step.actor}, ${step.action},
      ${JSON.stringify(step.detail ?? {})}::json)`);
}

/** Returns the latest steps of each request, oldest first. */
export function listSteps(
  tx: Queryable,
  requestIds: readonly string[],
  most: number,
): Promise<(StepRow & { request_id: string })[]> {
  return tx.query(sql`
    select latest.request_id, latest.at, latest.by, latest.actor, latest.action, latest.detail
    from unnest(${requestIds}::uuid[]) as asked (id)
    cross join lateral (
      select step_id, request_id, at, by, actor, action, detail from live_steps where request_id = asked.id
      order by step_id desc limit ${most}) latest
    order by latest.step_id`);
}

export function findOrganisation(
  tx: Queryable,
  organisationId: string,
): Promise<{ name: string; is_ending: boolean } | undefined> {
  return tx.first(sql`select name, delete_at is not null as is_ending
    from organisations where organisation_id = ${organisationId}`);
}
