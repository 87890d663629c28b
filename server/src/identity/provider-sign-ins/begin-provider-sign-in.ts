import { created, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { allowVisitor } from '../sessions/index.ts';
import { beginAt, ProviderSignIn } from './provider-sign-in.ts';
import { insertAttempt } from './store.ts';

export const beginProviderSignIn = operation({
  id: 'beginProviderSignIn',
  route: 'POST /api/provider-sign-ins',
  tag: 'Sessions',
  summary: 'Begin a sign-in with the provider',
  description:
    'Returns the address of the identity provider, for the browser to open. The browser must return within ten minutes.',
  access: allowVisitor(),
  replies: created(
    'The address of the provider.',
    ProviderSignIn,
    { begun: { url: 'https://id.example.org/authorize?client_id=slipway' } },
    { headers: ['Set-Cookie'] },
  ),
  problems: ['not_found', 'provider_sign_in_failed'],
  async run({ services: { provider, consoleUrl, db } }) {
    if (!provider) throw problem('not_found');
    return beginAt(provider, consoleUrl, (attempt) => insertAttempt(db, attempt, null));
  },
});
