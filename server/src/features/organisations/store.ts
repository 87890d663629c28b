// The SQL of organisations.
import type { Queryable } from '../../kit/db.ts';
import { sql } from '../../kit/sql.ts';

export async function insertOrganisation(
  tx: Queryable,
  organisation: { organisationId: string; name: string; ownerId: string },
): Promise<void> {
  await tx.query(sql`insert into organisations (organisation_id, name)
    values (${organisation.organisationId}, ${organisation.name})`);
  await tx.query(sql`insert into members (organisation_id, person_id, role)
    values (${organisation.organisationId}, ${organisation.ownerId}, 'owner')`);
}
