// The roles that can create production keys: the requirements for giving such a role, and the mail to the owners.

import { coversRole, isActionAllowed, type Role } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import type { Transaction } from '../../kit/db/db.ts';
import { type NewMessage, queueMail } from '../../platform/mail/index.ts';
import {
  type ConsoleOrganisationContext,
  type ConsoleServices,
  findPeople,
  hasOrHadFactor,
  requireFreshFactor,
} from '../sessions/index.ts';
import type { MemberRow } from './member.ts';
import { claimAppointmentMail, listOwners } from './member-store.ts';
import { findOrganisation } from './store.ts';

const isManaging = (role: Role): boolean => isActionAllowed(role, 'production_keys.create');

type RoleState = Pick<MemberRow, 'role' | 'suspended_at'>;

/** Returns true if `role` allows production keys and the member could not do all of this before. */
const gainsManaging = (role: Role, before?: RoleState): boolean =>
  isManaging(role) && !(before && before.suspended_at === null && coversRole(before.role, role));

/**
 * Throws unless the actor may give the role now. A member in a managing role can create production keys with a second
 * factor of their own, so giving such a role requires a fresh second factor. Without production, the actor needs one
 * only if they have, or had, a second factor.
 */
export async function requireRoleGrant(
  context: ConsoleOrganisationContext,
  role: Role,
  before?: RoleState,
): Promise<void> {
  if (!gainsManaging(role, before)) return;
  const { services, tx } = context;
  const hasProduction = services.environments.some(({ name }) => name === 'production');
  if (hasProduction || (await hasOrHadFactor(context, tx))) await requireFreshFactor(context, tx);
}

const MAX_OWNERS = 50;

interface Appointment {
  organisationId: string;
  personId: string;
  role: Role;
  before?: RoleState;
  /** The address of the person who gave the role. */
  by: string;
}

/**
 * Mails the owners at most once an hour for each person and role. Call it in the transaction that gives the role,
 * before the role is written.
 */
export async function mailOwners(
  tx: Transaction,
  { consoleUrl }: Pick<ConsoleServices, 'consoleUrl'>,
  { organisationId, personId, role, before, by }: Appointment,
): Promise<void> {
  if (!gainsManaging(role, before)) return;
  if (!(await claimAppointmentMail(tx, organisationId, personId, role))) return;
  const owners = (await listOwners(tx, organisationId, MAX_OWNERS)).filter((id) => id !== personId);
  const people = await findPeople(tx, [...owners, personId]);
  const organisation = (await findOrganisation(tx, organisationId))?.name ?? '';
  const email = people.get(personId)?.email ?? '';
  const url = `${consoleUrl}/organisations/${toId('org', organisationId)}/team`;
  for (const id of owners) {
    const to = people.get(id)?.email;
    if (to !== undefined) await queueMail(tx, composeAppointmentMail(to, { organisation, email, role, by, url }));
  }
}

function composeAppointmentMail(
  to: string,
  { organisation, email, role, by, url }: { organisation: string; email: string; role: Role; by: string; url: string },
): NewMessage {
  return {
    to,
    subject: `A new ${role} of ${organisation}`,
    text: [
      `${email} is now ${role} of the organisation "${organisation}" on Slipway. ${by} gave the role.`,
      '',
      'The role allows production keys. If you did not expect this, change the role on the page Team and access tokens:',
      url,
    ].join('\n'),
  };
}
