// Sign-up, a forgotten password and the list of sessions: what an unauthenticated caller learns, and what a mailed link
// allows.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Answer } from '../../../test/app.ts';
import { OPERATOR, startConsole, type TestConsole, type TestVisitor } from '../../../test/console-app.ts';

let site: TestConsole;
let operator: TestVisitor;
beforeAll(async () => {
  site = await startConsole('local', { hasProductionHash: true });
  operator = site.newVisitor();
  await operator.signInByLink(await site.identity.ensurePerson(OPERATOR, 'Operator'));
});
afterAll(() => site.close());

async function invite(...emails: string[]): Promise<void> {
  const { visitor } = await site.newPerson();
  const { body } = await visitor.call<{ id: string }>('POST', '/api/organisations', { name: 'Harbour Tools' });
  for (const email of emails) {
    await visitor.call('POST', `/api/organisations/${body.id}/invitations`, { email, role: 'developer' });
    await site.database.superuser.query('delete from outbox where recipient = $1', [email]);
  }
}

const PASSWORD = 'a long sentence is a good one';
const NEXT = 'another long sentence';
const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await site.database.superuser.query(text, values)).rows;
const mailsTo = (email: string) =>
  query<{ subject: string; text: string }>('select subject, text from outbox where recipient = $1 order by queued_at', [
    email,
  ]);
const policy = (body: object) => operator.call('PUT', '/api/operator/sign-up-policy', body);
const without = ({ status, text, headers }: Answer): unknown => [
  status,
  text,
  [...headers].filter(([name]) => name !== 'request-id' && name !== 'date'),
];

/** Requests a link, runs the job that mails it, and returns the token of the newest mail. */
async function requestLink(kind: 'sign-ups' | 'password-resets', email: string): Promise<string | undefined> {
  expect((await site.newVisitor().call('POST', `/api/${kind}`, { email })).status).toBe(202);
  await site.runLinks();
  return /#token=(\S+)/.exec((await mailsTo(email.toLowerCase())).at(-1)?.text ?? '')?.[1];
}
const signUp = (token: string | undefined, visitor = site.newVisitor()): Promise<Answer> =>
  visitor.call('POST', '/api/accounts', { token, name: 'Imke', password: PASSWORD });
const reset = (token: string | undefined, password = NEXT): Promise<Answer> =>
  site.newVisitor().call('PUT', '/api/password-resets', { token, password });
const isSignedIn = async (visitor: TestVisitor): Promise<boolean> =>
  (await visitor.call('GET', '/api/session')).status === 200;

describe('signing up', () => {
  test('works once with a mailed link: its holder sets the password and is signed in', async () => {
    await policy({ policy: 'open', domains: [] });
    const token = await requestLink('sign-ups', 'Imke.Open@Example.org');
    const visitor = site.newVisitor();
    expect((await signUp(token, visitor)).status).toBe(204);
    const { body } = await visitor.call('GET', '/api/session');
    expect(body.person).toMatchObject({ email: 'imke.open@example.org', name: 'Imke', hasPassword: true });
    expect((await signUp(token)).body.code).toBe('link_invalid');
    const kept = await query('select t::text from mailed_links t union all select t::text from link_requests t');
    expect(JSON.stringify(kept)).not.toContain(token);
  });

  test('admits one of three concurrent sign-ups with the same link', async () => {
    await policy({ policy: 'open', domains: [] });
    const token = await requestLink('sign-ups', 'twice@example.org');
    const answers = await Promise.all([signUp(token), signUp(token), signUp(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 410, 410]);
  });

  test('answers the same for an account, an invited address and an address that may not sign up; only the mail differs', async () => {
    await policy({ policy: 'domain', domains: ['club.example'] });
    await invite('invited@example.org');
    const known = await site.identity.ensurePerson('known@example.org', 'Known');
    const emails = [known.email, 'invited@example.org', 'stranger@example.org', 'a@club.example', 'a@sub.club.example'];
    const visitor = site.newVisitor();
    const answers = [];
    for (const email of emails) answers.push(await visitor.call('POST', '/api/sign-ups', { email }));
    expect(new Set(answers.map((answer) => JSON.stringify(without(answer)))).size).toBe(1);
    // Before the answer only the request is stored, so that the duration reveals nothing about the address either.
    expect(await query('select from outbox where recipient = any($1)', [emails])).toEqual([]);
    await site.runLinks();
    const subjects = [];
    for (const email of emails) subjects.push((await mailsTo(email)).map((one) => one.subject));
    expect(subjects).toEqual([
      ['You have an account on Slipway'],
      ['Your account on Slipway'],
      [],
      ['Your account on Slipway'],
      [],
    ]);
  });

  test('requires an invitation until an operator changes the policy', async () => {
    await query("update sign_up_policy set policy = 'invited', domains = '{}'");
    expect(await requestLink('sign-ups', 'not-requested@example.org')).toBeUndefined();
    await invite('invited.too@example.org');
    expect(await requestLink('sign-ups', 'invited.too@example.org')).toBeDefined();
  });

  test('is refused with an unused link after the policy or the invitation no longer admits the address', async () => {
    await policy({ policy: 'open', domains: [] });
    const token = await requestLink('sign-ups', 'closed@example.org');
    await query("update sign_up_policy set policy = 'invited', domains = '{}'");
    await invite('revoked@example.org');
    const revoked = await requestLink('sign-ups', 'revoked@example.org');
    await query("update invitations set revoked_at = now() where email = 'revoked@example.org'");
    for (const late of [token, revoked]) expect((await signUp(late)).body.code).toBe('link_invalid');
  });

  test('is refused with a link that has expired, was replaced, has another purpose or was never issued', async () => {
    const person = await site.identity.ensurePerson('reset.kind@example.org', 'Kind');
    const other = await requestLink('password-resets', person.email);
    await policy({ policy: 'open', domains: [] });
    const early = await requestLink('sign-ups', 'late@example.org');
    const late = await requestLink('sign-ups', 'late@example.org');
    await query("update mailed_links set expires_at = now() where email = 'late@example.org'");
    for (const token of [early, late, other, 'x'.repeat(43)])
      expect((await signUp(token)).body.code).toBe('link_invalid');
  });

  test('mails an address at most five times an hour, and accepts 20 requests an hour from one network', async () => {
    const visitor = site.newVisitor();
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const statuses = [];
    for (let tries = 0; tries < 21; tries++) {
      const address = tries % 2 ? '2001:db8::1' : '2001:db8:0:0:ffff::2';
      const input = { email: 'bombed@example.org' };
      statuses.push((await visitor.call('POST', '/api/password-resets', input, from(address))).status);
    }
    expect(statuses).toEqual([...Array(20).fill(202), 429]);
    const other = await visitor.call('POST', '/api/sign-ups', { email: 'b@example.org' }, from('2001:db8:1::1'));
    expect(other.status).toBe(202);
    await query(
      "insert into \"user\" (id, name, email, \"emailVerified\") values ('b', 'B', 'bombed@example.org', true)",
    );
    await site.runLinks();
    expect(await mailsTo('bombed@example.org')).toHaveLength(5);
  });
});

describe('a password reset', () => {
  test('works once with the newest link only, ends every session and opens none', async () => {
    const { person, visitor } = await site.newPerson();
    const [early, late] = [
      await requestLink('password-resets', person.email),
      await requestLink('password-resets', person.email),
    ];
    expect((await reset(early)).body.code).toBe('link_invalid');
    expect((await reset(late, 'short')).status).toBe(400);
    const answer = await reset(late);
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []]);
    expect((await reset(late)).body.code).toBe('link_invalid');
    expect(await isSignedIn(visitor)).toBe(false);
    const again = await site.newVisitor().call('POST', '/api/session', { email: person.email, password: NEXT });
    expect(again.status).toBe(204);
    expect((await mailsTo(person.email)).at(-1)?.subject).toBe('Your password was changed');
  });

  test('hashes the password before a transaction opens, and hashes nothing for an unknown link', async () => {
    const { person } = await site.newPerson();
    const token = await requestLink('password-resets', person.email);
    const opened: number[] = [];
    const { scrypt } = crypto;
    const countFirst = new Proxy(scrypt, {
      apply(hash, self, inputs) {
        query<{ count: number }>(`select count(*)::int from pg_stat_activity
            where datname = current_database() and state like 'idle in transaction%'`)
          .then(([row]) => opened.push(row?.count ?? -1))
          .finally(() => Reflect.apply(hash, self, inputs));
      },
    });
    const spy = vi.spyOn(crypto, 'scrypt').mockImplementation(countFirst);
    syncBuiltinESMExports();
    try {
      expect((await reset('no link of anyone')).status).toBe(410);
      expect(opened).toEqual([]);
      expect((await reset(token)).status).toBe(200);
    } finally {
      spy.mockRestore();
      syncBuiltinESMExports();
    }
    expect(opened).toEqual([0]);
  });

  test('stores the password as a salted scrypt hash with N = 16384, r = 16 and p = 1', async () => {
    const { person } = await site.newPerson();
    const hashes: string[][] = [];
    for (let times = 0; times < 2; times += 1) {
      expect((await reset(await requestLink('password-resets', person.email))).status).toBe(200);
      const [row] = await query<{ password: string }>(`select password from account where "userId" = $1`, [person.id]);
      hashes.push(row?.password.split(':') ?? []);
    }
    const scrypt = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 ** 2 };
    const keys = hashes.map(([salt = '']) => crypto.scryptSync(NEXT, salt, 64, scrypt).toString('hex'));
    expect(hashes.map(([, key]) => key)).toEqual(keys);
    expect(hashes[0]?.[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(hashes[0]?.[0]).not.toBe(hashes[1]?.[0]);
  });

  test('answers the same with and without an account', async () => {
    const { person } = await site.newPerson();
    const answers = [];
    for (const email of [person.email, 'no.account@example.org'])
      answers.push(without(await site.newVisitor().call('POST', '/api/password-resets', { email })));
    expect(answers[0]).toEqual(answers[1]);
    await site.runLinks();
    expect(await mailsTo('no.account@example.org')).toEqual([]);
    expect(await mailsTo(person.email)).toHaveLength(1);
  });

  test('verifies the address of a person, who can do nothing before', async () => {
    const { person, visitor } = await site.newPerson();
    await visitor.call('PUT', '/api/password', { password: PASSWORD });
    await query('update "user" set "emailVerified" = false where id = $1', [person.id]);
    const elsewhere = site.newVisitor();
    const signIn = (password: string) => elsewhere.call('POST', '/api/session', { email: person.email, password });
    for (const answer of [
      await visitor.call('GET', '/api/session'),
      await visitor.call('POST', '/api/organisations', { name: 'Mine' }),
      await signIn(PASSWORD),
    ])
      expect([answer.status, answer.body.code]).toEqual([403, 'email_not_verified']);
    expect((await signIn('a wrong password')).body.code).toBe('sign_in_failed');
    await reset(await requestLink('password-resets', person.email));
    expect((await signIn(NEXT)).status).toBe(204);
    expect(await isSignedIn(elsewhere)).toBe(true);
  });
});

describe('the sessions of a person', () => {
  test('are listed without their tokens, and each can be ended', async () => {
    const { person, visitor } = await site.newPerson();
    const elsewhere = site.newVisitor();
    await elsewhere.signInByLink(person);
    const { body, text } = await visitor.call<{ data: { id: string; isCurrent: boolean }[] }>('GET', '/api/sessions');
    expect(body.data.map((one) => one.isCurrent).sort()).toEqual([false, true]);
    const tokens = await query<{ token: string }>('select token from session where "userId" = $1', [person.id]);
    for (const { token } of tokens) expect(text).not.toContain(token);
    const other = body.data.find((one) => !one.isCurrent)?.id;
    expect((await visitor.call('DELETE', `/api/sessions/${other}`)).status).toBe(204);
    expect([await isSignedIn(visitor), await isSignedIn(elsewhere)]).toEqual([true, false]);
    expect((await visitor.call('DELETE', `/api/sessions/${other}`)).status).toBe(404);
  });

  test('of another person are not found, like unknown ones', async () => {
    const [{ visitor }, other] = [await site.newPerson(), await site.newPerson()];
    const list = await other.visitor.call<{ data: { id: string }[] }>('GET', '/api/sessions');
    const foreign = await visitor.call('DELETE', `/api/sessions/${list.body.data[0]?.id}`);
    const missing = await visitor.call('DELETE', `/api/sessions/${'x'.repeat(32)}`);
    expect([foreign.status, missing.status]).toEqual([404, 404]);
    expect(await isSignedIn(other.visitor)).toBe(true);
  });

  test('end together with one call', async () => {
    const { person, visitor } = await site.newPerson();
    const elsewhere = site.newVisitor();
    await elsewhere.signInByLink(person);
    const { cookie } = visitor;
    expect((await visitor.call('DELETE', '/api/sessions')).status).toBe(200);
    visitor.cookie = cookie;
    expect([await isSignedIn(visitor), await isSignedIn(elsewhere)]).toEqual([false, false]);
  });
});
