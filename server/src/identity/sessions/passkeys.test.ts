// Passkeys as a second factor: registration, sign-in, step-up and removal, with the audit log and the mails.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startConsole, type TestConsole, type TestVisitor } from '../../../test/console-app.ts';
import {
  challengeOf,
  enrolPasskey,
  registerPasskey,
  SoftwareAuthenticator,
  signInChallengeOf,
} from '../../../test/passkey.fixture.ts';
import { beginSignIn, codeOf, enrolSecondFactor } from '../../../test/second-factor.fixture.ts';
import type { Person } from './index.ts';

let site: TestConsole;
beforeAll(async () => {
  site = await startConsole('local');
});
afterAll(() => site.close());

const query = (text: string, values: unknown[] = []) => site.database.superuser.query(text, values);
const PASSWORD = 'a long sentence is a good one';

const begin = (person: Person): Promise<TestVisitor> => beginSignIn(site, person);
const complete = (visitor: TestVisitor, body: object) => visitor.call('POST', '/api/session/second-factor', body);
const personOf = async (visitor: TestVisitor) =>
  (await visitor.call<{ person: object }>('GET', '/api/session')).body?.person;
const listed = async (visitor: TestVisitor) =>
  (await visitor.call<{ data: { id: string; name: string; lastUsedAt: string | null }[] }>('GET', '/api/passkeys')).body
    .data;
const subjectsTo = async ({ email }: Person): Promise<string[]> => {
  const { rows } = await query('select subject from outbox where recipient = $1 order by queued_at, message_id', [
    email,
  ]);
  return rows.map(({ subject }) => subject);
};
const ageProofs = () => query("update second_factor_proofs set proved_at = now() - interval '11 minutes'");

async function personWithAuthenticator() {
  const { person, visitor } = await site.newPerson();
  return { person, visitor, ...(await enrolSecondFactor(visitor)) };
}
async function personWithPasskey() {
  const { person, visitor } = await site.newPerson();
  const authenticator = new SoftwareAuthenticator();
  return { person, visitor, authenticator, ...(await enrolPasskey(visitor, authenticator)) };
}

describe('a passkey next to an authenticator', () => {
  test('completes a sign-in, as a code still does', async () => {
    const { person, visitor, uri } = await personWithAuthenticator();
    const authenticator = new SoftwareAuthenticator();
    await registerPasskey(visitor, authenticator);
    const other = site.newVisitor();
    const token = await site.identity.issueLink(person);
    const begun = await other.call('POST', '/api/sign-in-link', { token: token.reveal() });
    expect(begun.body).toEqual({ next: 'second_factor', methods: ['authenticator', 'passkey'] });
    const options = await signInChallengeOf(other);
    expect(options).toMatchObject({
      rpId: 'localhost',
      allowCredentials: [{ id: authenticator.id, transports: ['usb'] }],
    });
    expect((await complete(other, { passkey: authenticator.get(options) })).status).toBe(204);
    expect(await personOf(other)).toMatchObject({ secondFactorMethods: ['authenticator', 'passkey'] });
    const third = await begin(person);
    expect((await complete(third, { code: codeOf(uri, 1) })).status).toBe(204);
    expect(await subjectsTo(person)).toEqual(['A second factor was set up', 'A passkey was registered']);
  });

  test('is registered only after the second factor was verified in the session', async () => {
    const { visitor, uri } = await personWithAuthenticator();
    await ageProofs();
    const refused = await visitor.call('POST', '/api/passkeys/registration', {});
    expect([refused.status, refused.body.code]).toEqual([403, 'second_factor_required']);
    expect((await visitor.call('POST', '/api/second-factor/verify', { code: codeOf(uri, 1) })).status).toBe(204);
    await registerPasskey(visitor, new SoftwareAuthenticator());
  });

  test('has a name and a last use', async () => {
    const { visitor } = await personWithAuthenticator();
    const authenticator = new SoftwareAuthenticator();
    const { id } = await registerPasskey(visitor, authenticator, 'Laptop');
    expect(await listed(visitor)).toMatchObject([{ id, name: 'Laptop', lastUsedAt: null }]);
    const passkey = authenticator.get(await challengeOf(visitor));
    expect((await visitor.call('POST', '/api/second-factor/verify', { passkey })).status).toBe(204);
    expect((await listed(visitor))[0]?.lastUsedAt).not.toBeNull();
  });

  test.each(['code', 'recovery code', 'passkey'])('is removed with a %s, and no longer signs in', async (kind) => {
    const { person, visitor, uri, recoveryCodes } = await personWithAuthenticator();
    const authenticator = new SoftwareAuthenticator();
    const { id } = await registerPasskey(visitor, authenticator);
    const remove = (body: object) => visitor.call('POST', `/api/passkeys/${id}/remove`, body);
    expect((await remove({})).status).toBe(400);
    expect((await remove({ code: '000000' })).body.code).toBe('second_factor_failed');
    const proof =
      kind === 'passkey'
        ? { passkey: authenticator.get(await challengeOf(visitor)) }
        : { code: kind === 'code' ? codeOf(uri, 1) : recoveryCodes[0] };
    expect((await remove(proof)).status).toBe(204);
    expect(await listed(visitor)).toEqual([]);
    const other = await begin(person);
    expect((await other.call('POST', '/api/session/passkey-challenge')).status).toBe(401);
    expect(await subjectsTo(person)).toContain('A passkey was removed');
  });

  test('is limited to ten for a person', async () => {
    const { visitor } = await personWithAuthenticator();
    for (let at = 0; at < 10; at += 1) await registerPasskey(visitor, new SoftwareAuthenticator());
    const refused = await visitor.call('POST', '/api/passkeys/registration', {});
    expect(refused.body.code).toBe('quota_exceeded');
  });
});

describe('a passkey as the only means', () => {
  test('switches the second factor on, ends other sessions, and allows sensitive actions', async () => {
    const { person, visitor } = await site.newPerson();
    const other = site.newVisitor();
    expect(await other.signInByLink(person)).toBe(204);
    const authenticator = new SoftwareAuthenticator();
    await enrolPasskey(visitor, authenticator);
    expect(await personOf(visitor)).toMatchObject({ hasSecondFactor: true, secondFactorMethods: ['passkey'] });
    expect((await other.call('GET', '/api/session')).status).toBe(401);
    expect(await site.identity.secondFactor.isFresh({ cookie: visitor.cookie, address: '' }, site.db)).toBe(true);
    await ageProofs();
    expect(await site.identity.secondFactor.isFresh({ cookie: visitor.cookie, address: '' }, site.db)).toBe(false);
    const passkey = authenticator.get(await challengeOf(visitor));
    const before = visitor.cookie;
    expect((await visitor.call('POST', '/api/second-factor/verify', { passkey })).status).toBe(204);
    expect(await site.identity.secondFactor.isFresh({ cookie: visitor.cookie, address: '' }, site.db)).toBe(true);
    const stolen = Object.assign(site.newVisitor(), { cookie: before });
    expect((await stolen.call('GET', '/api/session')).status).toBe(401);
    expect(await subjectsTo(person)).toEqual(['A second factor was set up']);
  });

  test('requires recovery codes first, and the password of an account that has one', async () => {
    const { visitor } = await site.newPerson();
    const begun = await visitor.call('POST', '/api/passkeys/registration', {});
    expect([begun.status, begun.body.code]).toEqual([409, 'conflict']);
    await visitor.call('PUT', '/api/password', { password: PASSWORD });
    await visitor.call('POST', '/api/second-factor', { currentPassword: PASSWORD });
    for (const body of [{}, { currentPassword: 'not the current one' }])
      expect((await visitor.call('POST', '/api/passkeys/registration', body)).status).toBe(400);
    const options = await visitor.call('POST', '/api/passkeys/registration', { currentPassword: PASSWORD });
    expect(options.status).toBe(201);
  });

  test('refuses codes of the unconfirmed authenticator, and accepts a recovery code once', async () => {
    const { person, uri, recoveryCodes } = await personWithPasskey();
    const refused = await complete(await begin(person), { code: codeOf(uri, 0) });
    expect([refused.status, refused.body.code]).toEqual([401, 'second_factor_failed']);
    expect((await complete(await begin(person), { code: recoveryCodes[0] })).status).toBe(204);
    expect((await complete(await begin(person), { code: recoveryCodes[0] })).status).toBe(401);
  });

  test('is not removed alone, but disabled with all passkeys', async () => {
    const { person, visitor, authenticator, passkey } = await personWithPasskey();
    const last = { passkey: authenticator.get(await challengeOf(visitor)) };
    expect((await visitor.call('POST', `/api/passkeys/${passkey.id}/remove`, last)).body.code).toBe('conflict');
    const proof = { passkey: authenticator.get(await challengeOf(visitor)) };
    expect((await visitor.call('POST', '/api/second-factor/disable', proof)).status).toBe(204);
    expect(await personOf(visitor)).toMatchObject({ hasSecondFactor: false, secondFactorMethods: [] });
    expect(await site.newVisitor().signInByLink(person)).toBe(204);
    // A new second factor does not revive the passkey.
    await enrolSecondFactor(visitor);
    expect(await listed(visitor)).toEqual([]);
  });

  test('is joined by an authenticator after a verification, without an end of the session', async () => {
    const { person, visitor, authenticator } = await personWithPasskey();
    await ageProofs();
    expect((await visitor.call('POST', '/api/second-factor', {})).body.code).toBe('second_factor_required');
    const passkey = authenticator.get(await challengeOf(visitor));
    expect((await visitor.call('POST', '/api/second-factor/verify', { passkey })).status).toBe(204);
    const { uri } = await enrolSecondFactor(visitor);
    expect(await personOf(visitor)).toMatchObject({ secondFactorMethods: ['authenticator', 'passkey'] });
    expect((await complete(await begin(person), { code: codeOf(uri, 1) })).status).toBe(204);
  });

  test('is removed 24 hours after a request without a proof', async () => {
    const { person, visitor } = await personWithPasskey();
    expect((await visitor.call('POST', '/api/second-factor/removal', {})).status).toBe(202);
    await site.runRemovals();
    expect(await listed(visitor)).toHaveLength(1);
    await query('update second_factor_removals set due_at = clock_timestamp() where person_id = $1', [person.id]);
    await site.runRemovals();
    expect(await listed(visitor)).toEqual([]);
    expect(await personOf(visitor)).toMatchObject({
      hasSecondFactor: false,
      secondFactorRemoval: { state: 'removed' },
    });
    expect(await subjectsTo(person)).toContain('Your second factor was removed');
  });
});

test('each change is in the audit log of each organisation of the person, without the name of the passkey', async () => {
  const { person, visitor, uri } = await personWithAuthenticator();
  const organisation = await visitor.call<{ id: string }>('POST', '/api/organisations', { name: 'Harbour Tools' });
  expect(organisation.status).toBe(201);
  const { id } = await registerPasskey(visitor, new SoftwareAuthenticator(), 'Grandmother');
  expect((await visitor.call('POST', `/api/passkeys/${id}/remove`, { code: codeOf(uri, 1) })).status).toBe(204);
  const { rows } = await query(
    `select action, target, detail from audit_entries where action like 'passkey.%' and actor = $1 order by sequence`,
    [person.email],
  );
  expect(rows).toEqual(
    ['passkey.create', 'passkey.remove'].map((action) => ({
      action,
      target: id,
      detail: { person: person.email },
    })),
  );
});

test('a Console at an IP address refuses passkeys, and says why', async () => {
  const other = await startConsole('local', { consoleUrl: 'http://127.0.0.1:7000' });
  try {
    const { visitor } = await other.newPerson();
    await visitor.call('POST', '/api/second-factor', {});
    const refused = await visitor.call('POST', '/api/passkeys/registration', {});
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('SLIPWAY_CONSOLE_URL')]);
  } finally {
    await other.close();
  }
});
