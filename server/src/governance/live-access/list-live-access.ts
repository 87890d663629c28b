import { AppId, cursorBinding, organisationParams } from '../../access/authority/index.ts';
import { memberReads } from '../../identity/sessions/index.ts';
import { fromId, toId } from '../../kit/crypto/ids.ts';
import { operation } from '../../kit/http/operation.ts';
import { DEFAULT_LIMIT, listOf, listQuery, openCursor, sealCursor, toList } from '../../kit/http/page.ts';
import { closed, named, Type } from '../../kit/http/schema.ts';
import { listLiveAccessRows } from './access-store.ts';
import { exampleLiveAccess, LiveAccess, toLiveAccess } from './shown.ts';

const uuidOf = (id: string | undefined): string | undefined => (id === undefined ? undefined : fromId('app', id));

export const listLiveAccess = operation({
  id: 'listLiveAccess',
  method: 'GET',
  path: '/api/organisations/{organisationId}/live-access',
  tag: 'Live access',
  summary: 'List live access',
  description:
    'What apps of the organisation may do in production, and which app there is whose in the sandbox. An app that is not in it has no live access.',
  access: memberReads('live_access.read'),
  params: organisationParams,
  query: closed({
    ...listQuery,
    appId: Type.Optional({ ...AppId, description: 'Only of this app of the sandbox.' }),
    productionAppId: Type.Optional({ ...AppId, description: 'Only of this app of production.' }),
  }),
  replies: {
    200: {
      description: 'A page of live access.',
      schema: named('LiveAccessList', listOf(LiveAccess, 'A page of live access.')),
      examples: { aPage: { data: [exampleLiveAccess], nextCursor: null } },
    },
  },
  async run({ services, actor, tx }, { query }) {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const binding = cursorBinding(actor.organisationId, 'listLiveAccess', query);
    const position = openCursor(query.cursor, binding, services.cursorKey);
    const rows = await listLiveAccessRows(tx, actor.organisationId, {
      appId: uuidOf(query.appId),
      productionAppId: uuidOf(query.productionAppId),
      after: uuidOf(position),
      limit: limit + 1,
    });
    const seal = (row: { app_id: string }): string => sealCursor(toId('app', row.app_id), binding, services.cursorKey);
    return { status: 200, body: toList(rows, limit, toLiveAccess, seal) };
  },
});
