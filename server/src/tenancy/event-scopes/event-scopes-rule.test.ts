// The announced rule about the scopes of events: an app made before it keeps the earlier rule until the announced day, sees what the rule
// would withhold, and is switched by its organisation, by the operator or on that day, never back.
import { expect, test } from 'vitest';
import { until } from '../../../test/harness.ts';
import { uuidOf } from '../../../test/redelivery.fixture.ts';
import { endsMs, MIN_MIGRATION_DAYS, migrationDays } from '../../kit/http/deprecation.ts';
import { EVENT_SCOPES_CHANGE } from '../../platform/deprecations/index.ts';
import { createEventScopesTurn } from './enforce-event-scopes.job.ts';
import {
  app,
  feed,
  feedOf,
  hang,
  hanging,
  makeEarlier,
  manage,
  publish,
  query,
  received,
  sandbox,
  server,
  setScope,
  settled,
  ticket,
  types,
  useEventScopes,
  whileDispatching,
} from './event-scopes.fixture.ts';
import type { EventScopes } from './event-scopes.ts';

useEventScopes();

const rule = (): Promise<EventScopes> => manage('GET', '/event-scopes');
const enforce = (): Promise<EventScopes> => manage('POST', '/event-scopes/enforce');

test('an app with the earlier rule is shown the events and deliveries that the rule would withhold', async () => {
  await makeEarlier();
  await setScope('publications:read', 'revoked');
  await publish();
  await publish();
  await ticket();
  await feedOf(['publication.updated', 'publication.updated', 'ticket.created']);
  const shown = await rule();
  expect(shown).toMatchObject({
    ...{ state: 'announced', enforcedFrom: EVENT_SCOPES_CHANGE.ends, events: 2, deliveries: 2, areAllLookedAt: true },
    grants: [{ serverId: server, scope: 'publications:read', grant: 'revoked', events: 2 }],
  });
  expect(shown.newest.map(({ type, deliveryIds }) => [type, deliveryIds.length])).toEqual([
    ['publication.updated', 1],
    ['publication.updated', 1],
  ]);
});

test('the switch immediately withholds events that the earlier rule granted, also from a cached page', async () => {
  await makeEarlier();
  await setScope('publications:read', 'revoked');
  await publish();
  await feedOf(['publication.updated']);
  expect(types(await feed())).toEqual(['publication.updated']);
  expect(await enforce()).toMatchObject({ state: 'enforced' });
  expect(types(await feed())).toEqual([]);
  expect(await enforce()).toMatchObject({ state: 'enforced' });
  const entries = await query(
    `select from audit_entries where action = 'app.enforce_event_scopes' and app_id = $1`,
    uuidOf(app.id),
  );
  expect(entries).toHaveLength(1);
});

test('the switch aborts a delivery on the wire that only the earlier rule allows, and cancels it', async () => {
  await makeEarlier();
  await setScope('publications:read', 'revoked');
  hang();
  await publish();
  await whileDispatching(async () => {
    await until(() => received().length === 1);
    await enforce();
    await until(() => hanging.some(({ closed }) => closed));
    await settled(['publication.updated cancelled resource_scope_revoked']);
  });
});

test('counts neither events nor deliveries for an app that enforces the rule, and states the bound of its counts', async () => {
  await makeEarlier();
  await setScope('publications:read', 'revoked');
  await publish();
  const none = { events: 0, deliveries: 0, areAllLookedAt: false, grants: [], newest: [] };
  expect(await rule()).toMatchObject({ events: 1, deliveries: 1, mostLookedAt: 10_000 });
  expect(await enforce()).toMatchObject({ state: 'enforced', mostLookedAt: 10_000, ...none });
  expect(await rule()).toMatchObject({ state: 'enforced', ...none });
});

test('a new app has the rule from its beginning', async () => {
  expect(await rule()).toMatchObject({ state: 'enforced', events: 0, deliveries: 0, grants: [], newest: [] });
});

test('the job switches every app on the announced day, or earlier where the operator says so, and none before', async () => {
  const onError = (error: unknown): void => expect(error).toBeUndefined();
  const at = (nowMs: number) => ({
    ...sandbox.plane,
    deprecations: { ...sandbox.plane.deprecations, nowMs: () => nowMs },
  });
  const dayMs = endsMs(EVENT_SCOPES_CHANGE);
  const run = (nowMs: number, setting: 'announced' | 'enforced') =>
    createEventScopesTurn(sandbox.worker, at(nowMs), setting, onError)();
  await makeEarlier();
  await run(dayMs - 1, 'announced');
  expect((await rule()).state).toBe('announced');
  await run(dayMs, 'announced');
  expect((await rule()).state).toBe('enforced');
  await makeEarlier();
  await run(dayMs - 1, 'enforced');
  expect((await rule()).state).toBe('enforced');
});

test('the announcement has its page, and at least as many days as a change of the contract', async () => {
  expect(migrationDays(EVENT_SCOPES_CHANGE)).toBeGreaterThanOrEqual(MIN_MIGRATION_DAYS);
  const page = await fetch(`${sandbox.apiUrl}/deprecations/event-scopes`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(EVENT_SCOPES_CHANGE.ends)]);
  expect(await (await fetch(`${sandbox.apiUrl}/deprecations`)).text()).toContain('/deprecations/event-scopes');
});
