// Guesses of a password from many addresses are delayed for the account, and its person can still sign in.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Answer } from '../../../test/app.ts';
import { startConsole, type TestConsole, type TestVisitor } from '../../../test/console-app.ts';
import type { Person } from './index.ts';

let site: TestConsole;
beforeAll(async () => {
  site = await startConsole('local');
});
afterAll(() => site.close());

const PASSWORD = 'a long sentence is a good one';
const NEXT = 'another long sentence';
const query = (text: string, values: unknown[] = []) => site.database.superuser.query(text, values);
const statusAndCode = ({ status, body }: Answer): unknown[] => (body?.code ? [status, body.code] : [status]);
const WRONG = [401, 'sign_in_failed'];
const DELAYED = [429, 'rate_limited'];

let person: Person;
let home: TestVisitor;
beforeEach(async () => {
  await query('delete from password_tries');
  ({ person, visitor: home } = await site.newPerson());
  expect((await home.call('PUT', '/api/password', { password: PASSWORD })).status).toBe(204);
});

/** Signs in from a new address, or as the given visitor. */
const signIn = (password: string, email = person.email, visitor = site.newVisitor()): Promise<Answer> =>
  visitor.call('POST', '/api/session', { email, password });
/** Simulates this number of wrong passwords from unknown places, the latest a while ago. */
const setTries = (tries: number) =>
  query(
    `insert into password_tries select distinct account_hash, '', $1::int, now(), now() from password_tries where place <> ''
     on conflict (account_hash, place) do update set tries = $1, next_at = now()`,
    [tries],
  );
const delayOf = async (): Promise<unknown> => {
  const { rows } = await query(
    `select tries, round(extract(epoch from next_at - tried_at))::int as seconds from password_tries where place = ''`,
  );
  return rows;
};
const mailsTo = async (email: string): Promise<string[]> =>
  (await query('select subject from outbox where recipient = $1', [email])).rows.map(({ subject }) => subject);

test('twenty wrong passwords from different addresses start a delay, which doubles up to 900 s, and one mail', async () => {
  for (let at = 0; at < 19; at += 1) expect(statusAndCode(await signIn('wrong'))).toEqual(WRONG);
  expect(await delayOf()).toEqual([{ tries: 19, seconds: 0 }]);
  expect(await mailsTo(person.email)).toEqual([]);
  for (const [tries, seconds] of [
    [19, 5],
    [20, 10],
    [21, 20],
    [40, 900],
  ]) {
    await setTries(tries ?? 0);
    expect(statusAndCode(await signIn('wrong'))).toEqual(WRONG);
    expect(await delayOf()).toEqual([{ tries: (tries ?? 0) + 1, seconds }]);
  }
  const refused = await signIn('wrong');
  expect(statusAndCode(refused)).toEqual(DELAYED);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(900);
  expect(await delayOf()).toEqual([{ tries: 41, seconds: 900 }]);
  expect(await mailsTo(person.email)).toEqual(['Wrong passwords for your account']);
});

test('one of many concurrent passwords is compared for each delay', async () => {
  await setTries(40);
  const answers = await Promise.all(Array.from({ length: 12 }, () => signIn('wrong')));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([401, ...Array(11).fill(429)]);
});

test('the person signs in during an attack from a known address, and from any other after a password reset', async () => {
  await setTries(40);
  await signIn('wrong');
  expect(statusAndCode(await signIn(PASSWORD))).toEqual(DELAYED);
  const { cookie } = home;
  home.cookie = '';
  expect(statusAndCode(await signIn(PASSWORD, person.email, home))).toEqual([204]);
  expect(statusAndCode(await signIn('wrong', person.email, home))).toEqual(WRONG);
  home.cookie = cookie;
  const elsewhere = site.newVisitor();
  await elsewhere.call('POST', '/api/password-resets', { email: person.email });
  await site.runLinks();
  const { rows } = await query(`select text from outbox where recipient = $1 and text like '%#token=%'`, [
    person.email,
  ]);
  const token = /#token=(\S+)/.exec(rows[0]?.text)?.[1];
  expect((await elsewhere.call('PUT', '/api/password-resets', { token, password: NEXT })).status).toBe(200);
  expect(statusAndCode(await signIn(NEXT, person.email, elsewhere))).toEqual([204]);
  expect(statusAndCode(await signIn(NEXT))).toEqual(DELAYED);
});

test('a correct password from a new place makes the place known and is not counted', async () => {
  await setTries(19);
  const visitor = site.newVisitor();
  expect(statusAndCode(await signIn(PASSWORD, person.email, visitor))).toEqual([204]);
  expect(await delayOf()).toMatchObject([{ tries: 19 }]);
  await setTries(40);
  await signIn('wrong');
  expect(statusAndCode(await signIn(PASSWORD, person.email, visitor))).toEqual([204]);
});

test('a known address that guesses is delayed by its own count', async () => {
  await query(`update password_tries set tries = 40 where place <> ''`);
  const thief = () => signIn('wrong', person.email, Object.assign(home, { cookie: '' }));
  expect(statusAndCode(await thief())).toEqual(WRONG);
  expect(statusAndCode(await thief())).toEqual(DELAYED);
  expect(statusAndCode(await signIn(PASSWORD))).toEqual([204]);
});

test('an address without an account is delayed in the same way', async () => {
  const email = 'no.account@example.org';
  expect(statusAndCode(await signIn('wrong', email))).toEqual(WRONG);
  await query(`update password_tries set tries = 40, next_at = now() where place = ''`);
  expect([
    statusAndCode(await signIn('wrong', email)),
    statusAndCode(await signIn('wrong', ` ${email.toUpperCase()}`)),
  ]).toEqual([WRONG, DELAYED]);
  const { rows } = await query('select from password_tries where account_hash::text like $1', [`%${email}%`]);
  expect(rows).toEqual([]);
});

test.each<[string, string, string, object]>([
  ['setPassword', 'PUT', '/api/password', { password: NEXT }],
  ['enrolSecondFactor', 'POST', '/api/second-factor', {}],
])('%s in a stolen session is delayed like a sign-in', async (_, method, path, body) => {
  await setTries(40);
  const guess = async (): Promise<unknown[]> => {
    const thief = Object.assign(site.newVisitor(), { cookie: home.cookie });
    return statusAndCode(await thief.call(method, path, { ...body, currentPassword: 'wrong' }));
  };
  expect(await guess()).toEqual([400, 'invalid_request']);
  expect(await guess()).toEqual(DELAYED);
  expect(statusAndCode(await signIn(PASSWORD))).toEqual(DELAYED);
});

test('attempts that no longer count are deleted', async () => {
  await setTries(40);
  await query(`update password_tries set tried_at = now() - interval '25 hours', next_at = now()`);
  expect(statusAndCode(await signIn('wrong'))).toEqual(WRONG);
  expect(await delayOf()).toEqual([{ tries: 1, seconds: 0 }]);
  await query(
    `update password_tries set tried_at = now() - case place when '' then interval '25 hours' else interval '89 days' end`,
  );
  await site.runRemovals();
  expect((await query('select place from password_tries')).rows.map(({ place }) => place === '')).toEqual([false]);
});
