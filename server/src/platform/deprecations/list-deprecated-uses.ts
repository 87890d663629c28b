import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { COUNTED_DAYS, DeprecatedUseList, exampleUse } from './deprecated-use.ts';
import { ALL_DEPRECATIONS } from './deprecations.ts';
import { readDeprecatedUses } from './read-deprecated-uses.ts';

export const listDeprecatedUses = operation({
  id: 'listDeprecatedUses',
  route: 'GET /organisations/{organisationId}/apps/{appId}/deprecated-uses',
  tag: 'Requests',
  summary: 'List deprecated uses',
  description: `Lists the deprecated parts of the API that the app still uses: the number and the newest of its requests in the last ${COUNTED_DAYS} days, and the enabled endpoints that receive deprecated events. For a deprecated field of a response, every successful call of an operation that returns it counts: Slipway does not know which fields the app reads. For deprecated events, every read of the feed that can return them counts, and every read of one of them.`,
  access: allowAppManagement('requests.read'),
  params: appParams,
  replies: ok('The uses.', DeprecatedUseList, { aField: { data: [exampleUse] } }),
  async run({ plane, tenant }) {
    return { status: 200, body: { data: await readDeprecatedUses(tenant, ALL_DEPRECATIONS, plane.urls.public) } };
  },
});
