// Signing in to the Console and the session, as a browser experiences them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../../../test/app.ts';
import { startConsole, type TestConsole, type TestVisitor } from '../../../test/console-app.ts';
import type { Person } from './index.ts';

let site: TestConsole;
beforeAll(async () => {
  site = await startConsole('local');
});
afterAll(() => site.close());

const PASSWORD = 'a long sentence is a good one';
const codeOf = async (answer: Promise<Answer>): Promise<unknown> => {
  const { status, body } = await answer;
  return [status, body?.code];
};
const signIn = (visitor: TestVisitor, person: Person, password: string): Promise<Answer> =>
  visitor.call('POST', '/api/session', { email: person.email, password });

describe('a sign-in link', () => {
  test('works once, and opens a session', async () => {
    const person = await site.identity.ensurePerson('once@example.org', 'Once');
    const token = (await site.identity.issueLink(person)).reveal();
    const [visitor, other] = [site.newVisitor(), site.newVisitor()];
    const before = site.signIns();
    expect((await visitor.call('POST', '/api/sign-in-link', { token })).status).toBe(204);
    expect(site.signIns()).toBe(before + 1);
    const { body } = await visitor.call<{ person: object }>('GET', '/api/session');
    const ways = {
      hasPassword: false,
      hasSecondFactor: false,
      secondFactorMethods: [],
      secondFactorRemoval: null,
      isLinkedToProvider: false,
    };
    const once = { email: person.email, name: 'Once', ...ways };
    expect(body).toEqual({ person: once, organisations: [], suspendedIn: [], isOperator: false });
    expect(await codeOf(other.call('POST', '/api/sign-in-link', { token }))).toEqual([401, 'sign_in_failed']);
    expect(other.cookie).toBe('');
  });

  test('voids earlier links of the same person only, and so does signing in', async () => {
    const [person, other] = await Promise.all(
      ['many', 'few'].map((name) => site.identity.ensurePerson(`${name}@example.org`, name)),
    );
    if (!person || !other) throw new Error('two were asked for');
    const others = await site.identity.issueLink(other);
    const early = await site.identity.issueLink(person);
    const { rows } = await site.database.superuser.query('select * from verification where value like $1', ['%many@%']);
    const late = await site.identity.issueLink(person);
    const redeem = async (token: string): Promise<number> =>
      (await site.newVisitor().call('POST', '/api/sign-in-link', { token })).status;
    expect(await redeem(early.reveal())).toBe(401);
    // Simulates concurrent links: the earlier link exists again.
    const { id, identifier, value, expiresAt } = rows[0];
    await site.database.superuser.query(
      'insert into verification (id, identifier, value, "expiresAt") values ($1, $2, $3, $4)',
      [id, identifier, value, expiresAt],
    );
    expect(await redeem(late.reveal())).toBe(204);
    expect(await redeem(early.reveal())).toBe(401);
    expect(await redeem(others.reveal())).toBe(204);
  });

  test('is refused if it was never issued', async () => {
    const visitor = site.newVisitor();
    expect(await codeOf(visitor.call('POST', '/api/sign-in-link', { token: 'x'.repeat(32) }))).toEqual([
      401,
      'sign_in_failed',
    ]);
  });

  test('signs in its own person if several links are issued concurrently', async () => {
    const people = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => site.identity.ensurePerson(`${name}@example.org`, name)),
    );
    const tokens = await Promise.all(people.map((person) => site.identity.issueLink(person)));
    for (const [index, token] of tokens.entries()) {
      const visitor = site.newVisitor();
      await visitor.call('POST', '/api/sign-in-link', { token: token.reveal() });
      const { body } = await visitor.call<{ person: { email: string } }>('GET', '/api/session');
      expect(body.person.email).toBe(people[index]?.email);
    }
  });

  test('is stored only in a form that a reader of the database cannot use', async () => {
    const person = await site.identity.ensurePerson('kept@example.org', 'Kept');
    const token = (await site.identity.issueLink(person)).reveal();
    const { rows } = await site.database.superuser.query('select t::text as row from verification t');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe('a password', () => {
  test('signs in from other browsers once it is set, and is not stored as plain text', async () => {
    const { person, visitor } = await site.newPerson();
    expect((await visitor.call('PUT', '/api/password', { password: PASSWORD })).status).toBe(204);
    const elsewhere = site.newVisitor();
    expect((await signIn(elsewhere, person, PASSWORD)).status).toBe(204);
    const { body } = await elsewhere.call<{ person: object }>('GET', '/api/session');
    expect(body.person).toMatchObject({ email: person.email, name: person.name, hasPassword: true });
    const { rows } = await site.database.superuser.query('select t::text as row from account t');
    expect(JSON.stringify(rows)).not.toContain(PASSWORD);
  });

  test('is refused in the same way if it is wrong, not set, or for an unknown address', async () => {
    const { person, visitor } = await site.newPerson();
    const other = site.newVisitor();
    const refusals = [
      await signIn(other, person, PASSWORD),
      await signIn(other, { ...person, email: 'nobody@example.org' }, PASSWORD),
    ];
    await visitor.call('PUT', '/api/password', { password: PASSWORD });
    refusals.push(await signIn(other, person, `${PASSWORD}!`));
    const texts = refusals.map(({ status, text, body }) =>
      [status, text.replace(String(body.requestId), '')].join(' '),
    );
    expect(refusals[0]?.body.code).toBe('sign_in_failed');
    expect(new Set(texts).size).toBe(1);
    expect(other.cookie).toBe('');
  });

  test('can be changed only with the current password', async () => {
    const { person, visitor } = await site.newPerson();
    await visitor.call('PUT', '/api/password', { password: PASSWORD });
    const next = 'another long sentence';
    for (const body of [{ password: next }, { password: next, currentPassword: 'not the current one' }]) {
      expect(await codeOf(visitor.call('PUT', '/api/password', body))).toEqual([400, 'invalid_request']);
    }
    expect((await signIn(site.newVisitor(), person, next)).status).toBe(401);
    expect((await visitor.call('PUT', '/api/password', { password: next, currentPassword: PASSWORD })).status).toBe(
      204,
    );
    expect((await signIn(site.newVisitor(), person, next)).status).toBe(204);
    expect((await signIn(site.newVisitor(), person, PASSWORD)).status).toBe(401);
  });

  test('ends the other sessions when it is set or changed, and keeps the current one', async () => {
    const { person, visitor } = await site.newPerson();
    const elsewhere = site.newVisitor();
    const isSignedIn = async (who: TestVisitor): Promise<boolean> =>
      (await who.call('GET', '/api/session')).status === 200;
    await elsewhere.signInByLink(person);
    await visitor.call('PUT', '/api/password', { password: PASSWORD });
    expect([await isSignedIn(visitor), await isSignedIn(elsewhere)]).toEqual([true, false]);
    await signIn(elsewhere, person, PASSWORD);
    expect(await isSignedIn(elsewhere)).toBe(true);
    const { cookie } = visitor;
    await visitor.call('PUT', '/api/password', { password: 'another long sentence', currentPassword: PASSWORD });
    expect([await isSignedIn(visitor), await isSignedIn(elsewhere)]).toEqual([true, false]);
    visitor.cookie = cookie;
    expect(await isSignedIn(visitor)).toBe(false);
  });

  test('cannot be guessed in an open session: wrong attempts are delayed with rate_limited', async () => {
    const { visitor } = await site.newPerson();
    await visitor.call('PUT', '/api/password', { password: PASSWORD });
    const guess = (currentPassword: string) =>
      visitor.call('PUT', '/api/password', { password: 'another long sentence', currentPassword });
    let answer = await guess('a wrong password');
    for (let tries = 1; tries < 15 && answer.status === 400; tries++) answer = await guess('a wrong password');
    const seconds = Number(answer.headers.get('retry-after'));
    expect([answer.status, answer.body.code, seconds > 0]).toEqual([429, 'rate_limited', true]);
    await site.database.superuser.query("update password_tries set next_at = now() + interval '1 hour'");
    expect((await guess(PASSWORD)).status).toBe(429);
  });

  test('is refused with its pointer if it is too short', async () => {
    const { visitor } = await site.newPerson();
    const { status, body } = await visitor.call('PUT', '/api/password', { password: 'too short' });
    expect([status, body.errors]).toMatchObject([400, [{ pointer: '/password' }]]);
  });

  test('is protected from guesses by a limit for each address', async () => {
    const { person, visitor } = await site.newPerson();
    await visitor.call('PUT', '/api/password', { password: PASSWORD });
    const guesser = site.newVisitor();
    let answer = await signIn(guesser, person, 'a wrong password');
    for (let tries = 1; tries < 15 && answer.status === 401; tries++)
      answer = await signIn(guesser, person, 'a wrong password');
    expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([429, 'rate_limited', '60']);
    expect((await signIn(guesser, person, PASSWORD)).status).toBe(429);
    expect((await signIn(site.newVisitor(), person, PASSWORD)).status).toBe(204);
  });
});

describe('a session cookie', () => {
  test('is hidden from scripts and not sent with requests of other sites', async () => {
    const { visitor } = await site.newPerson();
    const person = await site.identity.ensurePerson('cookie@example.org', 'Cookie');
    await visitor.signInByLink(person);
    expect(visitor.setCookies).toHaveLength(1);
    const [cookie = ''] = visitor.setCookies;
    expect(cookie).toMatch(/^slipway_session=/);
    expect(cookie).toMatch(/; HttpOnly(;|$)/);
    expect(cookie).toMatch(/; SameSite=Lax(;|$)/i);
    expect(cookie).toMatch(/; Path=\/(;|$)/);
    expect(cookie).not.toMatch(/; (Secure|Domain)/i);
  });

  test('over https has the __Host- prefix and is sent only over https', async () => {
    const secure = await startConsole('local', { consoleUrl: 'https://console.example.org' });
    try {
      const { visitor } = await secure.newPerson();
      const [cookie = ''] = visitor.setCookies;
      expect(cookie).toMatch(/^__Host-slipway_session=/);
      expect(cookie).toMatch(/; Secure(;|$)/);
      expect(cookie).toMatch(/; HttpOnly(;|$)/);
      expect(cookie).toMatch(/; Path=\/(;|$)/);
      expect(cookie).not.toMatch(/; Domain/i);
      expect((await visitor.call('GET', '/api/session')).status).toBe(200);
    } finally {
      await secure.close();
    }
  });

  test('is refused after signing out', async () => {
    const { visitor } = await site.newPerson();
    const { cookie } = visitor;
    expect((await visitor.call('GET', '/api/session')).status).toBe(200);
    expect((await visitor.call('DELETE', '/api/session')).status).toBe(204);
    expect(visitor.setCookies[0]).toMatch(/Max-Age=0|Expires=Thu, 01 Jan 1970/i);
    visitor.cookie = cookie;
    expect(await codeOf(visitor.call('GET', '/api/session'))).toEqual([401, 'sign_in_required']);
  });

  test('is refused if it is missing, invalid or changed', async () => {
    const { visitor } = await site.newPerson();
    const changed = visitor.cookie.replace(/=(.)/, (_, first: string) => `=${first === 'a' ? 'b' : 'a'}`);
    for (const cookie of ['', 'slipway_session=nonsense', changed]) {
      visitor.cookie = cookie;
      expect(await codeOf(visitor.call('GET', '/api/session'))).toEqual([401, 'sign_in_required']);
    }
  });
});

test('an unreachable database gives unavailable, and consumes no link', async () => {
  const { person, visitor } = await site.newPerson();
  const link = { token: (await site.identity.issueLink(person)).reveal() };
  const { superuser } = site.database;
  await superuser.query('begin');
  await superuser.query('lock table "session", "verification", "user" in access exclusive mode');
  const answers = await Promise.all([
    visitor.call('GET', '/api/session'),
    signIn(site.newVisitor(), person, PASSWORD),
    site.newVisitor().call('POST', '/api/sign-in-link', link),
  ]);
  await superuser.query('commit');
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [503, 'unavailable']));
  expect((await site.newVisitor().call('POST', '/api/sign-in-link', link)).status).toBe(204);
});
