// The basis of the proofs: a plane on a database, apps with a key, their endpoints and events. It inspects the database
// as a superuser, unlike the service.
import pg from 'pg';
import { openBenchPlane } from '../../bench/plane.ts';
import { openTenant, runAsTenant, SCOPES, setOrganisation } from '../../server/src/access/authority/index.ts';
import { newUuid, toId } from '../../server/src/kit/crypto/ids.ts';
import type { Secret } from '../../server/src/kit/crypto/secret.ts';
import { runHousekeeping } from '../../server/src/platform/housekeeping/index.ts';
import { emitEvent } from '../../server/src/resources/events/index.ts';
import { DEFAULT_WORLD, makeWorld } from '../../server/src/sandbox/world/index.ts';
import { insertApp } from '../../server/src/tenancy/apps/index.ts';
import { makeKey } from '../../server/src/tenancy/keys/index.ts';
import { makeEndpoint } from '../../server/src/webhooks/webhooks/index.ts';

export interface App {
  organisationId: string;
  appId: string;
  serverId: string;
  keyId: string;
  token: string;
}

export type WebhookSetup = Awaited<ReturnType<typeof openWebhookSetup>>;

const ONE_SERVER = { servers: 1, publications: 0, roadmapItems: 0, tickets: 0 };
const EMITTED_AT_ONCE = 100;
/** Event types that endpoints of the proofs receive: two types whose resources need different scopes. */
const TYPES = { 'ticket.created': 'tkt', 'publication.updated': 'pub' } as const;
export type ProofType = keyof typeof TYPES;

export async function openWebhookSetup(url: string, superuserUrl: string) {
  // A proof may kill the database.
  const superuser = new pg.Pool({ connectionString: superuserUrl, max: 4 });
  superuser.on('error', () => {});
  const open = openBenchPlane(url, () => {});
  const { plane } = open;
  await runHousekeeping(open.worker);

  const rows = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await superuser.query(text, [...values])).rows as Row[]; // each caller names the row that it selects

  async function addApp(): Promise<App> {
    const [organisationId, appId] = [newUuid(), newUuid()];
    const key = await plane.db.manager.transaction(async (tx) => {
      setOrganisation(tx, organisationId);
      await insertApp(tx, { appId, organisationId, name: 'Proof', createdBy: 'prover' });
      const tenant = openTenant(tx, appId);
      await makeWorld(tenant, DEFAULT_WORLD, ONE_SERVER);
      return makeKey(tenant, plane, { name: 'Proof', scopes: SCOPES, expiresInDays: 30, createdBy: 'prover' });
    });
    const servers = await rows<{ server_id: string }>('select server_id from servers where app_id = $1', [appId]);
    return { organisationId, appId, serverId: servers[0]?.server_id ?? '', keyId: key.row.key_id, token: key.token };
  }

  /** Adds a key to the app. */
  const addKey = ({ organisationId, appId }: App): Promise<Pick<App, 'keyId' | 'token'>> =>
    plane.db.manager.transaction(async (tx) => {
      setOrganisation(tx, organisationId);
      const key = { name: 'Second', scopes: SCOPES, expiresInDays: 30, createdBy: 'prover' };
      const { row, token } = await makeKey(openTenant(tx, appId), plane, key);
      return { keyId: row.key_id, token };
    });

  return {
    url,
    plane,
    rows,
    addApp,
    addKey,
    /** Puts the app on the earlier rule: claims, barriers and reads judge its events by events:read alone. */
    makeEarlier: ({ appId }: App) =>
      rows(`set session_replication_role = replica;
        update apps set enforces_event_scopes = false where app_id = '${appId}';
        set session_replication_role = origin`),
    /** Adds an endpoint, pinned to the version of ticket.created if one is given. */
    addEndpoint(
      { organisationId, appId, keyId }: App,
      to: string,
      version?: number,
      keyIds: readonly string[] = [keyId],
    ): Promise<{ endpointId: string; secret: Secret }> {
      return plane.db.manager.transaction(async (tx) => {
        setOrganisation(tx, organisationId);
        const tenant = openTenant(tx, appId);
        const endpointId = newUuid();
        const schemaVersions = version === undefined ? {} : { 'ticket.created': version };
        const eventTypes = Object.keys(TYPES) as ProofType[]; // the names of this constant
        const input = { endpointId, keyIds, url: to, description: '', eventTypes, schemaVersions, createdBy: 'prover' };
        const made = await makeEndpoint(tenant, plane, input);
        if (!made) throw new Error('The app does not have this key.');
        return { endpointId, secret: made.signingSecret };
      });
    },
    /** Writes events and deliveries in one transaction, as an operation does. Returns the ids of their subjects. */
    async emit({ appId, serverId }: App, count = 1, type: ProofType = 'ticket.created'): Promise<string[]> {
      const ids = Array.from({ length: count }, newUuid);
      for (let at = 0; at < count; at += EMITTED_AT_ONCE) {
        const queued = await runAsTenant(plane.db.api, appId, async (tenant) => {
          for (const uuid of ids.slice(at, at + EMITTED_AT_ONCE)) {
            const subject = { uuid, id: toId(TYPES[type], uuid) };
            const of = { type, serverId, subject, sequence: 1, requestId: null } as const;
            const older = type === 'ticket.created' ? [{ betreff: 'Grüße' }] : [];
            await emitEvent(tenant, plane, { ...of, data: { subject: 'Grüße' }, older });
          }
          return tenant.queuedEndpoints;
        });
        plane.deliveries.wake(queued);
      }
      return ids.map((uuid) => toId(TYPES[type], uuid));
    },
    async close(): Promise<void> {
      await open.close();
      await superuser.end();
    },
  };
}
