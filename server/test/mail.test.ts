// Mail: what is queued, in whose transaction, and what is no message.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { queueMail } from '../src/features/mail/index.ts';
import { type Database, openDatabase } from '../src/kit/db.ts';
import { cloneDatabase, type TestDatabase } from './harness.ts';

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

describe('a message', () => {
  test('is queued with the transaction that it belongs to, and not when that fails', async () => {
    const message = { subject: 'Hello', text: 'A text.' };
    await db.transaction((tx) => queueMail(tx, { ...message, to: 'kept@example.org' }));
    const failing = db.transaction(async (tx) => {
      await queueMail(tx, { ...message, to: 'lost@example.org' });
      throw new Error('the rest failed');
    });
    await expect(failing).rejects.toThrow('the rest failed');
    expect(await queued('kept@example.org')).toEqual([{ ...message, state: 'waiting' }]);
    expect(await queued('lost@example.org')).toEqual([]);
  });

  test('has one line of a subject, whatever is named in it', async () => {
    await queueMail(db, { to: 'line@example.org', subject: `A\r\nBcc: x@y.org\u2028${'é'.repeat(300)}`, text: 't' });
    expect(await queued('line@example.org')).toMatchObject([{ subject: `A Bcc: x@y.org ${'é'.repeat(185)}` }]);
  });

  test.each([
    'a@example.org, b@example.org',
    'A <a@example.org>',
    'a@example.org\r\nBcc: b@example.org',
    'nobody',
    '@',
  ])('goes to one address and to no list: %j', async (to) => {
    await expect(queueMail(db, { to, subject: 's', text: 't' })).rejects.toThrow(/outbox_recipient_check/);
  });
});
