import { operation } from '../../kit/http/operation.ts';
import { closed, named } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { queueMail } from '../../platform/mail/index.ts';
import { EndedAccess, endAccess, exampleEndedAccess, visitor } from '../sessions/index.ts';
import { exampleToken, LINK_TOKEN, NEW_PASSWORD } from './account.ts';
import { mailOfChange } from './mails.ts';
import { consumeLink } from './store.ts';

const PasswordReset = named(
  'PasswordReset',
  closed({ token: LINK_TOKEN, password: NEW_PASSWORD }, { description: 'A password to set with a mailed link.' }),
);

export const resetPassword = operation({
  id: 'resetPassword',
  method: 'PUT',
  path: '/api/password-resets',
  tag: 'Accounts',
  summary: 'Set a new password with a link',
  description:
    'Sets the password with the link that was mailed. It ends all sessions of the person, all their access tokens in every organisation, and each approved sign-in of a terminal that has no token yet. It cancels a pending removal of the second factor. It opens no session: sign in with the new password, and with the second factor if there is one.',
  access: visitor(),
  body: PasswordReset,
  examples: { aPassword: { token: exampleToken, password: 'another long sentence' } },
  replies: {
    200: {
      description: 'The password is set, with what else was ended.',
      schema: EndedAccess,
      examples: { aToken: exampleEndedAccess },
    },
  },
  problems: ['link_invalid', 'timeout'],
  async run({ services, visitor, requestId }, { body }) {
    const email = await consumeLink(services.db, 'password_reset', body.token);
    const person = email && (await services.identity.findPerson(email));
    if (!person) throw problem('link_invalid');
    await services.identity.resetPassword(person, body.password);
    // Whoever is being guessed for signs in from here now, however long others have to wait.
    await services.identity.keepPlace(person, visitor);
    const by = { reason: 'password_reset', requestId, address: visitor.address } as const;
    const ended = await endAccess(services.db, person, by, (tx, { accessTokens }) =>
      queueMail(tx, mailOfChange(person.email, services.consoleUrl, accessTokens)),
    );
    return { status: 200, body: ended };
  },
});
