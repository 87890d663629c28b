import { unitOfWork } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { queueMail } from '../../platform/mail/index.ts';
import { allowPerson } from './console-access.ts';
import { EndedAccess, endAccess, exampleEndedAccess } from './end-access.ts';
import { composeProviderUnlinkedMail } from './mails.ts';

export const endSessions = operation({
  id: 'endSessions',
  route: 'DELETE /api/sessions',
  tag: 'Sessions',
  summary: 'Sign out everywhere',
  description:
    'Ends all sessions of the signed-in person, including this one, all their access tokens in every organisation, and each approved sign-in of a terminal that has no token yet. It cancels a pending removal of the second factor. It also unlinks the identity provider, if the person has a password; otherwise the link stays and the response lists it.',
  access: allowPerson(),
  replies: ok(
    'Signed out everywhere. The response lists the other access that was ended.',
    EndedAccess,
    { aToken: exampleEndedAccess },
    { headers: ['Set-Cookie'] },
  ),
  problems: ['timeout'],
  async run({ services, person, visitor, workScope }) {
    const body = await unitOfWork(services.db, workScope, async (work) => {
      const { tx } = work;
      const endedAccess = await endAccess(work, person, 'signed_out_everywhere', () =>
        services.identity.endSessions(tx, person),
      );
      const isUnlinked = endedAccess.providerLinks.some(({ state }) => state === 'ended');
      if (isUnlinked) await queueMail(tx, composeProviderUnlinkedMail(person.email, services.consoleUrl));
      return endedAccess;
    });
    return { status: 200, headers: { 'set-cookie': await services.identity.signOut(visitor) }, body };
  },
});
