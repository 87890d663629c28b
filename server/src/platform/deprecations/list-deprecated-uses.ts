import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { endsMs } from '../../kit/http/deprecation.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { COUNTED_DAYS, DeprecatedUseList, exampleUse, toDeprecatedUse } from './deprecated-use.ts';
import { ALL_DEPRECATIONS } from './deprecations.ts';
import { listUses } from './store.ts';

export const listDeprecatedUses = operation({
  id: 'listDeprecatedUses',
  route: 'GET /organisations/{organisationId}/apps/{appId}/deprecated-uses',
  tag: 'Requests',
  summary: 'List deprecated uses',
  description: `Lists the deprecated parts of the API that the app still uses, and how often it used them in the last ${COUNTED_DAYS} days.`,
  access: allowAppManagement('requests.read'),
  params: appParams,
  replies: ok('The uses.', DeprecatedUseList, { aField: { data: [exampleUse] } }),
  async run({ plane, tenant }) {
    const rows = await listUses(tenant, COUNTED_DAYS);
    const data = [...ALL_DEPRECATIONS]
      .sort((a, b) => endsMs(a) - endsMs(b))
      .flatMap((deprecation) => {
        const row = rows.find((one) => one.deprecation_id === deprecation.id);
        return row ? [toDeprecatedUse(row, deprecation, plane.urls.public)] : [];
      });
    return { status: 200, body: { data } };
  },
});
