// The SQL of invitations.

import type { Role } from '../../access/authority/index.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import { type InvitationRow, LIFE_DAYS } from './invitation.ts';

const COLUMNS = sql`invitation_id, organisation_id, email, role, invited_by, created_at, expires_at,
  case when accepted_at is not null then 'accepted' when revoked_at is not null then 'revoked'
    when expires_at <= clock_timestamp() then 'expired' else 'open' end as state`;

export function listInvitationRows(
  db: Queryable,
  organisationId: string,
  after: string | undefined,
  limit: number,
): Promise<InvitationRow[]> {
  const beyond = after === undefined ? sql`` : sql`and invitation_id < ${after}`;
  return db.query(sql`select ${COLUMNS} from invitations where organisation_id = ${organisationId} ${beyond}
    order by invitation_id desc limit ${limit}`);
}

interface NewInvitationRow {
  organisationId: string;
  invitationId: string;
  email: string;
  role: Role;
  tokenHash: Buffer;
  inviterId: string;
  invitedBy: string;
}

/** Inserts an invitation. now() is the start of the transaction, so it is never later than created_at. */
export async function insertInvitation(tx: Queryable, invitation: NewInvitationRow): Promise<InvitationRow> {
  const rows = await tx.query<InvitationRow>(sql`
    insert into invitations (organisation_id, invitation_id, email, role, token_hash, inviter_id, invited_by, created_at,
      expires_at)
    values (${invitation.organisationId}, ${invitation.invitationId}, ${invitation.email}, ${invitation.role},
      ${invitation.tokenHash}, ${invitation.inviterId}, ${invitation.invitedBy}, now(),
      now() + make_interval(days => ${LIFE_DAYS}::int))
    returning ${COLUMNS}`);
  return rows[0] as InvitationRow; // an insert without a conflict clause returns its row or throws
}

/** Counts the open invitations of the organisation, and all that were created within the last day. */
export async function countInvitations(tx: Queryable, organisationId: string): Promise<number> {
  const rows = await tx.query<{ count: number }>(sql`
    select count(*) from invitations where organisation_id = ${organisationId}
      and (created_at > clock_timestamp() - interval '1 day'
        or (accepted_at is null and revoked_at is null and expires_at > clock_timestamp()))`);
  return rows[0]?.count ?? 0;
}

/** Counts the invitations of all organisations to an address within the last day. */
export async function countInvitationsTo(tx: Queryable, email: string): Promise<number> {
  const rows = await tx.query<{ count: number }>(sql`
    select count(*) from invitations where email = ${email} and created_at > clock_timestamp() - interval '1 day'`);
  return rows[0]?.count ?? 0;
}

/**
 * Returns true if a member has the address. The identity library stores addresses in lower case, and `email` must be in
 * lower case too.
 */
export async function isMemberAddress(tx: Queryable, organisationId: string, email: string): Promise<boolean> {
  const rows = await tx.query(sql`select from members m join "user" u on u.id = m.person_id
    where m.organisation_id = ${organisationId} and u.email = ${email}`);
  return rows.length > 0;
}

export function findInvitation(
  tx: Queryable,
  organisationId: string,
  invitationId: string,
): Promise<InvitationRow | undefined> {
  return tx.first(sql`select ${COLUMNS} from invitations
    where organisation_id = ${organisationId} and invitation_id = ${invitationId}`);
}

/**
 * Finds an invitation by one of its tokens. `is_mailed` is true if the token was sent only by mail, so that its holder
 * reads the mail of the address.
 */
export function findInvitationByToken(
  db: Queryable,
  tokenHash: Buffer,
): Promise<(InvitationRow & { is_mailed: boolean }) | undefined> {
  return db.first<InvitationRow & { is_mailed: boolean }>(sql`
    select ${COLUMNS}, token_hash <> ${tokenHash} as is_mailed from invitations
    where token_hash = ${tokenHash}
      or invitation_id = (select invitation_id from invitation_links where token_hash = ${tokenHash})`);
}

const MAX_LINKS = 5;

/**
 * Inserts a mailed link. The newest MAX_LINKS links of an invitation stay valid, because a person may open an earlier
 * mail.
 */
export async function insertMailedLink(tx: Queryable, invitationId: string, tokenHash: Buffer): Promise<void> {
  await tx.query(sql`insert into invitation_links (invitation_id, token_hash) values (${invitationId}, ${tokenHash})`);
  await tx.query(sql`delete from invitation_links where invitation_id = ${invitationId} and token_hash not in (
    select token_hash from invitation_links where invitation_id = ${invitationId} order by mailed_at desc limit ${MAX_LINKS})`);
}

export function findNewestOpenInvitation(tx: Queryable, email: string): Promise<InvitationRow | undefined> {
  return tx.first(sql`select ${COLUMNS} from invitations where email = lower(${email})
    and accepted_at is null and revoked_at is null and expires_at > clock_timestamp()
    order by invitation_id desc limit 1`);
}

/** Returns true if the address has an open invitation. */
export async function hasOpenInvitation(db: Queryable, email: string): Promise<boolean> {
  const rows = await db.query(sql`select from invitations where email = lower(${email})
    and accepted_at is null and revoked_at is null and expires_at > clock_timestamp() limit 1`);
  return rows.length > 0;
}

export async function markAccepted(tx: Queryable, invitationId: string): Promise<void> {
  await tx.query(sql`update invitations set accepted_at = clock_timestamp() where invitation_id = ${invitationId}`);
}

const NOT_ENDED = sql`accepted_at is null and revoked_at is null`;

export async function revokeInvitationRow(tx: Queryable, organisationId: string, invitationId: string): Promise<void> {
  await tx.query(sql`update invitations set revoked_at = clock_timestamp()
    where organisation_id = ${organisationId} and invitation_id = ${invitationId} and ${NOT_ENDED}`);
}

/** Revokes the earlier invitations of an address and returns their identifiers. */
export async function revokeInvitationsTo(tx: Queryable, organisationId: string, email: string): Promise<string[]> {
  return idsOf(
    tx.query(sql`update invitations set revoked_at = clock_timestamp()
    where organisation_id = ${organisationId} and email = ${email} and ${NOT_ENDED} returning invitation_id`),
  );
}

const idsOf = async (rows: Promise<{ invitation_id: string }[]>): Promise<string[]> =>
  (await rows).map((row) => row.invitation_id);

/** Revokes the invitations of an inviter, except those to one of these roles, and returns their identifiers. */
export async function revokeInvitationsOf(
  tx: Queryable,
  organisationId: string,
  inviterId: string,
  but: readonly Role[],
): Promise<string[]> {
  return idsOf(
    tx.query(sql`update invitations set revoked_at = clock_timestamp()
    where organisation_id = ${organisationId} and inviter_id = ${inviterId} and role <> all(${but}::text[])
      and ${NOT_ENDED} returning invitation_id`),
  );
}
