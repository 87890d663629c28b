import { unitOfWork } from '../../access/authority/index.ts';
import { isUniqueViolation } from '../../kit/db/db.ts';
import { operation } from '../../kit/http/operation.ts';
import { namedObject } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { queueMail } from '../../platform/mail/index.ts';
import { allowPerson, lockOrganisationsOf, lockPerson, requireLiveSession, updateEmail } from '../sessions/index.ts';
import { exampleToken, LINK_TOKEN } from './account.ts';
import { composeEmailChangedMail } from './mails.ts';
import { consumeChangeLink, deleteLinksTo, findChangeLink, insertUndoLink } from './store.ts';

const EmailConfirmation = namedObject('EmailConfirmation', 'The link in the mail to the new address.', {
  token: LINK_TOKEN,
});

// The link alone is not sufficient: otherwise an attacker could request the address of another person for an account of
// the attacker, and that person would confirm it by a click.
export const confirmEmailChange = operation({
  id: 'confirmEmailChange',
  route: 'PUT /api/email-changes',
  tag: 'Accounts',
  summary: 'Confirm a new e-mail address',
  description:
    'Changes the address with the link that was mailed to the new address, in a session of the person who requested it. It ends the other sessions of the person, and voids sign-in links and password links of both addresses. Access tokens, memberships and links to the identity provider stay. The audit log of each organisation of the person records both addresses. The previous address receives a link that restores it within 72 hours (`undoEmailChange`).',
  access: allowPerson(),
  body: EmailConfirmation,
  examples: { link: { token: exampleToken } },
  replies: { 204: { description: 'The address was changed. This session continues.' } },
  problems: ['link_invalid', 'timeout'],
  async run({ services, person, visitor, workScope }, { body }) {
    const { db, identity, consoleUrl } = services;
    const email = await findChangeLink(db, person.id, body.token);
    if (email === undefined) throw problem('link_invalid');
    await unitOfWork(db, workScope, async ({ tx, audit }) => {
      // The order of a password reset, so that neither waits for the other twice: links, organisations, person.
      await deleteLinksTo(tx, [person.email, email]);
      const organisationIds = await lockOrganisationsOf(tx, person.id);
      if ((await lockPerson(tx, person.id)) !== person.email) throw problem('link_invalid');
      await requireLiveSession({ services, visitor, tx });
      if (!(await consumeChangeLink(tx, person.id, body.token))) throw problem('link_invalid');
      await updateEmail(tx, person, email);
      await identity.endOtherSessions(tx, person, visitor);
      for (const organisationId of organisationIds)
        audit('person.change_email', person.id, { email, before: person.email }, { organisationId });
      const undoToken = await insertUndoLink(tx, person.id, person.email);
      await queueMail(tx, composeEmailChangedMail(person.email, consoleUrl, email, undoToken));
    }).catch((error: unknown) => {
      throw isUniqueViolation(error) ? problem('link_invalid') : error; // another account took the address meanwhile
    });
    // Wrong passwords are counted by address: this network is a known one under the new address too.
    await identity.recordKnownNetwork({ ...person, email }, visitor);
    return { status: 204 };
  },
});
