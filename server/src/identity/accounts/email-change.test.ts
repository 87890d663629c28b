// A person changes their own e-mail address, and the holder of the previous address restores it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startConsole, type TestConsole } from '../../../test/console-app.ts';
import { EMAIL_PASSWORD, emailChanges } from '../../../test/email-change.fixture.ts';
import { foundOrganisation, type JoinedMember, type TestOrganisation } from '../../../test/organisation.fixture.ts';
import { fromId } from '../../kit/crypto/ids.ts';

let site: TestConsole;
let home: TestOrganisation;
let member: JoinedMember;
const changes = emailChanges(() => site);
const { query, mailsTo, request, requested, confirm, change, undo, emailOf, freeEmail, setPassword, signIn } = changes;

beforeAll(async () => {
  site = await startConsole('local');
  home = await foundOrganisation(site);
});
beforeEach(async () => {
  member = await home.join('developer');
  await setPassword(member.visitor);
});
afterAll(() => site.close());

const auditOf = async (action: string, personId = member.person.id) => {
  const { rows } = await query(
    'select organisation_id, actor_kind, actor_id, target, detail from audit_entries where action = $1 and target = $2 order by organisation_id',
    [action, personId],
  );
  return rows;
};

describe('a confirmed change', () => {
  test('moves the account to the new address, continues the session and ends the others', async () => {
    const email = freeEmail();
    const other = site.newVisitor();
    expect(await other.signInByLink(member.person)).toBe(204);
    await change(member.visitor, email);
    expect([await emailOf(member.visitor), await emailOf(other)]).toEqual([email, undefined]);
    expect([(await signIn(email)).status, (await signIn(member.person.email)).status]).toEqual([204, 401]);
  });

  test('is audited in each organisation of the person, and mailed to the previous address', async () => {
    const email = freeEmail();
    const own = await member.visitor.call<{ id: string }>('POST', '/api/organisations', { name: 'Crane' });
    await change(member.visitor, email);
    const { id, email: before } = member.person;
    expect(await auditOf('person.change_email')).toEqual(
      [home.id, own.body.id]
        .map((organisation) => fromId('org', organisation))
        .toSorted()
        .map((organisation_id) => ({
          ...{ organisation_id, actor_kind: 'person', actor_id: id, target: id },
          detail: { email, before },
        })),
    );
    expect((await mailsTo(before)).at(-1)).toMatchObject({
      subject: 'The address of your account was changed',
      text: expect.stringContaining(`has the address ${email} from now on. It was ${before} before.`),
    });
  });

  test('keeps memberships, access tokens and links to the identity provider', async () => {
    const { visitor, person } = member;
    await query('insert into provider_links (issuer, subject, person_id) values ($1, $2, $3)', [
      ...['https://id.example.org', 'subject of a change', person.id],
    ]);
    const made = await visitor.call<{ token: string }>('POST', `${home.base}/access-tokens`, {
      ...{ name: 'A script', scope: 'read', expiresInDays: 7 },
    });
    const email = freeEmail();
    await change(visitor, email);
    const { body } = await visitor.call<{ person: object; organisations: object[] }>('GET', '/api/session');
    expect(body).toMatchObject({ person: { email, isLinkedToProvider: true }, organisations: [{ id: home.id }] });
    const headers = { authorization: `Bearer ${made.body.token}` };
    const caller = await site.newVisitor().call('GET', '/api/caller', undefined, headers);
    expect([caller.status, caller.text.includes(email)]).toEqual([200, true]);
  });

  test('makes the network of the confirmation a known one under the new address', async () => {
    const known = async () =>
      (await query("select count(*)::int as count from password_tries where place <> ''")).rows[0].count;
    const token = await requested(member.visitor, freeEmail());
    const before = await known();
    expect((await confirm(member.visitor, token)).status).toBe(204);
    expect(await known()).toBe(before + 1);
  });
});

describe('a pending change', () => {
  const END = {
    'a new password': () =>
      member.visitor.call('PUT', '/api/password', { password: 'a new long sentence', currentPassword: EMAIL_PASSWORD }),
    'signing out everywhere': () => member.visitor.call('DELETE', '/api/sessions'),
  };
  test.each(Object.entries(END))('is void after %s', async (_, end) => {
    const token = await requested(member.visitor, freeEmail());
    expect((await end()).status).toBeLessThan(300);
    const visitor = site.newVisitor();
    expect(await visitor.signInByLink(member.person)).toBe(204);
    expect((await confirm(visitor, token)).body.code).toBe('link_invalid');
    expect(await emailOf(visitor)).toBe(member.person.email);
  });

  test('does not change the address, and is replaced by the next request', async () => {
    const [first, second] = [freeEmail(), freeEmail()];
    const replaced = await requested(member.visitor, first);
    const token = await requested(member.visitor, second);
    expect(await emailOf(member.visitor)).toBe(member.person.email);
    expect((await confirm(member.visitor, replaced)).body.code).toBe('link_invalid');
    expect((await confirm(member.visitor, token)).status).toBe(204);
    expect(await emailOf(member.visitor)).toBe(second);
  });
});

test('the own address in another spelling is refused with conflict', async () => {
  const answer = await request(member.visitor, member.person.email.toUpperCase());
  expect([answer.status, answer.body.code]).toEqual([409, 'conflict']);
});

test('an account with a hundred earlier addresses cannot change its address', async () => {
  await query(
    `insert into earlier_emails (person_id, email, until) select $1, 'former' || n || '@example.org', now() from generate_series(1, 100) n`,
    [member.person.id],
  );
  expect((await request(member.visitor, freeEmail())).body.code).toBe('quota_exceeded');
});

test('a sixth request on one UTC day is refused and sends no mail', async () => {
  for (let time = 1; time <= 5; time++) await requested(member.visitor, freeEmail());
  const email = freeEmail();
  const refused = await request(member.visitor, email);
  expect([refused.status, refused.body.code, await mailsTo(email)]).toEqual([429, 'rate_limited', []]);
  await query('update security_changes set day = day - 1 where person_id = $1', [member.person.id]);
  expect((await request(member.visitor, email)).status).toBe(202);
});

describe('the restoration of an address', () => {
  test('sets the password, ends the session, and is audited and mailed to both addresses', async () => {
    const { person, visitor } = member;
    const email = freeEmail();
    const token = await change(visitor, email);
    const restored = await undo(token);
    expect([restored.status, restored.body]).toEqual([200, { accessTokens: [], terminals: [], providerLinks: [] }]);
    expect(await emailOf(visitor)).toBeUndefined();
    expect((await signIn(person.email)).status).toBe(401);
    expect((await signIn(person.email, 'another long sentence')).status).toBe(204);
    expect((await signIn(email, 'another long sentence')).status).toBe(401);
    expect(await auditOf('person.undo_email_change')).toMatchObject([
      { actor_id: person.id, detail: { email: person.email, before: email } },
    ]);
    expect((await mailsTo(email)).at(-1)?.subject).toBe('The address of your account was changed back');
    expect((await mailsTo(person.email)).at(-1)?.subject).toBe('The address of your account was restored');
  });

  test('unlinks the identity provider of an account without a password, which has one afterwards', async () => {
    const { person, visitor } = await home.join('viewer');
    await query('insert into provider_links (issuer, subject, person_id) values ($1, $2, $3)', [
      ...['https://id.example.org', 'subject without a password', person.id],
    ]);
    const token = await change(visitor, freeEmail());
    expect((await undo(token)).body.providerLinks).toMatchObject([{ state: 'ended' }]);
    expect((await signIn(person.email, 'another long sentence')).status).toBe(204);
  });

  test('ends all access also if the person has the address again', async () => {
    const { person, visitor } = member;
    const token = await change(visitor, freeEmail());
    await change(visitor, person.email);
    expect((await undo(token)).status).toBe(200);
    expect(await emailOf(visitor)).toBeUndefined();
    expect((await signIn(person.email, 'another long sentence')).status).toBe(204);
  });
});

describe('keys of a removed member that were made under an earlier address', () => {
  const plane = (): string => `/api/sandbox${home.base.replace('/api', '')}`;
  async function newApp() {
    const app = await home.owner.visitor.call<{ id: string }>('POST', `${plane()}/apps`, { name: 'An app' });
    const keys = `${plane()}/apps/${app.body.id}/keys`;
    return {
      makeKey: async ({ visitor }: JoinedMember): Promise<string> => {
        const input = { name: 'A key', scopes: ['events:read'], expiresInDays: 1 };
        return (await visitor.call<{ key: { id: string } }>('POST', keys, input)).body.key.id;
      },
      statesOf: async (...ids: string[]): Promise<(string | undefined)[]> => {
        const { body } = await home.owner.visitor.call<{ data: { id: string; state: string }[] }>('GET', keys);
        return ids.map((id) => body.data.find((key) => key.id === id)?.state);
      },
    };
  }
  const remove = async ({ memberId }: JoinedMember) =>
    (await home.owner.visitor.call('POST', `${home.base}/members/${memberId}/remove`, { keys: 'revoke' })).body;

  test('are revoked with those of the current address', async () => {
    const { makeKey, statesOf } = await newApp();
    const keys = [await makeKey(member)];
    for (let time = 1; time <= 2; time++) {
      await change(member.visitor, freeEmail());
      keys.push(await makeKey(member));
    }
    const other = await makeKey(home.owner);
    expect(await remove(member)).toEqual({ keys: [{ environment: 'sandbox', outcome: 'revoked', count: 3 }] });
    expect(await statesOf(...keys, other)).toEqual(['revoked', 'revoked', 'revoked', 'active']);
  });

  test('are revoked after the address was restored, with those that a thief made meanwhile', async () => {
    const { makeKey, statesOf } = await newApp();
    const first = await makeKey(member);
    const token = await change(member.visitor, freeEmail());
    const second = await makeKey(member);
    expect((await undo(token)).status).toBe(200);
    expect(await remove(member)).toMatchObject({ keys: [{ count: 2 }] });
    expect(await statesOf(first, second)).toEqual(['revoked', 'revoked']);
  });

  test('are revoked, and not the keys of a member who took the address later', async () => {
    const { makeKey, statesOf } = await newApp();
    const first = await makeKey(member);
    await change(member.visitor, freeEmail());
    // The five minutes that assertions with the previous address may take are over.
    await query("update earlier_emails set until = clock_timestamp() - interval '5 minutes' where person_id = $1", [
      member.person.id,
    ]);
    const successor = await home.join('developer');
    await setPassword(successor.visitor);
    await change(successor.visitor, member.person.email);
    const second = await makeKey(successor);
    expect(await remove(member)).toMatchObject({ keys: [{ count: 1 }] });
    expect(await statesOf(first, second)).toEqual(['revoked', 'active']);
  });
});
