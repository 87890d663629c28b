import { unitOfWork } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { namedObject } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { queueMail } from '../../platform/mail/index.ts';
import { allowVisitor, EndedAccess, endAccess, exampleEndedAccess, lockPerson } from '../sessions/index.ts';
import { exampleToken, LINK_TOKEN, NEW_PASSWORD } from './account.ts';
import { composePasswordChangedMail } from './mails.ts';
import { consumeLink, hasLink } from './store.ts';

const PasswordReset = namedObject('PasswordReset', 'A password to set with a mailed link.', {
  token: LINK_TOKEN,
  password: NEW_PASSWORD,
});

export const resetPassword = operation({
  id: 'resetPassword',
  route: 'PUT /api/password-resets',
  tag: 'Accounts',
  summary: 'Set a new password with a link',
  description:
    'Sets the password with the mailed link. It ends all sessions of the person, all their access tokens in every organisation, and each approved sign-in of a terminal that has no token yet. It cancels a pending removal of the second factor, and unlinks the identity provider. It opens no session: sign in with the new password, and with the second factor if there is one.',
  access: allowVisitor(),
  body: PasswordReset,
  examples: { aPassword: { token: exampleToken, password: 'another long sentence' } },
  replies: ok('The password is set. The response lists the other access that was ended.', EndedAccess, {
    aToken: exampleEndedAccess,
  }),
  problems: ['link_invalid', 'timeout'],
  async run({ services, visitor, workScope }, { body }) {
    const { identity, db, consoleUrl } = services;
    // The hash is slow on purpose: no transaction waits for it, and a caller without a link does not cause it.
    if (!(await hasLink(db, 'password_reset', body.token))) throw problem('link_invalid');
    const hash = await identity.hashPassword(body.password);
    // One transaction consumes the link and makes all changes, so after a failure the person can use the link again.
    // Each step is idempotent.
    const { person, endedAccess } = await unitOfWork(db, workScope, async (work) => {
      const { tx } = work;
      const email = await consumeLink(tx, 'password_reset', body.token);
      const person = email && (await identity.findPerson(email));
      if (!person) throw problem('link_invalid');
      const endedAccess = await endAccess(work, person, 'password_reset', async () => {
        // The link proves this address only. Meanwhile the person may have changed it.
        if ((await lockPerson(tx, person.id)) !== person.email) throw problem('link_invalid');
        await identity.resetPassword(tx, person, hash);
      });
      await queueMail(tx, composePasswordChangedMail(person.email, consoleUrl, endedAccess));
      return { person, endedAccess };
    });
    // The network becomes a known one, so that wrong passwords from elsewhere do not delay the person here.
    await identity.recordKnownNetwork(person, visitor);
    return { status: 200, body: endedAccess };
  },
});
