import { operation } from '../../kit/http/operation.ts';
import { closed, named, Type } from '../../kit/http/schema.ts';
import { visitor } from '../sessions/index.ts';
import { Provider } from './provider-sign-in.ts';

export const listProviders = operation({
  id: 'listProviders',
  method: 'GET',
  path: '/api/providers',
  tag: 'Sessions',
  summary: 'List identity providers',
  description: 'Where people may sign in besides: one, or none.',
  access: visitor(),
  replies: {
    200: {
      description: 'The providers.',
      schema: named(
        'IdentityProviderList',
        closed({ data: Type.Array(Provider, { maxItems: 1, description: 'What the operator has named.' }) }),
      ),
      examples: { one: { data: [{ name: 'Single sign-on' }] } },
    },
  },
  async run({ services: { provider } }) {
    return { status: 200, body: { data: provider ? [{ name: provider.name }] : [] } };
  },
});
