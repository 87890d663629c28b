// Mail: queueing in a transaction, and sending through a real mail server.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cloneDatabase, type TestDatabase, until } from '../../../test/harness.ts';
import { type Database, openDatabase } from '../../kit/db/db.ts';
import { createSmtp, readSmtpUrl, type Smtp, type SmtpTimeouts } from '../../kit/outbound/smtp.ts';
import { findMailAge, queueMail, runMail, startMail } from './index.ts';
import { type ServerBehaviour, type SmtpServer, startSmtpServer } from './smtp-server.fixture.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await cloneDatabase('console');
  db = openDatabase({ url: database.url, max: 5, queryTimeoutMs: 5_000, connectTimeoutMs: 1_000 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const queued = async (to: string): Promise<unknown[]> =>
  (await database.superuser.query('select subject, text, state from outbox where recipient = $1', [to])).rows;

describe('queueing a mail', () => {
  test('a mail is queued with its transaction, and not if the transaction fails', async () => {
    const message = { subject: 'Hello', text: 'A text.' };
    await db.transaction((tx) => queueMail(tx, { ...message, to: 'kept@example.org' }));
    const failing = db.transaction(async (tx) => {
      await queueMail(tx, { ...message, to: 'lost@example.org' });
      throw new Error('the rest failed');
    });
    await expect(failing).rejects.toThrow('the rest failed');
    expect(await findMailAge(db)).toBeLessThan(30);
    await database.superuser.query(
      "update outbox set queued_at = now() - interval '1 hour', due_at = now() + interval '1 hour'",
    );
    expect(await findMailAge(db)).toBeGreaterThanOrEqual(3_600); // tried, and not due again yet
    expect(await queued('kept@example.org')).toEqual([{ ...message, state: 'waiting' }]);
    expect(await queued('lost@example.org')).toEqual([]);
  });

  test('the subject of a mail is one line, even if it contains line breaks', async () => {
    await queueMail(db, { to: 'line@example.org', subject: `A\r\nBcc: x@y.org\u2028${'é'.repeat(300)}`, text: 't' });
    expect(await queued('line@example.org')).toMatchObject([{ subject: `A Bcc: x@y.org ${'é'.repeat(185)}` }]);
  });

  test.each([
    'a@example.org, b@example.org',
    'A <a@example.org>',
    'a@example.org\r\nBcc: b@example.org',
    'nobody',
    '@',
  ])('a mail to a list of addresses is refused: %j', async (to) => {
    await expect(queueMail(db, { to, subject: 's', text: 't' })).rejects.toThrow(/outbox_recipient_check/);
  });
});

const FROM = 'Slipway <slipway@example.org>';
const servers: SmtpServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

async function serve(habits: ServerBehaviour = {}): Promise<SmtpServer> {
  const server = await startSmtpServer(habits);
  servers.push(server);
  return server;
}
function smtpOf(port: number, changes: object = {}, timeouts?: SmtpTimeouts): Smtp {
  const settings = readSmtpUrl(`smtp://127.0.0.1:${port}`);
  if (typeof settings === 'string') throw new Error(settings);
  return createSmtp({ ...settings, ...changes }, timeouts);
}
const run = (smtp: Smtp | undefined): Promise<void> => runMail({ db, smtp, from: FROM, onError: () => {} });
const queue = async (to: string): Promise<void> => {
  await database.superuser.query('delete from outbox');
  await queueMail(db, { to, subject: 'Grüße', text: 'Ein Link:\n.\nhttps://console.example.org/#token=abc\n' });
};
const outbox = async (): Promise<Record<string, unknown>[]> =>
  (
    await database.superuser.query(`select state, text, attempts, last_error,
      round(extract(epoch from due_at - clock_timestamp())) as due_in from outbox order by queued_at`)
  ).rows;

describe('sending mail', () => {
  test('a mail arrives complete from the configured sender, and its text is erased', async () => {
    const server = await serve();
    await queue('imke@example.org');
    await run(smtpOf(server.port));
    expect(server.received).toMatchObject([{ from: 'slipway@example.org', to: ['imke@example.org'] }]);
    const raw = server.received[0]?.raw ?? '';
    expect(raw).toMatch(/^From: Slipway <slipway@example.org>$/m);
    expect(raw).toMatch(/^Subject: =\?UTF-8\?/m);
    expect(raw).toMatch(/^Message-ID: <msg_\w{26}@example.org>$/m);
    expect(raw).toContain('Ein Link:\n.\nhttps://console.example.org/#token');
    expect(await outbox()).toMatchObject([{ state: 'sent', text: null, attempts: 1 }]);
    await run(smtpOf(server.port));
    expect(server.received).toHaveLength(1);
  });

  test('two processes send each mail once', async () => {
    const server = await serve();
    await database.superuser.query('delete from outbox');
    const names = Array.from({ length: 20 }, (_, index) => `person${index}@example.org`);
    for (const to of names) await queueMail(db, { to, subject: 's', text: 't' });
    await Promise.all([run(smtpOf(server.port)), run(smtpOf(server.port))]);
    expect(server.received.flatMap(({ to }) => to).sort()).toEqual([...names].sort());
  });

  test('an unreachable mail server is retried later, and the operator sees the reason', async () => {
    const closedServer = await startSmtpServer();
    await closedServer.close();
    await queue('later@example.org');
    await run(smtpOf(closedServer.port));
    expect(await outbox()).toMatchObject([{ state: 'waiting', attempts: 1, due_in: '60' }]);
    expect((await outbox())[0]?.last_error).toMatch(/ECONNREFUSED/);
    await run(smtpOf((await serve()).port));
    expect(await outbox()).toMatchObject([{ state: 'waiting', attempts: 1 }]);
    await database.superuser.query('update outbox set due_at = now(), attempts = 6');
    await run(smtpOf(closedServer.port));
    expect(await outbox()).toMatchObject([{ state: 'failed', text: null, attempts: 7 }]);
  });

  test('a mail with a permanently refused recipient is not retried', async () => {
    const server = await serve({ recipientReply: '550 no such mailbox' });
    await queue('nobody@example.org');
    await run(smtpOf(server.port));
    const [row] = await outbox();
    expect(row).toMatchObject({ state: 'failed', text: null, attempts: 1 });
    expect(row?.last_error).toContain('550 no such mailbox');
  });

  test('a silent mail server delays sending for a bounded time, and a shutdown does not wait for it', async () => {
    const server = await serve({ isSilent: true });
    await queue('slow@example.org');
    await run(smtpOf(server.port, {}, { connectMs: 5_000, silenceMs: 5_000, totalMs: 50 }));
    expect(await outbox()).toMatchObject([{ state: 'waiting', last_error: 'The mail server took longer than 50 ms.' }]);
    await database.superuser.query('update outbox set due_at = now()');
    const job = startMail({ db, smtp: smtpOf(server.port), from: FROM, onError: () => {} });
    await until(async () => (await outbox())[0]?.attempts === 2);
    await job.stop();
    expect(await outbox()).toMatchObject([{ state: 'waiting', last_error: 'The sender was shutting down.' }]);
  });

  test('neither password nor mail is sent to another machine without TLS', async () => {
    const server = await serve();
    await queue('secret@example.org');
    const [user, password] = ['someone', { reveal: () => 'a password' }];
    await run(smtpOf(server.port, { isLoopback: false, user, password }));
    expect(await outbox()).toMatchObject([{ state: 'waiting', attempts: 1 }]);
    expect(server.lines.filter((line) => !/^(EHLO|STARTTLS|QUIT)/.test(line))).toEqual([]);
    expect(server.lines).toContain('STARTTLS');
  });

  test('without a mail server a mail stays queued, and is erased after its links have expired', async () => {
    await queue('kept@example.org');
    await run(undefined);
    expect(await outbox()).toMatchObject([{ state: 'waiting', attempts: 0, text: expect.stringContaining('token') }]);
    await database.superuser.query("update outbox set queued_at = now() - interval '8 days'");
    await run(undefined);
    expect(await outbox()).toEqual([]);
  });
});

describe('the URL of a mail server', () => {
  test.each([
    ['smtp://mail.example.org', { port: 587, isImplicitTls: false, isLoopback: false, user: undefined }],
    ['smtps://a%40b:p%3Aw@mail.example.org:2465', { port: 2465, isImplicitTls: true, user: 'a@b' }],
    ['smtp://[::1]:25', { host: '::1', port: 25, isLoopback: true }],
  ])('the mail server URL %s is accepted', (url, settings) => {
    expect(readSmtpUrl(url)).toMatchObject(settings);
  });
  test.each([
    'mail.example.org:25',
    'https://mail.example.org',
    'smtp://',
    'smtp://a.org/?tls.rejectUnauthorized=false',
  ])('the mail server URL %s is refused', (url) => {
    expect(readSmtpUrl(url)).toMatch(/^(must be|takes no)/);
  });
});
