// An event that contains a resource needs two grants of its server: events:read and the resource's own scope. The feed,
// the read of a single event and the explanation check each grant separately.
import { describe, expect, test } from 'vitest';
import { until } from '../../../test/harness.ts';
import { uuidOf } from '../../../test/redelivery.fixture.ts';
import { createTenantReader } from '../../access/authority/index.ts';
import { sql } from '../../kit/db/sql.ts';
import { EVENT_KINDS, EVENT_TYPES, resourceScopeOf } from '../../resources/events/index.ts';
import { listEventRows } from '../../resources/events/store.ts';
import {
  app,
  feed,
  feedOf,
  makeEarlier,
  manage,
  publish,
  query,
  sandbox,
  server,
  setScope,
  settled,
  ticket,
  token,
  types,
  useEventScopes,
  whileDispatching,
} from './event-scopes.fixture.ts';

useEventScopes();

test('maps event types to scopes in SQL like the table of event types, and grants nothing to an unknown type', async () => {
  const types = [...EVENT_TYPES, 'planet.collided'];
  const rows = await createTenantReader(sandbox.plane.db.api, uuidOf(app.id)).query<{
    type: string;
    scope: string | null;
  }>(sql`select type, ${resourceScopeOf(sql`type`)} as scope from unnest(${types}::text[]) as type`);
  const wanted = EVENT_TYPES.map((type) => ({ type: String(type), scope: EVENT_KINDS[type].scope as string | null }));
  expect(rows).toEqual([...wanted, { type: 'planet.collided', scope: '' }]);
  expect(Object.fromEntries(EVENT_TYPES.map((type) => [type, EVENT_KINDS[type].scope]))).toEqual({
    'publication.published': 'publications:read',
    'publication.updated': 'publications:read',
    'publication.archived': 'publications:read',
    'roadmap.item_created': 'roadmap:read',
    'roadmap.item_moved': 'roadmap:read',
    'ticket.created': 'tickets:create',
    'ticket.updated': 'tickets:create',
    'ticket.closed': 'tickets:create',
    'workflow_run.started': 'workflows:run',
    'workflow_run.succeeded': 'workflows:run',
    'workflow_run.failed': 'workflows:run',
    'server.updated': 'servers:read',
    'installation.paused': null,
    'installation.resumed': null,
    'installation.scope_changed': null,
    ping: null,
  });
});

describe('the feed of events', () => {
  test('withholds events whose resource’s scope is paused or revoked, and returns the other events of the server', async () => {
    await ticket();
    await publish();
    await feedOf(['ticket.created', 'publication.updated']);
    await setScope('publications:read', 'paused');
    await feedOf(['ticket.created']);
    await feedOf(['ticket.created'], { serverId: server });
    await setScope('publications:read', 'revoked');
    await feedOf(['ticket.created']);
    await setScope('publications:read', 'authorised');
    await feedOf(['ticket.created', 'publication.updated']);
  });

  test('advances past withheld events, and returns them when a client reads the server again after the resumption', async () => {
    await setScope('tickets:create', 'authorised');
    await ticket();
    await feedOf(['ticket.created']);
    await setScope('tickets:create', 'paused');
    const passed = await until(async () => {
      const page = await feed();
      return page.nextAfter !== null && page;
    });
    expect([types(passed), passed.hasMore]).toEqual([[], false]);
    await setScope('tickets:create', 'authorised');
    expect(types(await feed({ after: passed.nextAfter }))).toEqual([]);
    expect(types(await feed({ serverId: server }))).toEqual(['ticket.created']);
  });

  test('examines a limited number of events per page, and advances over empty pages to the first visible event', async () => {
    for (let at = 0; at < 5; at++) await publish();
    await ticket();
    await feedOf([...Array(5).fill('publication.updated'), 'ticket.created']);
    await setScope('publications:read', 'revoked');
    const tenant = createTenantReader(sandbox.plane.db.api, uuidOf(app.id));
    const all = { type: undefined, serverId: undefined, schemaVersion: 1 };
    const pages: [number, number | null][] = [];
    let after: { xact: string; eventId: string } | undefined;
    for (let at = 0; at < 3; at++) {
      const { rows, lastExamined } = await listEventRows(tenant, all, after, 20, 2);
      pages.push([rows.length, lastExamined?.examined ?? null]);
      after = lastExamined && { xact: lastExamined.xact, eventId: lastExamined.event_id };
    }
    expect(pages).toEqual([
      [0, 2],
      [0, 2],
      [1, 2],
    ]);
  });

  test('names the missing scope when a single event is read', async () => {
    await ticket();
    const { data } = await feedOf(['ticket.created']);
    const read = () => sandbox.call<{ code: string; detail: string }>(`/v1/events/${data[0]?.id}`, token);
    expect((await read()).status).toBe(200);
    await setScope('tickets:create', 'paused');
    expect((await read()).body).toMatchObject({ code: 'installation_paused' });
    await setScope('tickets:create', 'revoked');
    expect((await read()).body).toMatchObject({ code: 'installation_revoked' });
    await setScope('tickets:create', 'authorised');
    expect((await read()).status).toBe(200);
  });
});

test('explains access with the rule of the resource’s scope', async () => {
  await setScope('publications:read', 'paused');
  const explain = (type: string) =>
    manage<{ isAllowed: boolean; resourceScope: string | null; rules: { rule: string; outcome: string }[] }>(
      'GET',
      `/access/getEvent?serverId=${server}&eventType=${type}`,
    );
  const explanation = await explain('publication.updated');
  expect([explanation.isAllowed, explanation.resourceScope]).toEqual([false, 'publications:read']);
  expect(explanation.rules.find(({ outcome }) => outcome === 'broken')?.rule).toBe('resource_scope_not_paused');
  expect(await explain('ticket.created')).toMatchObject({ isAllowed: true, resourceScope: 'tickets:create' });
  expect(await explain('ping')).toMatchObject({ isAllowed: true, resourceScope: null });
});

describe('an app under the earlier rule', () => {
  test('receives events with events:read only', async () => {
    await makeEarlier();
    await setScope('publications:read', 'revoked');
    await publish();
    await feedOf(['publication.updated']);
    await whileDispatching(async () => {
      await settled(['publication.updated succeeded']);
    });
  });

  test('cannot return to the earlier rule after it enforces the new one', async () => {
    const change = query('update apps set enforces_event_scopes = false where app_id = $1', uuidOf(app.id));
    await expect(change).rejects.toThrow('cannot go back');
  });
});
