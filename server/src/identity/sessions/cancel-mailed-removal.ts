import { operation } from '../../kit/http/operation.ts';
import { namedObject, text } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { allowVisitor } from './console-access.ts';
import { cancelRemoval, findRemovalByToken } from './second-factor-removal-store.ts';

const MailedRemoval = namedObject('MailedRemoval', 'The link in the mail about a removal.', {
  token: text('The token of the link.', { minLength: 16, maxLength: 200 }),
});

export const cancelMailedRemoval = operation({
  id: 'cancelMailedRemoval',
  route: 'POST /api/second-factor-removals/cancel',
  tag: 'Sessions',
  summary: 'Cancel a removal with the mailed link',
  description:
    'Cancels the pending removal of a second factor, with the link that was mailed after the request. It requires no session and opens none.',
  access: allowVisitor(),
  body: MailedRemoval,
  examples: { link: { token: 'an-example-of-a-one-time-token-abc' } },
  replies: { 204: { description: 'The removal is cancelled.' } },
  problems: ['link_invalid'],
  async run({ services }, { body }) {
    const isCancelled = await services.db.transaction(async (tx) => {
      const personId = await findRemovalByToken(tx, body.token);
      return personId !== undefined && cancelRemoval(tx, personId);
    });
    if (!isCancelled) throw problem('link_invalid');
    return { status: 204 };
  },
});
