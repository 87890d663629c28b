import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { queueMail } from '../../platform/mail/index.ts';
import { signedIn } from './access.ts';
import { mailOfNewFactor } from './mails.ts';
import { beginReopening } from './removal-store.ts';
import { AuthenticatorCode } from './second-factor.ts';

export const confirmSecondFactor = operation({
  id: 'confirmSecondFactor',
  method: 'POST',
  path: '/api/second-factor/confirm',
  tag: 'Sessions',
  summary: 'Confirm the second factor',
  description:
    'Proves with a code that the authenticator works. From now on signing in asks for one; the other sessions of the person end.',
  access: signedIn(),
  body: AuthenticatorCode,
  examples: { aCode: { code: '492039' } },
  replies: {
    204: { description: 'On. The session goes on under the cookie of this answer.', headers: ['Set-Cookie'] },
  },
  problems: ['conflict', 'second_factor_failed', 'rate_limited'],
  async run({ services, person, visitor }, { body }) {
    const { secondFactor } = services.identity;
    if (await secondFactor.isOn(person.id)) throw problem('conflict', { detail: 'The second factor is on already.' });
    const cookies = await secondFactor.confirm(visitor, person.id, body.code);
    if (!cookies) throw problem('second_factor_failed');
    await services.db.transaction(async (tx) => {
      const opensAt = await beginReopening(tx, person.id);
      await queueMail(tx, mailOfNewFactor(person.email, services.consoleUrl, opensAt));
    });
    return { status: 204, headers: { 'set-cookie': cookies } };
  },
});
