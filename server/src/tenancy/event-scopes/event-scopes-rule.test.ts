// The announced rule about the scopes of events. An app that is older than the rule keeps the previous rule until the
// announced day and sees the effect of the new rule. The organisation, the operator or the announced day enables the
// new rule. It cannot be disabled.
import { expect, test } from 'vitest';
import { until } from '../../../test/harness.ts';
import { uuidOf } from '../../../test/redelivery.fixture.ts';
import { endsMs, MIN_MIGRATION_DAYS, migrationDays } from '../../kit/http/deprecation.ts';
import { EVENT_SCOPES_CHANGE } from '../../platform/deprecations/index.ts';
import { createEventScopesTick } from './enforce-event-scopes.job.ts';
import {
  app,
  feed,
  feedOf,
  holdResponses,
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
  unansweredRequests,
  useEventScopes,
  whileDispatching,
} from './event-scopes.fixture.ts';
import type { EventScopes } from './event-scopes.ts';

useEventScopes();

const rule = (): Promise<EventScopes> => manage('GET', '/event-scopes');
const enforce = (): Promise<EventScopes> => manage('POST', '/event-scopes/enforce');

test('shows an app under the earlier rule the events and deliveries that the new rule would withhold', async () => {
  await makeEarlier();
  await setScope('publications:read', 'revoked');
  await publish();
  await publish();
  await ticket();
  await feedOf(['publication.updated', 'publication.updated', 'ticket.created']);
  const shown = await rule();
  expect(shown).toMatchObject({
    ...{ state: 'announced', enforcedFrom: EVENT_SCOPES_CHANGE.ends, events: 2, deliveries: 2, isComplete: true },
    grants: [{ serverId: server, scope: 'publications:read', grant: 'revoked', events: 2 }],
  });
  expect(shown.newest.map(({ type, deliveryIds }) => [type, deliveryIds.length])).toEqual([
    ['publication.updated', 1],
    ['publication.updated', 1],
  ]);
});

test('withholds events immediately when the rule is enabled, also on a cached page', async () => {
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

test('aborts and cancels an in-flight delivery that only the earlier rule allows when the rule is enabled', async () => {
  await makeEarlier();
  await setScope('publications:read', 'revoked');
  holdResponses();
  await publish();
  await whileDispatching(async () => {
    await until(() => received().length === 1);
    await enforce();
    await until(() => unansweredRequests.some(({ closed }) => closed));
    await settled(['publication.updated cancelled resource_scope_revoked']);
  });
});

test('counts neither events nor deliveries for an app that enforces the rule, and states the limit of its counts', async () => {
  await makeEarlier();
  await setScope('publications:read', 'revoked');
  await publish();
  const none = { events: 0, deliveries: 0, isComplete: false, grants: [], newest: [] };
  expect(await rule()).toMatchObject({ events: 1, deliveries: 1, countLimit: 10_000 });
  expect(await enforce()).toMatchObject({ state: 'enforced', countLimit: 10_000, ...none });
  expect(await rule()).toMatchObject({ state: 'enforced', ...none });
});

test('enforces the rule for a new app', async () => {
  expect(await rule()).toMatchObject({ state: 'enforced', events: 0, deliveries: 0, grants: [], newest: [] });
});

test('enables the rule for every app on the announced day or on the operator’s earlier day, and not before', async () => {
  const onError = (error: unknown): void => expect(error).toBeUndefined();
  const at = (nowMs: number) => ({
    ...sandbox.plane,
    deprecations: { ...sandbox.plane.deprecations, nowMs: () => nowMs },
  });
  const dayMs = endsMs(EVENT_SCOPES_CHANGE);
  const run = (nowMs: number, setting: 'announced' | 'enforced') =>
    createEventScopesTick(sandbox.worker, at(nowMs), setting, onError)();
  await makeEarlier();
  await run(dayMs - 1, 'announced');
  expect((await rule()).state).toBe('announced');
  await run(dayMs, 'announced');
  expect((await rule()).state).toBe('enforced');
  await makeEarlier();
  await run(dayMs - 1, 'enforced');
  expect((await rule()).state).toBe('enforced');
});

test('documents the announcement, with at least the notice period of a contract change', async () => {
  expect(migrationDays(EVENT_SCOPES_CHANGE)).toBeGreaterThanOrEqual(MIN_MIGRATION_DAYS);
  const page = await fetch(`${sandbox.apiUrl}/deprecations/event-scopes`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(EVENT_SCOPES_CHANGE.ends)]);
  expect(await (await fetch(`${sandbox.apiUrl}/deprecations`)).text()).toContain('/deprecations/event-scopes');
});
