import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { queueMail } from '../../platform/mail/index.ts';
import { allowPerson, composeProviderUnlinkedMail, deleteProviderLinks } from '../sessions/index.ts';

export const removeProviderLink = operation({
  id: 'removeProviderLink',
  route: 'DELETE /api/provider-links',
  tag: 'Sessions',
  summary: 'Unlink the identity provider',
  description: 'Unlinks the identity provider, which no longer signs you in to this account. You receive a mail.',
  access: allowPerson(),
  replies: { 204: { description: 'The identity provider is unlinked.' } },
  problems: ['not_found'],
  async run({ services, person }) {
    const isDone = await services.db.transaction(async (tx) => {
      const isUnlinked = await deleteProviderLinks(tx, person.id);
      if (isUnlinked) await queueMail(tx, composeProviderUnlinkedMail(person.email, services.consoleUrl));
      return isUnlinked;
    });
    if (!isDone) throw problem('not_found');
    return { status: 204 };
  },
});
