import { caller } from '../../identity/sessions/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { closed, named, nullable, oneOf, Type, text } from '../../kit/http/schema.ts';

const Environment = named(
  'Environment',
  closed(
    {
      name: oneOf(['sandbox', 'production'], 'Which one it is.'),
      apiUrl: text('The public address of its API, before /v1.', { maxLength: 2048 }),
      receiverUrl: nullable(
        text('Where a receiver of this installation shows what it got; null where there is none.', { maxLength: 2048 }),
      ),
    },
    { description: 'An environment that this Console manages.' },
  ),
);

export const listEnvironments = operation({
  id: 'listEnvironments',
  method: 'GET',
  path: '/api/environments',
  tag: 'Environments',
  summary: 'List environments',
  description: 'The environments that this Console manages, with the addresses of their APIs.',
  access: caller(),
  replies: {
    200: {
      description: 'The environments.',
      schema: named(
        'EnvironmentList',
        closed({ data: Type.Array(Environment, { maxItems: 2, description: 'Each environment.' }) }),
      ),
      examples: { both: { data: [{ name: 'sandbox', apiUrl: 'https://sandbox.example.org', receiverUrl: null }] } },
    },
  },
  async run({ services }) {
    return { status: 200, body: { data: services.environments } };
  },
});
