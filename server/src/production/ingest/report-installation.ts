import { AppId, type GrantState, type Plane, runInApp, SCOPES, type Tenant } from '../../access/authority/index.ts';
import { type AnyResource, grantor, isGranted, resources } from '../../access/contracts/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { type Incoming, ok, operation } from '../../kit/http/operation.ts';
import { integer, type Static, strictObject, Type, text } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { insertNotice } from '../../platform/notices/index.ts';
import { isUsableKey, keyOfId } from '../../resources/objects/index.ts';
import { GrantStateSchema, ScopeGrant, ServerId } from '../../resources/servers/index.ts';
import {
  admitWaitingServers,
  applyRestrictions,
  cancelInFlightOnServers,
  emitGrantEvents,
  type InstallationRow,
  lockInstallationRow,
  lockWaitingServers,
  markChangesAutomatic,
  setServer,
  statementOf,
} from '../../tenancy/installations/index.ts';
import { ACCOUNT_SERVER, uuidOfObject } from '../identifiers/index.ts';
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

const replies = ok(
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
);

type Key = Pick<IngestOptions, 'key'>;

/** The parts of the operation that do not depend on how its path names the server. */
const shared = ({ key }: Key) => ({
  tag: 'Ingest',
  summary: 'Report the access that a server grants to an app',
  description:
    'Stores the complete access that the server grants. The effective state is the strictest of this statement, the cap on servers and the restrictions of the organisation: no statement lifts a restriction of the organisation. The response is sent after all access that is no longer allowed has ended.',
  access: withIngestKey(key),
  body: InstallationReport,
  replies,
  problems: ['not_found'] as const,
});

export const reportInstallation = ({ key }: Key) =>
  operation({
    id: 'reportInstallation',
    route: 'PUT /ingest/apps/{appId}/servers/{serverId}',
    ...shared({ key }),
    params: strictObject({ appId: AppId, serverId: ServerId }),
    run: (context, { ids: { serverId, appId }, body }) => storeReport(context, appId, serverId, body),
  });

/** Reports the access that the account of an app grants, under an operator's contract. */
const reportAccount = ({ key }: Key) =>
  operation({
    id: 'reportAccount',
    route: 'PUT /ingest/apps/{appId}/account',
    ...shared({ key }),
    params: strictObject({ appId: AppId }),
    run: (context, { ids: { appId }, body }) => storeReport(context, appId, ACCOUNT_SERVER, body),
  });

/** Reports the access that a granting object grants, under an operator's contract. */
const reportGrantor = ({ key }: Key, resource: AnyResource) =>
  operation({
    id: 'reportGrantor',
    route: 'PUT /ingest/apps/{appId}/grantors/{grantorId}',
    ...shared({ key }),
    params: strictObject({ appId: AppId, grantorId: resource.id }),
    run: (context, { ids: { appId }, params, body }) => {
      const objectKey = keyOfId(resource, params.grantorId);
      if (!isUsableKey(resource, objectKey)) throw problem('not_found');
      return storeReport(context, appId, uuidOfObject(resource, objectKey), body);
    },
  });

/** Returns the operations that report installations under an operator's contract. */
export const ownInstallationReports = (options: Key) => [
  ...(resources.some((one) => !isGranted(one)) ? [reportAccount(options)] : []),
  ...(grantor ? [reportGrantor(options, grantor)] : []),
];

async function storeReport(
  { plane, incoming }: { plane: Plane; incoming: Incoming },
  appId: string,
  serverId: string,
  body: Static<typeof InstallationReport>,
) {
  const author = {
    actor: { kind: 'machine', id: 'upstream', name: 'The upstream API' },
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
    if (!isNews) {
      if (!grantsAllScopes(row)) cancelInFlightOnServers(context, [serverId]);
      return { isNews, state, effectiveState: row.state ?? 'revoked' };
    }
    markChangesAutomatic(tenant, 'The upstream API reported it.');
    const wanted = applyRestrictions(statementOf(row), row.restrictions);
    const changed = await setServer(context, row, wanted);
    if (mayFreePlace) await admitWaitingServers(context);
    await emitGrantEvents(context);
    const effectiveState = changed.state ?? 'revoked';
    if (row.state !== null && row.state !== 'revoked' && effectiveState !== row.state)
      await noticeRemoval(tenant, { id: serverId, name: body.serverName }, effectiveState);
    audit(`installation.${body.state}`, toId('srv', serverId), { version: body.version, effectiveState });
    return { isNews, state, effectiveState };
  });
  if (!result) throw problem('not_found');
  return { status: 200, body: result };
}

const grantsAllScopes = ({ state, scopes }: InstallationRow): boolean =>
  state === 'authorised' && SCOPES.every((scope) => scopes.some((one) => one.scope === scope && one.state === state));

/**
 * Writes a notice if the server took access away. An app without keys has no integration that fails, so it gets no
 * notice.
 */
async function noticeRemoval(tenant: Tenant, server: { id: string; name: string }, state: GrantState): Promise<void> {
  if (state === 'authorised') return;
  const key = await findNewestKey(tenant);
  if (key) await insertNotice(tenant, key, { kind: `installation_${state}`, server });
}
