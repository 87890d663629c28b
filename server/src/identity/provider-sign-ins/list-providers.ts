import { ok, operation } from '../../kit/http/operation.ts';
import { namedSchema, strictObject, Type } from '../../kit/http/schema.ts';
import { allowVisitor } from '../sessions/index.ts';
import { Provider } from './provider-sign-in.ts';

export const listProviders = operation({
  id: 'listProviders',
  route: 'GET /api/providers',
  tag: 'Sessions',
  summary: 'List identity providers',
  description:
    'Lists the identity providers that sign people in: one, or none. `sendsMail` states whether requested links are mailed.',
  access: allowVisitor(),
  replies: ok(
    'The providers.',
    namedSchema(
      'IdentityProviderList',
      strictObject({
        data: Type.Array(Provider, { maxItems: 1, description: 'The provider that the operator has configured.' }),
        sendsMail: Type.Boolean({
          description:
            'True if a mail server is configured. Without a mail server, mailed links stay in the outbox of the operator.',
        }),
      }),
    ),
    { one: { data: [{ name: 'Single sign-on' }], sendsMail: true } },
  ),
  async run({ services: { provider, sendsMail } }) {
    return { status: 200, body: { data: provider ? [{ name: provider.name }] : [], sendsMail } };
  },
});
