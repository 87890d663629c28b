import { unitOfWork } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { queueMail } from '../../platform/mail/index.ts';
import { auditPasskey } from './audit-passkey.ts';
import { allowPerson } from './console-access.ts';
import { composeFactorDisabledMail } from './mails.ts';
import { exampleProofs, requireProof, SecondFactorProofInput } from './second-factor.ts';
import { cancelRemoval } from './second-factor-removal-store.ts';
import { deleteSecondFactor } from './second-factor-store.ts';

export const disableSecondFactor = operation({
  id: 'disableSecondFactor',
  route: 'POST /api/second-factor/disable',
  tag: 'Sessions',
  summary: 'Disable the second factor',
  description:
    'Requires a code of the authenticator, a recovery code or a passkey; neither an open session nor the password is sufficient. It removes the authenticator, the recovery codes and all passkeys. A passkey signs a challenge of `createPasskeyChallenge`. A person who has none of them requests a removal (`requestSecondFactorRemoval`). The person receives a mail.',
  access: allowPerson(),
  body: SecondFactorProofInput,
  examples: exampleProofs,
  replies: {
    204: {
      description: 'The second factor is off. The cookie of this response continues the session.',
      headers: ['Set-Cookie'],
    },
  },
  problems: ['conflict', 'second_factor_failed', 'rate_limited'],
  async run({ services, person, visitor, workScope }, { body }) {
    const { secondFactor } = services.identity;
    if (!(await secondFactor.isOn(person.id))) throw problem('conflict', { detail: 'There is no second factor.' });
    const cookies = await secondFactor.verify(visitor, person.id, requireProof(body));
    if (!cookies) throw problem('second_factor_failed');
    await unitOfWork(services.db, workScope, async (work) => {
      const passkeyIds = await deleteSecondFactor(work.tx, person.id);
      for (const passkeyId of passkeyIds) await auditPasskey(work, person, 'passkey.remove', passkeyId);
      await cancelRemoval(work.tx, person.id);
      await queueMail(work.tx, composeFactorDisabledMail(person.email, services.consoleUrl));
    });
    return { status: 204, headers: { 'set-cookie': cookies } };
  },
});
