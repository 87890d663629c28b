import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { queueMail } from '../../platform/mail/index.ts';
import { allowPerson } from './console-access.ts';
import { SecondFactorCode } from './second-factor.ts';
import { cancelRemoval } from './second-factor-removal-store.ts';

export const disableSecondFactor = operation({
  id: 'disableSecondFactor',
  route: 'POST /api/second-factor/disable',
  tag: 'Sessions',
  summary: 'Disable the second factor',
  description:
    'Requires a code of the authenticator or a recovery code; neither an open session nor the password is sufficient. A person who has neither requests a removal (`requestSecondFactorRemoval`). The person receives a mail.',
  access: allowPerson(),
  body: SecondFactorCode,
  examples: { aCode: { code: '492039' }, aRecoveryCode: { code: 'a1B2c-D3e4F' } },
  replies: {
    204: {
      description: 'The second factor is off. The cookie of this response continues the session.',
      headers: ['Set-Cookie'],
    },
  },
  problems: ['conflict', 'second_factor_failed', 'rate_limited'],
  async run({ services, person, visitor }, { body }) {
    const { secondFactor } = services.identity;
    if (!(await secondFactor.isOn(person.id))) throw problem('conflict', { detail: 'There is no second factor.' });
    const cookies = await secondFactor.disable(visitor, person.id, body.code);
    if (!cookies) throw problem('second_factor_failed');
    await services.db.transaction((tx) => cancelRemoval(tx, person.id));
    await queueMail(services.db, {
      to: person.email,
      subject: 'Your second factor was switched off',
      text: `Signing in to Slipway (${services.consoleUrl}) no longer asks for a code of your authenticator.\n\nIf that was not you, ask for a new password immediately.\n`,
    });
    return { status: 204, headers: { 'set-cookie': cookies } };
  },
});
