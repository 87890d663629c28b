// The SQL of accounts: the sign-up policy, requests for links, and the links that were mailed.
import { createHash, randomBytes } from 'node:crypto';
import { newUuid } from '../../kit/crypto/ids.ts';
import { type Secret, secret } from '../../kit/crypto/secret.ts';
import { deleteSome } from '../../kit/db/bounded-deletion-store.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import type { SignUpPolicyRow } from './account.ts';

export type LinkPurpose = 'sign_up' | 'password_reset';

export async function findSignUpPolicy(db: Queryable): Promise<SignUpPolicyRow> {
  const [row] = await db.query<SignUpPolicyRow>(sql`select policy, domains from sign_up_policy`);
  return row ?? { policy: 'invited', domains: [] };
}

export async function updateSignUpPolicy(tx: Queryable, { policy, domains }: SignUpPolicyRow): Promise<void> {
  await tx.query(sql`insert into sign_up_policy (policy, domains) values (${policy}, ${domains})
    on conflict (is_only) do update set policy = excluded.policy, domains = excluded.domains`);
}

/**
 * Returns the number of earlier requests from the network within the last hour. The network is one IPv4 address, or the
 * /64 network of an IPv6 subscriber.
 */
export async function insertLinkRequest(
  db: Queryable,
  request: { purpose: LinkPurpose; email: string; address: string },
): Promise<number> {
  const { address } = request;
  const [row] = await db.query<{ count: number }>(sql`
    with source as (
      select network(set_masklen(${address}::inet, case family(${address}::inet) when 6 then 64 else 32 end)) as network),
    recent as (
      select count(*) from link_requests r, source s
      where r.network = s.network and r.requested_at > clock_timestamp() - interval '1 hour'),
    made as (
      insert into link_requests (request_id, purpose, email, network)
      select ${newUuid()}, ${request.purpose}, ${request.email}, network from source, recent
      where recent.count < ${MAX_LINK_REQUESTS_PER_NETWORK})
    select count from recent`);
  return row?.count ?? 0;
}

export const MAX_LINK_REQUESTS_PER_NETWORK = 20;
/** The maximum of mails to an address within an hour, over all requests. */
const MAX_PER_EMAIL = 5;

export interface LinkRequestRow {
  request_id: string;
  purpose: LinkPurpose;
  email: string;
  is_too_often: boolean;
}

/** Takes the oldest waiting request. Concurrent processes take different requests. */
export function takeLinkRequest(tx: Queryable): Promise<LinkRequestRow | undefined> {
  return tx.first(sql`
    update link_requests q set handled_at = clock_timestamp()
    from (select request_id from link_requests where handled_at is null
      order by requested_at limit 1 for update skip locked) next
    where q.request_id = next.request_id
    returning q.request_id, q.purpose, q.email, ${MAX_PER_EMAIL} <= (select count(*) from link_requests o
      where o.email = q.email and o.handled_at > clock_timestamp() - interval '1 hour') as is_too_often`);
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

interface NewLink {
  purpose: LinkPurpose | 'email_change' | 'email_undo';
  email: string;
  minutes: number;
  /** The person whose address the link changes. */
  personId?: string;
}

async function insertLinkRow(tx: Queryable, { purpose, email, minutes, personId }: NewLink): Promise<Secret> {
  const token = randomBytes(32).toString('base64url');
  await tx.query(sql`insert into mailed_links (token_hash, purpose, email, expires_at, person_id)
    values (${hashOf(token)}, ${purpose}, ${email}, clock_timestamp() + make_interval(mins => ${minutes}),
      ${personId ?? null})`);
  return secret(token);
}

/** Returns the token of a new link, which replaces earlier links of the same address and purpose. */
export async function insertLink(
  tx: Queryable,
  link: { purpose: LinkPurpose; email: string; minutes: number },
): Promise<Secret> {
  await tx.query(sql`delete from mailed_links where email = ${link.email} and purpose = ${link.purpose}`);
  return insertLinkRow(tx, link);
}

/** Returns true if the link can still be consumed. */
export async function hasLink(db: Queryable, purpose: LinkPurpose, token: string): Promise<boolean> {
  const rows = await db.query(sql`select from mailed_links
    where token_hash = ${hashOf(token)} and purpose = ${purpose} and expires_at > clock_timestamp()`);
  return rows.length === 1;
}

/** Consumes the link and returns its address. If two calls are concurrent, one receives the address. */
export async function consumeLink(db: Queryable, purpose: LinkPurpose, token: string): Promise<string | undefined> {
  const rows = await db.query<{ email: string; is_good: boolean }>(sql`
    delete from mailed_links where token_hash = ${hashOf(token)} and purpose = ${purpose}
    returning email, expires_at > clock_timestamp() as is_good`);
  return rows[0]?.is_good ? rows[0].email : undefined;
}

/**
 * Deletes links of sign-ups and password resets to these addresses. A former user of an address may still hold one. Waits
 * for a transaction that consumes one.
 */
export async function deleteLinksTo(tx: Queryable, emails: readonly string[]): Promise<void> {
  await tx.query(sql`
    with locked as (select token_hash from mailed_links where email = any(${emails}::text[]) and person_id is null
      order by token_hash for update)
    delete from mailed_links l using locked where l.token_hash = locked.token_hash`);
}

/** The lifetime of the link that confirms a new address. */
const CHANGE_MINUTES = 60;
/** The time within which the previous address can be restored. */
export const UNDO_HOURS = 72;

/** Returns the token of the link that confirms the new address. The link replaces the person's earlier one. */
export async function insertChangeLink(tx: Queryable, personId: string, email: string): Promise<Secret> {
  await tx.query(sql`delete from mailed_links where person_id = ${personId} and purpose = 'email_change'`);
  return insertLinkRow(tx, { purpose: 'email_change', email, minutes: CHANGE_MINUTES, personId });
}

/** Returns the address that the link confirms for this person. */
export async function findChangeLink(db: Queryable, personId: string, token: string): Promise<string | undefined> {
  const [row] = await db.query<{ email: string }>(sql`select email from mailed_links where token_hash = ${hashOf(token)}
    and purpose = 'email_change' and person_id = ${personId} and expires_at > clock_timestamp()`);
  return row?.email;
}

/** Consumes the link. If two calls are concurrent, one receives true. */
export async function consumeChangeLink(tx: Queryable, personId: string, token: string): Promise<boolean> {
  const rows = await tx.query(sql`delete from mailed_links where token_hash = ${hashOf(token)}
    and purpose = 'email_change' and person_id = ${personId} and expires_at > clock_timestamp() returning token_hash`);
  return rows.length === 1;
}

/** Returns the token of the link that restores the address. Links of earlier changes stay valid. */
export const insertUndoLink = (tx: Queryable, personId: string, email: string): Promise<Secret> =>
  insertLinkRow(tx, { purpose: 'email_undo', email, minutes: UNDO_HOURS * 60, personId });

interface UndoLinkRow {
  person_id: string;
  /** The address that the link restores. */
  email: string;
  /** The current address of the person. */
  current: string;
  name: string;
}

export function findUndoLink(db: Queryable, token: string): Promise<UndoLinkRow | undefined> {
  return db.first(sql`select l.person_id, l.email, u.email as current, u.name
    from mailed_links l join "user" u on u.id = l.person_id
    where l.token_hash = ${hashOf(token)} and l.purpose = 'email_undo' and l.expires_at > clock_timestamp()`);
}

/**
 * Consumes the link, and voids the links of later changes: a thief who changed the address several times holds them.
 * Returns false if the link was used or is void.
 */
export async function consumeUndoLinks(tx: Queryable, personId: string, token: string): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from mailed_links l using mailed_links used
    where used.token_hash = ${hashOf(token)} and used.purpose = 'email_undo' and used.person_id = ${personId}
      and used.expires_at > clock_timestamp()
      and l.person_id = ${personId} and l.purpose = 'email_undo' and l.expires_at >= used.expires_at
    returning l.token_hash`);
  return rows.length > 0;
}

/** Deletes a bounded number of old requests and links. */
export async function eraseOldRequests(db: Queryable, limit = 1_000): Promise<void> {
  const before = sql`statement_timestamp() - interval '1 day'`;
  await deleteSome(db, {
    from: sql`link_requests`,
    where: sql`requested_at < ${before}`,
    by: sql`requested_at`,
    limit,
  });
  await deleteSome(db, { from: sql`mailed_links`, where: sql`expires_at < ${before}`, by: sql`expires_at`, limit });
}
