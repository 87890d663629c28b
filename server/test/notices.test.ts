// Warnings of keys that expire: each once, however many workers look and however often; and their mail, once too, also when
// the Console's process dies at any place.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signAssertion, signConsoleAssertion } from '../src/features/authority/index.ts';
import type { PlaneLink } from '../src/features/environments/index.ts';
import { remoteLink } from '../src/features/environments/index.ts';
import { warnOfExpiry } from '../src/features/keys/warn-of-expiry.job.ts';
import { mailNotices } from '../src/features/notice-mail/index.ts';
import { type Database, openDatabase } from '../src/kit/db.ts';
import { fromId, newUuid } from '../src/kit/ids.ts';
import { secret } from '../src/kit/secret.ts';
import { type Sandbox, startSandbox, type TestApp } from './app.ts';
import { cloneDatabase, type TestDatabase } from './harness.ts';

let sandbox: Sandbox;
let app: TestApp;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  app = await sandbox.newApp();
});

const query = async (text: string, values: unknown[] = []) =>
  (await sandbox.database.superuser.query(text, values)).rows;

/** A key of this life, of which so much is left. */
async function keyWith(life: string, left: string): Promise<string> {
  const { id } = await app.key();
  await query('alter table keys disable trigger guard_key');
  await query(
    'update keys set expires_at = now() + $2::interval, created_at = now() + $2::interval - $3::interval where key_id = $1',
    [fromId('key', id), left, life],
  );
  await query('alter table keys enable trigger guard_key');
  return id;
}

interface Notice {
  id: string;
  appId: string;
  keyId: string;
  kind: string;
  daysAhead: number | null;
  readAt: string | null;
  readBy: string | null;
}
async function noticesOf(organisationId = sandbox.organisationId, search = ''): Promise<Notice[]> {
  const { body } = await sandbox.manage<{ data: Notice[] }>('GET', `/notices?limit=100${search}`, undefined, {
    organisationId,
  });
  return body.data.filter(({ appId }) => appId === app.id);
}
const told = async (): Promise<[string, number | null][]> =>
  (await noticesOf()).map(({ keyId, daysAhead }) => [keyId, daysAhead]);

describe('a warning', () => {
  test.each([
    ['30 days', '7 days 1 minute', []],
    ['30 days', '7 days', [7]],
    ['30 days', '1 day 1 minute', [7]],
    ['30 days', '1 day', [1]],
    ['30 days', '1 minute', [1]],
    ['30 days', '-1 minute', []],
    // One that is made for no longer than that is told of by whoever makes it.
    ['7 days', '6 days 23 hours', []],
    ['7 days', '23 hours', [1]],
    ['1 day', '23 hours', []],
    ['1 hour', '10 minutes', []],
  ])('of a key that was made for %s, with %s left: %j', async (life, left, days) => {
    const id = await keyWith(life, left);
    await warnOfExpiry(sandbox.worker);
    expect(await told()).toEqual(days.map((one) => [id, one]));
  });

  test('is there once for each of 7 days and one, whatever number of workers look, and look again', async () => {
    const ids = [await keyWith('30 days', '6 days'), await keyWith('30 days', '5 hours')];
    const look = (): Promise<void> => warnOfExpiry(sandbox.worker);
    await Promise.all([look(), look(), look(), look()]);
    await look();
    expect(await told()).toEqual(
      [
        [ids[1], 1],
        [ids[0], 7],
      ].sort((a, b) => Number(a[1]) - Number(b[1])),
    );
    await query('alter table keys disable trigger guard_key');
    await query("update keys set expires_at = now() + interval '20 hours' where key_id = $1", [
      fromId('key', ids[0] ?? ''),
    ]);
    await query('alter table keys enable trigger guard_key');
    await Promise.all([look(), look()]);
    expect((await told()).filter(([id]) => id === ids[0]).map(([, days]) => days)).toEqual([1, 7]);
  });

  test('is not given of a key that was rotated or revoked, or whose app is suspended', async () => {
    const [rotated, revoked, idle] = [
      await keyWith('30 days', '6 days'),
      await keyWith('30 days', '6 days'),
      await keyWith('30 days', '6 days'),
    ];
    await sandbox.manage('POST', `/apps/${app.id}/keys/${rotated}/rotate`, { expiresInDays: 30, overlapHours: 24 });
    await sandbox.manage('POST', `/apps/${app.id}/keys/${revoked}/revoke`);
    await query("update apps set state = 'suspended' where app_id = $1", [fromId('app', app.id)]);
    await warnOfExpiry(sandbox.worker);
    expect(await told()).toEqual([]);
    await query("update apps set state = 'active' where app_id = $1", [fromId('app', app.id)]);
    await warnOfExpiry(sandbox.worker);
    expect(await told()).toEqual([[idle, 7]]);
  });
});

describe('notices', () => {
  test('belong to their organisation, and are read once, by whom is said', async () => {
    await keyWith('30 days', '6 days');
    await warnOfExpiry(sandbox.worker);
    const [notice] = await noticesOf();
    const elsewhere = { organisationId: newUuid() };
    expect(await noticesOf(elsewhere.organisationId)).toEqual([]);
    const path = `/notices/${notice?.id}/read`;
    expect((await sandbox.manage('POST', path, undefined, elsewhere)).status).toBe(404);
    expect((await sandbox.manage('POST', path, undefined, { role: 'auditor' })).body.code).toBe('role_not_allowed');
    const read = await sandbox.manage<Notice>('POST', path);
    expect(read.body).toMatchObject({ readBy: 'tester@example.org', readAt: expect.any(String) });
    expect((await sandbox.manage<Notice>('POST', path)).body).toEqual(read.body);
    expect([await noticesOf(), await noticesOf(undefined, '&unread=true')]).toMatchObject([[read.body], []]);
  });

  test('of all organisations are handed to the Console’s own process alone', async () => {
    const { managementKey } = sandbox.options;
    const ask = async (assertion: string, path = '/console/notices/pull'): Promise<unknown> => {
      const response = await fetch(sandbox.managementUrl + path, {
        method: path.startsWith('/console/') ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${assertion}`, 'content-type': 'application/json' },
        ...(path.startsWith('/console/') && { body: '{"taken":[]}' }),
      });
      return response.status;
    };
    const actor = {
      personId: 'p',
      name: 'p@example.org',
      organisationId: sandbox.organisationId,
      role: 'owner',
    } as const;
    expect(await ask(await signConsoleAssertion('sandbox', managementKey))).toBe(200);
    expect(await ask(await signAssertion(actor, 'sandbox', managementKey))).toBe(401);
    expect(await ask(await signConsoleAssertion('production', managementKey))).toBe(401);
    expect(await ask(await signConsoleAssertion('sandbox', secret('another key, long enough for this')))).toBe(401);
    // Nor is it good for anything that a person asks.
    const { body } = await sandbox.manage<{ data: { id: string }[] }>('GET', '/apps');
    expect(body.data).not.toEqual([]);
    const apps = (await import('../src/kit/ids.ts')).toId('org', sandbox.organisationId);
    expect(await ask(await signConsoleAssertion('sandbox', managementKey), `/organisations/${apps}/apps`)).toBe(401);
  });
});

describe('mail', () => {
  let console: TestDatabase;
  let db: Database;
  let link: PlaneLink;
  beforeAll(async () => {
    console = await cloneDatabase('console');
    db = openDatabase({ url: console.url, max: 4, queryTimeoutMs: 5_000, connectTimeoutMs: 1_000 });
    link = remoteLink(sandbox.managementUrl);
    const { superuser } = console;
    await superuser.query('insert into organisations (organisation_id, name) values ($1, $2)', [
      sandbox.organisationId,
      'An organisation',
    ]);
    for (const [person, role] of [
      ['owner', 'owner'],
      ['admin', 'admin'],
      ['tester', 'developer'],
      ['developer', 'developer'],
      ['elsewhere', undefined],
    ]) {
      await superuser.query('insert into "user" ("id", "name", "email", "emailVerified") values ($1, $1, $2, true)', [
        person,
        `${person}@example.org`,
      ]);
      if (role === undefined) continue;
      const member = [sandbox.organisationId, person, role];
      await superuser.query('insert into members (organisation_id, person_id, role) values ($1, $2, $3)', member);
    }
  });
  afterAll(async () => {
    await db.close();
    await console.drop();
  });
  beforeEach(async () => {
    await run();
    await console.superuser.query('delete from outbox');
  });

  const errors: unknown[] = [];
  const run = (through: PlaneLink = link): Promise<void> => {
    const { managementKey } = sandbox.options;
    const connections = [{ environment: 'sandbox', link: through, managementKey } as const];
    return mailNotices({ db, connections, consoleUrl: 'http://localhost:7000' }, (error) => errors.push(error));
  };
  const outbox = async (): Promise<{ recipient: string; subject: string; text: string }[]> =>
    (await console.superuser.query('select recipient, subject, text from outbox order by recipient, subject')).rows;
  const recipients = async (): Promise<string[]> => (await outbox()).map(({ recipient }) => recipient);
  const EVERYONE = ['admin@example.org', 'owner@example.org', 'tester@example.org'];
  async function warn(left = '6 days'): Promise<void> {
    await keyWith('30 days', left);
    await warnOfExpiry(sandbox.worker);
  }

  test('goes to owners, admins and who generated the key, says what to do, and goes once', async () => {
    await warn();
    await run();
    await run();
    expect(await recipients()).toEqual(EVERYONE);
    const [mail] = await outbox();
    expect(mail?.subject).toBe('The key "A key" expires in 7 days');
    expect(mail?.text).toMatch(
      /The key "A key" \(\w{12}\) of the app "An app" in the sandbox expires on \d{4}-\d\d-\d\d at/,
    );
  });

  test('of a leak says that the key is revoked', async () => {
    const { token } = await app.key();
    const body = JSON.stringify({ key: token });
    await sandbox.call('/v1/leaked-keys', undefined, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    await run();
    expect((await outbox()).map(({ subject }) => subject)).toEqual(
      EVERYONE.map(() => 'The key "A key" was reported as leaked and is revoked'),
    );
    for (const { text } of await outbox()) expect(text).not.toContain(token.slice(22));
  });

  test('is queued once when the process dies between its own commit and telling the plane', async () => {
    await warn();
    let asked = 0;
    const dying: PlaneLink = (call) => {
      asked += 1;
      return asked === 1 ? link(call) : Promise.reject(new Error('the process is gone'));
    };
    errors.length = 0;
    await run(dying);
    expect([await recipients(), errors.length]).toEqual([EVERYONE, 1]);
    const untaken = () => query('select count(*)::int as count from notices where taken_at is null');
    expect(await untaken()).toEqual([{ count: 1 }]);
    await run();
    expect([await recipients(), await untaken()]).toEqual([EVERYONE, [{ count: 0 }]]);
  });

  test('is queued for all or nobody, and not lost, when the process dies before its commit', async () => {
    await warn();
    await console.superuser.query(`create function die() returns trigger language plpgsql as
      $$ begin if new.recipient like 'tester@%' then raise exception 'gone'; end if; return new; end $$`);
    await console.superuser.query('create trigger die before insert on outbox for each row execute function die()');
    errors.length = 0;
    await run();
    expect([await recipients(), errors.length]).toEqual([[], 1]);
    await console.superuser.query('drop trigger die on outbox');
    await run();
    expect(await recipients()).toEqual(EVERYONE);
  });

  test('is queued once by several Consoles at a time', async () => {
    await warn();
    await warn('5 hours');
    await Promise.all([run(), run(), run()]);
    expect(await recipients()).toEqual(EVERYONE.flatMap((one) => [one, one]));
  });
});
