import { AppId, type GrantState, runInApp, SCOPES, type Tenant } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { integer, strictObject, Type, text } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { insertNotice } from '../../platform/notices/index.ts';
import { GrantStateSchema, ScopeGrant, ServerId } from '../../resources/servers/index.ts';
import {
  admitWaitingServers,
  applyRestrictions,
  emitGrantEvents,
  lockInstallationRow,
  lockWaitingServers,
  markChangesAutomatic,
  setServer,
  statementOf,
} from '../../tenancy/installations/index.ts';
import { withIngestKey } from './ingest-key.ts';
import type { IngestOptions } from './report-event.ts';
import { findNewestKey, storeStatement } from './store.ts';

const InstallationReport = strictObject({
  version: integer(
    'Version of the statement about this server and app. A version that is not higher than the stored one changes nothing.',
    1,
    Number.MAX_SAFE_INTEGER,
  ),
  serverName: text('The name of the server, for people in the Console.', { minLength: 1, maxLength: 100 }),
  state: GrantStateSchema,
  scopes: Type.Array(ScopeGrant, {
    maxItems: SCOPES.length,
    description: 'The state of each scope. A scope that is left out is revoked.',
  }),
});

export const reportInstallation = ({ key }: Pick<IngestOptions, 'key'>) =>
  operation({
    id: 'reportInstallation',
    route: 'PUT /ingest/apps/{appId}/servers/{serverId}',
    tag: 'Ingest',
    summary: 'Report the access that a server grants to an app',
    description:
      'Stores the complete access that the server grants. The effective state is the strictest of this statement, the cap on servers and the restrictions of the organisation: no statement lifts a restriction of the organisation. The response is sent after all access that is no longer allowed has ended.',
    access: withIngestKey(key),
    params: strictObject({ appId: AppId, serverId: ServerId }),
    body: InstallationReport,
    replies: ok(
      'The stored statement and the effective state. `isNews` is false if the statement changed nothing.',
      strictObject({
        isNews: Type.Boolean({ description: 'False if an equal or newer version was stored already.' }),
        state: { ...GrantStateSchema, description: 'The state in the latest statement.' },
        effectiveState: {
          ...GrantStateSchema,
          description:
            'The effective state: stricter than `state` if the organisation restricts the server or the server is over the cap.',
        },
      }),
    ),
    problems: ['not_found'],
    async run({ plane, incoming }, { ids: { serverId, appId }, params, body }) {
      const author = {
        actor: { kind: 'machine', id: 'platform', name: 'The platform' },
        requestId: incoming.exchange.id,
        clientAddress: incoming.ip,
      } as const;
      const result = await runInApp(plane, appId, author, async (context) => {
        const { tenant, audit } = context;
        const mayFreePlace = body.state !== 'authorised';
        if (mayFreePlace) await lockWaitingServers({ tenant }, serverId);
        const isNews = await storeStatement(tenant, { ...body, serverId, name: body.serverName });
        const row = await lockInstallationRow(tenant, serverId);
        if (!row) throw problem('not_found');
        const { state } = statementOf(row);
        if (!isNews) return { isNews, state, effectiveState: row.state ?? 'revoked' };
        markChangesAutomatic(tenant, 'The upstream API reported it.');
        const wanted = applyRestrictions(statementOf(row), row.restrictions);
        const changed = await setServer(context, row, wanted);
        if (mayFreePlace) await admitWaitingServers(context);
        await emitGrantEvents(context);
        const effectiveState = changed.state ?? 'revoked';
        if (row.state !== null && row.state !== 'revoked' && effectiveState !== row.state)
          await noticeRemoval(tenant, { id: serverId, name: body.serverName }, effectiveState);
        audit(`installation.${body.state}`, params.serverId, { version: body.version, effectiveState });
        return { isNews, state, effectiveState };
      });
      if (!result) throw problem('not_found');
      return { status: 200, body: result };
    },
  });

/**
 * Writes a notice if the server took access away. An app without keys has no integration that fails, so it gets no
 * notice.
 */
async function noticeRemoval(tenant: Tenant, server: { id: string; name: string }, state: GrantState): Promise<void> {
  if (state === 'authorised') return;
  const key = await findNewestKey(tenant);
  if (key) await insertNotice(tenant, key, { kind: `installation_${state}`, server });
}
