import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { queueMail } from '../../platform/mail/index.ts';
import { allowPerson } from './console-access.ts';
import { composeNewFactorMail } from './mails.ts';
import { AuthenticatorCode } from './second-factor.ts';
import { startProductionKeyWait } from './second-factor-removal-store.ts';
import { readSecondFactor } from './second-factor-store.ts';

export const confirmSecondFactor = operation({
  id: 'confirmSecondFactor',
  route: 'POST /api/second-factor/confirm',
  tag: 'Sessions',
  summary: 'Confirm the second factor',
  description:
    'Confirms the authenticator with a code. From then on, each sign-in requires a second factor. The other sessions of the person end.',
  access: allowPerson(),
  body: AuthenticatorCode,
  examples: { aCode: { code: '492039' } },
  replies: {
    204: {
      description: 'The second factor is on. The cookie of this response continues the session.',
      headers: ['Set-Cookie'],
    },
  },
  problems: ['conflict', 'second_factor_failed', 'rate_limited'],
  async run({ services, person, visitor }, { body }) {
    const { secondFactor } = services.identity;
    const { methods } = await readSecondFactor(services.db, person.id);
    if (methods.includes('authenticator'))
      throw problem('conflict', { detail: 'The authenticator is already confirmed.' });
    const cookies = await secondFactor.confirm(visitor, person.id, body.code);
    if (!cookies) throw problem('second_factor_failed');
    await services.db.transaction(async (tx) => {
      const opensAt = await startProductionKeyWait(tx, person.id);
      await queueMail(tx, composeNewFactorMail(person.email, services.consoleUrl, opensAt));
    });
    return { status: 204, headers: { 'set-cookie': cookies } };
  },
});
