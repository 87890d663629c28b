// The SQL of links between people and their identity at the identity provider. Issuer and subject identify a link,
// never an address.
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';

interface ProviderSubject {
  issuer: string;
  subject: string;
}

/** Assigns links without an issuer, from earlier releases, to the first issuer that this release is configured with. */
export async function claimLegacyLinks(db: Queryable, issuer: string): Promise<void> {
  await db.query(sql`insert into facts (name, value) values ('oidc_legacy_issuer', to_jsonb(${issuer}::text))
    on conflict (name) do nothing`);
}

const legacyOf = (issuer: string) => sql`"providerId" = 'oidc' and exists (
  select from facts where name = 'oidc_legacy_issuer' and value = to_jsonb(${issuer}::text))`;

interface LinkedPersonRow {
  id: string;
  email: string;
  name: string;
}

/**
 * Returns the person whom the identity signs in. If one subject has two legacy links, the first link applies: the
 * address belonged to that person then.
 */
export function findLinkedPerson(
  db: Queryable,
  { issuer, subject }: ProviderSubject,
): Promise<LinkedPersonRow | undefined> {
  return db.first(sql`
    with linked as (
      select person_id, 0 as age, linked_at from provider_links where issuer = ${issuer} and subject = ${subject}
      union all
      select "userId", 1, "createdAt" from account where "accountId" = ${subject} and ${legacyOf(issuer)})
    select u.id, u.email, u.name from linked l join "user" u on u.id = l.person_id
    where u."emailVerified" order by l.age, l.linked_at, u.id limit 1`);
}

/**
 * Links the identity to the person. Returns false if the identity signs in another person, or if the person has another
 * identity at this issuer.
 */
export async function insertProviderLink(
  db: Queryable,
  personId: string,
  { issuer, subject }: ProviderSubject,
): Promise<boolean> {
  await db.query(sql`insert into provider_links (issuer, subject, person_id)
    select ${issuer}::text, ${subject}::text, ${personId}::text
    where not exists (select from account where ${legacyOf(issuer)}
      and ("accountId" = ${subject}) <> ("userId" = ${personId}))
    on conflict do nothing`);
  const rows = await db.query(sql`select from provider_links
    where issuer = ${issuer} and subject = ${subject} and person_id = ${personId}`);
  return rows.length === 1;
}

export async function hasProviderLink(db: Queryable, personId: string): Promise<boolean> {
  const [row] = await db.query<{ has: boolean }>(sql`
    select exists (select from provider_links where person_id = ${personId})
      or exists (select from account where "userId" = ${personId} and "providerId" = 'oidc') as has`);
  return row?.has === true;
}

interface EndedLinkRow {
  /** Null for a link of an earlier release before the first start of this one. */
  issuer: string | null;
  linked_at: Date;
  is_ended: boolean;
}

/**
 * Deletes the links of the person and returns them. If the account has no password, the links stay, because the person
 * signs in only with them.
 */
export async function endProviderLinks(tx: Queryable, personId: string): Promise<EndedLinkRow[]> {
  const links = await tx.query<EndedLinkRow>(sql`
    with links as (
      select issuer, linked_at from provider_links where person_id = ${personId}
      union all
      select (select value #>> '{}' from facts where name = 'oidc_legacy_issuer'), "createdAt" from account
      where "userId" = ${personId} and "providerId" = 'oidc')
    select issuer, linked_at, exists (select from account where "userId" = ${personId}
      and "providerId" = 'credential' and password is not null) as is_ended
    from links order by linked_at`);
  if (links.some(({ is_ended }) => is_ended)) await deleteProviderLinks(tx, personId);
  return links;
}

/** Deletes all links of the person: one per issuer. Returns false if there was none. */
export async function deleteProviderLinks(tx: Queryable, personId: string): Promise<boolean> {
  const links = await tx.query(sql`delete from provider_links where person_id = ${personId} returning person_id`);
  const legacy = await tx.query(
    sql`delete from account where "userId" = ${personId} and "providerId" = 'oidc' returning id`,
  );
  return links.length + legacy.length > 0;
}
