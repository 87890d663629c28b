// The SQL of operators: the list of operators, the record of their actions, and public facts of organisations.
import type { Queryable } from '../../kit/db/db.ts';
import { nothing, sql } from '../../kit/db/sql.ts';
import type { OrganisationRow } from './operator.ts';

export async function insertOperator(db: Queryable, personId: string): Promise<void> {
  await db.query(sql`insert into operators (person_id) values (${personId}) on conflict do nothing`);
}

export async function hasOperators(db: Queryable): Promise<boolean> {
  return (await db.query(sql`select from operators limit 1`)).length === 1;
}

export async function isListedOperator(db: Queryable, personId: string): Promise<boolean> {
  return (await db.query(sql`select from operators where person_id = ${personId}`)).length === 1;
}

export async function insertOperatorAction(
  tx: Queryable,
  entry: { actionId: string; operator: string; action: string; target: string; detail: Record<string, unknown> },
): Promise<void> {
  await tx.query(sql`insert into operator_actions (action_id, operator, action, target, detail)
    values (${entry.actionId}, ${entry.operator}, ${entry.action}, ${entry.target},
      ${JSON.stringify(entry.detail)}::jsonb)`);
}

const columns = sql`o.organisation_id, o.name, o.created_at, o.suspended_at, o.suspended_reason, o.quotas,
  (select count(*) from members m where m.organisation_id = o.organisation_id) as member_count`;

/** Returns organisations, newest first, or those older than `before`. */
export function listOrganisations(
  tx: Queryable,
  limit: number,
  before: string | undefined,
): Promise<OrganisationRow[]> {
  const older = before === undefined ? nothing : sql`where o.organisation_id < ${before}`;
  return tx.query(sql`select ${columns} from organisations o ${older} order by o.organisation_id desc limit ${limit}`);
}

function change(tx: Queryable, organisationId: string, set: ReturnType<typeof sql>) {
  return tx.first<OrganisationRow>(
    sql`update organisations o set ${set} where organisation_id = ${organisationId} returning ${columns}`,
  );
}

export const suspend = (tx: Queryable, organisationId: string, reason: string) =>
  change(
    tx,
    organisationId,
    sql`suspended_at = coalesce(suspended_at, clock_timestamp()), suspended_reason = ${reason}`,
  );

export const resume = (tx: Queryable, organisationId: string) =>
  change(tx, organisationId, sql`suspended_at = null, suspended_reason = null`);

export const updateQuotas = (tx: Queryable, organisationId: string, quotas: Record<string, number>) =>
  change(tx, organisationId, sql`quotas = ${JSON.stringify(quotas)}::jsonb`);
