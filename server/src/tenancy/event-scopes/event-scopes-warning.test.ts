// The warning about the announced rule: each app that would lose events gets one notice and one mail before the
// announced day, regardless of the number of workers. An app that loses nothing, or that already enforces the rule,
// gets none.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../test/harness.ts';
import { uuidOf } from '../../../test/redelivery.fixture.ts';
import { remoteLink } from '../../governance/environments/index.ts';
import { mailNotices } from '../../governance/notice-mail/index.ts';
import { newUuid } from '../../kit/crypto/ids.ts';
import { type Database, openDatabase } from '../../kit/db/db.ts';
import { endsMs } from '../../kit/http/deprecation.ts';
import { EVENT_SCOPES_CHANGE } from '../../platform/deprecations/index.ts';
import { createEventScopesTick } from './enforce-event-scopes.job.ts';
import {
  app,
  feedOf,
  makeEarlier,
  manage,
  publish,
  query,
  sandbox,
  setScope,
  token,
  useEventScopes,
} from './event-scopes.fixture.ts';

useEventScopes();

const DAY_MS = 24 * 60 * 60_000;
const WARNED_MS = endsMs(EVENT_SCOPES_CHANGE) - 100 * DAY_MS;
const onError = (error: unknown): void => expect(error).toBeUndefined();
let nowMs = WARNED_MS;
const newWorker = (setting: 'announced' | 'enforced' = 'announced'): (() => Promise<void>) => {
  const deprecations = { ...sandbox.plane.deprecations, nowMs: () => nowMs };
  return createEventScopesTick(sandbox.worker, { ...sandbox.plane, deprecations }, setting, onError);
};

interface Notice {
  appId: string;
  kind: string;
  keyId: string;
  withheld: { events: number; deliveries: number; enforcedFrom: string } | null;
}
const notices = async (): Promise<Notice[]> =>
  (await sandbox.manage<{ data: Notice[] }>('GET', '/notices?limit=100')).body.data.filter(
    ({ appId }) => appId === app.id,
  );
/** Puts the app under the earlier rule. The new rule would withhold two events with one delivery each. */
const makeAffected = async (): Promise<void> => {
  await makeEarlier();
  await setScope('publications:read', 'revoked');
  await publish();
  await publish();
  await feedOf(['publication.updated', 'publication.updated']);
};

beforeEach(async () => {
  nowMs = WARNED_MS;
  // Excludes apps of earlier tests, so that each test has one app that can be warned.
  await query('set session_replication_role = replica');
  await query('update apps set enforces_event_scopes = true where app_id <> $1', uuidOf(app.id));
  await query('set session_replication_role = origin');
});

describe('the notice about the scopes of events', () => {
  test('states the number of withheld events and the day, and is written once per app, also with several workers', async () => {
    await makeAffected();
    await Promise.all([newWorker()(), newWorker()(), newWorker()()]);
    await newWorker()();
    const { data } = await manage<{ data: { id: string }[] }>('GET', '/keys');
    expect(await notices()).toMatchObject([
      {
        ...{ kind: 'event_scopes', keyId: data[0]?.id },
        withheld: { events: 2, deliveries: 2, enforcedFrom: '2027-06-01' },
      },
    ]);
  });

  test('is not repeated after housekeeping has deleted it', async () => {
    await makeAffected();
    await newWorker()();
    await query('delete from notices where app_id = $1', uuidOf(app.id));
    await newWorker()();
    expect(await notices()).toEqual([]);
  });

  test('is not written for an app that loses nothing, until a change of a grant withholds events', async () => {
    await makeEarlier();
    await publish();
    await feedOf(['publication.updated']);
    const turn = newWorker();
    await turn();
    expect(await notices()).toEqual([]);
    await setScope('publications:read', 'paused');
    await turn(); // less than an hour after the first round
    expect(await notices()).toEqual([]);
    nowMs += 60 * 60_000;
    await turn();
    expect((await notices()).map(({ withheld }) => withheld?.events)).toEqual([1]);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['enforces the rule', () => manage('POST', '/event-scopes/enforce')],
    ['is suspended', () => manage('POST', '/suspend')],
    [
      'has no key that reads events',
      () =>
        query(
          `update keys set state = 'revoked', revoked_at = now(), revoked_by = 'c' where app_id = $1`,
          uuidOf(app.id),
        ),
    ],
  ])('is not written for an app that %s', async (_, prepare) => {
    await makeAffected();
    await prepare();
    await newWorker()();
    expect(await notices()).toEqual([]);
  });

  test('is not written from the announced day on, or if the operator enforces the rule', async () => {
    await makeAffected();
    await newWorker('enforced')();
    nowMs = endsMs(EVENT_SCOPES_CHANGE);
    await newWorker()();
    expect(await notices()).toEqual([]);
  });

  test('is written in a later run if earlier apps exhaust the limit of a run', async () => {
    await makeAffected();
    await query(
      `insert into apps (app_id, organisation_id, name, created_by, enforces_event_scopes)
       select ('00000000-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid, $1, 'Earlier', 'c', false from generate_series(1, 20) i`,
      newUuid(),
    );
    await query(
      `insert into keys (app_id, key_id, kid, verifier, pepper_version, name, scopes, created_by, created_at, expires_at)
       select a.app_id, a.app_id, lpad(right(a.app_id::text, 12), 12, '0'), k.verifier, k.pepper_version, 'A key', k.scopes, 'c', now(),
         now() + interval '1 day'
       from apps a, lateral (select * from keys where app_id = $1 limit 1) k where a.name = 'Earlier'`,
      uuidOf(app.id),
    );
    const turn = newWorker();
    await turn();
    expect(await notices()).toEqual([]);
    await turn();
    expect(await notices()).toHaveLength(1);
  });
});

describe('the mail about the scopes of events', () => {
  let console: TestDatabase;
  let db: Database;
  beforeAll(async () => {
    console = await cloneDatabase('console');
    db = openDatabase({ url: console.url, max: 2, queryTimeoutMs: 5_000, connectTimeoutMs: 1_000 });
    const { superuser } = console;
    await superuser.query('insert into organisations (organisation_id, name) values ($1, $2)', [
      sandbox.organisationId,
      'An organisation',
    ]);
    await superuser.query(
      `insert into "user" ("id", "name", "email", "emailVerified") values ('owner', 'owner', 'owner@example.org', true)`,
    );
    await superuser.query(`insert into members (organisation_id, person_id, role) values ($1, 'owner', 'owner')`, [
      sandbox.organisationId,
    ]);
  });
  afterAll(async () => {
    await db.close();
    await console.drop();
  });

  test('names the app, the environment, the day, the counts and the page of the Console, and is sent once', async () => {
    const { managementKey } = sandbox.options;
    const connections = [
      { environment: 'sandbox', link: remoteLink('sandbox', sandbox.managementUrl), managementKey } as const,
    ];
    const send = () => mailNotices({ db, connections, consoleUrl: 'http://localhost:7000' }, onError);
    await send(); // notices of earlier tests
    await console.superuser.query('delete from outbox');
    await makeAffected();
    await newWorker()();
    await send();
    await send();
    const { rows } = await console.superuser.query<{ recipient: string; subject: string; text: string }>(
      'select recipient, subject, text from outbox',
    );
    expect(rows.map(({ recipient, subject }) => [recipient, subject])).toEqual([
      ['owner@example.org', 'Events of the app "An app" need further scopes from 2027-06-01 on'],
    ]);
    expect(rows[0]?.text).toContain('2 of the newest events and 2 of the newest deliveries');
    expect(rows[0]?.text).toContain('Events with a resource of the app "An app" in the sandbox need the grant');
    expect(rows[0]?.text).toContain('"Scopes of events"');
    expect(rows[0]?.text).not.toContain(token);
  });
});
