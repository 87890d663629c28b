import { fromId } from '../../kit/ids.ts';
import { operation } from '../../kit/operation.ts';
import { problem } from '../../kit/problems.ts';
import { closed, Type, text } from '../../kit/schema.ts';
import { AppId, inApp } from '../authority/index.ts';
import { lockInstallationRow, setAutomatic, setServer } from '../installations/index.ts';
import { GrantStateSchema, ScopeGrant, ServerId } from '../servers/index.ts';
import { withIngestKey } from './ingest-key.ts';
import { noteServer } from './store.ts';
import type { IngestOptions } from './tell-event.ts';

const ToldInstallation = closed({
  version: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Of what is said of this server and app: what is not newer than what was said changes nothing.',
  }),
  serverName: text('The name of the server, for people in the Console.', { minLength: 1, maxLength: 100 }),
  state: GrantStateSchema,
  scopes: Type.Array(ScopeGrant, { maxItems: 6, description: 'Each scope; one that is left out is revoked.' }),
});

export const tellInstallation = ({ key }: Pick<IngestOptions, 'key'>) =>
  operation({
    id: 'tellInstallation',
    method: 'PUT',
    path: '/ingest/apps/{appId}/servers/{serverId}',
    tag: 'Ingest',
    summary: 'Tell what a server allows an app',
    description: 'When this is answered, what is no longer allowed has stopped.',
    access: withIngestKey(key),
    params: closed({ appId: AppId, serverId: ServerId }),
    body: ToldInstallation,
    replies: {
      200: {
        description: 'Whether it was news, and what is in force.',
        schema: closed({
          isNews: Type.Boolean({ description: 'False where something as new was said before.' }),
          state: GrantStateSchema,
        }),
      },
    },
    problems: ['not_found'],
    async run({ plane, incoming }, { params, body }) {
      const serverId = fromId('srv', params.serverId) ?? '';
      const appId = fromId('app', params.appId) ?? '';
      const by = {
        actor: { kind: 'machine', id: 'platform', name: 'The platform' },
        requestId: incoming.exchange.id,
        clientAddress: incoming.ip,
      } as const;
      const told = await inApp(plane, appId, by, async ({ tenant, audit, stopAfterCommit, wakeAfterCommit }) => {
        const isNews = await noteServer(tenant, { serverId, name: body.serverName, version: body.version });
        const row = await lockInstallationRow(tenant, serverId);
        if (!row) throw problem('not_found');
        if (!isNews) return { isNews, state: row.state ?? 'revoked' };
        setAutomatic(tenant, 'The platform said so.');
        const changed = await setServer({ plane, tenant, stopAfterCommit, wakeAfterCommit }, row, body);
        audit(`installation.${body.state}`, params.serverId, { version: body.version }, appId);
        return { isNews, state: changed.state ?? 'revoked' };
      });
      if (!told) throw problem('not_found');
      return { status: 200, body: told };
    },
  });
