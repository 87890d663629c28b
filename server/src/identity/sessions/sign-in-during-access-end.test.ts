// A credential that was accepted before all access of its person ended opens no session afterwards, however late the
// session is written.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startConsole, type TestConsole } from '../../../test/console-app.ts';
import { untilLocksWaited } from '../../../test/lock-waits.ts';
import { codeOf, enrolSecondFactor } from '../../../test/second-factor.fixture.ts';

const BEFORE = 'a long sentence is a good one';
const NEXT = 'another long sentence';
/** The test holds this lock, so that no session is written yet. */
const GATE = 42;

let site: TestConsole;
let own: Awaited<ReturnType<TestConsole['newPerson']>>;
beforeAll(async () => {
  site = await startConsole('local');
  await site.database.superuser.query(`
    create function await_gate() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock_shared(${GATE}); return new; end $$;
    create trigger await_gate before insert on session for each row execute function await_gate()`);
});
beforeEach(async () => {
  own = await site.newPerson();
  expect((await own.visitor.call('PUT', '/api/password', { password: BEFORE })).status).toBe(204);
});
afterAll(() => site.close());

async function resetPassword(email: string): Promise<number> {
  await site.newVisitor().call('POST', '/api/password-resets', { email });
  await site.runLinks();
  const { rows } = await site.database.superuser.query(
    'select text from outbox where recipient = $1 order by queued_at desc limit 1',
    [email],
  );
  const token = /#token=(\S+)/.exec(rows[0]?.text)?.[1];
  return (await site.newVisitor().call('PUT', '/api/password-resets', { token, password: NEXT })).status;
}

const sessionsOf = async ({ id }: { id: string }): Promise<number> =>
  (await site.database.superuser.query('select from session where "userId" = $1', [id])).rowCount ?? 0;

/** Delays the session that `open` writes until `change` has answered. */
async function openDuring<T>(open: () => Promise<T>, change: () => Promise<number>): Promise<T> {
  const { superuser } = site.database;
  await superuser.query(`select pg_advisory_lock(${GATE})`);
  const opening = open();
  await untilLocksWaited(superuser, 1);
  expect([200, 204]).toContain(await change());
  await superuser.query(`select pg_advisory_unlock(${GATE})`);
  return opening;
}

/**
 * Returns true if a sign-in with the previous password, whose session is written only after the change, is signed in
 * then.
 */
async function isSignedInAfter(change: () => Promise<number>): Promise<boolean> {
  const thief = site.newVisitor();
  await openDuring(() => thief.call('POST', '/api/session', { email: own.person.email, password: BEFORE }), change);
  return (await thief.call('GET', '/api/session')).status === 200;
}

test('a sign-in with a password that is reset meanwhile opens no session', async () => {
  const { email } = own.person;
  expect(await isSignedInAfter(() => resetPassword(email))).toBe(false);
  expect(await sessionsOf(own.person)).toBe(0);
  const again = await site.newVisitor().call('POST', '/api/session', { email, password: NEXT });
  expect(again.status).toBe(204);
});

test('a sign-in without a concurrent change opens a session', async () => {
  expect(await isSignedInAfter(async () => 204)).toBe(true);
});

test('a sign-in with an old password that waits for the second factor opens no session after a change of the password', async () => {
  const { person, visitor } = await site.newPerson();
  const { uri } = await enrolSecondFactor(visitor);
  expect((await visitor.call('PUT', '/api/password', { password: BEFORE })).status).toBe(204);
  const thief = site.newVisitor();
  const begun = await thief.call('POST', '/api/session', { email: person.email, password: BEFORE });
  expect(begun).toMatchObject({ status: 200, body: { next: 'second_factor' } });
  const changed = await visitor.call('PUT', '/api/password', { password: NEXT, currentPassword: BEFORE });
  expect(changed.status).toBe(204);
  expect((await thief.call('POST', '/api/session/second-factor', { code: codeOf(uri, 1) })).status).toBe(401);
  expect((await visitor.call('GET', '/api/session')).body).toMatchObject({ person: { email: person.email } });
});

async function enrolled() {
  const one = await site.newPerson();
  const { uri } = await enrolSecondFactor(one.visitor);
  expect((await one.visitor.call('PUT', '/api/password', { password: BEFORE })).status).toBe(204);
  return { ...one, uri };
}

test('a code of a second factor that was accepted before a password reset writes no session after it', async () => {
  const { person, uri } = await enrolled();
  const thief = site.newVisitor();
  // The first step opens a session too, which the library ends.
  await thief.call('POST', '/api/session', { email: person.email, password: BEFORE });
  const answer = await openDuring(
    () => thief.call('POST', '/api/session/second-factor', { code: codeOf(uri, 1) }),
    () => resetPassword(person.email),
  );
  expect([answer.status, await sessionsOf(person)]).toEqual([401, 0]);
});

test('a second step of a sign-in that waits during signing out everywhere writes no session', async () => {
  const { person, visitor, uri } = await enrolled();
  const thief = site.newVisitor();
  await thief.call('POST', '/api/session', { email: person.email, password: BEFORE });
  const answer = await openDuring(
    () => thief.call('POST', '/api/session/second-factor', { code: codeOf(uri, 1) }),
    async () => (await visitor.call('DELETE', '/api/sessions')).status,
  );
  expect([answer.status, await sessionsOf(person)]).toEqual([401, 0]);
});

test('a session that verifies its second factor again during a password reset is not replaced', async () => {
  const { person, visitor, uri } = await enrolled();
  const answer = await openDuring(
    () => visitor.call('POST', '/api/second-factor/verify', { code: codeOf(uri, 1) }),
    () => resetPassword(person.email),
  );
  expect([answer.status, await sessionsOf(person)]).toEqual([401, 0]);
});

test('a one-time link that is redeemed during a password reset opens no session', async () => {
  const { person } = own;
  const token = (await site.identity.issueLink(person)).reveal();
  const answer = await openDuring(
    () => site.newVisitor().call('POST', '/api/sign-in-link', { token }),
    () => resetPassword(person.email),
  );
  expect([answer.status, await sessionsOf(person)]).toEqual([401, 0]);
});

test('a password that is changed during a password reset keeps no session', async () => {
  const { person, visitor } = own;
  const answer = await openDuring(
    () => visitor.call('PUT', '/api/password', { password: 'a third long sentence', currentPassword: BEFORE }),
    () => resetPassword(person.email),
  );
  expect(answer.status).not.toBe(204);
  expect(await sessionsOf(person)).toBe(0);
});

test('a concurrent change of a password during a password reset is replaced by the password of the reset', async () => {
  const { email, id } = own.person;
  const { superuser } = site.database;
  const thief = await site.newPerson();
  expect((await thief.visitor.call('PUT', '/api/password', { password: 'a third long sentence' })).status).toBe(204);
  await superuser.query('create trigger await_gate before update on "user" for each row execute function await_gate()');
  await superuser.query(`select pg_advisory_lock(${GATE})`);
  const reset = resetPassword(email);
  await untilLocksWaited(superuser, 1);
  await superuser.query(
    'update account set password = (select password from account where "userId" = $2) where "userId" = $1',
    [id, thief.person.id],
  );
  await superuser.query(`select pg_advisory_unlock(${GATE})`);
  expect(await reset).toBe(200);
  await superuser.query('drop trigger await_gate on "user"');
  const signIn = async (password: string) =>
    (await site.newVisitor().call('POST', '/api/session', { email, password })).status;
  expect([await signIn(NEXT), await signIn('a third long sentence')]).toEqual([204, 401]);
});

test('a person whom the identity provider authenticated gets no session after all access ended', async () => {
  const { person } = own;
  const visitor = { cookie: undefined, address: '192.0.2.7' };
  const opened = await openDuring(
    () => site.identity.openSession(person, visitor, async () => true),
    () => resetPassword(person.email),
  );
  expect([opened, await sessionsOf(person)]).toEqual([undefined, 0]);
  expect(await site.identity.openSession(person, visitor, async () => false)).toBeUndefined();
  expect(await site.identity.openSession(person, visitor, async () => true)).toMatchObject({
    needsSecondFactor: false,
  });
});
