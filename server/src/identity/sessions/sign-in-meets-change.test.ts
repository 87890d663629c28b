// A sign-in that is on its way while what it was let in by is changed: whoever changes it ends all that was opened by it before.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startConsole, type TestConsole } from '../../../test/console-app.ts';
import { codeOf, enrolSecondFactor } from '../../../test/second-factor.fixture.ts';
import { untilWaiting } from '../../../test/waiting.ts';

const BEFORE = 'a long sentence is a good one';
const NEXT = 'another long sentence';
/** Held by the test, so that no session is written yet. */
const GATE = 42;

let site: TestConsole;
let own: Awaited<ReturnType<TestConsole['newPerson']>>;
beforeAll(async () => {
  site = await startConsole('local');
  await site.database.superuser.query(`
    create function wait_at_gate() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock_shared(${GATE}); return new; end $$;
    create trigger wait_at_gate before insert on session for each row execute function wait_at_gate()`);
});
beforeEach(async () => {
  own = await site.newPerson();
  expect((await own.visitor.call('PUT', '/api/password', { password: BEFORE })).status).toBe(204);
});
afterAll(() => site.close());

/** Whether somebody with the password of before, whose session is written only after the change, has one then. */
async function isSignedInAfter(change: () => Promise<number>): Promise<boolean> {
  const { superuser } = site.database;
  const thief = site.newVisitor();
  await superuser.query(`select pg_advisory_lock(${GATE})`);
  const signingIn = thief.call('POST', '/api/session', { email: own.person.email, password: BEFORE });
  await untilWaiting(superuser, 1);
  expect([200, 204]).toContain(await change());
  await superuser.query(`select pg_advisory_unlock(${GATE})`);
  await signingIn;
  return (await thief.call('GET', '/api/session')).status === 200;
}

test('of a password that is reset meanwhile opens no session', async () => {
  const { email } = own.person;
  await own.visitor.call('POST', '/api/password-resets', { email });
  await site.runLinks();
  const { rows } = await site.database.superuser.query('select text from outbox where recipient = $1', [email]);
  const token = /#token=(\S+)/.exec(rows[0]?.text)?.[1];
  const reset = async (): Promise<number> =>
    (await site.newVisitor().call('PUT', '/api/password-resets', { token, password: NEXT })).status;
  expect(await isSignedInAfter(reset)).toBe(false);
  const left = await site.database.superuser.query('select from session where "userId" = $1', [own.person.id]);
  expect(left.rowCount).toBe(0);
  const again = await site.newVisitor().call('POST', '/api/session', { email, password: NEXT });
  expect(again.status).toBe(204);
});

test('of nothing that changes meanwhile opens one', async () => {
  expect(await isSignedInAfter(async () => 204)).toBe(true);
});

test('of an old password that waits for the second factor opens no session after the password is changed', async () => {
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
