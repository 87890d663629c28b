// The second factor: required by each way of signing in, with codes that work once, and a lock against guessing.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startConsole, type TestConsole, type TestVisitor } from '../../../test/console-app.ts';
import { beginSignIn, codeOf, enrolSecondFactor } from '../../../test/second-factor.fixture.ts';
import type { Person } from './index.ts';

let site: TestConsole;
beforeAll(async () => {
  site = await startConsole('local');
});
afterAll(() => site.close());

const PASSWORD = 'a long sentence is a good one';

interface Enrolment {
  person: Person;
  visitor: TestVisitor;
  uri: string;
  recoveryCodes: string[];
  used: string;
}

async function enrol(): Promise<Enrolment> {
  const { person, visitor } = await site.newPerson();
  return { person, visitor, ...(await enrolSecondFactor(visitor)) };
}

const begin = ({ person }: { person: Person }): Promise<TestVisitor> => beginSignIn(site, person);
const complete = async (visitor: TestVisitor, code: string): Promise<unknown[]> => {
  const { status, body } = await visitor.call('POST', '/api/session/second-factor', { code });
  return body === undefined ? [status] : [status, body.code];
};
const isSignedIn = async (visitor: TestVisitor): Promise<boolean> =>
  (await visitor.call('GET', '/api/session')).status === 200;
const REFUSED = [401, 'second_factor_failed'];

describe('signing in with a second factor', () => {
  test('works with the test fixture also if a time step passes between the code and its comparison', async () => {
    const { visitor } = await site.newPerson();
    const { now } = Date;
    const late: TestVisitor = {
      ...visitor,
      call(method, path, ...rest) {
        if (path.endsWith('/confirm')) vi.spyOn(Date, 'now').mockImplementation(() => now() + 30_000);
        return visitor.call(method, path, ...rest);
      },
    };
    await enrolSecondFactor(late).finally(() => vi.restoreAllMocks());
    const answer = await visitor.call<{ person: object }>('GET', '/api/session');
    expect(answer.body.person).toMatchObject({ hasSecondFactor: true });
  });

  test('fails in the test fixture if the server refuses the confirmation', async () => {
    const { visitor } = await site.newPerson();
    const call: TestVisitor['call'] = (method, path, body, headers) =>
      visitor.call(method, path, path.endsWith('/confirm') ? { code: '000000' } : body, headers);
    await expect(enrolSecondFactor({ ...visitor, call })).rejects.toThrow('401');
  });

  test('requires no code before the authenticator is confirmed, and a code from then on', async () => {
    const { person, visitor } = await site.newPerson();
    await visitor.call('PUT', '/api/password', { password: PASSWORD });
    const wrong = await visitor.call('POST', '/api/second-factor', { currentPassword: 'not the current one' });
    expect([wrong.status, wrong.body.errors]).toMatchObject([400, [{ pointer: '/currentPassword' }]]);
    const { body } = await visitor.call<{ uri: string }>('POST', '/api/second-factor', { currentPassword: PASSWORD });
    const other = site.newVisitor();
    const signIn = () => other.call('POST', '/api/session', { email: person.email, password: PASSWORD });
    expect((await signIn()).status).toBe(204);
    expect((await visitor.call('POST', '/api/second-factor/confirm', { code: '000000' })).body).toMatchObject({
      code: 'second_factor_failed',
    });
    await visitor.call('POST', '/api/second-factor/confirm', { code: codeOf(body.uri, 0) });
    expect([await isSignedIn(visitor), await isSignedIn(other)]).toEqual([true, false]);
    expect((await signIn()).status).toBe(200);
    expect(await isSignedIn(other)).toBe(false);
    expect(await complete(other, codeOf(body.uri, 1))).toEqual([204]);
    expect(await isSignedIn(other)).toBe(true);
    const session = await visitor.call<{ person: object }>('GET', '/api/session');
    expect(session.body.person).toMatchObject({ hasSecondFactor: true });
  });

  test('requires a code also after a sign-in link', async () => {
    const { person, uri } = await enrol();
    const visitor = site.newVisitor();
    expect(await visitor.signInByLink(person)).toBe(200);
    expect(await isSignedIn(visitor)).toBe(false);
    expect(await complete(visitor, codeOf(uri, 1))).toEqual([204]);
    expect(await isSignedIn(visitor)).toBe(true);
  });

  test('accepts a code once, also from concurrent requests', async () => {
    const enrolled = await enrol();
    expect(await complete(await begin(enrolled), enrolled.used)).toEqual(REFUSED);
    const visitors = [await begin(enrolled), await begin(enrolled), await begin(enrolled)];
    const answers = await Promise.all(visitors.map((visitor) => complete(visitor, codeOf(enrolled.uri, 1))));
    expect(answers.filter(([status]) => status === 204)).toHaveLength(1);
    const signedIn = await Promise.all(visitors.map(isSignedIn));
    expect(signedIn.filter(Boolean)).toHaveLength(1);
  });

  test('accepts a recovery code once, and stores neither it nor the secret in a usable form', async () => {
    const enrolled = await enrol();
    const [code = '', other = ''] = enrolled.recoveryCodes;
    expect(new Set(enrolled.recoveryCodes).size).toBe(10);
    const { rows } = await site.database.superuser.query('select t::text as row from "twoFactor" t');
    const secret = new URL(enrolled.uri).searchParams.get('secret') ?? '?';
    for (const kept of [code, other, code.replace('-', ''), secret]) expect(JSON.stringify(rows)).not.toContain(kept);
    expect(await complete(await begin(enrolled), code)).toEqual([204]);
    expect(await complete(await begin(enrolled), code)).toEqual(REFUSED);
    expect(await complete(await begin(enrolled), other)).toEqual([204]);
  });

  test('is cancelled by a password reset and by signing out everywhere', async () => {
    for (const isReset of [true, false]) {
      const one = await enrol();
      const other = await begin(one);
      const hash = await site.identity.hashPassword(PASSWORD);
      if (isReset) await site.db.transaction((tx) => site.identity.resetPassword(tx, one.person, hash));
      else expect((await one.visitor.call('DELETE', '/api/sessions')).status).toBe(200);
      const code = codeOf(one.uri, 1);
      expect(await complete(other, code)).toEqual(REFUSED);
      expect(await complete(await begin(one), code)).toEqual([204]);
    }
  });

  test('does not accept the code of another person’s session', async () => {
    const [victim, thief] = [await enrol(), await enrol()];
    const visitor = await begin(victim);
    visitor.cookie = `${thief.visitor.cookie}; ${visitor.cookie}`;
    expect(await complete(visitor, codeOf(thief.uri, 1))).toEqual(REFUSED);
    const nobody = site.newVisitor();
    nobody.cookie = thief.visitor.cookie;
    expect(await complete(nobody, codeOf(thief.uri, 1))).toEqual(REFUSED);
  });

  test('is locked for the account by wrong codes from any addresses', async () => {
    const enrolled = await enrol();
    for (let round = 0; round < 3; round++) {
      const visitor = await begin(enrolled);
      for (let tries = 0; tries < 4; tries++) await complete(visitor, '000000');
    }
    expect(await complete(await begin(enrolled), codeOf(enrolled.uri, 1))).toEqual([429, 'rate_limited']);
    const { visitor } = enrolled;
    const disabling = await visitor.call('POST', '/api/second-factor/disable', { code: codeOf(enrolled.uri, 1) });
    expect(disabling.status).toBe(429);
  });
});

describe('a stolen session', () => {
  const age = ({ id }: Person, minutes: number) =>
    site.database.superuser.query(
      `update "session" set "createdAt" = now() - make_interval(mins => $2) where "userId" = $1`,
      [id, minutes],
    );
  const take = async ({ cookie }: TestVisitor): Promise<TestVisitor> => Object.assign(site.newVisitor(), { cookie });
  const enrolAs = async (visitor: TestVisitor, body: object = {}) => {
    const { status, body: answer } = await visitor.call('POST', '/api/second-factor', body);
    return [status, answer.code];
  };

  test('cannot set up a second factor or a password of an account without a password', async () => {
    const { person, visitor } = await site.newPerson();
    await age(person, 11);
    const thief = await take(visitor);
    const refused = [403, 'fresh_sign_in_required'];
    expect(await enrolAs(thief)).toEqual(refused);
    expect(await enrolAs(thief, { currentPassword: PASSWORD })).toEqual(refused);
    const set = await thief.call('PUT', '/api/password', { password: PASSWORD });
    expect([set.status, set.body.code]).toEqual(refused);
    const changed = { password: PASSWORD, currentPassword: PASSWORD };
    expect((await thief.call('PUT', '/api/password', changed)).status).toBe(403);
    expect((await thief.call('POST', '/api/second-factor/confirm', { code: '000000' })).status).toBe(401);
    // Using the session does not make it fresh.
    await age(person, 3 * 24 * 60);
    expect(await isSignedIn(thief)).toBe(true);
    expect(await enrolAs(thief)).toEqual(refused);
    // The person signs in again.
    const again = site.newVisitor();
    expect(await again.signInByLink(person)).toBe(204);
    expect(await enrolAs(again)).toEqual([201, undefined]);
    expect(await enrolAs(thief)).toEqual(refused);
    expect((await again.call('PUT', '/api/password', { password: PASSWORD })).status).toBe(204);
  });

  test('cannot set up a second factor of an account with a password without the password, however fresh it is', async () => {
    const { person, visitor } = await site.newPerson();
    await visitor.call('PUT', '/api/password', { password: PASSWORD });
    const fresh = site.newVisitor();
    expect(await fresh.signInByLink(person)).toBe(204);
    for (const body of [{}, { currentPassword: 'not the current one' }])
      expect(await enrolAs(await take(fresh), body)).toEqual([400, 'invalid_request']);
    await age(person, 60);
    expect(await enrolAs(fresh, { currentPassword: PASSWORD })).toEqual([201, undefined]);
  });
});

describe('disabling the second factor', () => {
  test('requires an unused code or a recovery code, and sends a mail', async () => {
    for (const kind of ['code', 'recovery code']) {
      const { person, visitor, uri, used, recoveryCodes } = await enrol();
      const disable = (code: string) => visitor.call('POST', '/api/second-factor/disable', { code });
      expect((await disable(used)).body.code).toBe('second_factor_failed');
      expect((await disable('aaaaa-bbbbb')).body.code).toBe('second_factor_failed');
      expect((await disable(kind === 'code' ? codeOf(uri, 1) : (recoveryCodes[0] ?? ''))).status).toBe(204);
      expect(await isSignedIn(visitor)).toBe(true);
      expect(await site.newVisitor().signInByLink(person)).toBe(204);
      const { rows } = await site.database.superuser.query(
        'select subject from outbox where recipient = $1 order by subject',
        [person.email],
      );
      const subjects = ['A second factor was set up', 'Your second factor was switched off'];
      expect(rows.map(({ subject }) => subject)).toEqual(subjects);
      expect((await disable('000000')).body.code).toBe('conflict');
    }
  });
});
