// The demo: an organisation with an app, a key, an installation and an endpoint whose receiver runs in this process. It
// is created once; an interrupted creation is continued by the next start.

import {
  openTenant,
  type Plane,
  runAsTenant,
  SCOPES,
  type Scope,
  setOrganisation,
  type Tenant,
  type WorkPort,
} from '../../access/authority/index.ts';
import { isOperatorContract } from '../../access/contracts/index.ts';
import { insertOrganisation } from '../../identity/organisations/index.ts';
import type { Person } from '../../identity/sessions/index.ts';
import { newUuid, toId } from '../../kit/crypto/ids.ts';
import type { Database, Transaction } from '../../kit/db/db.ts';
import { EVENT_TYPES } from '../../resources/events/index.ts';
import { DEFAULT_WORLD, makeWorld, type WorldSpec } from '../../sandbox/world/index.ts';
import { insertApp, updateSettings } from '../../tenancy/apps/index.ts';
import { makeKey } from '../../tenancy/keys/index.ts';
import { makeEndpoint, updateEndpointUrl } from '../../webhooks/webhooks/index.ts';
import { findFact, hasApp, newestServerId, setFact } from './store.ts';

export interface Demo {
  organisationId: string;
  appId: string;
  endpointId: string;
}

/** The secrets that can be shown only now. */
export interface NewDemo {
  token: string;
  serverId: string;
}

interface PendingDemo {
  organisationId: string;
}

const DEMO_FACT = 'demo';
const DEMO_WORLD: WorldSpec = isOperatorContract ? DEFAULT_WORLD : { ...DEFAULT_WORLD, preset: 'busy' };
const KEY_DAYS = 30;
/** The scopes of the first calls that are shown and of the demo's endpoint. */
export const DEMO_SCOPES: readonly Scope[] = isOperatorContract
  ? SCOPES
  : ['servers:read', 'events:read', 'tickets:create'];

/** Returns the demo, with its secrets if this call created it. */
export async function seedDemo(
  db: Database,
  plane: WorkPort & Pick<Plane, 'secrets'>,
  owner: Person,
  hookUrl: string,
): Promise<{ demo: Demo; fresh: NewDemo | undefined }> {
  const known = await findFact<Demo | PendingDemo>(db, DEMO_FACT);
  if (known && 'appId' in known) {
    await moveEndpoint(plane, known, hookUrl);
    return { demo: known, fresh: undefined };
  }
  const { organisationId } = known ?? (await beginDemo(db, owner));
  const { fresh, ...demo } = await plane.db.manager.transaction((tx) =>
    fillDemo(tx, plane, owner, organisationId, hookUrl),
  );
  await setFact(db, DEMO_FACT, demo);
  return { demo, fresh };
}

// The receiver's port may have changed since.
function moveEndpoint(plane: Pick<Plane, 'db'>, demo: Demo, url: string): Promise<void> {
  return runAsTenant(plane.db.manager, demo.appId, (tenant) => updateEndpointUrl(tenant, demo.endpointId, url));
}

async function beginDemo(db: Database, owner: Person): Promise<PendingDemo> {
  const organisationId = newUuid();
  await db.transaction(async (tx) => {
    await insertOrganisation(tx, { organisationId, name: 'Demo organisation', ownerId: owner.id });
    await setFact(tx, DEMO_FACT, { organisationId });
  });
  return { organisationId };
}

async function fillDemo(
  tx: Transaction,
  plane: WorkPort & Pick<Plane, 'secrets'>,
  owner: Person,
  organisationId: string,
  hookUrl: string,
): Promise<Demo & { fresh: NewDemo }> {
  setOrganisation(tx, organisationId);
  const existing = await hasApp(tx, organisationId);
  const appId = existing ?? newUuid();
  if (!existing) await insertApp(tx, { appId, organisationId, name: 'Demo app', createdBy: owner.email });
  const tenant = openTenant(tx, appId);
  if (!existing) {
    await makeWorld(tenant, DEMO_WORLD);
    await updateSettings(tenant, { capturesBodies: true });
  }
  const key = await makeKey(tenant, plane, {
    name: 'Demo key',
    scopes: DEMO_SCOPES,
    expiresInDays: KEY_DAYS,
    createdBy: owner.email,
  });
  const endpointId = await addEndpoint(tenant, plane, owner.email, key.row.key_id, hookUrl);
  const newest = await newestServerId(tenant);
  const serverId = newest === undefined ? '' : toId('srv', newest);
  return { organisationId, appId, endpointId, fresh: { token: key.token, serverId } };
}

async function addEndpoint(
  tenant: Tenant,
  plane: WorkPort & Pick<Plane, 'secrets'>,
  createdBy: string,
  keyId: string,
  url: string,
): Promise<string> {
  const endpointId = newUuid();
  await makeEndpoint(tenant, plane, {
    endpointId,
    keyIds: [keyId],
    url,
    description: 'Demo receiver in this process',
    eventTypes: isOperatorContract ? EVENT_TYPES : ['ticket.created', 'ping'],
    createdBy,
  });
  return endpointId;
}
