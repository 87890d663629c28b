// Sign-in with an identity provider: which person is signed in, and which claims of the provider are rejected.
import { describe, expect, test } from 'vitest';
import {
  CLIENT,
  NOT_LINKED,
  type ProviderFaults,
  REFUSED,
  statusAndCode,
  useIdentityProvider,
} from './identity-provider.fixture.ts';

const { provider, site, browsers } = useIdentityProvider();

describe('a person who returns from the provider', () => {
  test('is signed in by issuer and subject, also if the provider names another address', async () => {
    const { person, visitor } = await site().newPerson();
    expect(statusAndCode(await browsers().link(visitor, 'one'))).toEqual([200, undefined]);
    const { body: mine } = await visitor.call('GET', '/api/session');
    expect(mine.person).toMatchObject({ isLinkedToProvider: true });
    const { person: other } = await site().newPerson();
    for (const about of [{ email: 'new.address@example.org' }, { email: other.email }, {}, { email_verified: false }]) {
      const browser = site().newVisitor();
      expect((await browsers().signIn({ sub: 'one', ...about }, browser)).status).toBe(204);
      const { body } = await browser.call('GET', '/api/session');
      expect(body.person).toMatchObject({ email: person.email, name: person.name });
    }
    const { body: list } = await visitor.call('GET', '/api/providers');
    expect(list).toEqual({ data: [{ name: 'Harbour ID' }], sendsMail: false });
  });

  test('is never signed in to an account by address, linked or not', async () => {
    const { person, visitor } = await site().newPerson();
    const attacker = { sub: 'attacker', email: person.email };
    expect(statusAndCode(await browsers().signIn(attacker))).toEqual(NOT_LINKED);
    expect(statusAndCode(await browsers().signIn({ ...attacker, email: person.email.toUpperCase() }))).toEqual(
      NOT_LINKED,
    );
    await browsers().link(visitor, 'two');
    expect(statusAndCode(await browsers().signIn(attacker))).toEqual(NOT_LINKED);
    // An attacker with a linked identity who takes over the address is signed in to their own account.
    const { person: own, visitor: theirs } = await site().newPerson();
    await browsers().link(theirs, 'attacker');
    const browser = site().newVisitor();
    expect((await browsers().signIn(attacker, browser)).status).toBe(204);
    expect((await browser.call('GET', '/api/session')).body.person).toMatchObject({ email: own.email });
  });

  test('is refused if the address of a new identity is missing, not verified or outside of ASCII', async () => {
    const email = 'nobody.yet@example.org';
    for (const about of [{ email, email_verified: false }, { email, email_verified: 'true' }, {}])
      expect(statusAndCode(await browsers().signIn({ sub: 'new', ...about }))).toEqual(REFUSED);
    const { email: kelvin } = await site().identity.ensurePerson('kelvin.sik@example.org', 'Kelvin');
    for (const other of ['\u212Aelvin.sik@example.org', 'kelvin.si\u212A@example.org', ` ${kelvin}`, `${kelvin}\n`])
      expect(statusAndCode(await browsers().signIn({ sub: 'other', email: other }))).toEqual(REFUSED);
  });

  test('receives an account only if the policy admits the address', async () => {
    const policy = (text: string) =>
      site().database.superuser.query('update sign_up_policy set policy = $1, domains = $2', [
        text,
        text === 'domain' ? ['club.example'] : [],
      ]);
    await policy('domain');
    expect(statusAndCode(await browsers().signIn({ sub: 'x', email: 'x@elsewhere.example' }))).toEqual([
      403,
      'sign_up_closed',
    ]);
    const visitor = site().newVisitor();
    expect((await browsers().signIn({ sub: 'new', email: 'new@club.example', name: 'Newcomer' }, visitor)).status).toBe(
      204,
    );
    const { body } = await visitor.call('GET', '/api/session');
    expect(body.person).toMatchObject({ email: 'new@club.example', name: 'Newcomer', hasPassword: false });
    await policy('invited');
    expect(await site().identity.findPerson('x@elsewhere.example')).toBeUndefined();
  });

  test('is named by address if the provider’s name is not allowed', async () => {
    await site().database.superuser.query("update sign_up_policy set policy = 'open', domains = '{}'");
    const names = ['with\0nothing', 'Im\u202eekmI', '\u200b', '  ', 'half \ud83d', 'x'.repeat(101)];
    for (const [at, name] of names.entries()) {
      const email = `named-${at}@club.example`;
      const visitor = site().newVisitor();
      expect((await browsers().signIn({ sub: `named-${at}`, email, name }, visitor)).status).toBe(204);
      expect((await visitor.call('GET', '/api/session')).body.person).toMatchObject({ name: email });
    }
    await site().database.superuser.query("update sign_up_policy set policy = 'invited'");
  });

  test('is refused in another browser, for a second time and after ten minutes', async () => {
    const { visitor: own } = await site().newPerson();
    await browsers().link(own, 'thief');
    provider().claims = { sub: 'thief' };
    const [thief, victim] = [site().newVisitor(), site().newVisitor()];
    const back = await browsers().goThere(thief);
    await browsers().goThere(victim);
    expect(statusAndCode(await browsers().comeBack(victim, back))).toEqual(REFUSED);
    expect(statusAndCode(await browsers().comeBack(site().newVisitor(), back))).toEqual(REFUSED);
    const { cookie } = thief;
    expect((await browsers().comeBack(thief, back)).status).toBe(204);
    provider().granted.set(back.code, new URLSearchParams());
    thief.cookie = cookie;
    expect(statusAndCode(await browsers().comeBack(thief, back))).toEqual(REFUSED);
    const late = await browsers().goThere(thief);
    await site().database.superuser.query('update provider_sign_ins set expires_at = now()');
    expect(statusAndCode(await browsers().comeBack(thief, late))).toEqual(REFUSED);
  });
});

describe('a provider’s answer is rejected', () => {
  test.each<[string, ProviderFaults]>([
    ['another nonce', { claims: { nonce: 'another' } }],
    ['another audience', { claims: { aud: 'another' } }],
    ['other audiences after ours', { claims: { aud: [CLIENT.id, 'another'] } }],
    ['other audiences before ours', { claims: { aud: ['another', CLIENT.id], azp: CLIENT.id } }],
    ['no audience', { claims: { aud: [] } }],
    ['another issuer', { claims: { iss: 'https://evil.example' } }],
    ['another client’s token', { claims: { azp: 'another' } }],
    ['a key that it does not publish', { isOtherKey: true }],
    ['the client secret as its key', { algorithm: 'HS256' }],
    ['no signature', { algorithm: 'none' }],
    ['a closed connection', { isSilent: true }],
  ])('with %s', async (_, lie) => {
    const { visitor: own } = await site().newPerson();
    await browsers().link(own, 'liar');
    provider().claims = { sub: 'liar' };
    const visitor = site().newVisitor();
    const back = await browsers().goThere(visitor);
    provider().faults = lie;
    expect(statusAndCode(await browsers().comeBack(visitor, back))).toEqual(REFUSED);
    expect(provider().failures.at(-1)).toMatchObject({ name: 'OidcError' });
    provider().faults = {};
    expect((await browsers().signIn(provider().claims)).status).toBe(204);
    expect((await own.call('DELETE', '/api/provider-links')).status).toBe(204);
  });

  test.each<[string, object]>([
    ['names another issuer', { issuer: 'https://evil.example' }],
    ['names an endpoint inside the network', { token_endpoint: 'http://169.254.169.254/token' }],
    ['names no keys', { jwks_uri: undefined }],
  ])('if its metadata %s', async (_, metadata) => {
    provider().faults = { metadata };
    const work = provider().newClient().finish('code', { nonce: 'n', codeVerifier: 'v' });
    await expect(work).rejects.toMatchObject({ name: 'OidcError' });
  });
});

test('a foreign page cannot begin a sign-in with the provider', async () => {
  const { visitor } = await site().newPerson();
  const bare = await visitor.call('GET', '/api/providers', undefined, { 'slipway-console': undefined });
  expect(bare.status).toBe(200);
  expect(
    (await visitor.call('POST', '/api/provider-sign-ins', undefined, { origin: 'https://evil.example' })).status,
  ).toBe(403);
});
