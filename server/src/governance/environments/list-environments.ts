import { allowPersonOrToken } from '../../identity/sessions/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { namedObject, namedSchema, nullable, oneOf, strictObject, Type, text } from '../../kit/http/schema.ts';

const Environment = namedObject('Environment', 'An environment that this Console manages.', {
  name: oneOf(['sandbox', 'production'], 'Name of the environment.'),
  apiUrl: text('Public address of its API, without `/v1`.', { maxLength: 2048 }),
  receiverUrl: nullable(
    text(
      'Address where the demo receiver of this installation shows the webhooks that it received. Null if the installation has no demo receiver.',
      { maxLength: 2048 },
    ),
  ),
});

export const listEnvironments = operation({
  id: 'listEnvironments',
  route: 'GET /api/environments',
  tag: 'Environments',
  summary: 'List environments',
  description: 'Lists the environments that this Console manages, with the addresses of their APIs.',
  access: allowPersonOrToken(),
  replies: ok(
    'The environments.',
    namedSchema(
      'EnvironmentList',
      strictObject({ data: Type.Array(Environment, { maxItems: 2, description: 'All environments.' }) }),
    ),
    { both: { data: [{ name: 'sandbox', apiUrl: 'https://sandbox.example.org', receiverUrl: null }] } },
  ),
  async run({ services }) {
    return { status: 200, body: { data: services.environments } };
  },
});
