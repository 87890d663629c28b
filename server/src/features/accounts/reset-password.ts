import { operation } from '../../kit/operation.ts';
import { problem } from '../../kit/problems.ts';
import { closed, named } from '../../kit/schema.ts';
import { queueMail } from '../mail/index.ts';
import { visitor } from '../sessions/index.ts';
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
    'Sets the password with the link that was mailed, and ends all sessions of the person. It signs nobody in: a second factor is asked for as always.',
  access: visitor(),
  body: PasswordReset,
  examples: { aPassword: { token: exampleToken, password: 'another long sentence' } },
  replies: { 204: { description: 'Set.' } },
  problems: ['link_invalid'],
  async run({ services }, { body }) {
    const email = await consumeLink(services.db, 'password_reset', body.token);
    const person = email && (await services.identity.findPerson(email));
    if (!person) throw problem('link_invalid');
    await services.identity.resetPassword(person, body.password);
    await queueMail(services.db, mailOfChange(person.email, services.consoleUrl));
    return { status: 204 };
  },
});
