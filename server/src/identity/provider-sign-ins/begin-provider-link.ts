import { created, operation } from '../../kit/http/operation.ts';
import { namedObject, Type, text } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { allowPerson, requireReauthentication } from '../sessions/index.ts';
import { beginAt, ProviderSignIn } from './provider-sign-in.ts';
import { insertAttempt } from './store.ts';

const NewProviderLink = namedObject('NewProviderLink', 'A link to the identity provider to begin.', {
  currentPassword: Type.Optional(text('Your password, if you have one.', { minLength: 1, maxLength: 200 })),
});

export const beginProviderLink = operation({
  id: 'beginProviderLink',
  route: 'POST /api/provider-links',
  tag: 'Sessions',
  summary: 'Link the identity provider',
  description:
    'Returns the address of the identity provider, for the browser to open. `completeProviderSignIn` then links the returned identity to your account, and the identity signs you in from then on. It requires your password, or a sign-in within the last ten minutes if you have none.',
  access: allowPerson(),
  body: NewProviderLink,
  examples: { withPassword: { currentPassword: 'a long sentence is a good one' } },
  replies: created(
    'The address of the provider.',
    ProviderSignIn,
    { begun: { url: 'https://id.example.org/authorize?client_id=slipway' } },
    { headers: ['Set-Cookie'] },
  ),
  problems: ['not_found', 'provider_sign_in_failed', 'fresh_sign_in_required', 'rate_limited'],
  async run(context, { body }) {
    const { services, person } = context;
    if (!services.provider) throw problem('not_found');
    await requireReauthentication(context, body.currentPassword);
    return beginAt(services.provider, services.consoleUrl, (attempt) => insertAttempt(services.db, attempt, person.id));
  },
});
