// The apps of the sweep: the caller's own, active and suspended, a sibling in the same organisation, and one of another
// organisation.
import { exampleContents } from '../../src/governance/live-access/live-access-views.ts';
import { newUuid, toId } from '../../src/kit/crypto/ids.ts';
import { accountOf } from '../../src/resources/objects/index.ts';
import type { TestConsole } from '../console-app.ts';
import type { Calls } from './calls.ts';
import { openCopier, type RowCopier, uuidOf } from './copied-rows.ts';
import { EVERY_GRANT, insertServers, readTemplate, replaceGrants, SOME_GRANTS, type SweptServer } from './grants.ts';
import { insertKeys, type SweptKeys } from './keys.ts';
import type { Grants } from './model.ts';
import { type Databases, KINDS, type MakeOne, openKinds, type SweptApp } from './object-kinds.ts';
import type { SweepPeople } from './people.ts';
import { swept } from './swept.ts';
import type { TemplateObject } from './swept-contract.ts';

export interface SweptApps {
  apps: Record<'own' | 'suspended' | 'deleting' | 'ended' | 'sibling' | 'foreign', SweptApp>;
  /** Apps whose accounts differ in their grants; none if the contract has no account. */
  accounts: readonly { app: Pick<SweptApp, 'keys'>; grants: Grants }[];
  /** Creates an object of a kind. */
  makeOne: MakeOne;
  makeServers(app: SweptApp, wanted: readonly Grants[]): Promise<SweptServer[]>;
  /** Creates another set of keys of the app, one in each state. */
  makeKeys(app: SweptApp): Promise<SweptKeys>;
  /** Creates an app like this one, with an empty world. */
  copyApp(app: SweptApp): Promise<string>;
}

export async function makeApps(console: TestConsole, calls: Calls, society: SweepPeople): Promise<SweptApps> {
  const { plane } = console;
  const db = await openCopier(plane.database.superuser);
  const databases: Databases = { plane: db, console: await openCopier(console.database.superuser) };
  const { organisations, people } = society;
  const ask = async (who: 'owner' | 'founder', method: string, path: string, body: unknown) => {
    const organisation = organisations[who === 'owner' ? 'own' : 'foreign'];
    const full = `/api/sandbox/organisations/${organisation}/apps${path}`;
    return JSON.parse((await calls.callConsole(method, full, people[who].cookie, body)).text);
  };
  const newApp = async (who: 'owner' | 'founder'): Promise<string> =>
    (await ask(who, 'POST', '', { name: 'An app' })).id;
  const first = await newApp('owner');
  const manageFirst = (path: string, body: unknown) => ask('owner', 'POST', `/${first}${path}`, body);
  const { objects, keyId } = await makeObjects(calls, manageFirst, db, first);
  await plane.database.superuser.query("update deliveries set status = 'failed', finished_at = now()");
  await ask('owner', 'POST', `/${first}/redeliveries`, { since: '2000-01-01T00:00:00Z' });
  const invitations = `/api/organisations/${organisations.own}/invitations`;
  const invited = { email: 'somebody@example.org', role: 'viewer' };
  await calls.callConsole('POST', invitations, people.owner.cookie, invited);
  const tokens = `/api/organisations/${organisations.own}/access-tokens`;
  await calls.callConsole('POST', tokens, people.viewer.cookie, { name: 'A token', scope: 'read', expiresInDays: 1 });
  const destinations = `/api/organisations/${organisations.own}/notice-destinations`;
  const destination = { kind: 'webhook', name: 'Alerts', url: 'https://alerts.example.org/slipway' };
  await calls.callConsole('POST', destinations, people.owner.cookie, destination);
  const views = `/api/organisations/${organisations.own}/saved-views`;
  const view = { appId: first, page: 'requests', name: 'A view', filters: 'status=404' };
  await calls.callConsole('PUT', views, people.viewer.cookie, view);
  const requests = `/api/organisations/${organisations.own}/live-access-requests`;
  const askLive = async (method: string, path: string, body: unknown) =>
    JSON.parse((await calls.callConsole(method, `${requests}${path}`, people.owner.cookie, body)).text);
  const { id: live } = await askLive('POST', '', { appId: first });
  const { contacts } = exampleContents;
  const wanted = exampleContents.scopes.map((one, at) => ({ ...one, scope: swept.scopes[at] }));
  await askLive('PUT', `/${live}`, { version: 1, contacts, scopes: wanted });
  await askLive('POST', `/${live}/submit`, { version: 2 });
  const template = await readTemplate(db, first, objects);
  const makeOne = await openKinds(databases, { id: first, organisationId: organisations.own });
  const servers = (id: string, wanted: readonly Grants[]) => insertServers(db, template, id, wanted);

  const keysOf = (id: string) => insertKeys(db, id, keyId, plane.options.peppers);

  async function fill(who: 'owner' | 'founder', id: string, wanted: readonly Grants[]): Promise<SweptApp> {
    const organisationId = organisations[who === 'owner' ? 'own' : 'foreign'];
    const [spare] = await servers(id, SOME_GRANTS);
    const objects: Record<string, string> = { serverId: spare?.ids.serverId ?? '' };
    const app = { id, organisationId, servers: await servers(id, wanted), keys: await keysOf(id), objects };
    for (const name of Object.keys(KINDS)) objects[name] = await makeOne(name, app);
    return app;
  }
  const another = async (who: 'owner' | 'founder'): Promise<SweptApp> => fill(who, await newApp(who), SOME_GRANTS);
  const accounts: { app: Pick<SweptApp, 'keys'>; grants: Grants }[] = [];
  for (const grants of swept.hasAccount ? SOME_GRANTS : []) {
    const id = await newApp('owner');
    await replaceGrants(db, id, accountOf(uuidOf(id)), grants);
    accounts.push({ app: { keys: await keysOf(id) }, grants });
  }
  const apps = {
    own: await fill('owner', first, [...EVERY_GRANT, ...SOME_GRANTS]),
    suspended: await another('owner'),
    deleting: await another('owner'),
    ended: await another('owner'),
    sibling: await another('owner'),
    foreign: await another('founder'),
  };
  for (const [name, change] of Object.entries(ENDS)) {
    const { id } = apps[name as keyof typeof ENDS]; // Object.entries loses the literal types
    await plane.database.superuser.query(`update apps set ${change} where app_id = $1`, [uuidOf(id)]);
  }
  return {
    apps,
    accounts,
    makeOne,
    makeKeys: (app) => keysOf(app.id),
    makeServers: (app, wanted) => servers(app.id, wanted),
    async copyApp({ id }) {
      const app_id = newUuid();
      const [app, world] = [await db.rowOf('apps', { app_id: uuidOf(id) }), await db.rowOf('worlds', {})];
      await db.insert('apps', [{ ...app, app_id }]);
      await db.insert('worlds', [{ ...world, app_id, preset: 'empty' }]);
      return toId('app', app_id);
    },
  };
}

const ENDS = {
  suspended: "state = 'suspended'",
  deleting: "erase_at = now() + interval '1 day'",
  ended: "erase_at = now() - interval '1 hour'",
} as const;

interface AppObjects {
  id: string;
  key: { id: string };
  token: string;
  endpoint: { id: string };
}
type Manage = (path: string, body: unknown) => Promise<AppObjects>;

/** Creates one object of each kind in the first app through the server. All others are copies of these. */
async function makeObjects(
  { callApi }: Calls,
  manage: Manage,
  db: RowCopier,
  appId: string,
): Promise<{ objects: TemplateObject[]; keyId: string }> {
  const { key, token } = await manage('/keys', { name: 'A key', scopes: swept.scopes, expiresInDays: 30 });
  const ask = async (method: string, path: string, body?: unknown) =>
    JSON.parse((await callApi(method, path, token, body)).text);
  await manage('/faults', { operationId: null, share: 0, effect: { reset: true } });
  const url = 'http://127.0.0.1:1/hooks';
  const { endpoint } = await manage('/endpoints', { url, keyId: key.id, eventTypes: swept.eventTypes.slice(0, 1) });
  await manage(`/endpoints/${endpoint.id}/drills`, undefined);
  const { token: leaked } = await manage('/keys', { name: 'Leaked', scopes: swept.scopes, expiresInDays: 30 });
  await ask('POST', '/v1/leaked-keys', { key: leaked }); // creates a notice
  const objects = await swept.makeObjects(ask, db, appId);
  const serverId = objects.find(({ name }) => name === 'serverId')?.id ?? '';
  const { id } = await manage('/world/events', { type: 'ping', objectId: swept.triggerId(serverId) });
  const ping = { name: 'pingId', id, uuid: uuidOf(id), table: 'events', column: 'event_id' };
  return { objects: [...objects, ping], keyId: key.id };
}
