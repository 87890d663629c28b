// The mail of notices is queued once for the people concerned, even if the Console's process crashes at any point.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { expiringKey } from '../../../test/expiring-key.ts';
import { cloneDatabase, type TestDatabase } from '../../../test/harness.ts';
import { fromId, toId } from '../../kit/crypto/ids.ts';
import { type Database, openDatabase } from '../../kit/db/db.ts';
import { warnAboutExpiry } from '../../tenancy/keys/warn-about-expiry.job.ts';
import { type PlaneLink, remoteLink } from '../environments/index.ts';
import { mailNotices } from './index.ts';
import type { MailText } from './message.ts';
import { addToMails } from './store.ts';

let sandbox: Sandbox;
let app: TestApp;
beforeAll(async () => {
  sandbox = await startSandbox();
  app = await sandbox.newApp();
});
afterAll(() => sandbox.close());

describe('mail of notices', () => {
  let console: TestDatabase;
  let db: Database;
  let link: PlaneLink;
  beforeAll(async () => {
    console = await cloneDatabase('console');
    db = openDatabase({ url: console.url, max: 4, queryTimeoutMs: 5_000, connectTimeoutMs: 1_000 });
    link = remoteLink('sandbox', sandbox.managementUrl);
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

  const query = async (text: string) => (await sandbox.database.superuser.query(text)).rows;
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
    await expiringKey(sandbox, app, '30 days', left);
    await warnAboutExpiry(sandbox.worker);
  }

  test('a warning is mailed once to owners, admins and the creator of the key, and says what to do', async () => {
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

  test('a warning is mailed to the creator’s current address after a change of the address', async () => {
    const change = (before: string, now: string) =>
      console.superuser.query(
        `with changed as (update "user" set email = $2 where email = $1 returning id)
        insert into earlier_emails (person_id, email, until) select id, $1, now() from changed`,
        [before, now],
      );
    await change('tester@example.org', 'tester@example.com');
    await warn();
    await run();
    await change('tester@example.com', 'tester@example.org');
    expect(await recipients()).toEqual(['admin@example.org', 'owner@example.org', 'tester@example.com']);
  });

  test('the mail of a leak says that the key is revoked', async () => {
    const { token } = await app.key();
    await sandbox.call('/v1/leaked-keys', undefined, json({ key: token }));
    await run();
    expect((await outbox()).map(({ subject }) => subject)).toEqual(
      EVERYONE.map(() => 'The key "A key" was reported as leaked and is revoked'),
    );
    for (const { text } of await outbox()) expect(text).not.toContain(token.slice(22));
  });

  test('the mail of a key in a browser goes once to the same people, and contains no part of the secret', async () => {
    const { token } = await app.key();
    const headers = { origin: 'https://app.example.com' };
    for (let requests = 0; requests < 3; requests += 1) await sandbox.call('/v1/servers', token, { headers });
    await sandbox.flush();
    await Promise.all([run(), run()]);
    await run();
    expect((await outbox()).map(({ recipient, subject }) => [recipient, subject])).toEqual(
      EVERYONE.map((one) => [one, 'A page in a browser used the key "A key"']),
    );
    for (const { text } of await outbox()) {
      expect(text).toMatch(/^The key "A key" \(\w{12}\) of the app "An app" in the sandbox was used by a page/);
      expect(text).toContain('https[:]//app[.]example[.]com');
      expect(text).not.toContain(token.slice(22));
    }
    expect(await query('select count(*)::int as count from notices where is_mail_due')).toEqual([{ count: 0 }]);
  });

  test('a mail is queued once if the process crashes after its commit and before it reports the notice as taken', async () => {
    await warn();
    let calls = 0;
    const dying: PlaneLink = (call) => {
      calls += 1;
      return calls === 1 ? link(call) : Promise.reject(new Error('the process is gone'));
    };
    errors.length = 0;
    await run(dying);
    expect([await recipients(), errors.length]).toEqual([EVERYONE, 1]);
    const untaken = () => query('select count(*)::int as count from notices where taken_at is null');
    expect(await untaken()).toEqual([{ count: 1 }]);
    await run();
    expect([await recipients(), await untaken()]).toEqual([EVERYONE, [{ count: 0 }]]);
  });

  /** Writes a notice that a server with this name paused the app. */
  async function pauseBy(serverName: string): Promise<void> {
    const { id } = await app.key();
    await sandbox.database.superuser.query(
      `insert into notices (organisation_id, notice_id, app_id, key_id, kind, app_name, key_name, kid, key_created_by,
         expires_at, server_id, server_name)
       select a.organisation_id, gen_random_uuid(), k.app_id, k.key_id, 'installation_paused', a.name, k.name, k.kid,
         k.created_by, k.expires_at, gen_random_uuid(), $2
       from keys k join apps a using (app_id) where k.key_id = $1`,
      [fromId('key', id), serverName],
    );
  }

  test.each([
    'Harbour\u200fLights',
    'Harbour\nLights',
    '   ',
  ])('a notice of a server with the name %j is mailed', async (name) => {
    await pauseBy(name);
    errors.length = 0;
    await run();
    expect([await recipients(), errors]).toEqual([EVERYONE, []]);
    expect((await outbox())[0]?.subject).toMatch(/^The server "[ Harbou\ufffdLights]+" paused the app "An app"$/);
  });

  test('a pause by a second server is mailed within the hour of the first', async () => {
    for (const name of ['First', 'Second']) {
      await pauseBy(name);
      await run();
    }
    expect((await outbox()).map(({ subject }) => subject.split('"')[1])).toEqual(
      EVERYONE.flatMap(() => ['First', 'Second']),
    );
  });

  test('a notice that does not match the schema is reported once, and delays no other notice', async () => {
    await warn();
    await warn();
    const [invalid] = await query('select notice_id from notices where taken_at is null order by notice_id limit 1');
    const noticeId = toId('ntc', invalid?.notice_id);
    const changing: PlaneLink = async (call) => {
      const answer = await link(call);
      return { ...answer, body: answer.body.replace(`"id":"${noticeId}"`, `"id":"${noticeId}","unknown":1`) };
    };
    errors.length = 0;
    await run(changing);
    await run(changing);
    expect([await recipients(), errors.map(String)]).toEqual([
      EVERYONE,
      [expect.stringContaining(`The notice ${noticeId} of the sandbox is not mailed: `)],
    ]);
    expect((await outbox())[0]?.subject).toBe('The key "A key" expires in 7 days');
  });

  test('a mail that cannot be queued stays due, and delays no other mail', async () => {
    await warn();
    await console.superuser.query(`create function die() returns trigger language plpgsql as
      $$ begin if new.recipient like 'tester@%' then raise exception 'gone'; end if; return new; end $$`);
    await console.superuser.query('create trigger die before insert on outbox for each row execute function die()');
    errors.length = 0;
    await run();
    expect([await recipients(), errors.length]).toEqual([['admin@example.org', 'owner@example.org'], 1]);
    await console.superuser.query('drop trigger die on outbox');
    await run();
    expect(await recipients()).toEqual(EVERYONE);
  });

  test('several concurrent Consoles mail each notice once', async () => {
    await warn();
    await warn('5 hours');
    await Promise.all([run(), run(), run()]);
    const texts = (await outbox()).map(({ recipient, text }) => [recipient, text.split('expires on ').length - 1]);
    for (const one of EVERYONE)
      expect(texts.filter(([to]) => to === one).reduce((sum, [, count]) => sum + Number(count), 0)).toBe(2);
  });

  test('notices that are due together are one mail, and each links to its cause', async () => {
    await warn();
    await warn();
    await run();
    expect(await recipients()).toEqual(EVERYONE);
    const [mail] = await outbox();
    expect(mail?.subject).toBe('2 notices from Slipway');
    const link = `http://localhost:7000/sandbox/${toId('org', sandbox.organisationId)}/apps/${app.id}/keys`;
    expect(mail?.text.split(`${link}\n`)).toHaveLength(3);
  });

  describe('limits and settings', () => {
    const mine = (timing: string | null, muted: string[] = []) =>
      console.superuser.query(
        `insert into notice_mail_settings values ($1, 'admin', $2, $3)
         on conflict (organisation_id, person_id) do update set timing = excluded.timing, muted_kinds = excluded.muted_kinds`,
        [sandbox.organisationId, timing, muted],
      );
    const passHours = (hours: number) =>
      console.superuser.query(
        'update notice_mails set due_at = due_at - make_interval(hours => $1), mailed_at = mailed_at - make_interval(hours => $1)',
        [hours],
      );
    const ofAdmin = async () => (await outbox()).filter(({ recipient }) => recipient === 'admin@example.org');
    const addNotice = (cause: string, message: MailText) =>
      db.transaction((tx) =>
        addToMails(tx, {
          ...{ organisationId: sandbox.organisationId, environment: 'sandbox', kind: 'endpoint_disabled', cause },
          ...{ createdBy: 'tester@example.org', message },
        }),
      );
    const takeOne = (cause: string) => addNotice(cause, { subject: 'Disabled', text: 'It was disabled.' });
    /** Takes notices of one cause in four concurrent transactions. */
    const take = async (count: number, cause = 'endpoint_disabled whe_1') => {
      let left = count;
      const lane = async () => {
        for (; left > 0; ) {
          left -= 1;
          await takeOne(cause);
        }
      };
      await Promise.all([lane(), lane(), lane(), lane()]);
    };
    beforeEach(async () => {
      await console.superuser.query('delete from notice_mails');
      await console.superuser.query('delete from notice_mail_settings');
    });

    test('a storm of 1,000 notices of one cause is one mail for each member, and one more after an hour', async () => {
      for (let wave = 0; wave < 4; wave += 1) {
        await take(250);
        await run();
      }
      expect(await recipients()).toEqual(EVERYONE);
      await passHours(1);
      await Promise.all([run(), run(), run()]);
      expect(await recipients()).toEqual(EVERYONE.flatMap((one) => [one, one]));
      expect((await ofAdmin()).map(({ subject }) => subject)).toEqual([
        '250 notices from Slipway',
        '750 notices from Slipway',
      ]);
      expect((await ofAdmin())[1]?.text).toContain('11. 740 further: Disabled');
    });

    test('a mail of 200 causes with the longest names and a long text fits into the outbox', async () => {
      const long = 'M'.repeat(100);
      for (let cause = 0; cause < 200; cause += 1) {
        const text = `The server "${long}" revoked the app "${long}". `.repeat(cause === 0 ? 200 : 3);
        await addNotice(`installation_revoked ${cause}`, {
          subject: `The server "${long}" revoked the app "${long}"`,
          text,
        });
      }
      errors.length = 0;
      await run();
      expect([await recipients(), errors]).toEqual([EVERYONE, []]);
      const [mail] = await ofAdmin();
      expect(mail?.subject).toBe('200 notices from Slipway');
      expect(mail?.text.length).toBeGreaterThan(17_000);
      expect(mail?.text).toMatch(
        /…\n\n2\. The server .*\n\nThe Console lists the other notices\.\n\nYou receive this mail/s,
      );
    });

    test('another cause is mailed within the hour of the first', async () => {
      await take(1);
      await run();
      await take(1, 'endpoint_disabled whe_2');
      await run();
      expect(await recipients()).toEqual(EVERYONE.flatMap((one) => [one, one]));
    });

    test('the daily mail is due at 07:00 UTC and contains every cause', async () => {
      await mine('daily');
      await take(1);
      await take(1, 'endpoint_disabled whe_2');
      await run();
      expect(await recipients()).toEqual(['owner@example.org', 'tester@example.org']);
      const { rows } = await console.superuser.query<{ at: string; is_next: boolean }>(
        `select distinct to_char(due_at at time zone 'utc', 'HH24:MI') as at,
           due_at > clock_timestamp() and due_at <= clock_timestamp() + interval '1 day' as is_next
         from notice_mails where due_at is not null`,
      );
      expect(rows).toEqual([{ at: '07:00', is_next: true }]);
      await passHours(24);
      await run();
      expect((await ofAdmin()).map(({ subject }) => subject)).toEqual(['2 notices from Slipway']);
    });

    test('a member without mail, with a muted kind, or suspended receives nothing, and others receive everything', async () => {
      for (const set of [() => mine('never'), () => mine('immediately', ['endpoint_disabled'])]) {
        await set();
        await take(1);
      }
      await mine('immediately');
      await take(1);
      await console.superuser.query(`update members set suspended_at = now() where person_id = 'admin'`);
      await take(1);
      await run();
      await console.superuser.query(`update members set suspended_at = null where person_id = 'admin'`);
      await run();
      expect(await recipients()).toEqual(['owner@example.org', 'tester@example.org']);
    });

    test('a developer who chose mail receives notices about objects of others', async () => {
      await console.superuser.query(`insert into notice_mail_settings values ($1, 'developer', 'immediately', '{}')`, [
        sandbox.organisationId,
      ]);
      await take(1);
      await run();
      expect(await recipients()).toContain('developer@example.org');
    });

    test('the times of mails are deleted after an hour', async () => {
      await take(1);
      await run();
      await run();
      const count = async () => (await console.superuser.query('select from notice_mails')).rowCount;
      expect(await count()).toBe(3);
      await passHours(1);
      await run();
      expect(await count()).toBe(0);
    });
  });
});
