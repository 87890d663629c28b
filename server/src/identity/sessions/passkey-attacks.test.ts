// Attacks on passkeys: each forged, replayed, late or repeated signature is refused and counted.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startConsole, type TestConsole, type TestVisitor } from '../../../test/console-app.ts';
import {
  attestWithCertificate,
  type CreationOptions,
  challengeOf,
  enrolPasskey,
  registerPasskey,
  SoftwareAuthenticator,
  signInChallengeOf,
} from '../../../test/passkey.fixture.ts';
import { beginSignIn, enrolSecondFactor } from '../../../test/second-factor.fixture.ts';
import type { Person } from './index.ts';

let site: TestConsole;
beforeAll(async () => {
  site = await startConsole('local');
});
afterAll(() => site.close());

const query = (text: string, values: unknown[] = []) => site.database.superuser.query(text, values);
const from = ({ cookie }: TestVisitor): TestVisitor => Object.assign(site.newVisitor(), { cookie });

async function personWithPasskey(authenticator = new SoftwareAuthenticator()) {
  const { person, visitor } = await site.newPerson();
  return { person, visitor, authenticator, ...(await enrolPasskey(visitor, authenticator)) };
}
const begin = (person: Person): Promise<TestVisitor> => beginSignIn(site, person);
const complete = async (visitor: TestVisitor, passkey: object) => {
  const { status, body } = await visitor.call('POST', '/api/session/second-factor', { passkey });
  return body === undefined ? [status] : [status, body.code];
};
const REFUSED = [401, 'second_factor_failed'];
const ACCEPTED = [204];
const expire = (person: Person) =>
  query(`update passkey_challenges set expires_at = clock_timestamp() where person_id = $1`, [person.id]);

test('a challenge works once', async () => {
  const { visitor, authenticator } = await personWithPasskey();
  const passkey = authenticator.get(await challengeOf(visitor));
  const stolen = from(visitor);
  expect((await visitor.call('POST', '/api/second-factor/verify', { passkey })).status).toBe(204);
  for (const session of [visitor, stolen])
    expect((await session.call('POST', '/api/second-factor/verify', { passkey })).status).toBe(401);
});

test('a challenge works only in the session or sign-in that requested it', async () => {
  const { person, visitor, authenticator } = await personWithPasskey();
  const [first, second] = [await begin(person), await begin(person)];
  const options = await signInChallengeOf(first);
  expect(await complete(second, authenticator.get(options))).toEqual(REFUSED);
  // The attempt of the other sign-in does not use up the challenge.
  expect(await complete(first, authenticator.get(options))).toEqual(ACCEPTED);
  const passkey = authenticator.get(await challengeOf(visitor));
  const refused = await first.call('POST', '/api/second-factor/disable', { passkey });
  expect([refused.status, refused.body.code]).toEqual(REFUSED);
  const registration = await visitor.call<CreationOptions>('POST', '/api/passkeys/registration', {});
  const credential = new SoftwareAuthenticator().create(registration.body);
  const stolen = await first.call('POST', '/api/passkeys', { name: 'Stolen', credential });
  expect([stolen.status, stolen.body.code]).toEqual(REFUSED);
});

test('a challenge ends with its session', async () => {
  const { person, visitor, authenticator } = await personWithPasskey();
  const options = await challengeOf(visitor);
  expect((await visitor.call('DELETE', '/api/session')).status).toBe(204);
  expect(await complete(await begin(person), authenticator.get(options))).toEqual(REFUSED);
});

test('expired challenges of the person are deleted with the next one', async () => {
  const { person, visitor } = await personWithPasskey();
  await signInChallengeOf(await begin(person));
  await expire(person);
  await challengeOf(visitor);
  const { rows } = await query('select purpose from passkey_challenges where person_id = $1', [person.id]);
  expect(rows).toEqual([{ purpose: 'verify' }]);
});

test('a cookie with an invalid escape begins no sign-in', async () => {
  const { person } = await personWithPasskey();
  const visitor = await begin(person);
  const name = visitor.cookie?.split('=')[0];
  const forged = Object.assign(site.newVisitor(), { cookie: `${name}=%E0%A4%A` });
  expect((await forged.call('POST', '/api/session/passkey-challenge')).status).toBe(401);
});

test('a refused signature uses up the challenge', async () => {
  const { person, authenticator } = await personWithPasskey();
  const visitor = await begin(person);
  const options = await signInChallengeOf(visitor);
  expect(await complete(visitor, new SoftwareAuthenticator().get(options))).toEqual(REFUSED);
  expect(await complete(visitor, authenticator.get(options))).toEqual(REFUSED);
  expect(await complete(visitor, authenticator.get(await signInChallengeOf(visitor)))).toEqual(ACCEPTED);
});

test('a newer challenge voids the previous one', async () => {
  const { person, authenticator } = await personWithPasskey();
  const visitor = await begin(person);
  const older = await signInChallengeOf(visitor);
  await signInChallengeOf(visitor);
  expect(await complete(visitor, authenticator.get(older))).toEqual(REFUSED);
});

test('a passkey of another person is refused, also with the challenge of that person', async () => {
  const [victim, thief] = [await personWithPasskey(), await personWithPasskey()];
  const visitor = await begin(victim.person);
  expect(await complete(visitor, thief.authenticator.get(await signInChallengeOf(visitor)))).toEqual(REFUSED);
  const own = await signInChallengeOf(await begin(thief.person));
  expect(await complete(visitor, thief.authenticator.get(own))).toEqual(REFUSED);
  const mixed = { ...thief.authenticator.get(await signInChallengeOf(visitor)), id: victim.authenticator.id };
  expect(await complete(visitor, mixed)).toEqual(REFUSED);
});

test('a challenge of another purpose is refused', async () => {
  const { person, visitor, authenticator } = await personWithPasskey();
  const waiting = await begin(person);
  await signInChallengeOf(waiting);
  expect(await complete(waiting, authenticator.get(await challengeOf(visitor)))).toEqual(REFUSED);
  // A session without a recent verification gets a challenge to verify, which must register no passkey.
  const { challenge } = await challengeOf(visitor);
  const credential = new SoftwareAuthenticator().create({ challenge, rp: { id: 'localhost' } });
  const added = await visitor.call('POST', '/api/passkeys', { name: 'Stolen', credential });
  expect([added.status, added.body.code]).toEqual(REFUSED);
  const registration = await visitor.call<CreationOptions>('POST', '/api/passkeys/registration', {});
  const passkey = authenticator.get({ ...registration.body, rpId: 'localhost' });
  const disabling = await visitor.call('POST', '/api/second-factor/disable', { passkey });
  expect([disabling.status, disabling.body.code]).toEqual(REFUSED);
});

test.each([
  ['another site', { origin: 'http://localhost.example.org:7000' }],
  ['another port', { origin: 'http://localhost:7001' }],
  ['another spelling of this machine', { origin: 'http://127.0.0.1:7000' }],
  ['another RP ID', { rpId: 'example.org' }],
  ['a registration', { type: 'webauthn.create' }],
  ['a frame on another site', { crossOrigin: true }],
  ['an authenticator without a verified user', { isUserVerified: false }],
])('a signature for %s is refused, also with matching headers', async (_, claims) => {
  const { person, authenticator } = await personWithPasskey();
  const visitor = await begin(person);
  const passkey = authenticator.get(await signInChallengeOf(visitor), claims);
  const headers = { 'x-forwarded-host': 'localhost.example.org:7000', 'x-forwarded-proto': 'http' };
  const answer = await visitor.call('POST', '/api/session/second-factor', { passkey }, headers);
  expect([answer.status, answer.body.code]).toEqual(REFUSED);
});

test('an expired challenge is refused', async () => {
  const { person, authenticator } = await personWithPasskey();
  const visitor = await begin(person);
  const options = await signInChallengeOf(visitor);
  const { rows } = await query(
    `select expires_at <= clock_timestamp() + interval '5 minutes' as is_short from passkey_challenges
     where person_id = $1 and purpose = 'sign_in'`,
    [person.id],
  );
  expect(rows).toEqual([{ is_short: true }]);
  await expire(person);
  expect(await complete(visitor, authenticator.get(options))).toEqual(REFUSED);
});

test('a counter that does not rise is refused, as a copied authenticator causes', async () => {
  const { person, authenticator } = await personWithPasskey();
  const first = await begin(person);
  expect(await complete(first, authenticator.get(await signInChallengeOf(first)))).toEqual(ACCEPTED);
  for (const back of [1, 2]) {
    authenticator.counter -= back;
    const visitor = await begin(person);
    expect(await complete(visitor, authenticator.get(await signInChallengeOf(visitor)))).toEqual(REFUSED);
  }
  authenticator.counter += 10;
  const last = await begin(person);
  expect(await complete(last, authenticator.get(await signInChallengeOf(last)))).toEqual(ACCEPTED);
});

test('an authenticator that does not count is accepted again', async () => {
  const { person, authenticator } = await personWithPasskey(new SoftwareAuthenticator({ counts: false }));
  for (let times = 0; times < 2; times += 1) {
    const visitor = await begin(person);
    expect(await complete(visitor, authenticator.get(await signInChallengeOf(visitor)))).toEqual(ACCEPTED);
  }
});

test('of parallel uses of one signature one is accepted', async () => {
  const { person, authenticator } = await personWithPasskey();
  const visitor = await begin(person);
  const passkey = authenticator.get(await signInChallengeOf(visitor));
  const visitors = Array.from({ length: 4 }, () => from(visitor));
  const answers = await Promise.all(visitors.map((one) => complete(one, passkey)));
  expect(answers.toSorted()).toEqual([ACCEPTED, REFUSED, REFUSED, REFUSED]);
});

test('parallel wrong passkeys and wrong codes share one count, and the right passkey is then refused too', async () => {
  const { person, visitor, authenticator } = await personWithPasskey();
  const passkey = new SoftwareAuthenticator().get(await challengeOf(visitor));
  const guess = (at: number) =>
    from(visitor).call('POST', '/api/second-factor/verify', at % 2 === 0 ? { passkey } : { code: '000000' });
  const answers = await Promise.all(Array.from({ length: 15 }, (_, at) => guess(at)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(401), ...Array(5).fill(429)]);
  const right = authenticator.get(await challengeOf(visitor));
  const locked = await from(visitor).call('POST', '/api/second-factor/verify', { passkey: right });
  expect([locked.status, locked.body.code]).toEqual([429, 'rate_limited']);
  const waiting = await begin(person);
  expect(await complete(waiting, authenticator.get(await signInChallengeOf(waiting)))).toEqual([429, 'rate_limited']);
});

test('a stolen session registers no passkey: neither without the challenge, nor with the one of another person', async () => {
  const { visitor } = await site.newPerson();
  await enrolSecondFactor(visitor);
  const other = await site.newPerson();
  await enrolSecondFactor(other.visitor);
  const { body: options } = await other.visitor.call<CreationOptions>('POST', '/api/passkeys/registration', {});
  const register = async (
    authenticator: SoftwareAuthenticator,
    given: CreationOptions,
    ...more: [object?, typeof attestWithCertificate?]
  ) => {
    const credential = authenticator.create(given, ...more);
    const { status, body } = await visitor.call('POST', '/api/passkeys', { name: 'Stolen', credential });
    return [status, body.code];
  };
  expect(await register(new SoftwareAuthenticator(), options)).toEqual(REFUSED);
  const begun = async () => (await visitor.call<CreationOptions>('POST', '/api/passkeys/registration', {})).body;
  const claims = [
    { origin: 'http://example.org' },
    { rpId: 'example.org' },
    { type: 'webauthn.get' },
    { crossOrigin: true },
    { isUserVerified: false },
  ];
  for (const claim of claims)
    expect(await register(new SoftwareAuthenticator(), await begun(), claim)).toEqual(REFUSED);
  // A certificate could name an address that the server would fetch. The library accepts this one.
  expect(await register(new SoftwareAuthenticator(), await begun(), {}, attestWithCertificate)).toEqual(REFUSED);
  const taken = new SoftwareAuthenticator();
  await registerPasskey(other.visitor, taken);
  expect(await register(taken, await begun())).toEqual([409, 'conflict']);
});

test('challenges are stored as hashes', async () => {
  const { person, visitor } = await personWithPasskey();
  const { challenge } = await challengeOf(visitor);
  const { rows } = await query('select t::text as row from passkey_challenges t where person_id = $1', [person.id]);
  const stored = JSON.stringify(rows);
  expect(rows).toHaveLength(1);
  expect(stored).not.toContain(challenge);
  expect(stored).not.toContain(Buffer.from(challenge, 'base64url').toString('hex'));
});
