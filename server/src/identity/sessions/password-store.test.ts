// A person has one password: concurrent changes, and a password reset, which wins.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startConsole, type TestConsole, type TestVisitor } from '../../../test/console-app.ts';
import { cloneDatabase } from '../../../test/harness.ts';
import { untilLocksWaited } from '../../../test/lock-waits.ts';
import { enrolSecondFactor } from '../../../test/second-factor.fixture.ts';
import { migrateDatabase, requiredMigrations } from '../../boot/process.ts';
import type { Person } from './identity.ts';

const BEFORE = 'a long sentence is a good one';
const OWN = 'another long sentence';
const OTHER = 'a third long sentence';
/** A test holds this lock, so that a statement waits for it. */
const GATE = 42;
/** The first statement that waits at a gate holds this lock. */
const FIRST = 43;

let site: TestConsole;
let one: { person: Person; visitor: TestVisitor };
const query = (text: string, values: unknown[] = []) => site.database.superuser.query(text, values);
beforeAll(async () => {
  site = await startConsole('local');
  await query(`
    create function await_gate() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock_shared(${GATE}); return new; end $$;
    create function await_gate_first() returns trigger language plpgsql as $$
      begin
        if pg_try_advisory_xact_lock(${FIRST}) then perform pg_advisory_xact_lock_shared(${GATE}); end if;
        return new;
      end $$`);
});
beforeEach(async () => {
  one = await site.newPerson();
});
afterAll(() => site.close());

/** Runs `during` while the statements on the table wait. */
async function withGate<T>(
  table: string,
  gate: 'await_gate' | 'await_gate_first',
  during: () => Promise<T>,
): Promise<T> {
  await query(`create trigger a_gate before insert on ${table} for each row execute function ${gate}()`);
  await query(`select pg_advisory_lock(${GATE})`);
  try {
    return await during();
  } finally {
    await query('select pg_advisory_unlock_all()');
    await query(`drop trigger a_gate on ${table}`);
  }
}
const openGate = () => query(`select pg_advisory_unlock(${GATE})`);
const untilWaits = (count: number) => untilLocksWaited(site.database.superuser, count);

async function resetLink(email: string): Promise<string> {
  await site.newVisitor().call('POST', '/api/password-resets', { email });
  await site.runLinks();
  const { rows } = await query('select text from outbox where recipient = $1 order by queued_at desc limit 1', [email]);
  return /#token=(\S+)/.exec(rows[0]?.text)?.[1] ?? '';
}
const reset = async (token: string): Promise<number> =>
  (await site.newVisitor().call('PUT', '/api/password-resets', { token, password: OWN })).status;
const setPassword = async (password: string, currentPassword?: string): Promise<number> =>
  (await one.visitor.call('PUT', '/api/password', { password, currentPassword })).status;
const signIn = async (password: string): Promise<number> =>
  (await site.newVisitor().call('POST', '/api/session', { email: one.person.email, password })).status;
const countPasswords = async (): Promise<number | null> =>
  (await query(`select from account where "userId" = $1 and "providerId" = 'credential'`, [one.person.id])).rowCount;

test('a first password whose insertion waits during a password reset is replaced by the password of the reset', async () => {
  const token = await resetLink(one.person.email);
  const statuses = await withGate('account', 'await_gate_first', async () => {
    const setting = setPassword(OTHER);
    await untilWaits(1);
    const resetting = reset(token);
    await Promise.race([untilWaits(2), resetting]);
    await openGate();
    return Promise.all([setting, resetting]);
  });
  expect(statuses[1]).toBe(200);
  expect([await countPasswords(), await signIn(OWN), await signIn(OTHER)]).toEqual([1, 204, 401]);
});

test.each([
  ['a first password', undefined],
  ['a changed password', BEFORE],
])('%s that waits for the commit of a password reset is refused', async (_, current) => {
  if (current !== undefined) expect(await setPassword(current)).toBe(204);
  const token = await resetLink(one.person.email);
  const statuses = await withGate('outbox', 'await_gate', async () => {
    const resetting = reset(token);
    await untilWaits(1);
    const setting = setPassword(OTHER, current);
    await untilWaits(2);
    await openGate();
    return Promise.all([setting, resetting]);
  });
  expect(statuses).toEqual([400, 200]);
  expect([await countPasswords(), await signIn(OWN), await signIn(OTHER)]).toEqual([1, 204, 401]);
});

test('one of two concurrent first passwords is set, and the other is refused', async () => {
  const statuses = await withGate('account', 'await_gate', async () => {
    const setting = [setPassword(OWN), setPassword(OTHER)];
    await untilWaits(2);
    await openGate();
    return Promise.all(setting);
  });
  expect([...statuses].sort()).toEqual([204, 400]);
  const winner = statuses[0] === 204 ? OWN : OTHER;
  expect([await countPasswords(), await signIn(winner)]).toEqual([1, 204]);
});

test('a changed password opens a session that replaces the earlier ones, without the second factor', async () => {
  await enrolSecondFactor(one.visitor);
  expect(await setPassword(BEFORE)).toBe(204);
  const before = one.visitor.cookie;
  expect(await setPassword(OTHER, OWN)).toBe(400);
  expect(await setPassword(OWN, BEFORE)).toBe(204);
  expect(one.visitor.cookie).not.toBe(before);
  expect((await one.visitor.call('GET', '/api/session')).status).toBe(200);
  const thief = site.newVisitor();
  thief.cookie = before;
  expect((await thief.call('GET', '/api/session')).status).toBe(401);
  expect([await signIn(OWN), await signIn(BEFORE)]).toEqual([200, 401]);
});

test('the migration to one password per person keeps the oldest row of each person', async () => {
  const setting = 'SLIPWAY_CONSOLE_DATABASE_URL';
  const number = (await requiredMigrations('console')).findIndex(({ name }) => name.includes('one_password'));
  const { superuser, url, drop } = await cloneDatabase('console');
  await superuser.query('drop schema public cascade');
  await superuser.query('create schema public authorization slipway_console');
  await migrateDatabase('console', url, setting, number);
  await superuser.query(`
    insert into "user" (id, name, email, "emailVerified", "updatedAt")
      select id, id, id || '@example.org', true, now() from unnest(array['twice', 'once', 'never']) id;
    insert into account (id, "accountId", "providerId", "userId", password, "createdAt", "updatedAt") values
      ('c', 'twice', 'credential', 'twice', 'first', now() - interval '2 minutes', now()),
      ('a', 'twice', 'credential', 'twice', 'second', now() - interval '1 minute', now()),
      ('b', 'twice', 'credential', 'twice', 'third', now(), now()),
      ('d', 'once', 'credential', 'once', 'only', now(), now()),
      ('e', 'twice', 'oidc', 'twice', null, now(), now())`);
  await migrateDatabase('console', url, setting);
  const { rows } = await superuser.query('select "userId", "providerId", password from account order by 1, 2');
  await drop();
  expect(rows.map(Object.values)).toEqual([
    ['once', 'credential', 'only'],
    ['twice', 'credential', 'first'],
    ['twice', 'oidc', null],
  ]);
});
