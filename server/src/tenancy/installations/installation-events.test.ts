// An app receives an event for each change of its grants: by single and bulk calls, for scopes and whole installations,
// also after a revocation.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ask } from '../../../test/app.ts';
import { eventErrors } from '../../../test/event-errors.ts';
import { INGEST_KEY, type LiveApp, type Production, startProduction } from '../../../test/production.fixture.ts';
import { uuidOf } from '../../../test/sweep/copied-rows.ts';
import { expectContiguous, useWorld, type WorldEvent } from '../../../test/world.fixture.ts';
import { consoleActor, SCOPES, type Scope, signAssertion } from '../../access/authority/index.ts';
import { newUuid, toId } from '../../kit/crypto/ids.ts';

type State = 'authorised' | 'paused' | 'revoked';
const all = (state: State) => Object.fromEntries(SCOPES.map((scope) => [scope, state]));
const everyScope = (from: State, to: State) => ({ scopes: SCOPES, from: all(from), to: all(to) });
const one = (scope: Scope, from: State, to: State) => ({
  scopes: [scope],
  from: { [scope]: from },
  to: { [scope]: to },
});
const shown = (events: readonly WorldEvent[]) => events.map(({ type, data }) => [type, data]);
const SCOPE_CHANGED = 'installation.scope_changed';

describe('grant events in the sandbox', () => {
  const { sandbox, app, query, events, trigger, reset } = useWorld();
  const set = async (state: State, scope?: Scope, server = app().serverIds[0]) => {
    const path = `/apps/${app().id}/servers/${server}/installation${scope ? `/scopes/${scope}` : ''}`;
    const answer = await sandbox().manage('PUT', path, { state, reason: 'Only for the organisation.' });
    expect(answer.status).toBe(200);
  };
  const bulk = (change: object) => sandbox().manage('POST', `/apps/${app().id}/installation-changes`, change);

  test('report a change of a scope as one event with both states, and report nothing if nothing changes', async () => {
    await set('paused', 'publications:read');
    await set('paused', 'publications:read');
    await set('revoked', 'publications:read');
    await set('authorised', 'publications:read');
    const grantEvents = await events();
    expect(shown(grantEvents)).toEqual([
      [SCOPE_CHANGED, one('publications:read', 'authorised', 'paused')],
      [SCOPE_CHANGED, one('publications:read', 'paused', 'revoked')],
      [SCOPE_CHANGED, one('publications:read', 'revoked', 'authorised')],
    ]);
    expectContiguous(grantEvents);
    expect(grantEvents.flatMap((event) => eventErrors(event))).toEqual([]);
    expect(JSON.stringify(grantEvents)).not.toContain('Only for the organisation');
  });

  test('report a revocation and a new authorisation of a server, each in the sequence of its installation', async () => {
    await set('revoked', 'tickets:create');
    await set('paused');
    await set('revoked');
    await set('authorised');
    const grantEvents = await events();
    const otherScopes = SCOPES.filter((scope) => scope !== 'tickets:create');
    const of = (state: State) => Object.fromEntries(otherScopes.map((scope) => [scope, state]));
    expect(shown(grantEvents)).toEqual([
      [SCOPE_CHANGED, one('tickets:create', 'authorised', 'revoked')],
      ['installation.paused', {}],
      [SCOPE_CHANGED, { scopes: otherScopes, from: of('paused'), to: of('revoked') }],
      [SCOPE_CHANGED, everyScope('revoked', 'authorised')],
    ]);
    expect(grantEvents.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 1]);
    expectContiguous(grantEvents);
  });

  test('report one event per changed installation for a call that changes many scopes of many installations', async () => {
    const [first, second] = app().serverIds;
    await set('paused', 'roadmap:read', first);
    await bulk({ state: 'paused', scopes: ['roadmap:read', 'workflows:run'], serverIds: [first, second] });
    const grantEvents = (await events()).slice(1);
    expect(grantEvents.map(({ data }) => data)).toEqual(
      expect.arrayContaining([
        one('workflows:run', 'authorised', 'paused'),
        {
          scopes: ['roadmap:read', 'workflows:run'],
          from: { 'roadmap:read': 'authorised', 'workflows:run': 'authorised' },
          to: { 'roadmap:read': 'paused', 'workflows:run': 'paused' },
        },
      ]),
    );
    expect(grantEvents).toHaveLength(2);
    await bulk({ state: 'revoked' });
    const revoked = (await events()).slice(3);
    expect(revoked.map(({ type, data }) => [type, data.to])).toEqual(
      app().serverIds.map(() => [SCOPE_CHANGED, all('revoked')]),
    );
    expectContiguous(await events());
  });

  test('are delivered without a grant: the delivery stays pending after every scope was revoked', async () => {
    const [key] = await query<{ key_id: string }>('select key_id from keys where app_id = $1');
    const endpoint = {
      url: 'http://127.0.0.1:1/hooks',
      keyId: toId('key', key?.key_id ?? ''),
      eventTypes: [SCOPE_CHANGED],
    };
    expect((await sandbox().manage('POST', `/apps/${app().id}/endpoints`, endpoint)).status).toBe(201);
    await set('revoked', 'events:read');
    await set('revoked');
    const deliveries = await query('select status, server_id from deliveries where app_id = $1');
    expect(deliveries).toEqual(Array.from({ length: 2 }, () => ({ status: 'pending', server_id: null })));
  });

  test('report installations that a reset ends and creates with their servers, and no unchanged installation', async () => {
    await set('paused');
    const before = app().serverIds;
    expect((await reset({ preset: 'unicode' })).status).toBe(200);
    const grown = (await events()).slice(1);
    expect(
      grown.every(({ data }) => JSON.stringify(data) === JSON.stringify(everyScope('revoked', 'authorised'))),
    ).toBe(true);
    const servers = await query<{ server_id: string }>('select server_id from servers where app_id = $1');
    expect(grown).toHaveLength(servers.filter(({ server_id: id }) => !before.includes(toId('srv', id))).length);
    expect((await reset({ preset: 'empty' })).status).toBe(200);
    const ended = (await events()).slice(1 + grown.length);
    expect(ended).toHaveLength(servers.length);
    expect(ended.every(({ data }) => JSON.stringify(data.to) === JSON.stringify(all('revoked')))).toBe(true);
    expect(ended.filter(({ sequence }) => sequence === 2)).toHaveLength(grown.length + 1);
    expectContiguous(await events());
  });

  test('report the scope and the state that a manual trigger names', async () => {
    const make = (set: object) =>
      sandbox().manage<WorldEvent>('POST', `/apps/${app().id}/world/events`, { type: SCOPE_CHANGED, set });
    const answer = await make({ scope: 'roadmap:read', state: 'revoked' });
    expect([answer.status, answer.body.data]).toEqual([201, one('roadmap:read', 'authorised', 'revoked')]);
    expect((await make({ scope: 'roadmap:read', state: 'revoked' })).status).toBe(409);
    expect((await trigger(SCOPE_CHANGED)).body.data).toEqual(one('publications:read', 'authorised', 'paused'));
    expect((await trigger(SCOPE_CHANGED)).body.data).toEqual(one('publications:read', 'paused', 'authorised'));
  });
});

describe('grant events in production', () => {
  let production: Production;
  let app: LiveApp;
  let version = 0;
  beforeAll(async () => {
    production = await startProduction();
  });
  afterAll(() => production.close());
  beforeEach(async () => {
    app = await production.newApp();
  });
  const events = async () =>
    (
      await production.database.superuser.query('select body from events where app_id = $1 order by event_id', [
        app.uuid,
      ])
    ).rows.map(({ body }): WorldEvent => JSON.parse(body));
  const allow = async (serverId: string, state: State, scopes: Partial<Record<Scope, State>> = all('authorised')) => {
    version += 1;
    const grants = Object.entries(scopes).map(([scope, granted]) => ({ scope, state: granted }));
    const answer = await ask(`${production.managementUrl}/ingest/apps/${app.id}/servers/${serverId}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${INGEST_KEY}` },
      body: JSON.stringify({ version, serverName: 'Harbour Lights', state, scopes: grants }),
    });
    expect(answer.status).toBe(200);
  };

  test('report a statement of the upstream API as at most one event per kind, with all changed scopes', async () => {
    const serverId = toId('srv', newUuid());
    await allow(serverId, 'authorised', { 'servers:read': 'authorised', 'events:read': 'paused' });
    await allow(serverId, 'paused', { 'servers:read': 'paused', 'roadmap:read': 'authorised' });
    await allow(serverId, 'revoked');
    const grantEvents = await events();
    expect(shown(grantEvents)).toEqual([
      [
        SCOPE_CHANGED,
        {
          scopes: ['servers:read', 'events:read'],
          from: { 'servers:read': 'revoked', 'events:read': 'revoked' },
          to: { 'servers:read': 'authorised', 'events:read': 'paused' },
        },
      ],
      ['installation.paused', {}],
      [
        SCOPE_CHANGED,
        {
          scopes: ['servers:read', 'events:read', 'roadmap:read'],
          from: { 'servers:read': 'authorised', 'events:read': 'paused', 'roadmap:read': 'revoked' },
          to: { 'servers:read': 'paused', 'events:read': 'revoked', 'roadmap:read': 'authorised' },
        },
      ],
      [
        SCOPE_CHANGED,
        {
          scopes: ['servers:read', 'roadmap:read'],
          from: { 'servers:read': 'paused', 'roadmap:read': 'paused' },
          to: { 'servers:read': 'revoked', 'roadmap:read': 'revoked' },
        },
      ],
    ]);
    expectContiguous(grantEvents);
  });

  test('report that the cap on servers pauses a new installation, and that a raised cap resumes it', async () => {
    const order = async (maxServers: number) => {
      version += 1;
      const key = production.options.managementKey;
      const assertion = await signAssertion(consoleActor(app.organisationId), 'production', key);
      const path = `/organisations/${toId('org', app.organisationId)}/apps/${app.id}/live-access`;
      const answer = await ask(production.managementUrl + path, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${assertion}` },
        body: JSON.stringify({ version, name: 'Live', scopes: SCOPES, maxServers, standing: 'active' }),
      });
      expect(answer.status).toBe(200);
    };
    await order(1);
    await allow(toId('srv', newUuid()), 'authorised');
    await allow(toId('srv', newUuid()), 'authorised');
    await order(2);
    const grantEvents = await events();
    expect(shown(grantEvents)).toEqual([
      [SCOPE_CHANGED, everyScope('revoked', 'authorised')],
      [SCOPE_CHANGED, everyScope('revoked', 'paused')],
      ['installation.resumed', {}],
    ]);
    expect(uuidOf(grantEvents[2]?.subject.id ?? '')).toBe(uuidOf(grantEvents[1]?.subject.id ?? ''));
    expectContiguous(grantEvents);
  });
});
