// Notices of deprecations: each app that uses a deprecated part gets one notice at each stage, with its newest requests and
// its endpoints, unless a member acknowledged or snoozed the deprecation.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { declaredDeprecation } from '../../../test/declared-deprecation.ts';
import { fromId, newUuid } from '../../kit/crypto/ids.ts';
import { type Deprecation, endsMs } from '../../kit/http/deprecation.ts';
import { announceDeprecations } from './index.ts';

const FIELD = declaredDeprecation('ticket-requester-external-id');
const DAY_MS = 24 * 60 * 60_000;
const daysBeforeEnd = (days: number): number => endsMs(FIELD) - days * DAY_MS;

let sandbox: Sandbox;
let app: TestApp;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  app = await sandbox.newApp();
  await app.key();
});

const query = (text: string, values: unknown[] = []) => sandbox.database.superuser.query(text, values);
const uuid = (): string => fromId('app', app.id) ?? '';

interface Notice {
  appId: string;
  kind: string;
  deprecation: {
    id: string;
    daysAhead: number | null;
    requests: number;
    requestIds: string[];
    endpoints: number;
    endpointIds: string[];
  } | null;
}
const notices = async (): Promise<Notice['deprecation'][]> =>
  (await sandbox.manage<{ data: Notice[] }>('GET', '/notices?limit=100')).body.data
    .filter(({ appId, kind }) => appId === app.id && kind === 'deprecation_announced')
    .map(({ deprecation }) => deprecation);
const stages = async (): Promise<unknown[]> => (await notices()).map((one) => one?.daysAhead).reverse();

const announce = (nowMs: number, deprecations: readonly Deprecation[] = [FIELD]): Promise<void> =>
  announceDeprecations(sandbox.worker, deprecations, nowMs, (error) => expect(error).toBeUndefined());
const use = (requests: readonly string[] = []): Promise<unknown> =>
  query(`insert into deprecated_uses values ($1, $2, (now() at time zone 'utc')::date, 7, now(), $3)`, [
    uuid(),
    FIELD.id,
    requests,
  ]);
const answer = (body: unknown) => sandbox.manage('PUT', `/apps/${app.id}/deprecated-uses/${FIELD.id}/answer`, body);

describe('the notice of a deprecation', () => {
  test('is written once at each stage by several workers, and names the newest requests', async () => {
    const requests = [newUuid(), newUuid()];
    await use(requests);
    for (const days of [180, 91, 90, 60, 30, 8, 7, 1]) {
      await Promise.all([1, 2, 3].map(() => announce(daysBeforeEnd(days))));
    }
    expect(await stages()).toEqual([null, 90, 30, 7]);
    const [newest] = await notices();
    expect(newest).toMatchObject({ id: FIELD.id, requests: 7, endpoints: 0 });
    expect(newest?.requestIds.map((id) => fromId('req', id)).sort()).toEqual([...requests].sort());
  });

  test('is not written again after housekeeping has deleted it', async () => {
    await use();
    await announce(daysBeforeEnd(100));
    await query('delete from notices where app_id = $1', [uuid()]);
    await announce(daysBeforeEnd(100));
    expect(await stages()).toEqual([]);
  });

  test('is written later if its transaction fails', async () => {
    await use();
    await query(`alter table notices add constraint refused check (kind <> 'deprecation_announced') not valid`);
    const errors: unknown[] = [];
    await announceDeprecations(sandbox.worker, [FIELD], daysBeforeEnd(100), (error) => errors.push(error));
    await query('alter table notices drop constraint refused');
    expect([errors.length > 0, await stages()]).toEqual([true, []]);
    await announce(daysBeforeEnd(100));
    expect(await stages()).toEqual([null]);
  });

  test.each<[string, number, () => Promise<unknown>]>([
    ['for an app that does not use it', 100, async () => {}],
    [
      'for a suspended app',
      100,
      async () => {
        await use();
        await sandbox.manage('POST', `/apps/${app.id}/suspend`);
      },
    ],
    ['from the end on', 0, () => use()],
    ['before the announcement', 192, () => use()],
    [
      'for a use of more than 30 days ago',
      100,
      async () => {
        await use();
        await query('update deprecated_uses set day = day - 30 where app_id = $1', [uuid()]);
      },
    ],
  ])('is not written %s', async (_, days, prepare) => {
    await prepare();
    await announce(daysBeforeEnd(days));
    expect(await stages()).toEqual([]);
  });

  test('is written for an app behind more apps than one statement examines', async () => {
    await use();
    await query(
      `insert into apps (app_id, organisation_id, name, created_by)
       select ('00000000-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid, $1, 'Earlier', 'c' from generate_series(1, 600) i`,
      [newUuid()],
    );
    await announce(daysBeforeEnd(100));
    expect(await stages()).toEqual([null]);
  });
});

describe('an endpoint of a deprecated event', () => {
  const TYPE: Deprecation = { ...FIELD, id: 'a-type', where: { in: 'events', type: 'ticket.created' } };
  const FIRST: Deprecation = {
    ...TYPE,
    id: 'a-version',
    where: { in: 'events', type: 'ticket.created', schemaVersion: 1 },
  };
  const addEndpoint = async (eventTypes: string[], version: number): Promise<string> => {
    const keyIds = [(await app.key()).id];
    const input = { url: 'https://bridge.example.org/hooks', keyIds, eventTypes };
    const { body } = await sandbox.manage<{ endpoint: { id: string } }>('POST', `/apps/${app.id}/endpoints`, input);
    const { id } = body.endpoint;
    await query('update endpoints set schema_versions = $2 where endpoint_id = $1', [
      fromId('whe', id),
      JSON.stringify({ 'ticket.created': version }),
    ]);
    return id;
  };
  const notified = async (): Promise<unknown[]> => {
    await announce(daysBeforeEnd(100), [TYPE, FIRST]);
    return (await notices()).map((one) => [one?.id, one?.endpoints, one?.endpointIds]).sort();
  };

  test('is a use of the type in every version, and of the version to which it is pinned', async () => {
    const [old, current] = [await addEndpoint(['ticket.created'], 1), await addEndpoint(['*'], 2)];
    expect(await notified()).toEqual([
      ['a-type', 2, expect.arrayContaining([old, current])],
      ['a-version', 1, [old]],
    ]);
  });

  test('of other types, or disabled, is no use', async () => {
    await addEndpoint(['ticket.closed'], 1);
    const disabled = await addEndpoint(['ticket.created'], 1);
    await query(`update endpoints set state = 'disabled', disabled_reason = 'r' where endpoint_id = $1`, [
      fromId('whe', disabled),
    ]);
    expect(await notified()).toEqual([]);
  });
});

describe('the answer of a member', () => {
  test('an acknowledged deprecation causes no further notice until the answer is removed', async () => {
    await use();
    await announce(daysBeforeEnd(100));
    const { status, body } = await answer({ status: 'acknowledged', snoozedUntil: null });
    expect([status, body.status, body.answeredBy]).toEqual([200, 'acknowledged', 'tester@example.org']);
    await announce(daysBeforeEnd(90));
    expect(await stages()).toEqual([null]);
    await answer({ status: 'unanswered', snoozedUntil: null });
    await announce(daysBeforeEnd(90));
    expect(await stages()).toEqual([null, 90]);
  });

  test('concerns its own app and deprecation only', async () => {
    await use();
    await answer({ status: 'acknowledged', snoozedUntil: null });
    const own = app;
    const other = { ...FIELD, id: 'another-one' };
    await query(
      `insert into deprecated_uses select app_id, $2, day, uses, last_used_at, '{}' from deprecated_uses where app_id = $1`,
      [uuid(), other.id],
    );
    app = await sandbox.newApp();
    await app.key();
    await use();
    await announce(daysBeforeEnd(100), [FIELD, other]);
    expect((await notices()).map((one) => one?.id)).toEqual([FIELD.id]);
    app = own;
    expect((await notices()).map((one) => one?.id)).toEqual([other.id]);
  });

  test('a snoozed deprecation causes no notice before the day, and then the one of the stage that has begun', async () => {
    await use();
    await answer({ status: 'snoozed', snoozedUntil: '2027-05-11' });
    await announce(daysBeforeEnd(21));
    expect(await stages()).toEqual([]);
    await announce(daysBeforeEnd(20));
    expect(await stages()).toEqual([30]);
  });

  test.each([
    [{ status: 'snoozed', snoozedUntil: null }, 'must be a day if'],
    [{ status: 'acknowledged', snoozedUntil: '2027-05-11' }, 'must be a day if'],
    [{ status: 'snoozed', snoozedUntil: FIELD.ends }, 'must be a later day'],
    [{ status: 'snoozed', snoozedUntil: '2026-01-01' }, 'must be a later day'],
  ])('%j is refused with 400', async (body, detail) => {
    const refused = await answer(body);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining(detail)]);
  });

  test('of an unknown deprecation or by a member who only reads is refused', async () => {
    const body = { status: 'acknowledged', snoozedUntil: null };
    expect((await sandbox.manage('PUT', `/apps/${app.id}/deprecated-uses/unknown/answer`, body)).status).toBe(404);
    const path = `/apps/${app.id}/deprecated-uses/${FIELD.id}/answer`;
    expect((await sandbox.manage('PUT', path, body, { role: 'auditor' })).body.code).toBe('role_not_allowed');
  });
});
