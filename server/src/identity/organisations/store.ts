// The SQL of organisations.

import { newUuid } from '../../kit/crypto/ids.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import { insertMember } from './member-store.ts';

export async function insertOrganisation(
  tx: Queryable,
  organisation: { organisationId: string; name: string; ownerId: string },
): Promise<void> {
  const { organisationId, name, ownerId } = organisation;
  await tx.query(sql`insert into organisations (organisation_id, name) values (${organisationId}, ${name})`);
  await insertMember(tx, { organisationId, memberId: newUuid(), personId: ownerId, role: 'owner' });
}

export async function updateOrganisationName(tx: Queryable, organisationId: string, name: string): Promise<void> {
  await tx.query(sql`update organisations set name = ${name} where organisation_id = ${organisationId}`);
}

export function findOrganisation(
  db: Queryable,
  organisationId: string,
): Promise<{ name: string; suspended_reason: string | null } | undefined> {
  return db.first(sql`select name, suspended_reason from organisations where organisation_id = ${organisationId}`);
}
