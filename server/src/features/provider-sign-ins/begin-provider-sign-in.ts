import { operation } from '../../kit/operation.ts';
import { problem } from '../../kit/problems.ts';
import { closed, named, text } from '../../kit/schema.ts';
import { visitor } from '../sessions/index.ts';
import { stateCookie } from './provider-sign-in.ts';
import { insertAttempt } from './store.ts';

export const beginProviderSignIn = operation({
  id: 'beginProviderSignIn',
  method: 'POST',
  path: '/api/provider-sign-ins',
  tag: 'Sessions',
  summary: 'Begin a sign-in with the provider',
  description:
    'Gives the address of the identity provider to which the browser goes, and from which it comes back within ten minutes.',
  access: visitor(),
  replies: {
    201: {
      description: 'Where to go.',
      headers: ['Set-Cookie'],
      schema: named(
        'ProviderSignIn',
        closed(
          { url: text("The provider's address, made for this sign-in.", { maxLength: 4000 }) },
          { description: 'A sign-in that has begun.' },
        ),
      ),
      examples: { begun: { url: 'https://id.example.org/authorize?client_id=slipway' } },
    },
  },
  problems: ['not_found', 'provider_sign_in_failed'],
  async run({ services: { provider, consoleUrl, db } }) {
    if (!provider) throw problem('not_found');
    const begun = await provider.client.begin().catch((error: unknown) => {
      provider.onFailure(error);
      throw problem('provider_sign_in_failed');
    });
    await insertAttempt(db, begun.attempt);
    const headers = { 'set-cookie': stateCookie(consoleUrl, begun.attempt.state, 600) };
    return { status: 201, headers, body: { url: begun.url } };
  },
});
